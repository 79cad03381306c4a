/// A value of a document together with its file and its pointer.
struct Cursor {
    var node: DocumentNode
    /// The file whose folder relative references begin at.
    var file: Int32
    /// The file, if it is not the first one, and the JSON Pointer: `models/pet.yaml#/Pet`.
    var location: String

    var position: SourcePosition { node.position }

    /// The member of an object; `nil` if there is none.
    subscript(key: String) -> Cursor? {
        guard let value = node[key] else { return nil }
        return Cursor(node: value, file: file, location: location + "/" + Pointer.escaped(key))
    }

    /// The members of an object; empty for other values.
    var members: [(key: String, keyPosition: SourcePosition, value: Cursor)] {
        (node.object ?? []).map { ($0.key, $0.keyPosition, child($0)) }
    }

    /// The elements of an array; empty for other values.
    var elements: [Cursor] {
        (node.array ?? []).enumerated().map { index, element in
            Cursor(node: element, file: file, location: "\(location)/\(index)")
        }
    }

    func child(_ member: DocumentMember) -> Cursor {
        Cursor(node: member.value, file: file, location: location + "/" + Pointer.escaped(member.key))
    }

    /// The text of `$ref`, if the value is an object that has one.
    var reference: String? {
        guard case .object(let members) = node.content else { return nil }
        for member in members where member.key == "$ref" { return member.value.string }
        return nil
    }
}

/// JSON Pointers ([RFC 6901](https://www.rfc-editor.org/rfc/rfc6901)).
enum Pointer {
    static func escaped(_ token: String) -> String {
        guard token.utf8.contains(where: { $0 == UInt8(ascii: "~") || $0 == UInt8(ascii: "/") }) else { return token }
        var text = ""
        for scalar in token.unicodeScalars {
            switch scalar {
            case "~": text += "~0"
            case "/": text += "~1"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }

    /// The token of an escaped text; a `~` that begins no escape is kept.
    static func unescaped(_ text: some StringProtocol) -> String {
        guard text.utf8.contains(UInt8(ascii: "~")) else { return String(text) }
        var (token, isEscape) = ("", false)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "0" where isEscape: token += "~"
            case "1" where isEscape: token += "/"
            case "~":
                if isEscape { token += "~" }
                isEscape = true
                continue
            default:
                if isEscape { token += "~" }
                token.unicodeScalars.append(scalar)
            }
            isEscape = false
        }
        return isEscape ? token + "~" : token
    }

    /// The tokens of a pointer, which begins with a slash or is empty.
    static func tokens(_ pointer: String) -> [String] {
        pointer.parts(by: "/").dropFirst().map { unescaped($0) }
    }
}
