//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform

/// What has to be known of an unfinished download to go on with it, kept in an attribute of the
/// file: so the two are never apart, whatever crashes.
///
/// Where the file system keeps no attributes a download can go on within one call, not after it.
package struct DownloadState: Hashable, Sendable {
    package var version: ResourceVersion
    /// The length of the whole, if the server has told.
    package var total: Int64?
    /// This much is on disk whatever happens.
    package var synced: Int64
    /// Which boot wrote it: after another one, only what was synced counts.
    package var boot: String

    #if canImport(Darwin)
    static let attribute: AttributeName = "headroom.download"
    #else
    static let attribute: AttributeName = "user.headroom.download"
    #endif

    package init(version: ResourceVersion, total: Int64?) {
        self.version = version
        self.total = total
        synced = 0
        boot = SystemBoot.identifier ?? "-"
    }

    /// How much of a file of this length can be relied upon.
    package func trusted(of size: Int64) -> Int64 {
        let known = boot == SystemBoot.identifier ? size : min(size, synced)
        return max(0, total.map { min(known, $0) } ?? known)
    }

    // MARK: - Encoding

    /// Five lines of text: version, boot, synced, total, version of the resource.
    var encoded: [UInt8] {
        let resource =
            switch version {
            case .entityTag(let value): "E" + value
            case .modified(let value): "M" + value
            }
        let lines = ["1", boot, String(synced), total.map { String($0) } ?? "-", resource]
        return Array(lines.joined(separator: "\n").utf8)
    }

    /// - Returns: nil for anything that is not exactly what is written: then nothing is relied upon.
    init?(decoding bytes: [UInt8]) {
        guard bytes.count <= ResourceVersion.maximumLength + 256,
            let text = String(validating: bytes, as: UTF8.self)
        else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.count == 5, lines[0] == "1", let synced = Int64(lines[2]), synced >= 0 else {
            return nil
        }
        var total: Int64?
        if lines[3] != "-" {
            guard let value = Int64(lines[3]), value >= 0 else { return nil }
            total = value
        }
        let value = String(lines[4].dropFirst())
        guard !value.isEmpty else { return nil }
        switch lines[4].first {
        case "E": version = .entityTag(value)
        case "M": version = .modified(value)
        default: return nil
        }
        self.total = total
        self.synced = synced
        boot = String(lines[1])
    }
}
