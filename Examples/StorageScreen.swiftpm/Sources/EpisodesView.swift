//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomDownloads
import SwiftUI

/// Downloads that a person asked for: kept outside of backups, and purged only as the last resort.
struct EpisodesView: View {
    @State private var model: EpisodesModel
    @State private var address = ""

    init(storage: Storage) {
        _model = State(initialValue: EpisodesModel(storage))
    }

    var body: some View {
        NavigationStack {
            List {
                Section {
                    TextField("https://example.org/episode.mp3", text: $address)
                    Button("Download") { Task { await model.download(address) } }
                        .disabled(model.fraction != nil)
                    if let fraction = model.fraction { ProgressView(value: fraction) }
                    if let message = model.message { Text(message).font(.footnote) }
                }
                ForEach(model.episodes) { episode in
                    VStack(alignment: .leading) {
                        Text(episode.name)
                        Text(episode.fate).font(.footnote)
                    }
                }
            }
            .navigationTitle("Episodes")
        }
    }
}
