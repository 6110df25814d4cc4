//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import SystemPackage

extension OutputOptions {
    /// Runs a purge and prints its report; with `--json` what goes is printed while it runs.
    func stream(
        _ recorder: PurgeRecorder, _ purge: () throws -> PurgeReport
    ) throws -> PurgeReport {
        let terminal = Terminal(.standardOutput)
        guard json else {
            let report = try purge()
            if !quiet { try Self.send(Array(renderer(terminal).render(report.document).utf8)) }
            return report
        }
        var result: Result<PurgeReport, any Error>?
        var output = JSONWriter(isIndented: terminal.isTerminal) { try Self.feed($0) }
        try output.document(PurgeReport.schema) { json in
            json.array("removed") { json in
                result = recorder.during(&json) { Result { try purge() } }
            }
            switch result {
            case .success(let report): report.write(to: &json)
            // Nothing went: what is in the buffer is no document.
            case .failure, nil: json.discard()
            }
        }
        guard let result else { throw ExitStatus.failed.code }
        return try result.get()
    }
}
