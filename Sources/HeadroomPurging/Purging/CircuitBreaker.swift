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
    /// What the threads of a purge share; nil: there is one thread.
    private var shared: SharedAllowance?
    /// What of the attempts and failures the others know.
    private var told = (attempts: 0, failures: 0)

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

    /// Why the run must stop; nil if it may go on.
    package var tripped: String? {
        if removedCount > plannedCount {
            return "More items went than the plan has: \(removedCount) of \(plannedCount)."
        }
        if removedBytes > plannedBytes {
            return "More bytes went than the plan has."
        }
        // mutation: s10a-1
        if attempts >= minimum, failures * 100 > attempts * failureShare {
            return "\(failures) of \(attempts) items failed."
        }
        return nil
    }

    /// Whether removing this much more would exceed the plan.
    package func allows(items: Int, allocated: Int64) -> Bool {
        // mutation: s10b-1
        // mutation: s10b-2
        removedCount + items <= plannedCount && removedBytes &+ allocated <= plannedBytes
    }

    /// Whether this much more may go; takes it from what the threads share, where there are several.
    mutating func admits(items: Int, allocated: Int64) -> Bool {
        if allows(items: items, allocated: allocated) { return true }
        guard let shared else { return false }
        let missingItems = removedCount + items - plannedCount
        if missingItems > 0 { plannedCount += shared.takeItems(missingItems) }
        let missingBytes = removedBytes &+ allocated &- plannedBytes
        if missingBytes > 0 { plannedBytes &+= shared.takeBytes(missingBytes) }
        return allows(items: items, allocated: allocated)
    }

    // MARK: - Several threads

    /// What is left of the plan, for several threads to share.
    func makeShared() -> SharedAllowance {
        SharedAllowance(
            items: plannedCount - removedCount, bytes: plannedBytes &- removedBytes,
            attempts: attempts, failures: failures)
    }

    /// Allows nothing but what is taken from the shared rest of the plan.
    mutating func join(_ allowance: SharedAllowance) {
        shared = allowance
        (plannedCount, plannedBytes) = (0, 0)
        (removedCount, removedBytes) = (0, 0)
        (attempts, failures) = (allowance.attempts, allowance.failures)
        told = (attempts, failures)
    }

    /// Takes what a directory's items need, and tells the others what has failed: once a directory,
    /// so that the threads do not get in each other's way.
    mutating func beginDirectory(items: Int) {
        guard let shared else { return }
        let missing = removedCount + items - plannedCount
        if missing > 0 { plannedCount += shared.takeItems(missing) }
        shareFailures()
    }

    private mutating func shareFailures() {
        guard let shared else { return }
        (attempts, failures) = shared.add(
            attempts: attempts - told.attempts, failures: failures - told.failures)
        told = (attempts, failures)
    }

    /// Whether another thread has stopped the run.
    var isStopped: Bool { shared?.isStopped ?? false }

    /// Stops the other threads too.
    func stopAll() { shared?.stop() }

    /// Adds what another one has counted since it joined, and what all have counted together.
    mutating func absorb(_ other: inout CircuitBreaker) {
        removedCount += other.removedCount
        removedBytes &+= other.removedBytes
        (other.removedCount, other.removedBytes) = (0, 0)
        other.shareFailures()
        (attempts, failures) = (other.attempts, other.failures)
    }
}
