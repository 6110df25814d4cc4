//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// What stands beside something in the trash: whatever it says, nothing goes back to a place that is elsewhere
/// than it seems.
struct TrashInfoTarget: FuzzTarget {
    static let name = "trash-info"
    private static let volume: FilePath = "/media/stick"
    private static let hour = Duration.seconds(3_600)

    func run(_ bytes: [UInt8]) {
        guard let information = TrashInfo(parsing: bytes) else { return }
        require(!information.path.isEmpty, "it was nowhere")
        check(information.path)
        guard let again = TrashInfo(parsing: information.content) else {
            return require(false, "what was written is not read")
        }
        require(again.path == information.path, "the path is \(again.path) as it is written")
        if let date = information.deleted, let read = again.deleted {
            // An hour of a clock on the wall may come twice.
            let apart = read.duration(since: date)
            require(
                (Duration.zero - Self.hour...Self.hour).contains(apart), "the date is \(apart) off")
        }
        // The spaces that a receipt may begin with go by the first writing.
        let third = TrashInfo(parsing: again.content)
        require(third?.receipt == again.receipt, "the receipt is not read as it is written")
    }

    private func check(_ path: FilePath) {
        let home = TrashDirectory(path: "/home/someone/.local/share/Trash", volume: nil)
        let onVolume = TrashDirectory(path: "/media/stick/.Trash-1000", volume: Self.volume)
        for directory in [home, onVolume] {
            guard let place = directory.original(path) else { continue }
            require(place.isAbsolute, "it goes back to somewhere: \(place)")
            require(
                !place.components.contains { $0.kind != .regular }, "it goes upwards: \(place)")
            require(
                path.isAbsolute || directory.volume.map { place.lies(in: $0) } == true,
                "it leaves its volume: \(place)")
        }
    }
}
