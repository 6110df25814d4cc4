//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// What may go of the launch closures in a container's `tmp/com.apple.dyld`.
///
/// The dynamic linker of iOS 13 wrote them there, under names that changed with each start of the
/// system, so that they pile up. Later systems keep theirs in `Library/Caches/com.apple.dyld`, which is
/// left alone on every system: one of them is live.
public enum LaunchClosureRule: Hashable, Sendable {
    /// Nothing: the system writes none there.
    case leaveAlone
    /// All but the newest, which may be live.
    case keepNewest
    /// All: the system does not use them any more.
    case removeAll

    /// A family of systems, for their versions.
    public enum System: Hashable, Sendable, CaseIterable {
        case iOS, tvOS, watchOS, macOS, visionOS

        /// The major version that wrote closures to `tmp`; nil: none did.
        var writer: Int? {
            switch self {
            case .iOS, .tvOS: 13
            case .watchOS: 6
            // 10.15
            case .macOS: 10
            case .visionOS: nil
            }
        }
    }

    /// The rule of a system.
    ///
    /// - Parameters:
    ///   - system: the system that the container's app runs on; nil: not known, as of a container that
    ///     was copied from a device.
    ///   - majorVersion: its version; nil: not known.
    public init(_ system: System?, majorVersion: Int?) {
        // The newest is kept where it could be live.
        guard let system, let majorVersion else {
            self = .keepNewest
            return
        }
        guard let writer = system.writer else {
            self = .removeAll
            return
        }
        self =
            majorVersion < writer
            ? .leaveAlone : majorVersion == writer ? .keepNewest : .removeAll
    }
}
