//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomDaemonCommands
import HeadroomPromises
import HeadroomTestSupport
import Logging
import SystemPackage
import Testing

struct ServiceLogTests {
    /// What comes out of a pipe until its other end is closed.
    private func read(_ pipe: FileDescriptor) throws -> String {
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = unsafe try chunk.withUnsafeMutableBytes { try unsafe pipe.read(into: $0) }
            guard count > 0 else { break }
            bytes += chunk.prefix(count)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test func linesComeInTheirOrder() throws {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        let log = ServiceLog(pipe.writeEnd)
        let logger = log.makeLogger(label: "headroom")
        for number in 0..<100 { logger.notice("line", metadata: ["number": "\(number)"]) }
        log.finish(within: .seconds(60))
        try pipe.writeEnd.close()
        let lines = try read(pipe.readEnd).split(separator: "\n")
        #expect(lines.count == 100)
        for (number, line) in lines.enumerated() {
            #expect(line.contains("notice headroom: number=\(number) ") && line.hasSuffix("] line"))
        }
    }

    /// A full pipe takes no more: what the service does goes on all the same, and what is lost is told.
    @Test func aReaderThatStopsHoldsUpNothing() throws {
        let pipe = try FileDescriptor.pipe()
        defer { try? pipe.readEnd.close() }
        let log = ServiceLog(pipe.writeEnd, limit: 100_000)
        let line = String(repeating: "x", count: 999) + "\n"
        var written = 0
        func write(_ line: String) {
            log.write(line)
            written += 1
        }
        // More than a pipe and the limit hold together, and with none who reads: it would wait for ever.
        for _ in 0..<1_000 { write(line) }
        log.finish(within: .milliseconds(10))
        var seen = [UInt8](repeating: 0, count: 65_536)
        var text = ""
        // As much as lets everything out that waits.
        while text.utf8.count < 150_000 {
            let count = unsafe try seen.withUnsafeMutableBytes {
                try unsafe pipe.readEnd.read(into: $0)
            }
            text += String(decoding: seen.prefix(count), as: UTF8.self)
            write("more\n")
        }
        log.finish(within: .seconds(60))
        write("last\n")
        log.finish(within: .seconds(60))
        try pipe.writeEnd.close()
        text += try read(pipe.readEnd)

        // Which lines are lost is a matter of the threads; that each is there or counted is not.
        let note = /headroom: (\d+) lines? of the log went missing here, since nobody read it/
        var lost = 0
        var there = 0
        for found in text.split(separator: "\n") {
            if let match = found.wholeMatch(of: note), let count = Int(match.1) {
                lost += count
            } else {
                #expect(found == line.dropLast() || found == "more" || found == "last")
                there += 1
            }
        }
        #expect(lost > 0 && there >= 100)
        #expect(there + lost == written)
        #expect(text.hasSuffix("more\nlast\n"))
    }

    @Test("The names of files cannot forge fields or lines of the log", .tags(.r38g))
    func quotesValues() throws {
        let pipe = try FileDescriptor.pipe()
        let log = ServiceLog(pipe.writeEnd)
        log.makeLogger(label: "headroom").warning(
            "a volume",
            metadata: [
                "path": "/data/a reason=forged \"x\\y\" \u{202E}\nerror headroom: [x] forged",
                "plain": "/data/Grüße", "empty": "",
            ])
        log.finish(within: .seconds(60))
        try pipe.writeEnd.close()
        let text = try read(pipe.readEnd)
        #expect(text.split(separator: "\n").count == 1)
        #expect(
            text.contains(
                #"empty="" path="/data/a reason=forged \"x\\y\" \u{202E}\x0Aerror headroom: [x] forged" plain=/data/Grüße "#
            ), "\(text)")
    }

    @Test(
        "A value with a space or an equals sign is quoted, so that it is no field of its own",
        .tags(.r38g))
    func quotesWords() throws {
        let pipe = try FileDescriptor.pipe()
        let log = ServiceLog(pipe.writeEnd)
        log.makeLogger(label: "headroom").warning(
            "a volume", metadata: ["path": "/data/a reason=forged", "word": "a=b"])
        log.finish(within: .seconds(60))
        try pipe.writeEnd.close()
        let text = try read(pipe.readEnd)
        #expect(text.contains(#"path="/data/a reason=forged" word="a=b" "#), "\(text)")
    }

    @Test("A day's log is at most 12 MB long, and counts the lines that are left out", .tags(.r24e))
    func boundsADay() async throws {
        let pipe = try FileDescriptor.pipe()
        let clock = ManualClock()
        let log = ServiceLog(pipe.writeEnd, clock: clock)
        let line = String(repeating: "x", count: 199) + "\n"
        async let read = onOwnThread { try self.read(pipe.readEnd) }
        for _ in 0..<1_440 {
            for _ in 0..<100 { log.write(line) }
            log.finish(within: .seconds(60))
            clock.advance(by: .seconds(60))
        }
        clock.advance(by: .seconds(3_600))
        log.write("last\n")
        log.finish(within: .seconds(60))
        try pipe.writeEnd.close()
        let text = try await read
        #expect(text.utf8.count > 8_000_000 && text.utf8.count < 13_000_000)
        let lines = text.split(separator: "\n")
        let leftOut = lines.compactMap {
            $0.wholeMatch(of: /headroom: (\d+) lines? of the log left out.*/)
        }
        .compactMap { Int($0.1) }.reduce(0, +)
        let there = lines.count { $0.hasPrefix("xxx") }
        #expect(leftOut + there == 144_000)
        #expect(lines.last == "last")
    }
}
