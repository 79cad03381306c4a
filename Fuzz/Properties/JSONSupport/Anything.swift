import Foundation
import HikyakuJSON

/// A value of any kind that is read and written through the containers of Codable, which `JSONValue` avoids.
indirect enum Anything: Codable {
    /// `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number.
    case number(JSONNumber)
    /// A text.
    case string(String)
    /// An array.
    case array([Anything])
    /// An object.
    case object([String: Anything])

    /// Tries one kind after the other.
    init(from decoder: any Decoder) throws {
        if var elements = try? decoder.unkeyedContainer() {
            var array: [Anything] = []
            while !elements.isAtEnd { array.append(try elements.decode(Anything.self)) }
            self = .array(array)
        } else if let members = try? decoder.container(keyedBy: AnyKey.self) {
            var object: [String: Anything] = [:]
            for key in members.allKeys { object[key.stringValue] = try members.decode(Anything.self, forKey: key) }
            self = .object(object)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> Anything {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        return .number(try container.decode(JSONNumber.self))
    }

    /// Writes in order.
    func encode(to encoder: any Encoder) throws {
        switch self {
        case .array(let elements):
            var container = encoder.unkeyedContainer()
            for element in elements { try container.encode(element) }
        case .object(let members):
            var container = encoder.container(keyedBy: AnyKey.self)
            for (key, value) in members { try container.encode(value, forKey: AnyKey(key)) }
        default:
            try encodeScalar(to: encoder)
        }
    }

    /// Writes what has no other values inside.
    func encodeScalar(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        default: try container.encodeNil()
        }
    }

    /// The same as `JSONValue`.
    var json: JSONValue {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .number(let value): .number(value)
        case .string(let value): .string(value)
        case .array(let elements): .array(elements.map(\.json))
        case .object(let members): .object(members.mapValues(\.json))
        }
    }
}

/// Any text or number as a key.
struct AnyKey: CodingKey {
    /// The text.
    let stringValue: String
    /// The number, if it is one.
    let intValue: Int?

    /// Takes a text.
    init(_ text: String) { (stringValue, intValue) = (text, nil) }
    /// Takes a text.
    init(stringValue: String) { self.init(stringValue) }
    /// Takes a number.
    init(intValue: Int) { (stringValue, self.intValue) = (String(intValue), intValue) }
}
