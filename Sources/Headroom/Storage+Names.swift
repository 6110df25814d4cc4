//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
public import HeadroomWorkspace

// Only nested: apps have types with these names.
extension Storage {
    /// The result of an audit.
    public typealias Audit = HeadroomWorkspace.Audit
    /// The reason why a file may or may not be purged.
    public typealias Explanation = HeadroomPlanning.Explanation
    /// The records that were deleted.
    public typealias Forgotten = HeadroomWorkspace.Forgotten
    /// The purpose of a write. It decides which files may be purged for it.
    public typealias Intent = HeadroomWorkspace.Intent
    /// The mark on a file.
    public typealias Mark = HeadroomCore.Mark
    /// The files that a purge would delete, in order.
    public typealias Plan = HeadroomPlanning.Plan
    /// The result of a purge: deleted and kept files, with reasons.
    public typealias Receipt = HeadroomCore.Receipt
    /// Space that is reserved for a write.
    public typealias Reservation = HeadroomWorkspace.Reservation
}
