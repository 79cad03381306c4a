/// Reads numbers by the requirement that names their type, which generic code never calls.
struct ConcreteNumbers: Decodable {
    static let key = CodingUserInfoKey(rawValue: "type")
    let texts: Set<String>

    /// Of `{"a":[number],"b":number}`.
    init(from decoder: any Decoder) throws {
        let name = Self.key.flatMap { decoder.userInfo[$0] as? String } ?? ""
        let object = try decoder.container(keyedBy: TextKey.self)
        var array = try object.nestedUnkeyedContainer(forKey: "a")
        let single = try array.superDecoder().singleValueContainer()
        array = try object.nestedUnkeyedContainer(forKey: "a")
        texts = [
            try Self.member(name, object), try Self.presentMember(name, object), try Self.element(name, &array),
            try Self.single(name, single),
        ]
    }

    private static func member(_ type: String, _ object: KeyedDecodingContainer<TextKey>) throws -> String {
        switch type {
        case "Int8": "\(try object.decode(Int8.self, forKey: "b"))"
        case "Int16": "\(try object.decode(Int16.self, forKey: "b"))"
        case "Int32": "\(try object.decode(Int32.self, forKey: "b"))"
        case "Int64": "\(try object.decode(Int64.self, forKey: "b"))"
        case "Int": "\(try object.decode(Int.self, forKey: "b"))"
        case "UInt8": "\(try object.decode(UInt8.self, forKey: "b"))"
        case "UInt16": "\(try object.decode(UInt16.self, forKey: "b"))"
        case "UInt32": "\(try object.decode(UInt32.self, forKey: "b"))"
        case "UInt64": "\(try object.decode(UInt64.self, forKey: "b"))"
        case "UInt": "\(try object.decode(UInt.self, forKey: "b"))"
        case "Double": "\(try object.decode(Double.self, forKey: "b"))"
        case "Float": "\(try object.decode(Float.self, forKey: "b"))"
        default: ""
        }
    }

    private static func presentMember(_ type: String, _ object: KeyedDecodingContainer<TextKey>) throws -> String {
        switch type {
        case "Int8": "\(try object.decodeIfPresent(Int8.self, forKey: "b") ?? 0)"
        case "Int16": "\(try object.decodeIfPresent(Int16.self, forKey: "b") ?? 0)"
        case "Int32": "\(try object.decodeIfPresent(Int32.self, forKey: "b") ?? 0)"
        case "Int64": "\(try object.decodeIfPresent(Int64.self, forKey: "b") ?? 0)"
        case "Int": "\(try object.decodeIfPresent(Int.self, forKey: "b") ?? 0)"
        case "UInt8": "\(try object.decodeIfPresent(UInt8.self, forKey: "b") ?? 0)"
        case "UInt16": "\(try object.decodeIfPresent(UInt16.self, forKey: "b") ?? 0)"
        case "UInt32": "\(try object.decodeIfPresent(UInt32.self, forKey: "b") ?? 0)"
        case "UInt64": "\(try object.decodeIfPresent(UInt64.self, forKey: "b") ?? 0)"
        case "UInt": "\(try object.decodeIfPresent(UInt.self, forKey: "b") ?? 0)"
        case "Double": "\(try object.decodeIfPresent(Double.self, forKey: "b") ?? 0)"
        case "Float": "\(try object.decodeIfPresent(Float.self, forKey: "b") ?? 0)"
        default: ""
        }
    }

    private static func element(_ type: String, _ array: inout any UnkeyedDecodingContainer) throws -> String {
        switch type {
        case "Int8": "\(try array.decode(Int8.self))"
        case "Int16": "\(try array.decode(Int16.self))"
        case "Int32": "\(try array.decode(Int32.self))"
        case "Int64": "\(try array.decode(Int64.self))"
        case "Int": "\(try array.decode(Int.self))"
        case "UInt8": "\(try array.decode(UInt8.self))"
        case "UInt16": "\(try array.decode(UInt16.self))"
        case "UInt32": "\(try array.decode(UInt32.self))"
        case "UInt64": "\(try array.decode(UInt64.self))"
        case "UInt": "\(try array.decode(UInt.self))"
        case "Double": "\(try array.decode(Double.self))"
        case "Float": "\(try array.decode(Float.self))"
        default: ""
        }
    }

    private static func single(_ type: String, _ container: any SingleValueDecodingContainer) throws -> String {
        switch type {
        case "Int8": "\(try container.decode(Int8.self))"
        case "Int16": "\(try container.decode(Int16.self))"
        case "Int32": "\(try container.decode(Int32.self))"
        case "Int64": "\(try container.decode(Int64.self))"
        case "Int": "\(try container.decode(Int.self))"
        case "UInt8": "\(try container.decode(UInt8.self))"
        case "UInt16": "\(try container.decode(UInt16.self))"
        case "UInt32": "\(try container.decode(UInt32.self))"
        case "UInt64": "\(try container.decode(UInt64.self))"
        case "UInt": "\(try container.decode(UInt.self))"
        case "Double": "\(try container.decode(Double.self))"
        case "Float": "\(try container.decode(Float.self))"
        default: ""
        }
    }
}
