//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// The code of the article “Know when space becomes short”.

import Headroom
import HeadroomEngine  // for the forecast

struct Player {
    func dropPrefetched() {}
    func showStorageHint(_ text: String) {}
}

func listen(_ storage: Storage, _ player: Player) async {
    // snippet.changes
    for await change in storage.pressure {
        if change.isWorse { player.dropPrefetched() }
    }
    // snippet.end
}

func read(_ storage: Storage) async {
    // snippet.read
    for volume in await storage.pressure.read() {
        print(volume.mountPoint, volume.level?.name ?? "no level", volume.state)
    }
    // snippet.end
}

func watchOthers() async {
    // snippet.monitor
    var settings = PressureSettings()
    settings.thresholds.warning = .init(share: 0.2, limit: .gigabytes(50))
    settings.dwell = .seconds(60)
    let monitor = PressureMonitor(of: [.init("/srv/media", settings: settings), .init("/")])
    for await change in monitor {
        print(change.volume.mountPoint, change.previousLevel ?? .normal, change.level ?? .normal)
    }
    // snippet.end
}

func forecast(_ history: [ForecastSample], _ player: Player) {
    // snippet.forecast
    let forecast = Forecast.ofBytes(history, now: .now())
    if case .expected(let time) = forecast.warning {
        print("short of space in \(time.likely), in \(time.earliest) at the earliest")
    }
    if forecast.full.isPossible(within: .seconds(7 * 86_400)) {
        player.showStorageHint("The disk may be full within a week.")
    }
    // snippet.end
}

func keep(_ history: inout [ForecastSample], _ volume: VolumePressure) {
    // snippet.keep
    if let figures = volume.figures, let time = volume.lastRead {
        history.append(ForecastSample(figures, at: time))
        history = SampleThinning.thinned(history, now: time)
    }
    // snippet.end
}
