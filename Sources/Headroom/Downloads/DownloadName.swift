//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What a download is called where the caller does not say.
package enum DownloadName {
    /// The name for a URL: the last part of its path, and eight bytes of a hash of the whole URL, so
    /// that two URLs never meet: `episode-5f2b….mp3`.
    ///
    /// - Parameters:
    ///   - lastComponent: of the URL's path, percent-encoding taken off.
    ///   - url: the whole of it.
    package static func name(lastComponent: String, url: String) -> String {
        let hash = SHA256.digest(of: url).prefix(8)
        let plain = String(
            String.UnicodeScalarView(
                lastComponent.unicodeScalars.map(harmless).drop { $0 == "." || $0 == " " }))
        var stem = plain[...]
        var suffix: Substring = ""
        if let dot = plain.lastIndex(of: "."), dot != plain.startIndex,
            plain[dot...].utf8.count <= 17
        {
            stem = plain[..<dot]
            suffix = plain[dot...]
        }
        // NAME_MAX is 255 bytes.
        while stem.utf8.count > 200 { stem.removeLast() }
        return "\(stem.isEmpty ? "download" : stem)-\(hash)\(suffix == "." ? "" : suffix)"
    }

    /// What a file name should not have becomes a `-`.
    private static func harmless(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        switch scalar {
        case "/", "\\", ":": "-"
        default: scalar.properties.generalCategory == .control ? "-" : scalar
        }
    }
}
