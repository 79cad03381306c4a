/// A value of an enumeration that may grow: a known case or an unknown raw value.
///
/// ```swift
/// enum State: String, APIModel { case open, closed }
///
/// struct Issue: APIModel, Decodable {
///     let state: OpenEnum<State>
/// }
///
/// let issue = try HikyakuJSONDecoder().decode(Issue.self, from: bytes)
/// switch issue.state {
/// case .known(.open): show("open")
/// case .known(.closed): show("closed")
/// case .unknown(let text): show(text)
/// }
/// ```
/// ``HikyakuJSONDecoder/onDrift`` is called for each unknown value. A value of another type is still an error, for
/// example a number where the cases are strings.
public enum OpenEnum<Known: RawRepresentable> {
    /// A known case.
    case known(Known)
    /// An unknown raw value, unchanged.
    case unknown(Known.RawValue)

    /// The case, if it is known.
    public var value: Known? {
        switch self {
        case .known(let value): value
        case .unknown: nil
        }
    }
}

extension OpenEnum: RawRepresentable {
    /// Creates a known case from its raw value, or an unknown value.
    @inlinable
    public init(rawValue: Known.RawValue) {
        if let value = Known(rawValue: rawValue) { self = .known(value) } else { self = .unknown(rawValue) }
    }

    /// The raw value, as it is encoded.
    public var rawValue: Known.RawValue {
        switch self {
        case .known(let value): value.rawValue
        case .unknown(let rawValue): rawValue
        }
    }
}

extension OpenEnum: Equatable where Known: Equatable, Known.RawValue: Equatable {}

extension OpenEnum: Hashable where Known: Hashable, Known.RawValue: Hashable {}

extension OpenEnum: Sendable where Known: Sendable, Known.RawValue: Sendable {}

extension OpenEnum: Decodable where Known.RawValue: Decodable {
    /// Reads a raw value.
    public init(from decoder: any Decoder) throws {
        self.init(rawValue: try decoder.singleValueContainer().decode(Known.RawValue.self))
        if case .unknown = self { (decoder as? ValueDecoder)?.drift(.unknownEnumValue, Known.self) }
    }
}

extension OpenEnum: Encodable where Known.RawValue: Encodable {
    /// Writes the raw value.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }
}

extension OpenEnum: JSONReadable where Known.RawValue: JSONReadable {
    /// Reads a raw value.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        let start = reader.offset
        self.init(rawValue: try Known.RawValue(from: &reader))
        if case .unknown = self { reader.noteDrift(.unknownEnumValue, at: start, Known.self) }
    }
}

// The implementation is that of all types with a raw value.
extension OpenEnum: JSONWritable where Known.RawValue: JSONWritable {}
