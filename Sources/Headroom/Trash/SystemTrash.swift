//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPurging
import SystemPackage

#if canImport(Darwin)
import Foundation
#endif

extension StorageCore {
    /// The trash of the system this runs on; nil: that of the desktop is used.
    static var systemTrash: (any SystemTrashing)? {
        #if canImport(Darwin)
        return SystemTrash()
        #else
        return nil
        #endif
    }

    /// Whether files can be moved to a trash here at all.
    static var hasTrash: Bool {
        #if os(tvOS) || os(watchOS)
        return false
        #else
        return true
        #endif
    }
}

#if canImport(Darwin)
/// The trash of Apple's systems. Nothing is decided here.
///
/// watchOS and tvOS have none: everything stays.
struct SystemTrash: SystemTrashing {
    func put(_ path: FilePath) throws(HeadroomError) -> FilePath? {
        #if os(tvOS) || os(watchOS)
        throw HeadroomError(
            .refused, "\(path.displayText) was left alone: this system has no trash.")
        #else
        do {
            var place: NSURL?
            try unsafe FileManager.default.trashItem(
                at: URL(filePath: path.string), resultingItemURL: &place)
            guard let text = place?.path else { return nil }
            return FilePath(text)
        } catch {
            throw HeadroomError(
                .io, "Could not move \(path.displayText) to the trash: \(error).")
        }
        #endif
    }
}
#endif
