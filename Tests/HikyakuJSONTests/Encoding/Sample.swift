import Foundation

/// A value of any shape, which encodes itself in one of the ways that `Encoder` allows.
indirect enum Sample: Encodable {
    /// How an object or an array is written.
    enum Style: CaseIterable {
        /// Value by value.
        case plain
        /// Objects and arrays inside of it by nested containers, and others by a `superEncoder`.
        case nested
        /// All nested containers and super encoders first, and then each value's parts in turn.
        case interleaved
        /// Each key twice, the first time with another value; each element by its own container.
        case repeated
    }

    case null, nothing
    case bool(Bool), int(Int), int8(Int8), int64(Int64), unsigned(UInt64), unsigned16(UInt16)
    case double(Double), float(Float), decimal(Decimal), text(String)
    case date(Date), data(Data), url(URL), uuid(UUID)
    case texts([String]), numbers([Double?]), dates([Date]), table([String: [Int]])
    case array([Sample]), optionals([Sample?]), set(Set<Int>), wrapped(Sample)
    case dictionary([String: Sample]), numbered([Int: Sample]), named([Name: Sample]), pairs([Bool: Sample])
    case unkeyed([Sample], Style)
    case keyed([String: Sample], Style)

    enum Name: String, Codable, CodingKeyRepresentable, CaseIterable {
        case first, secondName, thirdURLName
    }

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .nothing: break
        case .unkeyed(let elements, let style): try Self.encode(elements, style, encoder.unkeyedContainer())
        case .keyed(let members, let style):
            try Self.encode(members.sorted { $0.key < $1.key }, style, encoder.container(keyedBy: AnyKey.self))
        case .array(let value): try value.encode(to: encoder)
        case .table(let value): try value.encode(to: encoder)
        default: try encodeSingle(encoder.singleValueContainer())
        }
    }

    private func encodeSingle(_ container: any SingleValueEncodingContainer) throws {
        var container = container
        switch self {
        case .bool(let value): try container.encode(value)
        case .int(let value): try container.encode(value)
        case .int8(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .unsigned(let value): try container.encode(value)
        case .unsigned16(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .date(let value): try container.encode(value)
        case .data(let value): try container.encode(value)
        case .url(let value): try container.encode(value)
        case .uuid(let value): try container.encode(value)
        case .texts(let value): try container.encode(value)
        case .numbers(let value): try container.encode(value)
        case .dates(let value): try container.encode(value)
        case .optionals(let value): try container.encode(value)
        case .set(let value): try container.encode(value)
        case .wrapped(let value): try container.encode(value)
        case .dictionary(let value): try container.encode(value)
        case .numbered(let value): try container.encode(value)
        case .named(let value): try container.encode(value)
        case .pairs(let value): try container.encode(value)
        case .null, .nothing, .array, .table, .unkeyed, .keyed: try container.encodeNil()
        }
    }

    // MARK: Objects

    private static func encode(
        _ members: [(key: String, value: Sample)],
        _ style: Style,
        _ keyed: KeyedEncodingContainer<AnyKey>,
    ) throws {
        var container = keyed
        var late: [() throws -> Void] = []
        for (key, value) in members {
            let key = AnyKey(key)
            switch style {
            case .plain: try value.encodeMember(key, &container)
            case .repeated:
                try container.encode([key.stringValue: 1], forKey: key)
                try value.encodeMember(key, &container)
            case .nested, .interleaved:
                let steps = value.steps(member: key, &container)
                if style == .nested { try steps.forEach { try $0() } } else { late += steps }
            }
        }
        // The last of one before the first of another, and so on.
        for index in late.indices { try late[index % 2 == 0 ? late.count - 1 - index / 2 : index / 2]() }
    }

    /// By the container's own functions for the types that have one.
    private func encodeMember(_ key: AnyKey, _ container: inout KeyedEncodingContainer<AnyKey>) throws {
        switch self {
        case .null: try container.encodeNil(forKey: key)
        case .bool(let value): try container.encode(value, forKey: key)
        case .int(let value): try container.encode(value, forKey: key)
        case .int8(let value): try container.encode(value, forKey: key)
        case .unsigned(let value): try container.encodeIfPresent(value, forKey: key)
        case .double(let value): try container.encode(value, forKey: key)
        case .float(let value): try container.encode(value, forKey: key)
        case .text(let value): try container.encode(value, forKey: key)
        case .date(let value): try container.encode(value, forKey: key)
        case .data(let value): try container.encodeIfPresent(value, forKey: key)
        case .optionals(let value): try container.encode(value, forKey: key)
        case .dictionary(let value): try container.encode(value, forKey: key)
        default: try container.encode(self, forKey: key)
        }
    }

    /// Opens what holds the value, and says how to fill it.
    private func steps(member key: AnyKey, _ container: inout KeyedEncodingContainer<AnyKey>) -> [() throws -> Void] {
        switch self {
        case .keyed(let members, let style):
            let nested = container.nestedContainer(keyedBy: AnyKey.self, forKey: key)
            let members = members.sorted { $0.key < $1.key }
            let half = members.count / 2
            return [
                { try Self.encode(Array(members[..<half]), style, nested) },
                { try Self.encode(Array(members[half...]), style, nested) },
            ]
        case .unkeyed(let elements, let style):
            let nested = container.nestedUnkeyedContainer(forKey: key)
            return [{ try Self.encode(elements, style, nested) }]
        default:
            let encoder = container.superEncoder(forKey: key)
            return [{ try encode(to: encoder) }]
        }
    }

    // MARK: Arrays

    private static func encode(
        _ elements: [Sample],
        _ style: Style,
        _ unkeyed: any UnkeyedEncodingContainer,
    ) throws {
        var container = unkeyed
        var late: [() throws -> Void] = []
        for element in elements {
            switch style {
            case .plain: try element.encodeElement(&container)
            case .repeated:
                var nested = container.nestedUnkeyedContainer()
                try element.encodeElement(&nested)
            case .nested: try element.steps(&container).forEach { try $0() }
            case .interleaved:
                // Foundation loses the order of super encoders that wait in one array.
                switch element {
                case .keyed, .unkeyed: late += element.steps(&container)
                default: try element.encodeElement(&container)
                }
            }
        }
        for step in late.reversed() { try step() }
    }

    private func encodeElement(_ container: inout any UnkeyedEncodingContainer) throws {
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .int64(let value): try container.encode(value)
        case .unsigned16(let value): try container.encode(value)
        case .double(let value): try container.encode(value)
        case .float(let value): try container.encode(value)
        case .text(let value): try container.encode(value)
        case .dates(let value): try container.encode(contentsOf: value)
        case .texts(let value): try container.encode(value)
        default: try container.encode(self)
        }
    }

    private func steps(_ container: inout any UnkeyedEncodingContainer) -> [() throws -> Void] {
        switch self {
        case .keyed(let members, let style):
            let nested = container.nestedContainer(keyedBy: AnyKey.self)
            return [{ try Self.encode(members.sorted { $0.key < $1.key }, style, nested) }]
        case .unkeyed(let elements, let style):
            let nested = container.nestedUnkeyedContainer()
            return [{ try Self.encode(elements, style, nested) }]
        default:
            let encoder = container.superEncoder()
            return [{ try encode(to: encoder) }]
        }
    }
}
