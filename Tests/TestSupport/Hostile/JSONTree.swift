/// A document as a tree in which any text can be replaced.
package indirect enum JSONTree: Sendable {
    package struct Member: Sendable {
        package var key: String
        package var value: JSONTree

        package init(key: String, value: JSONTree) { (self.key, self.value) = (key, value) }
    }

    case object([Member])
    case array([JSONTree])
    case string(String)
    /// A number, a boolean or null as JSON writes it.
    case other(String)

    /// The document in JSON.
    package var json: [UInt8] {
        var bytes: [UInt8] = []
        write(to: &bytes)
        return bytes
    }

    private func write(to bytes: inout [UInt8]) {
        switch self {
        case .other(let text): bytes += text.utf8
        case .string(let text): Self.write(text, to: &bytes)
        case .array(let elements):
            bytes.append(UInt8(ascii: "["))
            for (index, element) in elements.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                element.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "]"))
        case .object(let members):
            bytes.append(UInt8(ascii: "{"))
            for (index, member) in members.enumerated() {
                if index > 0 { bytes.append(UInt8(ascii: ",")) }
                Self.write(member.key, to: &bytes)
                bytes.append(UInt8(ascii: ":"))
                member.value.write(to: &bytes)
            }
            bytes.append(UInt8(ascii: "}"))
        }
    }

    /// Writes a literal; what readers of files would replace is escaped, so that it gets as far as the generator.
    package static func write(_ text: String, to bytes: inout [UInt8]) {
        bytes.append(0x22)
        for scalar in text.unicodeScalars {
            switch scalar.value {
            case 0x22, 0x5C: bytes += [0x5C, UInt8(scalar.value)]
            case 0x00..<0x20, 0x7F..<0xA0, 0xFEFF:
                let digits = String(scalar.value, radix: 16)
                bytes += "\\u\(String(repeating: "0", count: 4 - digits.utf8.count))\(digits)".utf8
            default: bytes += Array(String(scalar).utf8)
            }
        }
        bytes.append(0x22)
    }

    // MARK: Texts

    /// All texts, each of which is a value or a key.
    package func places(_ path: [Int] = [], _ pointer: [String] = []) -> [Place] {
        switch self {
        case .other: []
        case .string(let text): [Place(path: path, isKey: false, keys: pointer, text: text)]
        case .array(let elements):
            elements.enumerated().flatMap { $1.places(path + [$0], pointer + [String($0)]) }
        case .object(let members):
            members.enumerated().flatMap { index, member in
                [Place(path: path + [index], isKey: true, keys: pointer + [member.key], text: member.key)]
                    + member.value.places(path + [index], pointer + [member.key])
            }
        }
    }

    package func replacing(_ place: Place, with text: String) -> JSONTree {
        replacing(place.path[...], place.isKey, text)
    }

    private func replacing(_ path: ArraySlice<Int>, _ isKey: Bool, _ text: String) -> JSONTree {
        guard let index = path.first else { return .string(text) }
        let rest = path.dropFirst()
        switch self {
        case .array(var elements):
            elements[index] = elements[index].replacing(rest, isKey, text)
            return .array(elements)
        case .object(var members):
            if isKey, rest.isEmpty {
                members[index].key = text
            } else {
                members[index].value = members[index].value.replacing(rest, isKey, text)
            }
            return .object(members)
        case .string, .other: return self
        }
    }

    /// The document with another name for something, wherever it is named.
    package func renaming(_ old: String, to new: String) -> JSONTree {
        switch self {
        case .other: self
        case .string(let text): .string(Self.renamed(text, old, new))
        case .array(let elements): .array(elements.map { $0.renaming(old, to: new) })
        case .object(let members):
            .object(
                members.map {
                    Member(key: Self.renamed($0.key, old, new), value: $0.value.renaming(old, to: new))
                }
            )
        }
    }

    private static func renamed(_ text: String, _ old: String, _ new: String) -> String {
        if text == old { return new }
        if text.hasPrefix("#/") {
            let escaped = pointerToken(old)
            let parts = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            return parts.map { $0 == escaped || $0 == old ? percentEncoded(pointerToken(new)) : $0 }
                .joined(separator: "/")
        }
        return text.contains("{") ? text.replacing("{\(old)}", with: "{\(new)}") : text
    }

    /// By scalars: a combining mark would hide the slash before it.
    private static func pointerToken(_ text: String) -> String {
        text.unicodeScalars.reduce(into: "") { token, scalar in
            switch scalar {
            case "~": token += "~0"
            case "/": token += "~1"
            default: token.unicodeScalars.append(scalar)
            }
        }
    }

    private static func percentEncoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            let scalar = Unicode.Scalar(byte)
            if scalar.properties.isAlphabetic && byte < 0x80 || scalar == "~" || 0x30...0x39 ~= byte {
                result.unicodeScalars.append(scalar)
            } else {
                result += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
            }
        }
        return result
    }
}

/// Where a document has a text.
package struct Place: Sendable {
    /// The numbers of members and elements from the root.
    package var path: [Int]
    package var isKey: Bool
    /// The keys and numbers that lead to it.
    package var keys: [String]
    package var text: String

    package var pointer: String {
        (isKey ? "key " : "text ") + "/"
            + keys.map { $0.replacing("~", with: "~0").replacing("/", with: "~1") }.joined(separator: "/")
    }

    /// Whether other places name the same thing, such as a schema, a tag or a parameter.
    package var isName: Bool {
        let parent = keys.dropLast().last ?? ""
        if isKey { return Self.maps.contains(parent) || parent.isNumber && keys.dropLast(2).last == "security" }
        return Self.names.contains(keys.last ?? "") || ["tags", "required", "enum"].contains(parent)
    }

    /// Whether the text only describes something, so that the generated code has other comments at most.
    package var isDescription: Bool {
        let parent = keys.dropLast().last ?? ""
        // What a description says of the end of events is read.
        guard !isKey, !Self.maps.contains(parent), !text.contains("[DONE]") else { return false }
        if ["contact", "license", "externalDocs", "x-logo"].contains(parent) { return true }
        return Self.descriptions.contains(keys.last ?? "")
    }

    /// Whether what is in braces in the text is a parameter's name, or is named in such a text.
    var isTemplate: Bool {
        let parent = keys.dropLast().last ?? ""
        return isKey && (parent == "paths" || parent == "variables") || keys.last == "url" || keys.last == "name"
    }

    /// Whether the text is a media type.
    var isMediaType: Bool {
        let parent = keys.dropLast().last ?? ""
        if isKey, parent == "content" || parent == "examples" && text.contains("/") { return true }
        return ["consumes", "produces"].contains(parent)
    }

    private static let maps: Set<String> = [
        "schemas", "parameters", "responses", "requestBodies", "headers", "examples", "links", "callbacks",
        "securitySchemes", "securityDefinitions", "definitions", "properties", "patternProperties", "variables",
        "scopes", "encoding", "mapping", "$defs", "mediaTypes", "pathItems", "paths", "webhooks", "content", "flows",
        "additionalOperations",
    ]
    private static let names: Set<String> = ["name", "operationId", "propertyName", "parent", "parameter"]
    private static let descriptions: Set<String> = [
        "description", "summary", "termsOfService", "$comment", "x-displayName", "externalValue", "oauth2MetadataUrl",
    ]
}

extension String {
    fileprivate var isNumber: Bool { !isEmpty && utf8.allSatisfy { 0x30...0x39 ~= $0 } }
}
