//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// The `*.conf` files of some directories, by the rules of precedence: of files with one name that in
/// the first directory holds, and one that is empty or `/dev/null` masks the others.
struct TmpfilesFiles {
    private(set) var lines: [TmpfilesLine] = []
    private(set) var findings: [TmpfilesFinding] = []

    /// Reads them; blocks. All are sorted by name, whatever directory they are in.
    init(_ directories: [FilePath]) {
        var chosen: [FileName: FilePath] = [:]
        for directory in directories {
            // One that is not there has no files.
            let names =
                (try? ContainerDirectory(directory).names(in: nil) {
                    $0.bytes.suffix(5) == Array(".conf".utf8)[...]
                }) ?? []
            for name in names where chosen[name] == nil { chosen[name] = directory.appending(name) }
        }
        let sorted = chosen.sorted { $0.key < $1.key }
        for (_, file) in sorted { read(file) }
    }

    private mutating func read(_ file: FilePath) {
        if file.linkTarget == "/dev/null" { return }
        let name = file.displayText
        do {
            let content = try SmallFile.read(file)
            var number = 0
            for text in content.split(separator: 0x0A, omittingEmptySubsequences: false) {
                number += 1
                let source = TmpfilesLine.Source(file: name, line: number)
                do throws(HeadroomError) {
                    if let line = try TmpfilesLine.parse(Array(text), at: source) {
                        lines.append(line)
                    }
                } catch {
                    findings.append(TmpfilesFinding(source: source, text: error.message))
                }
            }
        } catch {
            findings.append(
                TmpfilesFinding(
                    source: .init(file: name, line: 0),
                    text: "\(name) cannot be read (\(error)): its rules are missing."))
        }
    }
}

/// Something in `tmpfiles.d` that was not taken over, and why.
public struct TmpfilesFinding: Hashable, Sendable {
    /// Line 0: the whole file.
    public var source: TmpfilesLine.Source
    /// A sentence, with the place.
    public var text: String
}
