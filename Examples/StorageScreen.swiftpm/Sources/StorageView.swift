//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Headroom
import SwiftUI

/// What there is, section by section, to choose from and clean.
struct StorageView: View {
    @State private var model: StorageModel
    @State private var asksForDeepClean = false

    init(storage: Storage) {
        _model = State(initialValue: StorageModel(storage))
    }

    var body: some View {
        NavigationStack {
            List(selection: $model.selected) {
                if let capacity = model.capacity { CapacityRow(capacity: capacity) }
                ForEach(model.sections, id: \.section.id) { update in
                    Section {
                        ForEach(update.items) { CleanableRow(item: $0) }
                    } header: {
                        SectionHeader(update: update)
                    }
                }
            }
            .environment(\.editMode, .constant(.active))
            .navigationTitle("Storage")
            .toolbar {
                Button("Clean everything…") { asksForDeepClean = true }
                    .disabled(model.progress != nil)
            }
            .safeAreaInset(edge: .bottom) { footer }
            .confirmationDialog(
                "Everything that can be made again goes, downloads included. Your own files stay.",
                isPresented: $asksForDeepClean, titleVisibility: .visible
            ) {
                Button("Clean everything", role: .destructive) {
                    Task { await model.cleanDeeply() }
                }
            }
            .task { await model.load() }
        }
    }

    @ViewBuilder private var footer: some View {
        VStack {
            if let progress = model.progress {
                ProgressView(value: progress)
            } else if let preview = model.preview {
                Button("Free \(preview.freesNow.description)") { Task { await model.clean() } }
                if preview.freesLater > .zero {
                    Text("\(preview.freesLater.description) more when the trash is emptied")
                        .font(.footnote)
                }
            } else if let message = model.message {
                Text(message).font(.footnote)
            }
        }
        .padding()
    }
}

private struct SectionHeader: View {
    let update: CleaningUpdate

    var body: some View {
        HStack {
            Text(update.section.title)
            Spacer()
            Text(update.allocated.description)
        }
    }
}

private struct CleanableRow: View {
    let item: Cleanable

    var body: some View {
        VStack(alignment: .leading) {
            HStack {
                Text(item.name)
                Spacer()
                Text(item.allocated?.description ?? "size not known")
            }
            if !item.note.isEmpty { Text(item.note).font(.footnote) }
        }
    }
}

/// What the volume has room for, with where the figure comes from where that is not the system.
private struct CapacityRow: View {
    let capacity: VolumeCapacity

    var body: some View {
        VStack(alignment: .leading) {
            Text("Room for what you ask for: \(text(capacity.forImportantUsage))")
            Text("Free now: \(text(capacity.available))").font(.footnote)
        }
    }

    private func text(_ figure: VolumeCapacity.Figure) -> String {
        guard let bytes = figure.bytes else { return "not known" }
        return figure.provenance == .fallback ? "at least \(bytes)" : "\(bytes)"
    }
}
