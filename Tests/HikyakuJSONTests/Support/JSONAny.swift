@testable import HikyakuJSON

/// A value of any kind, made by trying one type after another, as types without a schema do it.
indirect enum JSONAny: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case integer(Int64)
    case natural(UInt64)
    case double(Double)
    case string(String)
    case array([JSONAny])
    case object([String: JSONAny])

    init(from decoder: any Decoder) throws {
        if var elements = try? decoder.unkeyedContainer() {
            var array: [JSONAny] = []
            while !elements.isAtEnd { array.append(try elements.decode(JSONAny.self)) }
            self = .array(array)
        } else if let members = try? decoder.container(keyedBy: TextKey.self) {
            var object: [String: JSONAny] = [:]
            for key in members.allKeys { object[key.stringValue] = try members.decode(JSONAny.self, forKey: key) }
            self = .object(object)
        } else {
            self = try Self.scalar(try decoder.singleValueContainer())
        }
    }

    private static func scalar(_ container: any SingleValueDecodingContainer) throws -> JSONAny {
        if container.decodeNil() { return .null }
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(UInt64.self) { return .natural(value) }
        return .double(try container.decode(Double.self))
    }
}

/// The same, read directly.
struct DirectAny: JSONReadable, Hashable {
    let value: JSONAny

    init(from reader: inout JSONReader) throws {
        if try reader.readNull() {
            value = .null
        } else if let string = try? reader.read(String.self) {
            value = .string(string)
        } else if let bool = try? reader.read(Bool.self) {
            value = .bool(bool)
        } else if let integer = try? reader.read(Int64.self) {
            value = .integer(integer)
        } else if let natural = try? reader.read(UInt64.self) {
            value = .natural(natural)
        } else if let double = try? reader.read(Double.self) {
            value = .double(double)
        } else {
            value = try Self.container(&reader)
        }
    }

    private static func container(_ reader: inout JSONReader) throws -> JSONAny {
        var array: [JSONAny] = []
        do {
            try reader.readArray { array.append(try $0.read(DirectAny.self).value) }
            return .array(array)
        } catch DecodingError.typeMismatch {}
        var object: [String: JSONAny] = [:]
        try reader.readObject { object[$0] = try $1.read(DirectAny.self).value }
        return .object(object)
    }
}
