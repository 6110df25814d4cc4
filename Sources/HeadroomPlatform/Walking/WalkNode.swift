//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Synchronization

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// A directory that waits to be read or is being read. Its name stands behind it in memory.
///
/// Nodes live in slabs of their worker: a walk makes no heap allocation per directory. Two counts
/// decide how long a node lives: `references` keeps the node, which descendants need for their
/// path; `users` keeps its descriptor, which only children not yet opened and pending buffers need.
@safe struct WalkNode: ~Copyable {
    typealias Pointer = UnsafeMutablePointer<WalkNode>

    var parent: Pointer?
    /// The next node on a stack or free list.
    var next: Pointer?
    /// This node while it is read, each child node, each pending buffer.
    let references = Atomic<Int>(1)
    /// The reader, each pending buffer and, unless `isTransient`, each child not yet opened.
    let users = Atomic<Int>(1)
    var identity = FileIdentity(device: 0, inode: 0)
    /// What the sink said when the directory was entered.
    var tag: UInt64 = 0
    var id: UInt32 = 0
    var descriptor: Int32 = -1
    let nameCount: UInt16
    let sizeClass: UInt8
    /// Descriptors were short when it was opened: children open from the root, not from here.
    var isTransient = false

    init(parent: Pointer?, nameCount: Int, sizeClass: UInt8) {
        unsafe self.parent = unsafe parent
        unsafe next = nil
        self.nameCount = UInt16(nameCount)
        self.sizeClass = sizeClass
    }
}

extension UnsafeMutablePointer where Pointee == WalkNode {
    /// The name, with its NUL, behind the node.
    var name: EntryName {
        let base = unsafe UnsafeMutableRawPointer(self + 1).assumingMemoryBound(to: CChar.self)
        // The pool allocated room for the name and its NUL behind the node and wrote both.
        return unsafe EntryName(base, count: Int(pointee.nameCount))
    }

    /// The names from the root of the walk, which has none, down to this node.
    var path: [FileName] {
        var names: [FileName] = []
        var node = unsafe self
        while let parent = unsafe node.pointee.parent {
            unsafe names.append(node.name.owned)
            unsafe node = parent
        }
        return names.reversed()
    }
}

/// Memory for the nodes of one worker. A node may be freed by another worker than made it.
@safe struct WalkNodePool: ~Copyable {
    private static let slabSize = 64 * 1024
    /// Most names are short; 255 bytes is the longest a Linux file system has, Darwin's is 1,023.
    private static let strides = [
        MemoryLayout<WalkNode>.stride + 24, MemoryLayout<WalkNode>.stride + 64,
        MemoryLayout<WalkNode>.stride + 256, MemoryLayout<WalkNode>.stride + 1032,
    ]

    private var free:
        (
            WalkNode.Pointer?, WalkNode.Pointer?, WalkNode.Pointer?, WalkNode.Pointer?
        ) = (nil, nil, nil, nil)
    private var slabs: [UnsafeMutableRawPointer] = unsafe []
    private var slab: UnsafeMutableRawPointer?
    private var slabOffset = 0

    init() { unsafe slab = nil }

    /// Frees all memory. Nodes of other pools that are on this one's lists are theirs to free, so
    /// pools go together, when the walk is over.
    deinit {
        unsafe slabs.forEach { unsafe $0.deallocate() }
    }

    /// Makes a node with a copy of the name.
    mutating func make(parent: WalkNode.Pointer?, name: EntryName) -> WalkNode.Pointer {
        let sizeClass: UInt8 =
            name.count < 24 ? 0 : name.count < 64 ? 1 : name.count < 256 ? 2 : 3
        let memory: UnsafeMutableRawPointer
        if let node = unsafe take(sizeClass) {
            unsafe memory = UnsafeMutableRawPointer(node)
        } else {
            unsafe memory = carve(Self.strides[Int(sizeClass)])
        }
        let node = unsafe memory.bindMemory(to: WalkNode.self, capacity: 1)
        unsafe node.initialize(
            to: WalkNode(parent: parent, nameCount: name.count, sizeClass: sizeClass))
        // In bounds: the size class leaves room for the name and its NUL.
        unsafe memcpy(UnsafeMutableRawPointer(node + 1), name.base, name.count)
        unsafe UnsafeMutableRawPointer(node + 1)
            .storeBytes(of: 0, toByteOffset: name.count, as: UInt8.self)
        return unsafe node
    }

    mutating func recycle(_ node: WalkNode.Pointer) {
        let sizeClass = unsafe node.pointee.sizeClass
        switch sizeClass {
        case 0: unsafe (node.pointee.next, free.0) = unsafe (free.0, node)
        case 1: unsafe (node.pointee.next, free.1) = unsafe (free.1, node)
        case 2: unsafe (node.pointee.next, free.2) = unsafe (free.2, node)
        default: unsafe (node.pointee.next, free.3) = unsafe (free.3, node)
        }
    }

    private mutating func take(_ sizeClass: UInt8) -> WalkNode.Pointer? {
        func pop(_ list: inout WalkNode.Pointer?) -> WalkNode.Pointer? {
            guard let node = unsafe list else { return nil }
            unsafe list = node.pointee.next
            unsafe node.deinitialize(count: 1)
            return unsafe node
        }
        switch sizeClass {
        case 0: return unsafe pop(&free.0)
        case 1: return unsafe pop(&free.1)
        case 2: return unsafe pop(&free.2)
        default: return unsafe pop(&free.3)
        }
    }

    private mutating func carve(_ size: Int) -> UnsafeMutableRawPointer {
        let stride = (size + 15) & ~15
        if let slab = unsafe slab, slabOffset + stride <= Self.slabSize {
            defer { slabOffset += stride }
            return unsafe slab + slabOffset
        }
        let fresh = UnsafeMutableRawPointer.allocate(byteCount: Self.slabSize, alignment: 16)
        unsafe slabs.append(fresh)
        unsafe slab = unsafe fresh
        slabOffset = stride
        return unsafe fresh
    }
}
