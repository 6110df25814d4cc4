//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation
import Headroom
import HeadroomDownloads
import HeadroomPlatform
import HeadroomWorkspace
import SystemPackage

/// A process of its own for tests of downloads: DownloadDriver HOME LEDGER URL INTENT
///
/// Says "begun" when the first bytes are there, "done BYTES RESUMED SHARED" at the end, and the most
/// memory it has had.
@main
struct DownloadDriver {
    static func main() async throws {
        let arguments = CommandLine.arguments
        guard arguments.count == 5, let url = URL(string: arguments[3]),
            let intent = Storage.Intent(rawValue: arguments[4])
        else {
            print("usage: DownloadDriver HOME LEDGER URL optional|requested|essential")
            exit(2)
        }
        let storage = try Storage(
            home: FilePath(arguments[1]), environment: ["TMPDIR": arguments[1] + "/tmp"],
            owner: "Podcaster", ledgerDirectory: FilePath(arguments[2]))
        var request = DownloadRequest(url, intent: intent)
        request.name = "file"
        // On a machine with much else to do.
        request.stallTimeout = .seconds(600)
        do {
            let result = try await storage.download(request) { progress in
                if progress.received > .zero { say("begun") }
            }
            switch result {
            case .finished(let file):
                say("done \(file.bytes.bytes) \(file.resumed.bytes) \(file.isShared)")
            case .declined(let advice):
                say("declined \(advice.verdict)")
            }
        } catch {
            say("failed \(error.code): \(error)")
        }
        say("peak \(peakMemory() ?? 0)")
    }

    private static func say(_ text: String) {
        print(text)
        fflush(nil)
    }

    /// KiB.
    private static func peakMemory() -> Int? {
        let status = try? SmallFile.read("/proc/self/status")
        let line = status.map { String(decoding: $0, as: UTF8.self) }?
            .split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
        return line?.split(separator: " ").dropLast().last.flatMap { Int($0) }
    }
}
