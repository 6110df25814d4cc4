//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomEngine

/// One thing that happens to the world, with all that is needed to do it again: an operation that has
/// nothing to work on does nothing, so that any can be left out of a list.
///
/// Paths are relative to the root of the scan. Times are seconds after the start of the case.
enum ModelOperation: Hashable {
    case write(String, bytes: Int, salt: UInt8, ModelStamp)
    case append(String, bytes: Int, ModelStamp)
    case directory(String)
    case remove(String)
    case rename(String, to: String)
    case link(String, as: String)
    case symbolicLink(String)
    case fifo(String)
    case touch(String, ModelStamp)
    /// Written anew beside it and renamed over it, as editors save.
    case replace(String, bytes: Int, salt: UInt8, ModelStamp)
    case mark(String, Mark)
    /// The attribute is lost, as some tools do it; the ledger has its record.
    case strip(String)
    case declare(String, ModelArea)
    case withdraw(String)
    case lease(String)
    case release(String)
    case plan(ModelRequest)
    case purge
}

/// When something was last read and written.
struct ModelStamp: Hashable {
    var accessed: Int64
    var modified: Int64
}

/// What is declared of a directory.
struct ModelArea: Hashable {
    var purgeClass: PurgeClass
    var unit = PurgeUnit.file
    /// Seconds that content is kept.
    var retention: Int64?
    var basis = AgeBasis.used
    var limit: Int64?
    var trimPercent: UInt8 = 100
    var order = AreaOrder.leastRecentlyUsed
    var importance = Area.defaultImportance
}

/// What is asked of the planner.
struct ModelRequest: Hashable {
    var targets: [Target]
    var through: PurgeableClass
    /// What the volume is said to have available.
    var available: Int64

    static let total: Int64 = 1_000_000_000
    static let normalFrom: Int64 = 100_000_000
}

extension ModelOperation: CustomStringConvertible {
    var description: String {
        switch self {
        case .write(let path, let bytes, let salt, let stamp):
            "write \(path), \(bytes) bytes of \(salt), \(stamp)"
        case .append(let path, let bytes, let stamp): "append to \(path), \(bytes) bytes, \(stamp)"
        case .directory(let path): "make the directory \(path)"
        case .remove(let path): "remove \(path)"
        case .rename(let path, let other): "rename \(path) to \(other)"
        case .link(let path, let other): "link \(path) as \(other)"
        case .symbolicLink(let path): "make the symbolic link \(path)"
        case .fifo(let path): "make the FIFO \(path)"
        case .touch(let path, let stamp): "touch \(path), \(stamp)"
        case .replace(let path, let bytes, let salt, let stamp):
            "replace \(path), \(bytes) bytes of \(salt), \(stamp)"
        case .mark(let path, let mark): "mark \(path) \(mark.words)"
        case .strip(let path): "strip \(path) of its attribute"
        case .declare(let path, let area): "declare \(path) \(area)"
        case .withdraw(let path): "withdraw what is declared of \(path)"
        case .lease(let path): "lease \(path)"
        case .release(let path): "release \(path)"
        case .plan(let request): "plan \(request)"
        case .purge: "purge"
        }
    }
}

extension ModelStamp: CustomStringConvertible {
    var description: String { "read at \(accessed), written at \(modified)" }
}

extension ModelArea: CustomStringConvertible {
    var description: String {
        var words = [purgeClass.name]
        if unit == .entry { words.append("by entry") }
        if let retention { words.append("kept \(retention) s since \(basis)") }
        if let limit { words.append("limit \(limit) to \(trimPercent) %") }
        if order == .oldestCreated { words.append("oldest first") }
        if importance != Area.defaultImportance { words.append("importance \(importance)") }
        return words.joined(separator: ", ")
    }
}

extension ModelRequest: CustomStringConvertible {
    var description: String {
        let wanted = targets.map(\.description).joined(separator: ", ")
        return "\(wanted), through \(through.spokenName), \(available) available"
    }
}

extension Mark {
    fileprivate var words: String {
        if self == .none { return "with nothing" }
        var words: [String] = []
        if let purgeClass { words.append(purgeClass.spokenName) }
        if let isPinned { words.append(isPinned ? "pinned" : "unpinned") }
        if let importance { words.append("importance \(importance)") }
        return words.joined(separator: ", ")
    }
}
