//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
import SystemPackage

/// Finds the running program that a temporary file names: by its number, as `lu4711h7x2.tmp` of LibreOffice and
/// `mutt-host-1000-4711-1`, or by its name, as `Sigil-aBcDeF` and `calibre_7.1_tmp_x`.
///
/// Programs close such files and need them again, hours later: an open book, an image of a document, a draft.
struct NamedProcess {
    /// By name in small letters.
    private let programs: [String: [Int32]]

    init(_ programs: [String: [Int32]]) {
        self.programs = programs
    }

    /// Why a directory entry is kept: its name contains the number or begins with the name of a process of its owner
    /// that was running when the entry was last written. Nil if none is; on Darwin, always.
    ///
    /// - Complexity: one system call per number in the name, unless there is such a process.
    func reason(for name: FileName, at path: FilePath) -> Reason? {
        for number in Self.numbers(in: name) where Self.has(number, at: path) {
            return Reason(
                .process,
                "Its name contains the number of a running process: "
                    + "\(RunningProcess.description(of: number)).")
        }
        if let number = named(by: name).first(where: { Self.has($0, at: path) }) {
            return Reason(
                .process,
                "It is named after a running program: \(RunningProcess.description(of: number))."
            )
        }
        return nil
    }

    private static func has(_ number: Int32, at path: FilePath) -> Bool {
        guard let process = RunningProcess.ownerAndStart(of: number),
            let status = try? PathCalls.entryStatus(path)
        else { return false }
        // Both times are only known to some milliseconds.
        return status.owner == process.owner
            && status.modified >= process.start.advanced(by: .seconds(-1))
    }

    private func named(by name: FileName) -> [Int32] {
        let start = name.bytes.prefix { $0.isLetterOrDigit }
        let text = String(decoding: start, as: UTF8.self).lowercased()
        // R's directories have no sign after their name: RtmpaBcDeF.
        if name.bytes.starts(with: "Rtmp".utf8) {
            return programs["r", default: []] + programs["rsession", default: []]
        }
        // Too many files begin with the name of a shell. Headroom's own files are kept by another rule.
        return text.utf8.count < 3 || text == "headroom" ? [] : programs[text, default: []]
    }

    /// The numbers in a name that can be those of processes: with two to seven digits (the kernel's limit is 4,194,304),
    /// without zeros in front.
    ///
    /// Digits within letters don't count, because most are random, as mktemp(3) makes them. LibreOffice's do.
    private static func numbers(in name: FileName) -> [Int32] {
        name.bytes.split { !$0.isLetterOrDigit }.compactMap { word in
            var digits = word
            if word.starts(with: "lu".utf8), word.dropFirst(2).first?.isDigit == true {
                digits = word.dropFirst(2).prefix { $0.isDigit }
            }
            guard 2...7 ~= digits.count, digits.allSatisfy(\.isDigit),
                digits.first != UInt8(ascii: "0")
            else { return nil }
            return Int32(String(decoding: digits, as: UTF8.self))
        }
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { UInt8(ascii: "0")...UInt8(ascii: "9") ~= self }

    fileprivate var isLetterOrDigit: Bool {
        isDigit || UInt8(ascii: "a")...UInt8(ascii: "z") ~= self | 0x20
    }
}
