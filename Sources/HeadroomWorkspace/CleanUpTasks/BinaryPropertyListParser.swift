//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Reads the binary form of property lists (`bplist00`).
///
/// Objects, their offsets in a table behind them, and 32 bytes at the end that say where that is. Every
/// number in it is checked against the file before it is used.
struct BinaryPropertyListParser {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let tableStart: Int
    private var valueCount = 0

    static func parse(_ bytes: [UInt8]) throws(PropertyList.Failure) -> PropertyList {
        guard bytes.count >= 8 + 1 + 1 + trailerSize, bytes.starts(with: Array("bplist0".utf8))
        else {
            throw PropertyList.Failure("it is cut short, or of a version that is not known")
        }
        let trailer = bytes.count - trailerSize
        let numbers = [8, 16, 24].map { number(bytes, at: trailer + $0, size: 8) }
        guard let count = Int(exactly: numbers[0]), let top = Int(exactly: numbers[1]),
            let table = Int(exactly: numbers[2])
        else { throw damaged }
        let offsetSize = Int(bytes[trailer + 6])
        let referenceSize = Int(bytes[trailer + 7])
        let (tableSize, overflow) = count.multipliedReportingOverflow(by: offsetSize)
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize), !overflow, count > 0,
            top < count, table >= 9, table <= trailer, tableSize == trailer - table
        else { throw PropertyList.Failure("it is cut short, or its table of objects is damaged") }
        var parser = BinaryPropertyListParser(
            bytes: bytes, offsetSize: offsetSize, referenceSize: referenceSize, objectCount: count,
            tableStart: table)
        return try parser.object(top, depth: 0)
    }

    private static let trailerSize = 32
    private static let damaged = PropertyList.Failure("it is damaged")

    private init(
        bytes: [UInt8], offsetSize: Int, referenceSize: Int, objectCount: Int, tableStart: Int
    ) {
        self.bytes = bytes
        self.offsetSize = offsetSize
        self.referenceSize = referenceSize
        self.objectCount = objectCount
        self.tableStart = tableStart
    }

    private mutating func object(
        _ reference: Int, depth: Int
    ) throws(PropertyList.Failure) -> PropertyList {
        guard depth < PropertyList.depthLimit else {
            throw PropertyList.Failure(
                "it is nested more than \(PropertyList.depthLimit) levels deep, or contains itself")
        }
        valueCount += 1
        guard valueCount <= PropertyList.valueLimit else {
            throw PropertyList.Failure("it has more than \(PropertyList.valueLimit) values")
        }
        guard reference < objectCount,
            let offset = Int(
                exactly: Self.number(
                    bytes, at: tableStart + reference * offsetSize, size: offsetSize)),
            offset >= 8, offset < tableStart
        else { throw Self.damaged }
        let marker = bytes[offset]
        switch marker >> 4 {
        case 0x0:
            guard marker == 0x08 || marker == 0x09 else {
                return .other("nothing")
            }
            return .other("true or false")
        case 0x1, 0x2: return .other("a number")
        case 0x3: return .other("a date")
        case 0x4: return .other("data")
        case 0x5:
            let (start, count) = try extent(at: offset, unit: 1)
            let text = bytes[start..<(start + count)]
            guard text.allSatisfy({ $0 < 0x80 }) else { throw Self.damaged }
            return .string(String(decoding: text, as: UTF8.self))
        case 0x6:
            let (start, count) = try extent(at: offset, unit: 2)
            let units = (0..<count).map { index in
                UInt16(bytes[start + 2 * index]) << 8 | UInt16(bytes[start + 2 * index + 1])
            }
            guard let text = String(validating: units, as: UTF16.self) else {
                throw PropertyList.Failure("a string in it is no valid UTF-16")
            }
            return .string(text)
        case 0x8: return .other("a reference")
        case 0xA, 0xC:
            let references = try references(at: offset, groups: 1)
            var values: [PropertyList] = []
            for reference in references {
                values.append(try object(reference, depth: depth + 1))
            }
            return marker >> 4 == 0xA ? .array(values) : .other("a set")
        case 0xD:
            let references = try references(at: offset, groups: 2)
            let count = references.count / 2
            var pairs: [PropertyList.Pair] = []
            for index in 0..<count {
                guard case .string(let key) = try object(references[index], depth: depth + 1) else {
                    throw PropertyList.Failure("a key in it is no string")
                }
                let value = try object(references[count + index], depth: depth + 1)
                pairs.append(PropertyList.Pair(key: key, value: value))
            }
            return .dictionary(pairs)
        default: throw Self.damaged
        }
    }

    private func references(
        at offset: Int, groups: Int
    ) throws(PropertyList.Failure) -> [Int] {
        let (start, count) = try extent(at: offset, unit: referenceSize * groups)
        var references: [Int] = []
        for index in 0..<(count * groups) {
            let value = Self.number(
                bytes, at: start + index * referenceSize, size: referenceSize)
            guard let reference = Int(exactly: value) else { throw Self.damaged }
            references.append(reference)
        }
        return references
    }

    /// Where the content of an object starts, and how many units of it there are; all of them lie
    /// before the table.
    private func extent(
        at offset: Int, unit: Int
    ) throws(PropertyList.Failure) -> (start: Int, count: Int) {
        var start = offset + 1
        var count = Int(bytes[offset] & 0x0F)
        if count == 0x0F {
            // A long one: its count follows as a number.
            guard start < tableStart, bytes[start] >> 4 == 0x1, bytes[start] & 0x0F <= 3 else {
                throw Self.damaged
            }
            let size = 1 << Int(bytes[start] & 0x0F)
            guard start + 1 + size <= tableStart,
                let long = Int(exactly: Self.number(bytes, at: start + 1, size: size))
            else { throw Self.damaged }
            count = long
            start += 1 + size
        }
        let (length, overflow) = count.multipliedReportingOverflow(by: unit)
        guard !overflow, start <= tableStart, length <= tableStart - start else {
            throw Self.damaged
        }
        return (start, count)
    }

    /// A big-endian number that lies in the file.
    private static func number(_ bytes: [UInt8], at start: Int, size: Int) -> UInt64 {
        bytes[start..<(start + size)].reduce(0) { $0 << 8 | UInt64($1) }
    }
}
