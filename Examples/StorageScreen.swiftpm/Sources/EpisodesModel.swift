//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomDownloads
import Observation

/// One file that was downloaded.
struct Episode: Identifiable, Sendable {
    var id: URL
    var name: String
    /// Its place in the order in which things would go.
    var fate: String
}

@MainActor
@Observable
final class EpisodesModel {
    private(set) var episodes: [Episode] = []
    /// How far the download has come; nil: none is under way.
    private(set) var fraction: Double?
    private(set) var message: String?

    private let storage: Storage

    init(_ storage: Storage) {
        self.storage = storage
    }

    func download(_ address: String) async {
        guard let url = URL(string: address), url.scheme == "https" else {
            message = "This is not the address of a web page that is encrypted."
            return
        }
        fraction = 0
        defer { fraction = nil }
        let (steps, continuation) = AsyncStream.makeStream(
            of: Double.self, bufferingPolicy: .bufferingNewest(1))
        // Ends with the stream.
        let follower = Task { for await step in steps { fraction = step } }
        defer { follower.cancel() }
        do {
            let result = try await storage.download(
                url, intent: .requested, collection: "Episodes",
                progress: { progress in
                    if let fraction = progress.fraction { continuation.yield(fraction) }
                })
            switch result {
            case .finished(let file):
                message = nil
                episodes.append(try await look(at: file.url))
            case .declined:
                message = "There is no room for it. Clean something under Storage."
            }
        } catch {
            message = "\(error)"
        }
    }

    private func look(at url: URL) async throws -> Episode {
        let explanation = try await storage.explain(url)
        return Episode(
            id: url, name: url.lastPathComponent,
            fate: explanation.summary)
    }
}
