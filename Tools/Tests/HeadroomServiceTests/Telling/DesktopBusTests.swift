//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import HeadroomService
import HeadroomTestSupport
import SystemPackage
import Testing

private let hasBus: Bool = {
    let result = try? ChildProcess.run("/usr/bin/python3", ["-c", "import dbus, gi"])
    return result?.exitCode == 0 && Privilege.has(program: "dbus-daemon")
}()

/// Notices on a real session bus, with a server that says what it is asked to show.
@Suite(.enabled(if: hasBus, "needs dbus-daemon, python3-dbus and python3-gi"))
struct DesktopBusTests {
    /// Shows one notice, prints it, and ends.
    private static let server = """
        import dbus, dbus.service, json
        from dbus.mainloop.glib import DBusGMainLoop
        from gi.repository import GLib
        DBusGMainLoop(set_as_default=True)
        loop = GLib.MainLoop()
        name = "org.freedesktop.Notifications"
        class Server(dbus.service.Object):
            @dbus.service.method(name, in_signature="susssasa{sv}i", out_signature="u")
            def Notify(self, app, replaces, icon, title, body, actions, hints, time):
                print(json.dumps([app, title, body, int(hints["urgency"])], ensure_ascii=False))
                GLib.timeout_add(50, loop.quit)
                return 1
            @dbus.service.method(name, in_signature="", out_signature="ssss")
            def GetServerInformation(self): return ("test", "test", "1", "1.2")
            @dbus.service.method(name, in_signature="", out_signature="as")
            def GetCapabilities(self): return ["body", "body-markup"]
        bus = dbus.SessionBus()
        owned = dbus.service.BusName(name, bus)
        server = Server(bus, "/org/freedesktop/Notifications")
        print("ready", flush=True)
        loop.run()
        """

    @Test(
        .timeLimit(.minutes(10)),
        arguments: ["/usr/bin/notify-send", "/usr/bin/gdbus"].filter {
            Privilege.has(program: FilePath($0).lastComponent?.string ?? $0)
        })
    func isShownAsItWasMeant(_ program: String) async throws {
        let directory = try TemporaryDirectory(on: .memory)
        let address = "unix:path=\(directory.path)/bus"
        let daemon = try ChildProcess(
            "dbus-daemon", ["--session", "--nofork", "--address=\(address)", "--print-address"])
        defer { daemon.send(9) }
        try #require(try daemon.readOutput(until: "unix:path="))
        let environment = ["DBUS_SESSION_BUS_ADDRESS": address]
        let server = try ChildProcess(
            "/usr/bin/python3", ["-c", Self.server], environment: environment)
        try #require(try server.readOutput(until: "ready"))
        let teller = try #require(
            DesktopTeller(
                environment: environment, timeLimit: .seconds(30), programs: [FilePath(program)]))
        try await teller.tell(Notices.make(text: "it's “full” \\ <b>&"))
        let shown = try server.wait().output
        #expect(
            shown.contains(
                #"["Headroom", "/data: critical", "it's “full” \\ &lt;b&gt;&amp;", 2]"#),
            "\(shown)")
    }
}
