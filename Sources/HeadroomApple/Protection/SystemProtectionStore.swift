//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if canImport(Darwin)
import Foundation
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// The real one. Nothing is decided here.
struct SystemProtectionStore: ProtectionStoring {
    var known: Set<ProtectionLevel> {
        #if os(macOS)
        [.complete, .completeUnlessOpen, .completeUntilFirstUserAuthentication]
        #else
        Set(ProtectionLevel.allCases)
        #endif
    }

    func read(_ path: FilePath) throws(Errno) -> String? {
        do {
            let attributes = try FileManager.default.attributesOfItem(atPath: path.string)
            // A plain string in some systems.
            let value = attributes[.protectionKey]
            return (value as? FileProtectionType)?.rawValue ?? value as? String
        } catch {
            throw SystemError.number(of: error)
        }
    }

    func write(_ name: String, to path: FilePath) throws(Errno) {
        do {
            try FileManager.default.setAttributes(
                [.protectionKey: FileProtectionType(rawValue: name)], ofItemAtPath: path.string)
        } catch {
            throw SystemError.number(of: error)
        }
    }
}
#endif
