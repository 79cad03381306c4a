/// A value that is one of several alternatives, or of none of them.
///
/// ```swift
/// enum Contact: JSONChoice {
///     case email(String), phone(String), unknown
///
///     init(from reader: inout JSONReader) throws {
///         switch try reader.literalMember("kind") {
///         case "email": self = .email(try reader.literalMember("address") ?? "")
///         case "phone": self = .phone(try reader.literalMember("number") ?? "")
///         default: self = .unknown
///         }
///         try reader.skip()
///     }
///
///     var isUnknown: Bool { if case .unknown = self { true } else { false } }
/// }
/// ```
/// A choice that accepts any value conforms, if it is an alternative of another one: `readIfPossible(_:)` takes it only
/// if it is known.
public protocol JSONChoice: JSONReadable {
    /// Whether the value is none of the known alternatives.
    var isUnknown: Bool { get }
}

extension JSONReader {
    // MARK: Choosing among alternatives

    /// Returns a member of the next object as a text: a string, or the digits of a number, or `true` or `false`.
    ///
    /// A type with a case for each kind of object finds the kind by it. It is slower than ``textMember(_:)``, which
    /// finds strings alone.
    ///
    /// - Parameter name: The key as a document writes it.
    /// - Returns: The text, which is `1` for an integer `1.0`; `nil` if the next value is not an object, or has no such
    ///   member, or one of another type.
    /// - Throws: A syntax error if the object is not JSON.
    public mutating func literalMember(_ name: StaticString) throws -> String? {
        let (start, depth, name) = (place, depthLeft, MemberName(name).text)
        defer { goBack(to: start, depth) }
        guard place < end, place.pointee == Byte.openBrace, try beginMembers() else { return nil }
        var literal: String?
        repeat {
            guard try readKey().utf8.elementsEqual(name.utf8) else {
                try skip()
                continue
            }
            switch try read(JSONValue.self) {
            case .string(let text): literal = text
            case .number(let number): literal = number.int.map { String($0) } ?? number.text
            case .bool(let value): literal = value ? "true" : "false"
            case .null, .array, .object: literal = nil
            }
        } while try nextMember()
        return literal
    }

    /// Reads a value if the next one is one of its type's known alternatives.
    ///
    /// - Parameter type: The type of the value.
    /// - Returns: The value; `nil` if the next one is another one, and then it is not read.
    public mutating func readIfPossible<Value: JSONChoice>(_ type: Value.Type = Value.self) -> Value? {
        let (start, depth) = (place, depthLeft)
        if let value = try? read(type), !value.isUnknown { return value }
        goBack(to: start, depth)
        return nil
    }

    /// Returns whether the next value is an object with one of some members, without reading it.
    ///
    /// A type with a case for each kind of object finds the kind by it.
    ///
    /// - Parameter names: The keys as a document writes them.
    /// - Returns: `false` as well if the value is not JSON.
    public mutating func hasMember(_ names: StaticString...) -> Bool {
        let (start, depth) = (place, depthLeft)
        defer { goBack(to: start, depth) }
        guard place < end, place.pointee == Byte.openBrace else { return false }
        let texts = names.map { MemberName($0).text }
        do {
            guard try beginMembers() else { return false }
            repeat {
                let key = try readKey()
                if texts.contains(where: { $0.utf8.elementsEqual(key.utf8) }) { return true }
                try skip()
            } while try nextMember()
            return false
        } catch {
            return false
        }
    }
}
