//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomTestSupport

#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The disk cache of Python programs, measured by itself: <https://pypi.org/project/diskcache/>.
struct DiskcacheRival {
    private let python: String
    let version: String

    /// Nil if it is not installed.
    init?() {
        for python in [".venv/bin/python", "python3"] {
            let asked = try? ChildProcess.run(
                python, ["-c", "import diskcache; print(diskcache.__version__)"])
            guard let asked, asked.succeeded else { continue }
            self.python = python
            version = asked.output.filter { !$0.isWhitespace }
            return
        }
        return nil
    }

    /// Microseconds a put and a get, each value once, in one order and another.
    func run(in path: String, count: Int, size: Int) throws -> (put: Double, get: Double) {
        let script = """
            import diskcache, random, time
            count, size = \(count), \(size)
            cache = diskcache.Cache('\(path)', size_limit=1 << 40, eviction_policy='least-recently-used')
            value = bytes([7]) * size
            keys = ['https://example.com/images/%d.jpg' % number for number in range(count)]
            start = time.perf_counter()
            for key in keys: cache[key] = value
            put = time.perf_counter() - start
            random.Random(5).shuffle(keys)
            start = time.perf_counter()
            for key in keys: assert len(cache[key]) == size
            get = time.perf_counter() - start
            print(put / count * 1e6, get / count * 1e6)
            """
        let result = try ChildProcess.run(python, ["-c", script])
        let figures = result.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
        guard result.succeeded, figures.count == 2 else {
            throw FixtureError("diskcache", on: path, details: String(result.errors.suffix(500)))
        }
        return (figures[0], figures[1])
    }
}
