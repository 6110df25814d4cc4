//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import HeadroomPlatform
package import SystemPackage

/// Asks for directories that are declared or guarded, each with a limit of time: one on a volume that does not
/// answer holds up nobody who means others.
package struct AreaAnswers: Sendable {
    /// For the whole program: a directory that is known to hang is not asked again before it has returned.
    package static let shared = AreaAnswers()

    private let hanging = Hanging<FilePath>()
    /// What guarded places were when they last answered.
    let memory = PlaceMemory()
    private let limit: Duration
    private let touch: (@Sendable (FilePath) -> Void)?

    /// - Parameter touch: called before a directory is asked, on the thread that may hang. Tests let it.
    package init(
        limit: Duration = Volume.timeLimit, touch: (@Sendable (FilePath) -> Void)? = nil
    ) {
        self.limit = limit
        self.touch = touch
    }

    /// What is found out of directories. Blocks, for each that does not answer no longer than the limit.
    ///
    /// - Parameter body: called on other threads; what it does after its directory has not answered in time
    ///   nobody learns of.
    /// - Returns: in the order of the elements; ``silent(_:)`` for those that do not answer.
    package func ask<Element: Sendable, Value: Sendable>(
        _ elements: [Element], at path: (Element) -> FilePath,
        _ body: @escaping @Sendable (Element) throws(HeadroomError) -> Value
    ) -> [Result<Value, HeadroomError>] {
        let paths = elements.map(path)
        let touch = touch
        let answers = hanging.values(of: paths, within: limit) {
            index -> Result<Value, HeadroomError> in
            touch?(paths[index])
            return Result { () throws(HeadroomError) in try body(elements[index]) }
        }
        return zip(paths, answers).map { path, answer -> Result<Value, HeadroomError> in
            switch answer {
            case .success(let result): result
            case .failure(let error):
                .failure(
                    error == .timedOut ? Self.silent(path) : HeadroomError("ask", path, error))
            }
        }
    }

    package static func silent(_ path: FilePath) -> HeadroomError {
        HeadroomError(
            .io,
            "\(path.displayText) does not answer. Nothing in it goes until it does; see whether the "
                + "server or the device that it lies on is there.", cause: .timedOut)
    }
}

extension HeadroomError {
    /// Why an area is left out.
    package var areaNote: Reason {
        Reason(
            cause == .timedOut ? .volumeSilent : code == .io ? .unreadable : .layout, message)
    }
}
