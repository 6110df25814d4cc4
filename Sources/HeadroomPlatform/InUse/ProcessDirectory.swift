//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import CHeadroomShims
import Glibc
import SystemPackage

/// The calls that read `/proc`, for everything that looks at other processes.
enum ProcessDirectory {
    /// Follows magic links; does not wait for a server that does not answer (`AT_STATX_DONT_SYNC`).
    static let followFlags = Int32(HR_AT_NO_AUTOMOUNT) | Int32(HR_AT_STATX_DONT_SYNC)

    /// The status of the file that a link below `/proc/PID` leads to.
    static func follow(
        _ link: String, at directory: Int32, _ status: inout CHeadroomShims.statx
    ) throws(Errno) {
        try unsafe LinuxCalls.callStatx(directory, link, flags: followFlags, &status)
    }

    /// The number of the namespace that a link leads to; 0 if it cannot be seen.
    static func namespace(_ link: String, at directory: Int32) -> UInt64 {
        var status = CHeadroomShims.statx()
        try? follow(link, at: directory, &status)
        return status.stx_ino
    }

    static func open(_ path: String, at parent: Int32) throws(Errno) -> Descriptor {
        Descriptor(
            owning: try retrying {
                unsafe hr_openat(parent, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
            })
    }

    /// The names in a directory of the kernel; none if it does not exist any more.
    static func names(in directory: Int32) -> [[UInt8]] {
        var names: [[UInt8]] = []
        unsafe withUnsafeTemporaryAllocation(byteCount: 32_768, alignment: 8) { buffer in
            while let count = try? retrying({
                unsafe hr_getdents64(directory, buffer.baseAddress, buffer.count)
            }), count > 0 {
                var entries = unsafe DirectoryEntries(
                    UnsafeRawBufferPointer(rebasing: buffer[..<count]))
                while let entry = entries.next() { unsafe names.append(Array(entry.name.bytes)) }
            }
        }
        return names
    }

    /// The numbers of all processes that `/proc` shows.
    static func processes(in proc: Int32) -> [Int32] {
        names(in: proc).compactMap { name -> Int32? in
            guard let first = name.first, (0x30...0x39).contains(first) else { return nil }
            return Int32(String(decoding: name, as: UTF8.self))
        }
    }

    /// The whole content of a file that the kernel makes up.
    ///
    /// - Parameters:
    ///   - limit: the most bytes; the rest is left out.
    ///   - endsWithShortRead: whether a read that returns less than was asked for was the last one, as of `cmdline`
    ///     and `environ`.
    static func content(
        of path: String, at directory: Int32, limit: Int = 1 << 20,
        endsWithShortRead: Bool = false
    ) throws(Errno) -> [UInt8] {
        let file = Descriptor(
            owning: try retrying {
                unsafe hr_openat(directory, path, O_RDONLY | O_CLOEXEC | O_NOCTTY, 0)
            })
        var content: [UInt8] = []
        var size = 4096
        while content.count < limit {
            var failure: Errno?
            let chunk = unsafe [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                let result = unsafe read(file.rawValue, buffer.baseAddress, buffer.count)
                if result < 0 { failure = .current } else { count = result }
            }
            if failure == .interrupted { continue }
            if let failure { throw failure }
            if chunk.isEmpty { break }
            // Most files fit into the first piece, which is not copied.
            if content.isEmpty { content = chunk } else { content += chunk }
            if endsWithShortRead, chunk.count < size { break }
            size = 65_536
        }
        return content
    }

    /// The text of a link; nil if it does not exist or may not be read.
    static func target(of link: String, at directory: Int32) -> [UInt8]? {
        unsafe link.withCString { unsafe target(ofPath: $0, at: directory) }
    }

    static func target(ofPath link: UnsafePointer<CChar>, at directory: Int32) -> [UInt8]? {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: 4096) { buffer, count in
            let size = unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                guard let base = text.baseAddress else { return 0 }
                return unsafe readlinkat(directory, link, base, text.count)
            }
            count = max(0, size)
        }
        return bytes.isEmpty ? nil : bytes
    }
}
#endif
