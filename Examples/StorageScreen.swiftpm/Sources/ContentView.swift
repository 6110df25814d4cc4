//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import SwiftUI

struct ContentView: View {
    let storage: Storage

    var body: some View {
        TabView {
            StorageView(storage: storage)
                .tabItem { Label("Storage", systemImage: "internaldrive") }
            EpisodesView(storage: storage)
                .tabItem { Label("Episodes", systemImage: "arrow.down.circle") }
        }
    }
}
