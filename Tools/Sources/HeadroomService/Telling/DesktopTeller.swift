//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomConfiguration
public import HeadroomEngine
import HeadroomPlatform
public import SystemPackage

/// Shows notices on the desktop of the user that the service runs as, by `notify-send`, else by `gdbus`.
public struct DesktopTeller: Teller {
    public let name = "desktop"
    private let program: FilePath
    private let environment: [String: String]
    private let timeLimit: Duration

    /// - Parameters:
    ///   - environment: has `DBUS_SESSION_BUS_ADDRESS` where there is a desktop to speak to, or
    ///     `XDG_RUNTIME_DIR` with the bus in it.
    ///   - programs: looked for in this order; the last component says which of the two it is.
    /// - Returns: nil where there is no session bus, or none of the programs: a server has no desktop.
    public init?(
        environment: [String: String], timeLimit: Duration,
        programs: [FilePath] = ["/usr/bin/notify-send", "/usr/bin/gdbus"]
    ) {
        var handed: [String: String] = ["PATH": "/usr/bin:/bin"]
        if let address = environment["DBUS_SESSION_BUS_ADDRESS"], !address.isEmpty {
            handed["DBUS_SESSION_BUS_ADDRESS"] = address
        } else if let directory = environment["XDG_RUNTIME_DIR"], directory.hasPrefix("/"),
            ConfigurationFile.exists(FilePath(directory).appending("bus"))
        {
            handed["DBUS_SESSION_BUS_ADDRESS"] = "unix:path=\(directory)/bus"
        } else {
            return nil
        }
        for name in ["XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "HOME", "LANG"] {
            handed[name] = environment[name]
        }
        guard let program = programs.first(where: { ConfigurationFile.exists($0) }) else {
            return nil
        }
        self.program = program
        self.environment = handed
        self.timeLimit = timeLimit
    }

    public func tell(_ notice: Notice) async throws(HeadroomError) {
        let outcome: ToolCommand.Outcome
        do throws(Errno) {
            outcome = try await ToolCommand(
                program, arguments(notice), environment: environment, limit: timeLimit
            ).runAside()
        } catch {
            throw HeadroomError("run", program, error)
        }
        guard outcome.exitCode == 0 else {
            throw HeadroomError(
                .io,
                "The notice could not be shown on the desktop: \(program.displayText) "
                    + (outcome.isTimedOut ? "did not end in time" : "failed")
                    + ". Where there is no desktop, set notifications: desktop: false.")
        }
    }

    private func arguments(_ notice: Notice) -> [String] {
        let title = Self.title(of: notice)
        // Bodies may have markup; the names of files must not become any.
        let body = notice.text.replacing("&", with: "&amp;").replacing("<", with: "&lt;")
            .replacing(">", with: "&gt;")
        guard program.lastComponent?.string == "gdbus" else {
            let urgencies: [Notice.Urgency: String] = [
                .low: "low", .medium: "normal", .high: "critical",
            ]
            return [
                "--app-name=Headroom", "--icon=drive-harddisk",
                "--urgency=\(urgencies[notice.urgency] ?? "normal")", "--", title,
                // It reads escapes as C has them in the body, and only there.
                body.replacing("\\", with: "\\\\"),
            ]
        }
        let urgencies: [Notice.Urgency: Int] = [.low: 0, .medium: 1, .high: 2]
        return [
            "call", "--session", "--dest=org.freedesktop.Notifications",
            "--object-path=/org/freedesktop/Notifications",
            "--method=org.freedesktop.Notifications.Notify", Self.variant("Headroom"), "uint32 0",
            Self.variant("drive-harddisk"), Self.variant(title), Self.variant(body), "@as []",
            "{'urgency': <byte \(urgencies[notice.urgency] ?? 1)>}", "int32 -1",
        ]
    }

    private static func title(of notice: Notice) -> String {
        switch notice.kind {
        case .level, .cannotHelp, .missed, .volume:
            let name = notice.volume?.displayText ?? "storage"
            return notice.level.map { "\(name): \($0.name)" } ?? name
        case .confirmation: return "Headroom waits for you"
        case .anomaly: return "Unusual growth"
        case .configuration: return "Headroom’s configuration"
        case .service: return "Headroom"
        }
    }

    /// A string in the text form of GVariant.
    private static func variant(_ text: String) -> String {
        let escaped = text.map { character in
            switch character {
            case "'", "\\": "\\\(character)"
            case "\n": "\\n"
            default: "\(character)"
            }
        }
        return "'\(escaped.joined())'"
    }
}
