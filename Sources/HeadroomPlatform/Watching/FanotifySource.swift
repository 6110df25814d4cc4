//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
import SystemPackage

/// fanotify(7) with directory handles and names: one mark for a whole file system, so that a million
/// directories cost the kernel nothing. Needs `CAP_SYS_ADMIN` and Linux 5.9.
///
/// Events name a directory by its handle. The handles of the directories that are watched are known
/// by a keyed hash of 64 bits; what happens elsewhere on the file system is dropped after one look-up.
struct FanotifySource: EventSource {
    static let mechanism = WatchMechanism.fanotify
    let descriptor: Int32
    private var ids = WatchIDs<Int>()

    /// - Throws: `EPERM` without privilege, `EINVAL` before Linux 5.9.
    init() throws(Errno) {
        descriptor = try retrying { hr_fanotify_open() }
    }

    /// Marks the file system of an open directory.
    ///
    /// - Throws: `ENODEV`, `EOPNOTSUPP`, `EXDEV` where it has no handles or ids to be told by.
    func mark(_ directory: Int32) throws(Errno) {
        _ = try Self.handle(of: directory)
        _ = try retrying { hr_fanotify_watch(descriptor, directory) }
    }

    mutating func add(_ directory: Int32, as id: UInt32) throws(Errno) {
        ids.add(id, for: try Self.handle(of: directory))
    }

    mutating func remove(_ id: UInt32) { _ = ids.remove(id) }

    private static func handle(of directory: Int32) throws(Errno) -> Int {
        let result: Result<Int, Errno> = unsafe withUnsafeTemporaryAllocation(
            of: UInt8.self, capacity: 160
        ) { buffer in
            let length = unsafe hr_directory_handle(directory, buffer.baseAddress, buffer.count)
            guard length > 0 else { return .failure(.current) }
            // In bounds: the call filled so many.
            let filled = unsafe UnsafeRawBufferPointer(start: buffer.baseAddress, count: length)
            return .success(unsafe hash(filled))
        }
        return try result.get()
    }

    private static func hash(_ bytes: UnsafeRawBufferPointer) -> Int {
        var hasher = Hasher()
        unsafe hasher.combine(bytes: bytes)
        return hasher.finalize()
    }

    /// `struct fanotify_event_metadata`: length (4), version (1), reserved (1), length of itself (2),
    /// mask (8), descriptor and process (4 each); then records: type (1), padding (1), length (2),
    /// file-system id (8), handle size and type (4 each), handle, name with its NUL.
    mutating func parse(
        _ events: UnsafeRawBufferPointer, into collector: inout ChangeCollector
    ) -> Int {
        var offset = 0
        var count = 0
        while offset + 24 <= events.count {
            // In bounds: the loop condition leaves a header; lengths are checked before they are used.
            let length = unsafe Int(
                events.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
            let header = unsafe Int(
                events.loadUnaligned(fromByteOffset: offset + 6, as: UInt16.self))
            let mask = unsafe events.loadUnaligned(fromByteOffset: offset + 8, as: UInt64.self)
            guard length >= 24, header >= 24, header <= length, offset + length <= events.count
            else {
                collector.lose()
                break
            }
            if mask & UInt64(HR_EVENT_OVERFLOW) != 0 {
                collector.lose()
            } else {
                let records = unsafe UnsafeRawBufferPointer(
                    rebasing: events[(offset + header)..<(offset + length)])
                unsafe take(mask, records, &collector)
            }
            offset += length
            count += 1
        }
        return count
    }

    private func take(
        _ mask: UInt64, _ records: UnsafeRawBufferPointer, _ collector: inout ChangeCollector
    ) {
        var offset = 0
        while offset + 20 <= records.count {
            let type = unsafe records[offset]
            let length = unsafe Int(
                records.loadUnaligned(fromByteOffset: offset + 2, as: UInt16.self))
            guard length >= 20, offset + length <= records.count else { return collector.lose() }
            if Int32(type) == Int32(HR_FANOTIFY_DIRECTORY_AND_NAME) {
                let record = unsafe UnsafeRawBufferPointer(
                    rebasing: records[offset..<(offset + length)])
                unsafe take(mask, record: record, &collector)
            }
            offset += length
        }
    }

    private func take(
        _ mask: UInt64, record: UnsafeRawBufferPointer, _ collector: inout ChangeCollector
    ) {
        let size = unsafe Int(record.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
        guard size <= record.count - 20 else { return collector.lose() }
        let key = unsafe Self.hash(UnsafeRawBufferPointer(rebasing: record[4..<(20 + size)]))
        let field = unsafe UnsafeRawBufferPointer(rebasing: record[(20 + size)...])
        let end = unsafe field.firstIndex(of: 0) ?? field.count
        let name = unsafe UnsafeRawBufferPointer(rebasing: field[..<end])
        ids.forEach(key) { unsafe collector.add(mask, of: $0, name: name) }
    }
}
#endif
