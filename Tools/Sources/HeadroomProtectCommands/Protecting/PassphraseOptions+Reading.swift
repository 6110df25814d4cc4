//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomProtection
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

extension PassphraseOptions {
    /// Reads it, asking a person where nothing else was said.
    func read(_ prompt: String = "Passphrase: ") throws -> Passphrase {
        if let passphraseFile { return try Self.read(file: passphraseFile) }
        if let passphraseFd { return try Self.read(FileDescriptor(rawValue: passphraseFd)) }
        return try Self.ask(prompt)
    }

    /// Reads a new one, which a person types twice.
    func readNew() throws -> Passphrase {
        guard passphraseFile == nil, passphraseFd == nil else { return try read() }
        return try Self.askTwice()
    }

    static func askTwice() throws -> Passphrase {
        let first = try line(asking: "New passphrase: ")
        guard first == (try line(asking: "Once more: ")) else {
            throw HeadroomError(.invalid, "The two are not the same. Nothing was changed.")
        }
        return try Passphrase(first)
    }

    static func read(file: String) throws -> Passphrase {
        let descriptor: FileDescriptor
        do {
            descriptor = try FileDescriptor.open(FilePath(file), .readOnly, options: .closeOnExec)
        } catch let error as Errno {
            throw HeadroomError("read", FilePath(file), error)
        }
        return try descriptor.closeAfter { try read(descriptor) }
    }

    // MARK: - Reading

    private static func read(_ descriptor: FileDescriptor) throws -> Passphrase {
        try Passphrase(try line(descriptor) ?? [])
    }

    private static func ask(_ prompt: String) throws -> Passphrase {
        try Passphrase(try line(asking: prompt))
    }

    private static func line(asking prompt: String) throws -> [UInt8] {
        guard Confirmation.isPossible else {
            throw HeadroomError(
                .refused,
                "A passphrase is needed, and nobody can be asked: standard input or error is no "
                    + "terminal. Add --passphrase-file or --passphrase-fd.")
        }
        // So that an interrupt ends the reading, and the terminal gets its echo back.
        Interruption.install()
        let terminal = FileDescriptor.standardInput
        var old = termios()
        guard unsafe tcgetattr(terminal.rawValue, &old) == 0 else {
            throw HeadroomError(.io, "The terminal cannot be asked (\(Errno(rawValue: errno))).")
        }
        var silent = old
        silent.c_lflag &= ~tcflag_t(ECHO)
        guard unsafe tcsetattr(terminal.rawValue, TCSAFLUSH, &silent) == 0 else {
            throw HeadroomError(
                .io, "The terminal's echo cannot be turned off (\(Errno(rawValue: errno))).")
        }
        defer {
            unsafe _ = tcsetattr(terminal.rawValue, TCSAFLUSH, &old)
            _ = try? FileDescriptor.standardError.writeAll("\n".utf8)
        }
        _ = try? FileDescriptor.standardError.writeAll(prompt.utf8)
        guard let line = try line(terminal), !Interruption.isRequested else {
            throw ExitStatus.interrupted.code
        }
        return line
    }

    /// The bytes up to the first line end; nil at the end of the input or after a signal.
    private static func line(_ descriptor: FileDescriptor) throws -> [UInt8]? {
        var bytes: [UInt8] = []
        while bytes.count <= Passphrase.longest {
            var byte: UInt8 = 0
            let count: Int
            do {
                count = unsafe try withUnsafeMutableBytes(of: &byte) { buffer in
                    unsafe try descriptor.read(into: buffer, retryOnInterrupt: false)
                }
            } catch Errno.interrupted {
                return nil
            } catch let error as Errno {
                throw HeadroomError(
                    .io, "The passphrase could not be read (\(error)).", cause: error)
            }
            if count == 0 { return bytes.isEmpty ? nil : bytes }
            if byte == 0x0A { break }
            bytes.append(byte)
        }
        if bytes.last == 0x0D { bytes.removeLast() }
        return bytes
    }
}
