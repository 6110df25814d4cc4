//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import SystemPackage

/// The areas that a place has by convention, and what in it may not be declared otherwise.
///
/// A layout is made from names and, where it must look, from the directory at that moment; it holds
/// no open files and does not follow later changes.
public struct Layout: Hashable, Sendable {
    public var kind: Kind
    /// The home or the container.
    public var root: FilePath
    /// The areas, essential ones among them: what lies in an essential area is never planned. The
    /// directories need not exist.
    public var areas: [Area]
    /// The role roots and the places that stay as they are.
    public var guardedPlaces: [GuardedPlace]
    /// What was found amiss while it was made: a variable that was not honoured, and why.
    public var notes: [Reason]

    /// What kind of place it is.
    public enum Kind: String, Hashable, Sendable {
        /// A home with the XDG base directories.
        case xdg
        /// The data container of an Apple app.
        case appleContainer
        /// The container of an Apple app group.
        case appleGroup
        /// Directories of the operating system.
        case system
        /// Areas that somebody declared.
        case custom
        /// Well-known caches of a user's programs.
        case catalogue
        /// Well-known caches of the machine.
        case systemCatalogue
    }

    public init(
        kind: Kind, root: FilePath, areas: [Area] = [], guardedPlaces: [GuardedPlace] = [],
        notes: [Reason] = []
    ) {
        self.kind = kind
        self.root = root
        self.areas = areas
        self.guardedPlaces = guardedPlaces
        self.notes = notes
    }

    /// Headroom's own records, wherever they were put: no declaration and no mark lets anything in there go, and
    /// what is around it goes without it.
    ///
    /// - Parameter directory: of the ledger; nil: there is none.
    package static func records(in directory: FilePath?) -> Layout {
        guard let directory else { return Layout(kind: .custom, root: "/") }
        let name = "Headroom's own records"
        var area = Area(root: directory, purgeClass: .essential, origin: name)
        area.isSealed = true
        return Layout(
            kind: .custom, root: directory, areas: [area],
            guardedPlaces: [
                GuardedPlace(directory, .records, "\(name) (\(directory.displayText))")
            ])
    }

    /// The layout of one directory that a person declares for one run: `PATH --as CLASS`.
    ///
    /// It declares; ``AreaValidation`` decides whether it may.
    public static func adHoc(
        _ path: FilePath, _ purgeClass: PurgeClass, unit: PurgeUnit = .file
    ) -> Layout {
        let area = Area(
            root: path, purgeClass: purgeClass, unit: unit, origin: "--as \(purgeClass.name)")
        return Layout(kind: .custom, root: path, areas: [area])
    }
}

extension Reason.Code {
    /// A variable or a directory of a layout is not usable, and was left out.
    public static let layout = Reason.Code("layout")
}
