//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCommandLine
import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Making room from the command line: the question, the progress and the report.
struct RoomJob {
    var request: RoomRequest
    var size: ByteCount
    var output: OutputOptions
    /// Whether standard output is a command's, and not ours.
    var isForCommand: Bool

    /// - Throws: the exit code if there is no room, or the person does not want what it takes.
    func run(asks: Bool) throws -> Reservation {
        let prospect = try request.prospect(of: size)
        if let plan = prospect.plan, prospect.shortBy == .zero, asks { try confirm(plan) }
        let room: Reservation
        do {
            room = try make()
        } catch RoomError.short(let shortage) {
            // Without JSON the message is the whole result.
            Diagnostics.say(shortage.message)
            if output.json {
                try output.write(
                    RoomReport(request: request, size: size, outcome: .short(shortage)))
            }
            throw ExitStatus.targetNotReached.code
        } catch RoomError.failed(let error) {
            throw error
        }
        try report(room)
        return room
    }

    private func confirm(_ plan: Plan) throws {
        guard Confirmation.isPossible else {
            throw HeadroomError(
                .refused,
                "\(plan.frees) would have to be purged, and nobody can be asked: standard input or "
                    + "error is no terminal. Add --yes to purge without a question.")
        }
        var document = Document()
        PlanText(plan).describe(in: &document, places: 5)
        document.addBlank()
        output.say(document)
        guard Confirmation().ask("Purge?") == .yes else {
            Diagnostics.say("Nothing was purged.")
            throw ExitStatus.failed.code
        }
    }

    private func make() throws(RoomError) -> Reservation {
        let progress = PurgeProgress()
        let request = request
        let size = size
        return try ProgressLine.during(
            isShown: output.showsProgress,
            state: {
                ProgressState(
                    count: progress.removed, noun: "items", bytes: progress.freed, goal: nil,
                    path: progress.currentPath)
            },
            cancel: { progress.cancel() },
            { () throws(RoomError) in try request.make(size, progress: progress) })
    }

    private func report(_ room: Reservation) throws {
        let report = RoomReport(request: request, size: size, outcome: .made(room.receipt))
        guard isForCommand else { return try output.write(report) }
        // That nothing had to be done is no news to whoever waits for the command.
        if room.receipt != nil, !output.quiet { output.say(report.document) }
    }
}

/// What `headroom room` found and did.
struct RoomReport: Report {
    static let schema = "headroom.room/1"

    enum Outcome {
        /// With what was purged for it.
        case made(Receipt?)
        case short(RoomShortage)
    }

    var request: RoomRequest
    var size: ByteCount
    var outcome: Outcome

    private var receipt: Receipt? {
        switch outcome {
        case .made(let receipt): receipt
        case .short(let shortage): shortage.receipt
        }
    }

    var status: ExitStatus {
        if case .short = outcome { return .targetNotReached }
        return .done
    }

    func write(to json: inout JSONWriter) {
        json.member("bytes", size)
        json.member("path", request.place)
        json.member("intent", request.intent.rawValue)
        if case .short(let shortage) = outcome {
            json.member("hasRoom", false)
            json.member("missingBytes", shortage.shortBy)
            json.member("message", shortage.message)
        } else {
            json.member("hasRoom", true)
            json.member("missingBytes", ByteCount.zero)
        }
        json.member("freedBytes", receipt?.expected ?? .zero)
        json.member("volumeGainedBytes", receipt == nil ? .zero : receipt?.volumeGained)
        json.member("receipt", receipt?.id)
    }

    var document: Document {
        var document = Document()
        guard let receipt else {
            document.add(
                StyledText("There is room for \(size)", .strong)
                    + StyledText(" at \(request.place.homeRelativeText)."))
            return document
        }
        document.add(
            StyledText("There is room for \(size)", .strong)
                + StyledText(" at \(request.place.homeRelativeText) now."))
        ReceiptText(receipt).describeResult(in: &document, took: nil)
        document.next = ["headroom log --receipt \(receipt.shortID)"]
        return document
    }
}
