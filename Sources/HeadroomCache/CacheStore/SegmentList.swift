//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform

/// What is known of a segment.
struct SegmentAccount {
    let purgeClass: PurgeableClass
    /// The session that writes to it.
    var owner: UInt32
    /// What it is accounted with: all it may grow to as long as it is open.
    var allocated: Int64
    /// Where the next record would stand.
    var end: UInt32 = 0
    /// Of what is to stay.
    var liveBytes: Int64 = 0
    var liveCount = 0
    /// Of what goes with it.
    var condemnedBytes: Int64 = 0
    var condemnedCount = 0
    /// Among those that are to stay.
    var pinnedCount = 0
    var isOpen: Bool
    /// Records that are being written.
    var pending: Int32 = 0
    /// Its file could not be removed.
    var isStuck = false
    /// Not, where a number has no segment any more.
    fileprivate(set) var isThere = true

    fileprivate static let none: SegmentAccount = {
        var none = SegmentAccount(purgeClass: .temporary, owner: 0, allocated: 0, isOpen: false)
        none.isThere = false
        return none
    }()

    /// Nobody writes to it any more, and it can be removed.
    var isAtRest: Bool { !isOpen && pending == 0 && !isStuck }

    /// Counts in what ends there, if there is such a segment.
    @inline(__always)
    mutating func take(end: UInt32, _ size: Int) -> Bool {
        guard isThere else { return false }
        self.end = max(self.end, end)
        liveBytes &+= Int64(size)
        liveCount &+= 1
        return true
    }

    init(purgeClass: PurgeableClass, owner: UInt32, allocated: Int64, isOpen: Bool) {
        self.purgeClass = purgeClass
        self.owner = owner
        self.allocated = allocated
        self.isOpen = isOpen
    }
}

/// The segments of a store by their numbers, which only ever grow.
struct SegmentList {
    // Other arrays lend themselves to be changed in place only on newer systems of Apple's.
    private var items: ContiguousArray<SegmentAccount> = []
    /// The number of the first.
    private var base: UInt32 = 0
    /// No segment has had this number or a larger one.
    private(set) var next: UInt32 = 1

    /// Numbers further apart than this are nothing that we have written.
    static let widestRange = 1 << 22

    subscript(_ number: UInt32) -> SegmentAccount? {
        @inline(__always) get {
            let index = Int(number) - Int(base)
            return items.indices.contains(index) && items[index].isThere ? items[index] : nil
        }
        @inline(__always) set {
            if items.indices.contains(Int(number) - Int(base)) {
                items[Int(number) - Int(base)] = newValue ?? .none
                if newValue == nil { trim() }
            } else if let newValue {
                add(newValue, number)
            }
        }
    }

    @inline(__always)
    func contains(_ number: UInt32) -> Bool {
        let index = Int(number) - Int(base)
        return items.indices.contains(index) && items[index].isThere
    }

    /// Changes what is known of a segment, in place.
    @inline(__always)
    mutating func update(_ number: UInt32, _ body: (inout SegmentAccount) -> Void) {
        let index = Int(number) - Int(base)
        guard items.indices.contains(index) else { return }
        if items[index].isThere { body(&items[index]) }
    }

    /// Something ends there in a segment.
    ///
    /// - Returns: false if there is no such segment.
    @inline(__always)
    mutating func noticeEnd(_ end: UInt32, of number: UInt32) -> Bool {
        let index = Int(number) - Int(base)
        guard items.indices.contains(index), items[index].isThere else { return false }
        items[index].end = max(items[index].end, end)
        return true
    }

    /// Changes many of them, which `body` finds by their numbers less the first.
    @inline(__always)
    mutating func withAccounts(_ body: (inout MutableSpan<SegmentAccount>, _ first: Int) -> Void) {
        let first = Int(base)
        var accounts = items.mutableSpan
        body(&accounts, first)
    }

    private mutating func add(_ segment: SegmentAccount, _ number: UInt32) {
        if items.isEmpty { base = number }
        if number < base {
            items.insert(contentsOf: repeatElement(.none, count: Int(base - number)), at: 0)
            base = number
        }
        while Int(base) + items.count <= Int(number) { items.append(.none) }
        items[Int(number - base)] = segment
        next = max(next, number &+ 1)
    }

    /// The first segment, if its number is so far behind that it should be moved: it would keep the list long.
    var firstFarBehind: UInt32? {
        guard let first = items.firstIndex(where: \.isThere) else { return nil }
        let number = base + UInt32(first)
        return next - number > Self.widestRange / 64 && items[first].isAtRest ? number : nil
    }

    /// Whether a number can be one of this list's.
    func canHold(_ number: UInt32) -> Bool {
        guard number > 0, number < 1 << 31 else { return false }
        if items.isEmpty, next == 1 { return true }
        return abs(Int(number) - Int(items.isEmpty ? next : base)) < Self.widestRange
    }

    private mutating func trim() {
        let gone = items.prefix { !$0.isThere }.count
        if gone == items.count {
            items = []
        } else if gone > 64, gone > items.count / 2 {
            items.removeFirst(gone)
            base += UInt32(gone)
        }
    }

    var numbers: [UInt32] {
        items.indices.compactMap { items[$0].isThere ? base + UInt32($0) : nil }
    }

    var count: Int { items.reduce(0) { $1.isThere ? $0 + 1 : $0 } }

    mutating func takeNumber() -> UInt32 {
        defer { next += 1 }
        return next
    }

    /// There is, or was, a segment of that number.
    mutating func notice(_ number: UInt32) { if canHold(number) { next = max(next, number + 1) } }

    mutating func removeAll() { items = [] }
}
