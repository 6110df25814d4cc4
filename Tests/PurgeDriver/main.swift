//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// Purges all of a directory, for tests that need a process of its own:
//
//     PurgeDriver ROOT file|entry none|STEP[:N]|removed:N BOOK [LEDGER]
//
// At the Nth time that the numbered step is reached, or when N items have gone with two threads, it
// kills itself, as `kill -9` would.
//
//     PurgeDriver ledger DIRECTORY FIRST COUNT none|STEP:N
//
// Writes to a ledger instead, and says what is kept.
let arguments = CommandLine.arguments
if arguments.count == 6, arguments[1] == "ledger" {
    do {
        try LedgerWork(FilePath(arguments[2]), death: arguments[5])
            .run(from: Int(arguments[3]) ?? 0, count: Int(arguments[4]) ?? 0)
        exit(0)
    } catch {
        print(error)
        exit(2)
    }
}
guard arguments.count == 5 || arguments.count == 6 else {
    print("usage: PurgeDriver ROOT file|entry none|STEP[:N]|removed:N BOOK [LEDGER]")
    exit(64)
}
/// Writes to standard error the most memory that the program has had.
func tellPeakMemory() {
    #if os(Linux)
    guard let status = unsafe fopen("/proc/self/status", "r") else { return }
    defer { unsafe fclose(status) }
    var line = [CChar](repeating: 0, count: 256)
    while unsafe fgets(&line, Int32(line.count), status) != nil {
        if unsafe strncmp(line, "VmHWM:", 6) == 0 { _ = unsafe write(2, line, strlen(line)) }
    }
    #endif
}

let stepWords = arguments[3].split(separator: ":")
let fatalStep = Int(stepWords[0]).flatMap(PurgeStep.init(rawValue:))
let fatalCount = stepWords.count > 1 ? Int(stepWords[1]) ?? 1 : 1
let seen = Counter()

let root = FilePath(arguments[1])
let area = Area(
    root: root, purgeClass: .temporary, unit: arguments[2] == "entry" ? .entry : .file,
    origin: "driver")
let now = Timestamp.wallClock().advanced(by: .seconds(3600))
do {
    let inventory = try Scanner.scan(
        [ScanRoot(path: root)], areas: [area], options: ScanOptions(now: now))
    let plan = Planner.plan(inventory, PlanRequest(targets: [.all], now: now))
    var options = PurgeOptions(requester: "driver", areas: [area]) { now }
    options.lockBooks = [LockBook.Location(path: FilePath(arguments[4]), owner: User.effective)]
    if stepWords[0] == "removed" {
        options.threads = 2
        options.report = { event in
            guard case .removed = event else { return }
            if seen.increment() == fatalCount { _ = kill(getpid(), SIGKILL) }
        }
    } else {
        options.step = { step in
            if step == fatalStep, seen.increment() == fatalCount { _ = kill(getpid(), SIGKILL) }
        }
    }
    if arguments.count == 6 {
        options.ledger = Ledger.open(directory: FilePath(arguments[5]), now: { .wallClock() })
    }
    let receipt = try Purger.purge(plan, options: options)
    for skipped in receipt.skipped {
        print(skipped.path.displayText, skipped.reason.code, skipped.reason.text)
    }
    tellPeakMemory()
    exit(receipt.skipped.isEmpty ? 0 : 1)
} catch {
    print(error)
    exit(2)
}
