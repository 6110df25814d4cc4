//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

/// Stops a purge that goes wrong (safety invariant S10).
///
/// It trips when more than a share of the items failed, after enough of them to tell, or when more
/// goes than was planned, by count or by bytes as they are read again just before. Items that are
/// in use, leased or changed are no failures: they are what the checks are for.
package struct CircuitBreaker: Sendable {
    /// How many items are looked at before the share counts.
    package var minimum = 100
    /// In hundredths.
    package var failureShare = 50

    private var attempts = 0
    private var failures = 0
    private var removedCount = 0
    private var removedBytes: Int64 = 0
    private var plannedCount = Int.max
    private var plannedBytes = Int64.max

    package init() {}

    /// Sets what the plan allows.
    package mutating func arm(count: Int, bytes: Int64) {
        plannedCount = count
        plannedBytes = bytes
    }

    package mutating func countFailure() {
        attempts += 1
        failures += 1
    }

    package mutating func countKept() { attempts += 1 }

    /// Counts what has gone.
    package mutating func countRemoved(items: Int, allocated: Int64) {
        attempts += 1
        removedCount += items
        removedBytes &+= allocated
    }

    /// Adds what another one has counted, and starts that anew.
    ///
    /// Each checks against the whole plan, so two may allow together what one would not: items are
    /// handed to one thread each, and none frees more than it was planned with.
    mutating func absorb(_ other: inout CircuitBreaker) {
        attempts += other.attempts
        failures += other.failures
        removedCount += other.removedCount
        removedBytes &+= other.removedBytes
        (other.attempts, other.failures) = (0, 0)
        (other.removedCount, other.removedBytes) = (0, 0)
    }

    /// Why the run must stop; nil if it may go on.
    package var tripped: String? {
        if removedCount > plannedCount {
            return "More items went than the plan has: \(removedCount) of \(plannedCount)."
        }
        if removedBytes > plannedBytes {
            return "More bytes went than the plan has."
        }
        if attempts >= minimum, failures * 100 > attempts * failureShare {
            return "\(failures) of \(attempts) items failed."
        }
        return nil
    }

    /// Whether removing this much more would exceed the plan.
    package func allows(items: Int, allocated: Int64) -> Bool {
        removedCount + items <= plannedCount && removedBytes &+ allocated <= plannedBytes
    }
}
