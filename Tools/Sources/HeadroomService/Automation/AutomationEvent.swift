//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import Headroom
public import HeadroomEngine
import HeadroomPlatform
public import SystemPackage

/// Something that the automation did, saw, or cannot help: for the log, the history, and people.
public enum AutomationEvent: Sendable {
    /// A volume is watched from now on.
    case watching(FilePath)
    /// A volume is not mounted any more, and nothing is known of it or done for it.
    case gone(FilePath)
    case pressure(PressureChange)
    /// A volume was read; so often that it is nothing for the log.
    case read(WatchedVolume, VolumePressure, PressureThresholds)
    /// A trigger has come, and this is done for it.
    case began(CleaningTrigger, volume: FilePath, steps: [PolicyStep])
    /// A trigger has come, and waits.
    case putOff(CleaningTrigger, volume: FilePath, Reason)
    /// An item that would have gone, if the mode were another.
    case wouldRemove(PlanEntry, volume: FilePath)
    /// A step has ended; of a proposal nothing was deleted.
    case ended(PolicyResult)
    /// What a person has confirmed was carried out; of several volumes there is no one to name.
    case purgedByHand(Receipt, volume: FilePath?)
    /// Purging cannot give what a volume lacks: people have to be told.
    case plight(PolicyPlight, isReminder: Bool)
    /// What could not be helped has been.
    case relieved(FilePath)
    case modules(ModuleRun)
    /// What is in these places, and in no others, is left alone until the grace of their declarations is
    /// over.
    case withheld([FilePath])
    /// The clock was moved, and age rules pause, with a sentence for people; nil: the pause is over.
    case agePause(String?)
    /// The areas of a volume were looked at for a plan.
    case looked(volume: FilePath, InventoryReading)
    /// Something is wrong with the automation itself; a sentence.
    case trouble(String)
}
