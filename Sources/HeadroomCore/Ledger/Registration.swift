//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

public import HeadroomPlatform
public import SystemPackage

/// An area that somebody has registered, to be kept from one launch to the next.
public struct Registration: Hashable, Sendable {
    public var area: Area
    /// The program that registered it; nil: a person did.
    public var owner: String?
    /// The container that it lies in, if it is one that may move: at an update of the app, say.
    public var container: FilePath?
    /// The directory bears a mark that the registration has put there: it lies in an essential place.
    public var hasMark: Bool

    public init(
        _ area: Area, owner: String? = nil, container: FilePath? = nil, hasMark: Bool = false
    ) {
        self.area = area
        self.owner = owner
        self.container = container
        self.hasMark = hasMark
    }
}

/// What is remembered of the launches of a program.
public struct Launch: Hashable, Sendable {
    public var owner: String
    /// Which of the owner's storages it is about: an app and its group have one each. Empty: the one in
    /// the user's home.
    public var place: String
    /// The version that ran last.
    public var version: String
    /// When the whole of its storage was last cleaned.
    public var cleaned: Timestamp

    public init(owner: String, place: String = "", version: String, cleaned: Timestamp) {
        self.owner = owner
        self.place = place
        self.version = version
        self.cleaned = cleaned
    }
}
