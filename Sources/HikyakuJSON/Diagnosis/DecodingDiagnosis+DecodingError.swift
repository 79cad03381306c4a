#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DecodingDiagnosis {
    /// Reads what a decoder has thrown; only what it says of types and places is kept, since its text may quote values.
    package init(_ error: DecodingError, body: Data) {
        switch error {
        case .keyNotFound(let key, let context):
            self.init(
                kind: .missingKey,
                pointer: Self.pointer(to: context.codingPath),
                expected: "the key \"\(key.stringValue)\"",
                found: "an object without it",
            )
        case .valueNotFound(let type, let context):
            self.init(
                kind: .missingValue,
                pointer: Self.pointer(to: context.codingPath),
                expected: Self.name(of: type),
                found: Self.found(in: context.debugDescription) ?? "null or the end of an array",
            )
        case .typeMismatch(let type, let context):
            self.init(
                kind: .typeMismatch,
                pointer: Self.pointer(to: context.codingPath),
                expected: Self.name(of: type),
                found: Self.found(in: context.debugDescription),
            )
        case .dataCorrupted(let context):
            self = Self.corrupted(at: context.codingPath, body: body)
        @unknown default:
            self.init(kind: .malformed, expected: "a body that the decoder can read")
        }
    }

    /// Says that a value at the place where a decoder stands is of the right type and yet not acceptable.
    package init(invalidValueAt codingPath: [any CodingKey], expected: String, found: String) {
        self.init(kind: .invalidValue, pointer: Self.pointer(to: codingPath), expected: expected, found: found)
    }

    /// Tells a value that isn't acceptable from a body that is no document at all.
    private static func corrupted(at path: [any CodingKey], body: Data) -> DecodingDiagnosis {
        guard path.isEmpty else {
            return DecodingDiagnosis(kind: .invalidValue, pointer: pointer(to: path), expected: "another value")
        }
        let start = body.first { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
        switch start {
        case nil:
            return DecodingDiagnosis(kind: .empty, expected: "a document", found: "an empty body")
        case UInt8(ascii: "<"):
            return DecodingDiagnosis(kind: .malformed, expected: "a document", found: "markup such as HTML or XML")
        default:
            // Foundation says the same of a value somewhere that its type can't hold.
            guard (try? JSONDecoder().decode(AnyJSON.self, from: body)) == nil else {
                return DecodingDiagnosis(kind: .invalidValue, expected: "values that their types can hold")
            }
            return DecodingDiagnosis(
                kind: .malformed,
                expected: "a well-formed document",
                found: "\(body.count) bytes that are not",
            )
        }
    }

    /// The path as RFC 6901 writes it: `~` and `/` inside a key are escaped.
    private static func pointer(to path: [any CodingKey]) -> String {
        path.reduce(into: "") { pointer, key in
            pointer += "/"
            if let index = key.intValue {
                pointer += String(index)
            } else {
                for character in key.stringValue {
                    pointer += character == "~" ? "~0" : character == "/" ? "~1" : String(character)
                }
            }
        }
    }

    /// Foundation names containers by the Swift types that once held them.
    private static func name(of type: any Any.Type) -> String {
        let name = String(describing: type)
        if name.hasPrefix("Dictionary<") { return "an object" }
        return name.hasPrefix("Array<") ? "an array" : name
    }

    /// What a decoder's text says was found, if it is one of the words for a kind of value.
    private static func found(in text: String) -> String? {
        let words = [
            ("found null", "null"), ("found a string", "a string"), ("found a number", "a number"),
            ("found number", "a number"), ("found an array", "an array"), ("found a dictionary", "an object"),
            ("found bool", "a boolean"), ("found a bool", "a boolean"),
        ]
        return words.first { text.contains($0.0) }?.1
    }
}

/// A document of any content, to find out whether it is one.
private struct AnyJSON: Decodable {
    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) {
            self.stringValue = stringValue
        }

        init?(intValue: Int) {
            nil
        }
    }

    init(from decoder: any Decoder) throws {
        if let object = try? decoder.container(keyedBy: Key.self) {
            for key in object.allKeys { _ = try object.decode(AnyJSON.self, forKey: key) }
        } else if var array = try? decoder.unkeyedContainer() {
            while !array.isAtEnd { _ = try array.decode(AnyJSON.self) }
        } else {
            let value = try decoder.singleValueContainer()
            guard !value.decodeNil(), (try? value.decode(Bool.self)) == nil else { return }
            if (try? value.decode(String.self)) == nil { _ = try value.decode(Decimal.self) }
        }
    }
}
