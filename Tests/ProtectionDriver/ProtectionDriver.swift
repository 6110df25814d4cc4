//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
import HeadroomCore
import HeadroomPlatform
import HeadroomProtection
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// A process of its own for tests that kill it in the middle of writing:
//   passphrase DIRECTORY OLD NEW STEP    changes the passphrase of a key bag, and dies before the step
//   level DIRECTORY OLD FILE LEVEL STEP  changes the level of a file, and dies before the step
//   protect|unprotect DIRECTORY OLD FILE named|unnamed STEP  encrypts or decrypts a file in place,
//                                        and dies before the step
@main
struct ProtectionDriver {
    static func main() throws {
        let arguments = CommandLine.arguments
        guard arguments.count > 5, let last = arguments.last, let step = Int(last) else {
            print("usage: ProtectionDriver passphrase DIRECTORY OLD NEW STEP | level …")
            exit(2)
        }
        let die = { @Sendable (reached: Int) in
            // What a power cut leaves is less; what a kill leaves is exactly this.
            if reached == step { _ = kill(getpid(), SIGKILL) }
        }
        let directory = FilePath(arguments[2])
        let old = try Passphrase(arguments[3])
        switch arguments[1] {
        case "passphrase":
            try KeyBag(directory: directory, atStep: die).changePassphrase(
                from: old, to: try Passphrase(arguments[4]),
                parameters: ScryptParameters(exponent: 10) ?? .standard)
        case "protect", "unprotect":
            let keys = try KeyBag(directory: directory)
            try keys.unlock(old)
            let (path, isNamed) = (FilePath(arguments[4]), arguments[5] == "named")
            if arguments[1] == "protect" {
                try ProtectedFile.protect(
                    path, level: .complete, keys: keys, isNamed: isNamed, atStep: die)
            } else {
                try ProtectedFile.unprotect(path, keys: keys, isNamed: isNamed, atStep: die)
            }
        default:
            let keys = try KeyBag(directory: directory)
            try keys.unlock(old)
            try ProtectedFile.changeLevel(
                of: FilePath(arguments[4]),
                to: ProtectionLevel(name: arguments[5]) ?? .complete, keys: keys, atStep: die)
        }
        print("done")
    }
}
#else
@main
struct ProtectionDriver {
    static func main() { print("built without the trait Protection") }
}
#endif
