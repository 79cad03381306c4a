/// A property's value at compile time, as the compiler's constant extraction describes it.
indirect enum ConstValue: Equatable, Sendable {
    /// The text of a literal of any type.
    case literal(String)
    case nilLiteral
    /// A string with interpolated values, which are usually `.runtime`.
    case interpolation([ConstValue])
    case dictionary([Pair])
    /// A static member of a type: `.get`.
    case member(type: String, name: String)
    /// A call of an initializer (without a name) or a static function, with its arguments.
    case call(type: String, name: String?, arguments: [Argument])
    /// Known only when the program runs, or irrelevant for a request.
    case runtime

    struct Pair: Equatable, Sendable, Decodable {
        let key: ConstValue
        let value: ConstValue
    }

    struct Argument: Equatable, Sendable {
        let label: String
        let value: ConstValue
    }

    /// The text of a plain literal; `nil` for any other value.
    var literal: String? {
        if case .literal(let text) = self { text } else { nil }
    }
}

extension ConstValue: Decodable {
    fileprivate enum CodingKeys: String, CodingKey {
        case valueKind, value, segments, baseType, memberLabel, type, arguments, label
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        func parts() throws -> KeyedDecodingContainer<CodingKeys> {
            try container.nestedContainer(keyedBy: CodingKeys.self, forKey: .value)
        }
        switch try container.decode(String.self, forKey: .valueKind) {
        case "RawLiteral":
            self = .literal(try container.decode(String.self, forKey: .value))
        case "NilLiteral":
            self = .nilLiteral
        case "InterpolatedStringLiteral":
            self = .interpolation(try parts().decode([ConstValue].self, forKey: .segments))
        case "Dictionary":
            self = .dictionary(try container.decode([Pair].self, forKey: .value))
        case "MemberReference":
            self = .member(
                type: try parts().decode(String.self, forKey: .baseType),
                name: try parts().decode(String.self, forKey: .memberLabel),
            )
        case "InitCall", "StaticFunctionCall":
            self = .call(
                type: try parts().decode(String.self, forKey: .type),
                name: try parts().decodeIfPresent(String.self, forKey: .memberLabel),
                arguments: try parts().decode([Argument].self, forKey: .arguments),
            )
        default:
            self = .runtime
        }
    }
}

extension ConstValue.Argument: Decodable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: ConstValue.CodingKeys.self)
        label = try container.decodeIfPresent(String.self, forKey: .label) ?? ""
        value = try ConstValue(from: decoder)
    }
}
