//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Headroom
public import HeadroomConfiguration
public import HeadroomEngine

/// What the automation does, as it was configured.
public struct AutomationSettings: Sendable {
    /// How much is done by itself; `observe`: nothing is deleted.
    public var mode = ServiceMode.observe
    /// What lies under a new declaration is left alone for so long; 24 hours.
    public var grace: Duration = .seconds(86_400)
    public var policy = Policy.standard
    /// The areas that the configuration declares, beside those that are known without it.
    public var areas: [Area] = []
    /// How the pressure of single volumes is watched, by a place on each.
    public var volumes: [VolumeConfiguration] = []
    public var modules: [any StorageModule] = []
    /// The program's version: another than the last time is a reason to clean.
    public var version = ""
    /// Who asks, for receipts.
    public var requester = "headroom serve"

    public init() {}
}
