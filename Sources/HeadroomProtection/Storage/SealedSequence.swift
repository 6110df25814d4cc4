//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

#if Protection
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The protected file of what another sequence delivers.
struct SealedSequence<Base: AsyncSequence>: AsyncSequence where Base.Element: ContiguousBytes {
    typealias Element = Data

    let base: Base
    let sealer: ContentSealer

    func makeAsyncIterator() -> Iterator {
        Iterator(base: base.makeAsyncIterator(), sealer: sealer)
    }

    struct Iterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private var sealer: ContentSealer
        private var stage = Stage.beginning

        private enum Stage {
            case beginning, content, over
        }

        init(base: Base.AsyncIterator, sealer: ContentSealer) {
            self.base = base
            self.sealer = sealer
        }

        mutating func next(
            isolation actor: isolated (any Actor)?
        ) async throws -> Data? {
            var ready = Data()
            switch stage {
            case .beginning:
                stage = .content
                return sealer.beginning
            case .content:
                // Small pieces fill a chunk together.
                while ready.isEmpty {
                    guard let piece = try await base.next(isolation: actor) else {
                        try sealer.finish { ready.append($0) }
                        stage = .over
                        return ready
                    }
                    try sealer.append(unsafe piece.withUnsafeBytes { unsafe Data($0) }) {
                        ready.append($0)
                    }
                }
                return ready
            case .over:
                return nil
            }
        }
    }
}
#endif
