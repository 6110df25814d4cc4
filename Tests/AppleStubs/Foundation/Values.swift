//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public struct Date: Hashable, Comparable, Sendable, Codable {
    public init() { stub() }
    public init(timeIntervalSinceNow: TimeInterval) { stub() }
    public init(timeIntervalSince1970: TimeInterval) { stub() }
    public static var now: Date { stub() }
    public static var distantPast: Date { stub() }
    public static var distantFuture: Date { stub() }
    public var timeIntervalSince1970: TimeInterval { stub() }
    public var timeIntervalSinceNow: TimeInterval { stub() }
    public func timeIntervalSince(_ other: Date) -> TimeInterval { stub() }
    public func addingTimeInterval(_ interval: TimeInterval) -> Date { stub() }
    public static func < (left: Date, right: Date) -> Bool { stub() }
}

public struct UUID: Hashable, Sendable, Codable, CustomStringConvertible {
    public init() { stub() }
    public init?(uuidString: String) { stub() }
    public var uuidString: String { stub() }
    public var description: String { stub() }
}

public protocol DataProtocol: RandomAccessCollection where Element == UInt8 {}
public protocol ContiguousBytes {
    func withUnsafeBytes<R>(_ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R
}
public protocol MutableDataProtocol: DataProtocol, MutableCollection,
    RangeReplaceableCollection
{}

extension Array: DataProtocol where Element == UInt8 {}
extension ArraySlice: DataProtocol where Element == UInt8 {}
extension Array: ContiguousBytes where Element == UInt8 {}
extension UnsafeRawBufferPointer: @unsafe ContiguousBytes {
    public func withUnsafeBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R { try unsafe body(self) }
}
extension UnsafeRawBufferPointer: DataProtocol {}

public struct Data: Hashable, Sendable, Codable, RandomAccessCollection, MutableCollection,
    RangeReplaceableCollection, DataProtocol, MutableDataProtocol, ContiguousBytes
{
    public typealias Index = Int
    public typealias Indices = Range<Int>
    public typealias Element = UInt8

    public enum Deallocator {
        case free
        case none
        case custom((UnsafeMutableRawPointer, Int) -> Void)
    }

    public struct ReadingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let mappedIfSafe = ReadingOptions(rawValue: 1)
        public static let uncached = ReadingOptions(rawValue: 2)
    }

    public struct WritingOptions: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let atomic = WritingOptions(rawValue: 1)
        public static let withoutOverwriting = WritingOptions(rawValue: 2)
        @available(macOS 11.0, iOS 4.0, watchOS 2.0, tvOS 9.0, *)
        public static let noFileProtection = WritingOptions(rawValue: 0x1000_0000)
        @available(macOS 11.0, iOS 4.0, watchOS 2.0, tvOS 9.0, *)
        public static let completeFileProtection = WritingOptions(rawValue: 0x2000_0000)
        @available(macOS 11.0, iOS 5.0, watchOS 2.0, tvOS 9.0, *)
        public static let completeFileProtectionUnlessOpen = WritingOptions(rawValue: 0x3000_0000)
        @available(macOS 11.0, iOS 5.0, watchOS 2.0, tvOS 9.0, *)
        public static let completeFileProtectionUntilFirstUserAuthentication = WritingOptions(
            rawValue: 0x4000_0000)
        @available(iOS 17.0, watchOS 10.0, tvOS 17.0, visionOS 1.0, *)
        @available(macOS, unavailable)
        public static let completeFileProtectionWhenUserInactive = WritingOptions(
            rawValue: 0x5000_0000)
    }

    public init() { stub() }
    public init(count: Int) { stub() }
    public init<S: Sequence>(_ elements: S) where S.Element == UInt8 { stub() }
    public init(repeating: UInt8, count: Int) { stub() }
    @unsafe public init(bytes: UnsafeRawPointer, count: Int) { stub() }
    @unsafe public init(
        bytesNoCopy bytes: UnsafeMutableRawPointer, count: Int, deallocator: Deallocator
    ) { stub() }
    public init(contentsOf url: URL, options: ReadingOptions = []) throws { stub() }
    public func write(to url: URL, options: WritingOptions = []) throws {}
    public var startIndex: Int { stub() }
    public var endIndex: Int { stub() }
    public subscript(index: Int) -> UInt8 {
        get { stub() }
        set {}
    }
    public subscript(bounds: Range<Int>) -> Data {
        get { stub() }
        set {}
    }
    public func index(before index: Int) -> Int { stub() }
    public func index(after index: Int) -> Int { stub() }
    public mutating func replaceSubrange<C: Collection>(
        _ range: Range<Int>, with bytes: C
    ) where C.Element == UInt8 {}
    public mutating func append(_ other: Data) {}
    public func withUnsafeBytes<R>(
        _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R { stub() }
    public mutating func withUnsafeMutableBytes<R>(
        _ body: (UnsafeMutableRawBufferPointer) throws -> R
    ) rethrows -> R { stub() }
    @available(iOS 12.2, macOS 10.14.4, tvOS 12.2, watchOS 5.2, *)
    public var bytes: RawSpan {
        @_lifetime(borrow self)
        borrowing get { stub2() }
    }
    @_lifetime(immortal)
    private func stub2() -> RawSpan { preconditionFailure("a stub") }
}

open class JSONEncoder {
    public struct OutputFormatting: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let sortedKeys = OutputFormatting(rawValue: 2)
        public static let prettyPrinted = OutputFormatting(rawValue: 1)
    }
    public init() {}
    open var outputFormatting: OutputFormatting {
        get { stub() }
        set {}
    }
    open func encode<T: Encodable>(_ value: T) throws -> Data { stub() }
}

extension JSONEncoder: @unchecked Sendable {}

open class JSONDecoder {
    public init() {}
    open func decode<T: Decodable>(_ type: T.Type, from data: Data) throws -> T { stub() }
}

extension JSONDecoder: @unchecked Sendable {}

extension String {
    public struct Encoding: Hashable, Sendable {
        public static let utf8 = Encoding()
    }
    public init?(data: Data, encoding: Encoding) { stub() }
    public func data(using encoding: Encoding) -> Data? { stub() }
}
