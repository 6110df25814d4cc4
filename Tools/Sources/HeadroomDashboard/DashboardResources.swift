//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The files of the dashboard, by their names: `index.html`, `app/main.js`, `style/main.css`.
///
/// They are read once, and only what was read is ever given out: a name is looked up, not opened.
public struct DashboardResources: Sendable {
    /// A file and what it is.
    public struct File: Hashable, Sendable {
        public var bytes: [UInt8]
        /// For the header `Content-Type`.
        public var type: String
        /// Another for other bytes.
        public var tag: String
    }

    /// Empty: the files were not found.
    public let files: [String: File]
    /// Where they were looked for.
    public let places: [String]

    /// The message for empty ``files``: the directories that were searched, and how to install the files.
    public var adviceWhereMissing: String {
        // mutation: r38c-11 (5 lines)
        let installed = places.last ?? "share/headroom/dashboard"
        return "The pages of the dashboard are not installed. They were looked for in "
            + "\(places.joined(separator: ", ")). Install the package of Headroom, or copy "
            + "Tools/Sources/HeadroomDashboard/Resources of its sources to \(installed), and start the "
            + "daemon again. The API works without them, at /api/v1."
    }

    /// More than that is nothing of ours.
    private static let limit = 8 << 20

    // MARK: - Finding

    /// Reads the files that lie beside the program, as it was built, or where an installation puts them:
    /// `share/headroom/dashboard` beside its `bin` or `libexec`. Blocks.
    public static func load() -> DashboardResources {
        let program = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        let directory =
            (program.path == "/proc/self/exe"
            ? URL(fileURLWithPath: CommandLine.arguments.first ?? "").resolvingSymlinksInPath()
            : program).deletingLastPathComponent()
        let isInLibexec = directory.path.hasSuffix("/libexec/headroom")
        let prefix = (isInLibexec ? directory.deletingLastPathComponent() : directory)
            .deletingLastPathComponent()
        return load(
            from: ["resources", "bundle"].map {
                directory.appendingPathComponent("HeadroomTools_HeadroomDashboard.\($0)/Resources")
            } + [
                prefix.appendingPathComponent("share/headroom/dashboard")
            ])
    }

    /// Reads the first of some directories that has an `index.html`.
    public static func load(from places: [URL]) -> DashboardResources {
        for place in places {
            let files = read(place)
            if files["index.html"] != nil {
                return DashboardResources(files: files, places: places.map(\.path))
            }
        }
        return DashboardResources(files: [:], places: places.map(\.path))
    }

    private static func read(_ directory: URL) -> [String: File] {
        var files: [String: File] = [:]
        var left = limit
        // What cannot be listed is not there.
        let names =
            (try? FileManager.default.subpathsOfDirectory(atPath: directory.path)) ?? []
        for name in names.sorted() {
            guard let type = types[String(name.split(separator: ".").last ?? "")],
                name.utf8.allSatisfy(isPlain),
                let data = try? Data(contentsOf: directory.appendingPathComponent(name)),
                data.count <= left
            else { continue }
            left -= data.count
            files[name] = File(bytes: Array(data), type: type, tag: tag(of: data))
        }
        return files
    }

    /// Letters, digits and what stands in names of files: nothing that an address would have to encode.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D...0x2F, 0x5F: true
        default: false
        }
    }

    private static let types = [
        "html": "text/html; charset=utf-8", "js": "text/javascript; charset=utf-8",
        "css": "text/css; charset=utf-8", "svg": "image/svg+xml", "png": "image/png",
        "ico": "image/x-icon", "json": "application/json", "txt": "text/plain; charset=utf-8",
        "woff2": "font/woff2",
    ]

    /// FNV-1a, 64 bits: who could make two files with the same could change the files.
    private static func tag(of data: Data) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in data { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return "\"\(String(hash, radix: 16))-\(data.count)\""
    }
}
