//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if os(Linux)
import Glibc
import SystemPackage

/// Runs something on a thread of its own with a small stack: what recurses by depth overflows it.
package enum SmallStack {
    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    package static func run(bytes: Int, _ body: @escaping @Sendable () -> Void) throws {
        var attributes = pthread_attr_t()
        unsafe pthread_attr_init(&attributes)
        defer { unsafe pthread_attr_destroy(&attributes) }
        let changed = unsafe pthread_attr_setstacksize(&attributes, bytes)
        guard changed == 0 else {
            throw FixtureError(
                "pthread_attr_setstacksize", on: "\(bytes) bytes", errno: Errno(rawValue: changed))
        }
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(Body(body))
        let result = unsafe pthread_create(
            &thread, &attributes,
            { argument in
                guard let argument = unsafe argument else { return nil }
                unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument.toOpaque())
        guard result == 0 else {
            throw FixtureError("pthread_create", on: "a thread", errno: Errno(rawValue: result))
        }
        pthread_join(thread, nil)
    }
}
#endif
