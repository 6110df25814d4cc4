//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
public import SystemPackage

/// A small file of a program's own that is replaced as a whole: what it remembers from one run to the next.
public struct StateFile: Hashable, Sendable {
    public let directory: FilePath
    public let name: String

    /// More than that is nothing that we have written.
    private static let limit = 4 << 20

    public init(_ name: String, in directory: FilePath) {
        self.directory = directory
        self.name = name
    }

    private var path: FilePath { directory.appending(name) }

    /// What stands in it. Blocks.
    ///
    /// - Returns: nil if there is none.
    public func read() throws(HeadroomError) -> [UInt8]? {
        do throws(Errno) {
            return try SmallFile.read(path, limit: Self.limit)
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            throw HeadroomError("read", path, error)
        }
    }

    /// Replaces it: after a crash it is the old one or the new one. On disk when it returns. Blocks.
    ///
    /// The directory is made with mode 0700 if it is missing. What has the name and is not ours is kept beside it
    /// as `<name>.damaged-<time>`: the directory may be anybody's.
    ///
    /// - Parameters:
    ///   - isPrivate: nobody but the user may read it, from the start.
    ///   - isOurs: whether what stands in the file is something that was written there before.
    public func replace(
        with bytes: [UInt8], isPrivate: Bool = false, where isOurs: ([UInt8]) -> Bool
    ) throws(HeadroomError) {
        do throws(Errno) {
            // mutation: s7b-5
            try keepForeign(isOurs)
            let file = try NewFile(
                in: FilePlace(try DirectoryCreation.open(directory)),
                permissions: isPrivate ? 0o600 : 0o666)
            do throws(Errno) {
                try file.write(bytes)
                try file.synchronize()
                guard let entry = FileName(name) else { throw Errno.invalidArgument }
                try file.publish(as: entry)
                try file.synchronizeDirectory()
            } catch {
                file.discard()
                throw error
            }
        } catch {
            throw HeadroomError("write", path, error)
        }
    }

    private func keepForeign(_ isOurs: ([UInt8]) -> Bool) throws(Errno) {
        let place = try StateDirectory(creating: directory)
        do throws(Errno) {
            let file = try RegularFile(name, in: place, .reading)
            // A byte more shows that it is longer than what we write.
            let bytes = try file.read(Self.limit + 1, at: 0)
            if bytes.isEmpty || bytes.count <= Self.limit && isOurs(bytes) { return }
        } catch .noSuchFileOrDirectory {
            return
        } catch {
            guard error.isNoSuchFile || error == .permissionDenied else { throw error }
        }
        try place.rename(name, to: place.asideName(for: name, at: .now()))
    }
}
