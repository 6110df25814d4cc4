//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

// Does one thing a number of times, for tests that count its system calls from outside:
//
//     BudgetDriver WORK DIRECTORY COUNT BYTES
//
// scan and purge are about all of DIRECTORY, where COUNT and BYTES say nothing. put, put-batched, put-shared,
// get, thin, shrink and compact are about a cache store there, save, save-below and save-below-full about a home. Says
// how many allocations that took, opening and closing aside.
let arguments = CommandLine.arguments
guard arguments.count == 5, let count = Int(arguments[3]), let bytes = Int(arguments[4]) else {
    print("usage: BudgetDriver WORK DIRECTORY COUNT BYTES")
    exit(64)
}
let work = Work(directory: FilePath(arguments[2]), count: count, bytes: bytes)
do {
    switch arguments[1] {
    case "scan": try work.scan()
    case "purge": try work.purge()
    case "put": try work.put()
    case "put-full": try work.put(.full)
    case "put-batched": try work.putBatched(sharing: false)
    case "put-shared": try work.putBatched(sharing: true)
    case "get": try work.get()
    case "thin": try work.thin()
    case "shrink": try work.shrink()
    case "compact": try work.compact()
    case "save-below": try work.save(in: "Trip/")
    case "save-below-full": try work.save(in: "Trip/", .full)
    default: try work.save()
    }
} catch {
    print(error)
    exit(2)
}
