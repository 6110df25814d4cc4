//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Foundation
package import SystemPackage

/// The error numbers behind errors of Foundation.
package enum SystemError {
    /// The number that an error stands for; `EIO` where it says none.
    package static func number(of error: any Error) -> Errno {
        let outer = error as NSError
        let inner = outer.userInfo["NSUnderlyingError"] as? NSError
        for candidate in [inner, outer].compactMap({ $0 })
        where candidate.domain == NSPOSIXErrorDomain {
            return Errno(rawValue: Int32(clamping: candidate.code))
        }
        guard let known = error as? CocoaError else { return .ioError }
        switch known.code {
        case .fileNoSuchFile, .fileReadNoSuchFile: return .noSuchFileOrDirectory
        case .fileReadNoPermission, .fileWriteNoPermission: return .permissionDenied
        case .fileWriteOutOfSpace: return .noSpace
        case .fileWriteVolumeReadOnly: return .readOnlyFileSystem
        case .featureUnsupported: return .notSupported
        default: return .ioError
        }
    }
}
#endif
