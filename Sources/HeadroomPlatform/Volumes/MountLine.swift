//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import SystemPackage

/// The first fields of a line of `mountinfo`, read without copying the rest: for the many mount tables of a
/// machine with containers.
@safe struct MountLine {
    private let reader: FieldReader
    private let line: UnsafeRawBufferPointer
    private let rootRange: Range<Int>
    private let pointRange: Range<Int>
    private let typeRange: Range<Int>
    /// The ID of the mount.
    let number: UInt64
    /// The ID of the mount that it is mounted on.
    let parent: UInt64
    /// In the form of ``FileIdentity/device``.
    let device: UInt64

    /// - Parameter line: must be valid as long as the value is used.
    /// - Returns: nil if it is not a line of proc(5)'s `/proc/pid/mountinfo`.
    init?(_ line: UnsafeRawBufferPointer) {
        unsafe self.line = line
        var reader = unsafe FieldReader(line)
        guard let number = reader.number(reader.next()), let parent = reader.number(reader.next()),
            let device = reader.device(reader.next(), radix: 10)
        else { return nil }
        self.number = number
        self.parent = parent
        self.device = device
        rootRange = reader.next()
        pointRange = reader.next()
        // Optional fields end at a single hyphen.
        while true {
            let field = reader.next()
            if field.isEmpty { return nil }
            if reader.text(field) == "-" { break }
        }
        typeRange = reader.next()
        self.reader = reader
    }

    /// Whether the root of the file system is mounted, and not a directory in it.
    var showsWhole: Bool {
        unsafe line[rootRange].elementsEqual("/".utf8)
    }

    var type: String { reader.text(typeRange) }
    var isOverlay: Bool {
        unsafe line[typeRange].elementsEqual("overlay".utf8)
    }
    var root: FilePath { FilePath(bytes: rootBytes) }
    var rootBytes: [UInt8] { reader.unescaped(rootRange) }
    var point: FilePath { FilePath(bytes: pointBytes) }
    var pointBytes: [UInt8] { reader.unescaped(pointRange) }
    /// The whole line.
    var bytes: [UInt8] { unsafe Array(line) }
}
#endif
