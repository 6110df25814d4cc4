//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

// Written by Scripts/embed-catalogue from Data/Catalogue: change that.

/// The catalogue as it comes with Headroom: text in the program, so that an app that embeds the library
/// has no further file to carry.
package enum EmbeddedCatalogue {
    package struct Text: Sendable {
        package var file: String
        package var content: String
    }

    package static let texts: [Text] = [
        builds,
        content,
        credentials,
        desktop,
        kept,
        languages,
        models,
        node,
        packages,
        programs,
        python,
        system,
        temporary,
        tools,
    ]
}
