//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

package import HeadroomCore
package import HeadroomInventory
package import HeadroomPlatform
import SystemPackage

/// What reading one file told.
package struct FileEvidence: Hashable, Sendable {
    /// Nil: it was not read, or says nothing.
    package var content: ContentType?
    /// Where it was downloaded from.
    package var origin: String?
    /// It is left out of backups by an attribute of its own that a scan does not read.
    package var isExcluded = false
    /// Headroom's own or the system's. Nil: it was not read, or is not protected.
    package var protection: Protection?
    /// It could not be opened or read.
    package var isUnreadable = false
}

/// Reads the beginnings of a few files, and their attributes.
///
/// Only regular files that occupy something are opened, by the descriptor of their directory, without
/// following a link, without entering a mount, and without counting as a use where the file is our
/// own. What a cloud keeps and this volume does not is never opened, since that would fetch it.
package struct EvidenceReader {
    private let calls: any FileSystemCalls & AttributeCalls
    private let flags: BackupFlags
    private let classes: any ProtectionClassReading

    package init(
        _ calls: any FileSystemCalls & AttributeCalls,
        classes: any ProtectionClassReading = SystemProtectionClasses()
    ) {
        self.calls = calls
        self.classes = classes
        flags = BackupFlags(calls)
    }

    /// Where the system protects files, one that cannot be opened may be so because of that.
    private var unreadable: FileEvidence {
        FileEvidence(protection: classes.isKept ? .unknown : nil, isUnreadable: true)
    }

    /// Reads items of an inventory, directory by directory. What has changed since is left out.
    package func read(_ items: [UInt32], of inventory: Inventory) -> [UInt32: FileEvidence] {
        var evidence: [UInt32: FileEvidence] = [:]
        let byDirectory = Dictionary(grouping: items) { inventory.item($0).parent }
        for root in inventory.roots.indices {
            guard let descriptor = try? Descriptor.openDirectory(inventory.roots[root].path) else {
                continue
            }
            for (directory, items) in byDirectory.sorted(by: { $0.key < $1.key })
            where inventory.rootIndex(ofDirectory: directory) == root {
                read(items, in: directory, of: inventory, below: descriptor, &evidence)
            }
        }
        return evidence
    }

    private func read(
        _ items: [UInt32], in directory: UInt32, of inventory: Inventory,
        below root: borrowing Descriptor, _ evidence: inout [UInt32: FileEvidence]
    ) {
        let opened: Int32
        do throws(Errno) {
            opened = try calls.openDirectory(
                beneath: root.rawValue, path: inventory.components(ofDirectory: directory))
        } catch {
            for item in items { evidence[item] = unreadable }
            return
        }
        let parent = Descriptor(owning: opened)
        for item in items {
            evidence[item] = read(
                inventory.name(ofItem: item), inventory.identity(ofItem: item), at: parent.rawValue)
        }
    }

    /// - Returns: nil if it is not the file that was scanned, or none that may be opened.
    private func read(
        _ name: EntryName, _ identity: FileIdentity, at parent: Int32
    ) -> FileEvidence? {
        do throws(Errno) {
            let status = try calls.status(of: name, at: parent)
            // mutation: s12a-1/2
            guard status.identity == identity, status.type == .regular, !status.isDataless else {
                return nil
            }
            let file = Descriptor(owning: try calls.openFile(name, at: parent, writing: false))
            // Between the look and the opening, something else may have taken the name.
            guard try calls.status(of: file.rawValue).identity == identity else { return nil }
            var evidence = FileEvidence()
            evidence.origin = origin(of: file.rawValue)
            evidence.isExcluded = !flags.read(name, status, at: parent).isEmpty
            let header = try FileHeader.read(file.rawValue, count: ContentType.headerSize)
            if ProtectionHeaderArea.mayBeProtected(header) {
                let area = try FileHeader.read(file.rawValue, count: ProtectionHeaderArea.size)
                if ProtectionHeaderArea.isProtected(area) {
                    // The name is all that says what is in it.
                    // mutation: r36e-3
                    evidence.protection = Protection.of(header: area)
                    return evidence
                }
            }
            let system = systemProtection(of: file.rawValue)
            if system != .level(.none) { evidence.protection = system }
            evidence.content = ContentType(header: header)
            if evidence.content == nil || evidence.content?.mediaType == "application/x-mbr",
                try FileHeader.read(file.rawValue, count: 5, at: ContentType.discOffset)
                    == Array("CD001".utf8)
            {
                evidence.content = ContentType("application/x-iso9660-image", .diskImage)
            }
            return evidence
        } catch .noSuchFileOrDirectory {
            return nil
        } catch {
            return unreadable
        }
    }

    /// Of a file without a header of Headroom's.
    private func systemProtection(of file: Int32) -> Protection {
        Protection.of(header: [], of: file, asking: classes)
    }

    /// The address in the attribute that browsers and download tools set.
    private func origin(of file: Int32) -> String? {
        // An attribute that cannot be read is no evidence.
        if let value = try? calls.attribute("user.xdg.origin.url", of: file), !value.isEmpty {
            return String(decoding: value, as: UTF8.self)
        }
        // On Darwin a property list with the addresses in it; that there is one is what counts.
        if let value = try? calls.attribute("com.apple.metadata:kMDItemWhereFroms", of: file),
            !value.isEmpty
        {
            return Self.firstAddress(value) ?? "unknown"
        }
        return nil
    }

    /// The first address in a binary property list of strings, which keeps ASCII as it is.
    private static func firstAddress(_ bytes: [UInt8]) -> String? {
        for start in bytes.indices
        where bytes[start...].starts(with: "http".utf8) || bytes[start...].starts(with: "ftp".utf8)
        {
            let text = bytes[start...].prefix { (0x21...0x7E).contains($0) }
            if text.count > 8 { return String(decoding: text, as: UTF8.self) }
        }
        return nil
    }
}
