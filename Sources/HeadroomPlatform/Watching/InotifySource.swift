//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
import SystemPackage

/// inotify(7): a watch for each directory, without privilege.
///
/// The number of watches is limited (`fs.inotify.max_user_watches`), of which this process takes no more
/// than half (``WatchBudget``), and each keeps an inode in the kernel's memory, about a kilobyte.
struct InotifySource: EventSource {
    static let mechanism = WatchMechanism.inotify
    let descriptor: Int32
    private var ids = WatchIDs<Int32>()
    private let share: WatchBudget.Share

    init(budget: WatchBudget = .inotify) throws(Errno) {
        share = WatchBudget.Share(of: budget)
        descriptor = try retrying { hr_inotify_open() }
    }

    mutating func add(_ directory: Int32, as id: UInt32) throws(Errno) {
        guard share.take() else { throw .noSpace }
        let descriptor = descriptor
        do throws(Errno) {
            let watch = try retrying { hr_inotify_watch(descriptor, directory) }
            // Seen by another way already, it is the same watch.
            if ids.contains(watch) { share.giveBack() }
            ids.add(id, for: watch)
        } catch {
            share.giveBack()
            throw error
        }
    }

    mutating func remove(_ id: UInt32) {
        guard let watch = ids.remove(id) else { return }
        share.giveBack()
        // A directory that is gone has no watch any more.
        _ = hr_inotify_forget(descriptor, watch)
    }

    /// `struct inotify_event`: watch, mask, cookie, length of the name (4 bytes each), the name with
    /// NULs behind it.
    mutating func parse(
        _ events: UnsafeRawBufferPointer, into collector: inout ChangeCollector
    ) -> Int {
        var offset = 0
        var count = 0
        while offset + 16 <= events.count {
            // In bounds: the loop condition leaves a header, the guard below its name.
            let watch = unsafe events.loadUnaligned(fromByteOffset: offset, as: Int32.self)
            let mask = unsafe events.loadUnaligned(fromByteOffset: offset + 4, as: UInt32.self)
            let length = unsafe Int(
                events.loadUnaligned(fromByteOffset: offset + 12, as: UInt32.self))
            guard offset + 16 + length <= events.count else {
                collector.lose()
                break
            }
            let field = unsafe UnsafeRawBufferPointer(
                rebasing: events[(offset + 16)..<(offset + 16 + length)])
            unsafe take(UInt64(mask), watch, unsafe field, &collector)
            offset += 16 + length
            count += 1
        }
        return count
    }

    private mutating func take(
        _ mask: UInt64, _ watch: Int32, _ field: UnsafeRawBufferPointer,
        _ collector: inout ChangeCollector
    ) {
        if mask & UInt64(HR_EVENT_OVERFLOW | HR_EVENT_UNMOUNT) != 0 { return collector.lose() }
        if mask & UInt64(HR_EVENT_IGNORED) != 0 {
            // It was not us: the directory is gone. Another may have its name and number already.
            ids.forEach(watch) { collector.lose(tree: $0) }
            if ids.contains(watch) { share.giveBack() }
            return ids.remove(watch)
        }
        let end = unsafe field.firstIndex(of: 0) ?? field.count
        let name = unsafe UnsafeRawBufferPointer(rebasing: field[..<end])
        ids.forEach(watch) { unsafe collector.add(mask, of: $0, name: name) }
    }
}
#endif
