//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import CYAML

/// A value in a YAML document, and its line. Parsed by libyaml (https://pyyaml.org/wiki/LibYAML).
struct YAMLNode {
    enum Content {
        /// `isPlain`: without quotes.
        case scalar(String, isPlain: Bool)
        case sequence([YAMLNode])
        case mapping([(key: YAMLNode, value: YAMLNode)])
    }

    var content: Content
    /// The tag that its author gave it, in full: `tag:yaml.org,2002:str` for `!!str`.
    var tag: String?
    /// The number of its line, from 1.
    var line: Int

    /// The text of a scalar.
    var text: String? {
        if case .scalar(let text, _) = content { text } else { nil }
    }
}

/// Why a text is not one YAML document.
enum YAMLError: Error {
    case notText(String, offset: Int)
    case notYAML(String, line: Int)
    case secondDocument(line: Int)
    case duplicateKey(String, line: Int)
    case alias(line: Int)
}

extension YAMLNode {
    /// The one document in a text; nil if the text has none.
    static func document(in text: String) throws(YAMLError) -> YAMLNode? {
        let reader = YAMLReader(text)
        guard let root = try reader.document() else { return nil }
        if let line = try reader.lineOfNextDocument() { throw .secondDocument(line: line) }
        return root
    }
}

/// Builds nodes from the events of libyaml. Not for concurrent use.
@safe private final class YAMLReader {
    private let parser = UnsafeMutablePointer<yaml_parser_t>.allocate(capacity: 1)
    /// The text. The parser keeps a pointer to it.
    private let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ text: String) {
        let utf8 = Array(text.utf8)
        unsafe bytes = .allocate(capacity: utf8.count)
        _ = unsafe bytes.initialize(from: utf8)
        // If memory is short, this fails, and next() reports it.
        _ = unsafe yaml_parser_initialize(parser)
        unsafe yaml_parser_set_encoding(parser, YAML_UTF8_ENCODING)
        unsafe yaml_parser_set_input_string(parser, bytes.baseAddress, bytes.count)
    }

    deinit {
        unsafe yaml_parser_delete(parser)
        unsafe parser.deallocate()
        unsafe bytes.deallocate()
    }

    func document() throws(YAMLError) -> YAMLNode? {
        while true {
            let event = try next()
            switch event.kind {
            case YAML_STREAM_END_EVENT: return nil
            case YAML_DOCUMENT_START_EVENT: return try node(from: next())
            default: break
            }
        }
    }

    func lineOfNextDocument() throws(YAMLError) -> Int? {
        while true {
            let event = try next()
            switch event.kind {
            case YAML_STREAM_END_EVENT: return nil
            case YAML_DOCUMENT_START_EVENT: return event.line
            default: break
            }
        }
    }

    /// The node that begins with an event. ``YAMLDocument`` limits the depth before.
    private func node(from event: Event) throws(YAMLError) -> YAMLNode {
        switch event.kind {
        case YAML_SEQUENCE_START_EVENT:
            var nodes: [YAMLNode] = []
            while true {
                let element = try next()
                if element.kind == YAML_SEQUENCE_END_EVENT { break }
                nodes.append(try node(from: element))
            }
            return YAMLNode(content: .sequence(nodes), tag: event.tag, line: event.line)
        case YAML_MAPPING_START_EVENT:
            return YAMLNode(content: .mapping(try members()), tag: event.tag, line: event.line)
        case YAML_ALIAS_EVENT:
            throw .alias(line: event.line)
        default:
            return YAMLNode(
                content: .scalar(event.text, isPlain: event.isPlain), tag: event.tag,
                line: event.line)
        }
    }

    private func members() throws(YAMLError) -> [(key: YAMLNode, value: YAMLNode)] {
        var members: [(key: YAMLNode, value: YAMLNode)] = []
        var lines: [String: Int] = [:]
        while true {
            let event = try next()
            if event.kind == YAML_MAPPING_END_EVENT { return members }
            let key = try node(from: event)
            if let text = key.text {
                if let first = lines[text] { throw .duplicateKey(text, line: first) }
                lines[text] = key.line
            }
            members.append((key, try node(from: next())))
        }
    }

    private struct Event {
        var kind: yaml_event_type_t
        var text = ""
        var isPlain = false
        var tag: String?
        var line: Int
    }

    private func next() throws(YAMLError) -> Event {
        var raw = unsafe yaml_event_t()
        // After an error, libyaml succeeds with no event.
        guard unsafe yaml_parser_parse(parser, &raw) == 1, unsafe raw.type != YAML_NO_EVENT else {
            throw unsafe problem(parser.pointee)
        }
        defer { unsafe yaml_event_delete(&raw) }
        var event = unsafe Event(kind: raw.type, line: Int(raw.start_mark.line) + 1)
        switch event.kind {
        case YAML_SCALAR_EVENT:
            let scalar = unsafe raw.data.scalar
            event.text = unsafe String(
                decoding: UnsafeBufferPointer(start: scalar.value, count: scalar.length),
                as: UTF8.self)
            event.isPlain = unsafe scalar.style == YAML_PLAIN_SCALAR_STYLE
            event.tag = unsafe Self.string(scalar.tag)
        case YAML_SEQUENCE_START_EVENT:
            event.tag = unsafe Self.string(raw.data.sequence_start.tag)
        case YAML_MAPPING_START_EVENT:
            event.tag = unsafe Self.string(raw.data.mapping_start.tag)
        default: break
        }
        return event
    }

    private func problem(_ parser: yaml_parser_t) -> YAMLError {
        let what = unsafe parser.problem.map { unsafe String(cString: $0) } ?? "out of memory"
        if unsafe parser.error == YAML_READER_ERROR {
            return unsafe .notText(what, offset: Int(parser.problem_offset))
        }
        let context = unsafe parser.context.map { unsafe String(cString: $0) + ": " } ?? ""
        return unsafe .notYAML(context + what, line: Int(parser.problem_mark.line) + 1)
    }

    /// A zero-terminated string of libyaml.
    private static func string(_ start: UnsafeMutablePointer<UInt8>?) -> String? {
        unsafe start.map { unsafe String(decodingCString: $0, as: UTF8.self) }
    }
}
