//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomEngine
import HeadroomPlatform
import SystemPackage

/// Asks now and then which areas of the configuration may be used as the machine is now, and tells what
/// has changed (safety invariant S11).
///
/// It only tells: whoever uses areas asks by itself each time, so that one is taken as soon as it may be.
public actor AreaCheck {
    /// What became of an area.
    public struct Change: Hashable, Sendable {
        public var area: Area
        /// Whole sentences.
        public var text: String
        /// Whether it is left out now.
        public var isLeftOut: Bool
    }

    private enum State: Hashable {
        case used
        case missing
        /// With why.
        case refused(String)
    }

    private let workspace: Workspace
    private let interval: Duration
    private let tell: @Sendable (Change) -> Void
    private var areas: [Area] = []
    private var states: [FilePath: State] = [:]
    private var watch: Task<Void, Never>?

    /// - Parameters:
    ///   - workspace: knows what is guarded.
    ///   - interval: how often it is asked.
    ///   - tell: told what is left out, and what is taken again; it does not block.
    public init(
        _ workspace: Workspace, interval: Duration = .seconds(600),
        tell: @escaping @Sendable (Change) -> Void
    ) {
        self.workspace = workspace
        self.interval = interval
        self.tell = tell
    }

    /// Asks for these areas, at once and from now on; for none, nothing any more.
    public func use(_ areas: [Area]) async {
        watch?.cancel()
        await watch?.value
        watch = nil
        self.areas = areas
        states = [:]
        guard !areas.isEmpty else { return }
        await check()
        let interval = interval
        // Cancelled and awaited above.
        watch = Task { [weak self] in
            while (try? await Task.sleep(for: interval)) != nil { await self?.check() }
        }
    }

    /// Asks once.
    public func check() async {
        let (workspace, asked) = (workspace, areas)
        let refusals = await BlockingThread.run(lowersPriority: true) {
            workspace.refusals(of: asked)
        }
        // Other areas have come meanwhile.
        guard asked == areas else { return }
        for area in areas {
            let state: State =
                switch refusals[area.root] {
                case nil: .used
                case let error? where error.code == .notFound: .missing
                case let error?: .refused(error.message)
                }
            let before = states.updateValue(state, forKey: area.root)
            if let text = Self.text(area, before, state) {
                tell(Change(area: area, text: text, isLeftOut: state != .used))
            }
        }
    }

    /// - Parameter before: nil: it was not asked about yet.
    private static func text(_ area: Area, _ before: State?, _ now: State) -> String? {
        guard before != now else { return nil }
        let name = area.root.displayText
        switch (before, now) {
        case (_, .refused(let why)):
            return
                "\(why) It is \(area.origin), and is left out until that changes; all else holds."
        case (nil, .missing):
            // A program that is not installed: config check has a note.
            return nil
        case (_, .missing):
            return "\(name) is gone. It is \(area.origin), and is used again once it is there."
        case (.refused, .used), (.missing, .used):
            return "\(name) is used from now on, as it is \(area.origin)."
        case (nil, .used), (.used, .used): return nil
        }
    }
}
