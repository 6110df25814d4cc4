//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomCore
import HeadroomInventory
package import HeadroomPlanning
package import HeadroomPlatform
package import SystemPackage

/// A user's trash: lists it, moves things there, and brings them back.
///
/// On Linux that of the freedesktop specification, shared with all programs of the desktop. Nothing is
/// ever copied, replaced or, here, deleted: what empties the trash is a plan, as for everything else.
/// All calls block.
public struct Trash: Sendable {
    package let places: TrashPlaces
    let clock: @Sendable () -> Timestamp
    var calls: any FileSystemCalls { places.calls }

    package init(places: TrashPlaces, clock: @escaping @Sendable () -> Timestamp) {
        self.places = places
        self.clock = clock
    }

    // MARK: - Listing

    /// What lies in the home's trash and in those of all mounted volumes. Blocks, for each volume that
    /// does not answer two seconds at most.
    ///
    /// - Parameter measuring: directories are walked for their sizes.
    /// - Complexity: O(items), or O(all files in the trash) when they are measured.
    public func list(measuring: Bool = true) -> TrashListing {
        let found = places.find()
        var listing = TrashListing(items: [], directories: [], notes: found.notes)
        for trash in found.trashes {
            listing.directories.append(trash.directory)
            do throws(Errno) {
                for name in try trash.itemNames() {
                    // Gone since: somebody has restored it, or emptied the trash.
                    guard let item = item(name, in: trash, measuring: measuring) else { continue }
                    listing.items.append(item)
                }
            } catch {
                listing.notes.append(
                    Reason(
                        .unreadable,
                        "\(trash.directory.files.displayText) could not be read: \(error)."))
            }
        }
        listing.items.sort { left, right in
            left.deleted != right.deleted
                ? left.deleted > right.deleted
                : left.shownPath.displayText < right.shownPath.displayText
        }
        return listing
    }

    /// - Returns: nil for what is not there, or is left over from a purge.
    func item(_ name: FileName, in trash: OpenTrash, measuring: Bool) -> TrashItem? {
        guard !name.withEntryName({ ReservedName.matches($0) }),
            let status = try? trash.status(of: name)
        else { return nil }
        let information = trash.information(about: name)
        var item = TrashItem(
            directory: trash.directory, name: name,
            originalPath: information.flatMap { trash.directory.original($0.path) },
            deleted: information?.deleted ?? status.changed,
            agesFrom: trash.age(of: name, status, information, now: clock()),
            isDateKnown: information?.deleted != nil, receipt: information?.receipt?.id,
            type: status.type, identity: status.identity)
        item.number = information?.receipt?.number ?? 0
        guard measuring else { return item }
        if status.type != .directory {
            item.allocated = status.allocatedSize
            item.freed = status.linkCount > 1 ? .zero : status.allocatedSize
            item.fileCount = 1
        } else if let totals = try? Scanner.freedTotals(
            of: item.path, options: ScanOptions(now: clock()))
        {
            item.allocated = totals.allocated
            item.freed = totals.bytes
            item.fileCount = totals.files + totals.directories
        }
        return item
    }

    /// What the age of everything in some directories counts from, for a plan.
    package func dates(in roots: Set<FilePath>) -> TrashDates {
        var dates = TrashDates()
        let now = clock()
        for trash in places.find().trashes where roots.contains(trash.directory.files) {
            // What cannot be read now counts as just thrown away, and stays.
            for name in (try? trash.itemNames()) ?? [] {
                guard let status = try? trash.status(of: name) else { continue }
                let date = trash.age(of: name, status, trash.information(about: name), now: now)
                dates.set(date, of: name, in: trash.directory.files)
            }
        }
        return dates
    }

    /// Opens the trash directory of an item.
    func open(_ directory: TrashDirectory) throws(HeadroomError) -> OpenTrash {
        guard
            let trash = places.find().trashes.first(where: { $0.directory.path == directory.path })
        else {
            throw HeadroomError(
                .notFound, "There is no trash at \(directory.path.displayText) any more.")
        }
        return trash
    }
}
