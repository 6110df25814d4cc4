//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CHeadroomShims
import HeadroomPlatform
import SystemPackage

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Starts one child with posix_spawn.
struct ChildSpawn {
    let program: String
    let arguments: [String]
    let environment: [String: String?]
    let directory: FilePath?
    let output: ChildProcess.Output
    let pipes: [ChildPipe]

    func run() throws -> Int32 {
        var settings = SpawnSettings()
        switch output {
        case .captured:
            settings.output(1, to: pipes[0].writing)
            settings.output(2, to: pipes[1].writing)
        case .discarded:
            settings.discardOutput(1)
            settings.discardOutput(2)
        case .inherited:
            break
        }
        if let directory { settings.directory(directory) }
        do {
            return try settings.start(
                program, arguments, environment: Self.variables(environment), searching: true)
        } catch {
            throw FixtureError("posix_spawn", on: program, errno: error)
        }
    }

    private static func variables(_ changes: [String: String?]) -> [String] {
        var variables: [String] = []
        var next = unsafe environ
        while let entry = unsafe next.pointee {
            let text = unsafe String(cString: entry)
            let name = text.prefix { $0 != "=" }
            if changes[String(name)] == nil { variables.append(text) }
            unsafe next += 1
        }
        for (name, value) in changes {
            if let value { variables.append("\(name)=\(value)") }
        }
        return variables
    }
}
