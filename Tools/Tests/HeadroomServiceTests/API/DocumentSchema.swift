//===----------------------------------------------------------------------===//
// This source file is part of the Headroom project.
// Copyright (c) 2026 the Headroom project authors
// SPDX-License-Identifier: Apache-2.0
//===----------------------------------------------------------------------===//

import Foundation

/// The served document, against which answers are held: stricter than it says, since a member that it
/// does not name is a mistake.
struct DocumentSchema: @unchecked Sendable {  // Of values of Foundation that nobody changes.
    private let root: [String: Any]

    init(_ text: String) throws {
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8))
        guard let root = value as? [String: Any] else { throw Mistake(text: "no object") }
        self.root = root
    }

    struct Mistake: Error, CustomStringConvertible {
        var text: String
        var description: String { text }
    }

    /// All methods of all places, as `GET /status`.
    var operations: [String] {
        let paths = root["paths"] as? [String: [String: Any]] ?? [:]
        return paths.flatMap { path, methods in methods.keys.map { "\($0.uppercased()) \(path)" } }
            .sorted()
    }

    /// Whether all references lead somewhere.
    func danglingReferences() -> [String] {
        var found: [String] = []
        func walk(_ value: Any) {
            if let object = value as? [String: Any] {
                if let name = object["$ref"] as? String, (try? resolve(name)) == nil {
                    found.append(name)
                }
                object.values.forEach(walk)
            } else if let list = value as? [Any] {
                list.forEach(walk)
            }
        }
        walk(root)
        return found
    }

    /// What is wrong with an answer; empty: nothing.
    func problems(
        _ method: String, _ path: String, status: Int, body: String
    ) throws -> [String] {
        let operation = try self.operation(method, path)
        guard let responses = operation["responses"] as? [String: Any],
            let found = responses["\(status)"] as? [String: Any]
        else { return ["\(method) \(path) answers \(status), which the document does not say"] }
        let response = try resolved(found)
        guard let content = response["content"] as? [String: Any] else {
            return body.isEmpty ? [] : ["\(method) \(path) has a body"]
        }
        guard let media = content["application/json"] as? [String: Any],
            let schema = media["schema"] as? [String: Any]
        else { return [] }
        let value = try JSONSerialization.jsonObject(
            with: Data(body.utf8), options: .fragmentsAllowed)
        return try check(value, schema, "\(method) \(path)")
    }

    private func operation(_ method: String, _ path: String) throws -> [String: Any] {
        let paths = root["paths"] as? [String: [String: Any]] ?? [:]
        let wanted = path.split(separator: "?")[0].split(separator: "/")
        // A place of its own comes before one with an id.
        let matches = paths.keys.filter { template in
            let parts = template.split(separator: "/")
            return parts.count == wanted.count
                && zip(parts, wanted).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }
        guard
            let best = matches.min(by: {
                $0.filter { $0 == "{" }.count < $1.filter { $0 == "{" }.count
            }), let operation = paths[best]?[method.lowercased()] as? [String: Any]
        else { throw Mistake(text: "the document has no \(method) \(path)") }
        return operation
    }

    // MARK: - Schemas

    private func resolve(_ reference: String) throws -> [String: Any] {
        var value: Any = root
        for part in reference.dropFirst(2).split(separator: "/") {
            guard let object = value as? [String: Any], let next = object[String(part)] else {
                throw Mistake(text: "\(reference) leads nowhere")
            }
            value = next
        }
        guard let object = value as? [String: Any] else {
            throw Mistake(text: "\(reference) is no object")
        }
        return object
    }

    private func resolved(_ schema: [String: Any]) throws -> [String: Any] {
        guard let reference = schema["$ref"] as? String else { return schema }
        return try resolved(resolve(reference))
    }

    private func check(_ value: Any, _ unresolved: [String: Any], _ place: String) throws
        -> [String]
    {
        let schema = try resolved(unresolved)
        if let choices = schema["oneOf"] as? [[String: Any]] {
            let fitting = try choices.filter { try check(value, $0, place).isEmpty }
            return fitting.count == 1 ? [] : ["\(place) fits \(fitting.count) of several"]
        }
        if let constant = schema["const"] as? String, value as? String != constant {
            return ["\(place) is not \(constant)"]
        }
        if let names = schema["enum"] as? [String] {
            guard let text = value as? String, names.contains(text) else {
                return ["\(place) is none of \(names): \(value)"]
            }
        }
        switch schema["type"] as? String {
        case "object":
            guard let object = value as? [String: Any] else { return ["\(place) is no object"] }
            return try check(object: object, schema, place)
        case "array":
            guard let list = value as? [Any] else { return ["\(place) is no list"] }
            guard let items = schema["items"] as? [String: Any] else { return [] }
            return try list.enumerated().flatMap { try check($1, items, "\(place)[\($0)]") }
        case "string":
            guard let text = value as? String else { return ["\(place) is no text: \(value)"] }
            if schema["format"] as? String == "date-time",
                text.wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/) == nil
            {
                return ["\(place) is no time: \(text)"]
            }
            return []
        case "integer", "number":
            guard let number = value as? NSNumber, !(value is Bool && "\(value)" == "true"),
                !(value is String)
            else { return ["\(place) is no number: \(value)"] }
            if let minimum = schema["minimum"] as? NSNumber,
                number.doubleValue < minimum.doubleValue
            {
                return ["\(place) is \(number), less than \(minimum)"]
            }
            return []
        case "boolean": return value is Bool ? [] : ["\(place) is neither true nor false"]
        default: return []
        }
    }

    private func check(
        object: [String: Any], _ schema: [String: Any], _ place: String
    ) throws -> [String] {
        guard let properties = schema["properties"] as? [String: [String: Any]] else { return [] }
        var problems: [String] = []
        for name in schema["required"] as? [String] ?? [] where object[name] == nil {
            problems.append("\(place) has no \(name)")
        }
        for (name, value) in object {
            guard let property = properties[name] else {
                problems.append("\(place) has \(name), which the document does not know")
                continue
            }
            problems += try check(value, property, "\(place).\(name)")
        }
        return problems
    }
}
