//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine
import HeadroomPlatform
import SystemPackage

extension FileReader {
    mutating func readModules(_ value: ConfigurationValue) {
        let elements: [ConfigurationValue]
        do throws(ConfigurationValueError) {
            elements = try value.elements()
        } catch {
            return reading.refuse(value, error)
        }
        for element in elements {
            guard let members = ConfigurationMembers(element, reading),
                let module = readModule(members)
            else { continue }
            if let index = content.configuration.modules.firstIndex(where: { $0.id == module.id }) {
                reading.refuse(
                    element,
                    .init(
                        "the module “\(module.id)” is declared in line "
                            + "\(content.modules[index].line) already",
                        "Give each module an id of its own."))
                continue
            }
            content.configuration.modules.append(module)
            content.modules.append(reading.location(of: element))
        }
    }

    private func readModule(_ members: ConfigurationMembers) -> ModuleConfiguration? {
        var members = members
        let id = members.require("id", "com.example.mail") { text throws(ConfigurationValueError) in
            let isPlain = text.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte)
                    || "._-".utf8.contains(byte)
            }
            guard isPlain, text.utf8.count <= 100 else {
                throw ConfigurationValueError(
                    "“\(text)” has other characters than letters, digits, “.”, “-” and “_”, or is "
                        + "longer than 100",
                    "Write a name such as com.example.mail; “name” may be anything.")
            }
            return text
        }
        let name = members.read("name") { text throws(ConfigurationValueError) in text }
        let quota = members.read("quota", ConfigurationForms.positiveSize)
        let usage = command(&members, "usage", isRequired: true)
        let clean = command(&members, "clean", isRequired: true)
        let timeLimit = members.read("time-limit") { text throws(ConfigurationValueError) in
            let limit = try ConfigurationForms.positiveDuration(text)
            guard limit <= .seconds(3_600) else {
                throw ConfigurationValueError(
                    "“\(text)” is more than an hour", "Write an hour or less.")
            }
            return limit
        }
        members.finish()
        guard let id, let usage, let clean else { return nil }
        return ModuleConfiguration(
            id: id, name: name, quota: quota, usage: usage, clean: clean, timeLimit: timeLimit,
            owner: reading.file.owner)
    }

    /// A program by its path, and its arguments.
    ///
    /// - Returns: nil if it is not there, or wrong, which is recorded.
    func command(
        _ members: inout ConfigurationMembers, _ name: String, isRequired: Bool
    ) -> [String]? {
        let key = members.key.isEmpty ? name : "\(members.key).\(name)"
        let before = reading.problems.count
        let found = members.texts(name)
        guard let found else {
            if isRequired, reading.problems.count == before {
                reading.refuse(
                    members.key, line: members.line,
                    .init(
                        "“\(name)” is missing",
                        "Add it as a list: \(name): [/usr/bin/program, argument]"))
            }
            return nil
        }
        var words = found.texts
        guard let program = words.first else {
            reading.refuse(
                found.value,
                .init("the list is empty", "Write the program and its arguments in it."))
            return nil
        }
        do throws(ConfigurationValueError) {
            words[0] = try places.path(program).string
        } catch {
            reading.refuse(
                key, line: found.value.line,
                .init(
                    error.what,
                    "Write the program's whole path: no shell and no PATH are asked. "
                        + error.advice))
            return nil
        }
        return words
    }

    mutating func readNotifications(_ members: ConfigurationMembers) {
        var members = members
        var notifications = NotificationConfiguration()
        if let command = command(&members, "command", isRequired: false) {
            notifications.command = command
            notifications.commandOwner = reading.file.owner
        }
        notifications.webhook = members.read("webhook", Self.webhook)
        if let desktop = members.read("desktop", ConfigurationForms.flag) {
            notifications.desktop = desktop
        }
        if let limit = members.read(
            "time-limit",
            { text throws(ConfigurationValueError) in
                let limit = try ConfigurationForms.positiveDuration(text)
                guard limit <= .seconds(300) else {
                    throw ConfigurationValueError(
                        "“\(text)” is more than 5 minutes", "Write 5 min or less.")
                }
                return limit
            })
        {
            notifications.timeLimit = limit
        }
        members.finish()
        content.configuration.notifications = notifications
    }

    private static func webhook(_ text: String) throws(ConfigurationValueError) -> String {
        let schemes = ["https://", "http://"]
        guard let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) else {
            throw .init(
                // mutation: r29d-4
                "the webhook is not an http or https address",
                "Write it whole, such as https://hooks.example.org/headroom.")
        }
        let host = text.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !host.isEmpty, !text.contains(where: { $0.isWhitespace }), text.utf8.count <= 2_000
        else {
            throw .init(
                "the webhook names no host, is longer than 2,000 bytes, or has spaces in it",
                "Write it whole, such as https://hooks.example.org/headroom.")
        }
        guard !host.contains("@") else {
            throw .init(
                "a user or password stands in the address, and would be sent in the clear and shown",
                "Use a command instead, which reads the secret from where only it can.")
        }
        return text
    }
}
