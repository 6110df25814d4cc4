//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

#if canImport(FoundationXML)
import FoundationXML
#endif

/// A feed as it was published.
struct Feed {
    var title = ""
    var episodes: [Episode] = []
}

/// One of its episodes.
struct Episode: Codable {
    var title = ""
    var audio: URL?
    var picture: URL?
    /// What the feed says that it is long; feeds are often wrong.
    var announced: Int64?
    /// The name of the picture in the cache, if it was fetched.
    var pictureName: String?
    /// The name of the person's own picture in the cache, if they gave one.
    var coverName: String?
    /// The name of the file, if it was downloaded.
    var fileName: String?
}

extension Feed {
    /// Reads RSS 2.0 with the pictures of iTunes; what it does not know it passes over.
    ///
    /// - Returns: nil if it is no XML, or has no channel.
    init?(rss: Data) {
        let reader = FeedReader()
        let parser = XMLParser(data: rss)
        parser.delegate = reader
        guard parser.parse(), reader.hasChannel else { return nil }
        self = reader.feed
        // An item without sound is an announcement.
        episodes = episodes.filter { $0.audio != nil }
    }
}

private final class FeedReader: NSObject, XMLParserDelegate {
    var feed = Feed()
    var hasChannel = false
    private var episode: Episode?
    private var text = ""

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?,
        qualifiedName: String?, attributes: [String: String]
    ) {
        text = ""
        switch name {
        case "channel": hasChannel = true
        case "item": episode = Episode()
        case "enclosure":
            episode?.audio = attributes["url"].flatMap { URL(string: $0) }
            episode?.announced = attributes["length"].flatMap { Int64($0) }
        case "itunes:image": episode?.picture = attributes["href"].flatMap { URL(string: $0) }
        default: break
        }
    }

    func parser(_ parser: XMLParser, foundCharacters string: String) { text += string }

    func parser(
        _ parser: XMLParser, didEndElement name: String, namespaceURI: String?,
        qualifiedName: String?
    ) {
        let words = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch name {
        case "title":
            if episode == nil { if feed.title.isEmpty { feed.title = words } }
            episode?.title = words
        case "item":
            if let episode { feed.episodes.append(episode) }
            episode = nil
        default: break
        }
        text = ""
    }
}
