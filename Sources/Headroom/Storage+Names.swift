//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomCore
public import HeadroomPlanning
public import HeadroomWorkspace

// By these names only, since an app may well have a plan or a receipt of its own.
extension Storage {
    /// What an audit found.
    public typealias Audit = HeadroomWorkspace.Audit
    /// Why a file may go, or never does.
    public typealias Explanation = HeadroomPlanning.Explanation
    /// What was removed of the records of a file.
    public typealias Forgotten = HeadroomWorkspace.Forgotten
    /// What a write is for, and so what may be purged for it.
    public typealias Intent = HeadroomWorkspace.Intent
    /// What the attribute of a file says of it.
    public typealias Mark = HeadroomCore.Mark
    /// What a purge would delete, in order.
    public typealias Plan = HeadroomPlanning.Plan
    /// What a purge deleted, and what it kept and why.
    public typealias Receipt = HeadroomCore.Receipt
    /// Space that is kept for a write.
    public typealias Reservation = HeadroomWorkspace.Reservation
}
