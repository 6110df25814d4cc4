//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The types of the engine that apps name. The engine's other types need `import HeadroomEngine`. Types whose names apps
// and other libraries use, too, are nested in `Storage` (Storage+Names.swift).

@_exported public import struct HeadroomCache.CacheAttributes
@_exported public import enum HeadroomCache.CacheDurability
@_exported public import struct HeadroomCache.CacheOptions
@_exported public import enum HeadroomCache.CachePolicy
@_exported public import struct HeadroomCache.CacheStatistics
@_exported public import enum HeadroomCore.AgeBasis
@_exported public import enum HeadroomCore.AreaOrder
@_exported public import enum HeadroomCore.BackupExclusion
@_exported public import enum HeadroomCore.CleaningTrigger
@_exported public import struct HeadroomCore.LostMark
@_exported public import struct HeadroomCore.PressureChange
@_exported public import enum HeadroomCore.PressureLevel
@_exported public import struct HeadroomCore.PressureSettings
@_exported public import enum HeadroomCore.PurgeClass
@_exported public import enum HeadroomCore.PurgeUnit
@_exported public import enum HeadroomCore.PurgeableClass
@_exported public import struct HeadroomCore.VolumePressure
@_exported public import struct HeadroomInventory.ExclusiveTotals
@_exported public import struct HeadroomInventory.ScanTotals
@_exported public import struct HeadroomPlanning.MinIdle
@_exported public import struct HeadroomPlatform.ByteCount
@_exported public import struct HeadroomPlatform.Timestamp
@_exported public import struct HeadroomWorkspace.AuditFinding
@_exported public import struct HeadroomWorkspace.AuditOptions
@_exported public import struct HeadroomWorkspace.AuditRepair
@_exported public import struct HeadroomWorkspace.CleanUpReport
@_exported public import struct HeadroomWorkspace.CleanUpTaskList
@_exported public import enum HeadroomWorkspace.CleanUpTaskPhase
@_exported public import struct HeadroomWorkspace.CleanUpTaskProblem
@_exported public import struct HeadroomWorkspace.CleanUpTaskSummary
@_exported public import struct HeadroomWorkspace.Cleanable
@_exported public import struct HeadroomWorkspace.CleaningPreview
@_exported public import class HeadroomWorkspace.CleaningProgress
@_exported public import struct HeadroomWorkspace.CleaningResult
@_exported public import enum HeadroomWorkspace.CleaningSection
@_exported public import struct HeadroomWorkspace.CleaningSelection
@_exported public import struct HeadroomWorkspace.CleaningUpdate
@_exported public import struct HeadroomWorkspace.DirectoryCheck
@_exported public import struct HeadroomWorkspace.DirectoryChecks
@_exported public import struct HeadroomWorkspace.RestoredMark
@_exported public import struct HeadroomWorkspace.UserFileSelection
@_exported public import struct HeadroomWorkspace.VolumeCapacity
