//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomPlatform
package import SystemPackage

extension Catalogue {
    /// What comes with Headroom, with what the machine and the user have added. Blocks.
    ///
    /// Files `*.catalogue` in `/etc/headroom/catalogue.d` and then in `headroom/catalogue.d` of the
    /// user's configuration directory are read in the order of their names; of entries with one id the
    /// last holds. A file that cannot be read is left out whole, with a note in ``notes``, and so is one
    /// that somebody else could have written: root reads only what belongs to root and nobody else may
    /// write, also the directories around it; others also what is theirs.
    public static func load(environment: CatalogueEnvironment) -> Catalogue {
        load(environment: environment, systemDirectory: "/etc/headroom/catalogue.d")
    }

    package static func load(
        environment: CatalogueEnvironment, systemDirectory: FilePath,
        user: UInt32 = User.effective
    ) -> Catalogue {
        let own = environment.path(of: .variable("XDG_CONFIG_HOME"))
        var catalogue = standard
        for directory in [systemDirectory, own?.appending("headroom/catalogue.d")] {
            guard let directory else { continue }
            catalogue = catalogue.adding(read(directory, user))
        }
        return catalogue
    }

    private static func read(_ directory: FilePath, _ user: UInt32) -> Catalogue {
        var catalogue = Catalogue()
        let names: [FileName]
        do {
            names = try ContainerDirectory(directory).names(in: nil) { name in
                name.text.hasSuffix(".catalogue") && !name.text.hasPrefix(".")
            }
        } catch .noSuchFileOrDirectory, .notDirectory {
            return catalogue
        } catch {
            return Catalogue(
                [], notes: [note("\(directory.displayText) cannot be listed: \(error).")])
        }
        guard !names.isEmpty else { return catalogue }
        if let why = distrust(directory, user) {
            return Catalogue([], notes: [note("\(directory.displayText) is not read: \(why).")])
        }
        for name in names {
            let file = directory.appending(name)
            do throws(HeadroomError) {
                let text = try content(of: file, user)
                catalogue = catalogue.adding(
                    try Catalogue(parsing: text, origin: file.displayText))
            } catch {
                catalogue.notes.append(note(error.message))
            }
        }
        return catalogue
    }

    private static func content(
        of file: FilePath, _ user: UInt32
    ) throws(HeadroomError) -> String {
        do throws(Errno) {
            let bytes = try SmallFile.read(file, limit: 1 << 20) { owner, permissions in
                isTrusted(owner: owner, permissions: permissions, user)
            }
            return String(decoding: bytes, as: UTF8.self)
        } catch .notPermitted {
            throw HeadroomError(
                .notPermitted,
                "\(file.displayText) is not read: somebody else could have written it. "
                    + "Let it belong to \(user == 0 ? "root" : "you") and be writable by nobody else."
            )
        } catch {
            throw HeadroomError("read", file, error)
        }
    }

    /// Who may have put words into our mouth: with root's power only root, else the user as well.
    private static func isTrusted(owner: UInt32, permissions: UInt32, _ user: UInt32) -> Bool {
        if user == 0 { return owner == 0 && permissions & 0o022 == 0 }
        return (owner == user || owner == 0) && permissions & 0o002 == 0
    }

    /// Why what lies in a directory may be somebody else's word; nil: it is not.
    private static func distrust(_ path: FilePath, _ user: UInt32) -> String? {
        guard let directory = try? ResolvedDirectory(path) else { return "it cannot be opened" }
        for status in [directory.status] + directory.ancestors {
            // In a sticky directory nobody exchanges what is another's.
            if status.isSharedSticky, status.owner == 0 { continue }
            guard isTrusted(owner: status.owner, permissions: UInt32(status.permissions), user)
            else { return "it, or a directory around it, can be written by others" }
        }
        return nil
    }

    private static func note(_ text: String) -> Reason { Reason(.layout, text) }
}
