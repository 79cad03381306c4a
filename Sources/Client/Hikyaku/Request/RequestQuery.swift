public import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The items of a query, a form, or of `parameters`, in the order in which a query and a form are written.
///
/// ```swift
/// let query: RequestQuery = ["page": 2, "tag": "swift", "ids": [1, 2], "filter": .object(["state": "open"])]
/// ```
/// writes `page=1&ids=1&ids=2&filter%5Bstate%5D=open` when `tag` is `nil`. Names may repeat. A `+` in a value is
/// written as `%2B`, a space as `%20`, and everything that isn't ASCII as its UTF-8 bytes.
///
/// [RFC 3986, section 3.4](https://www.rfc-editor.org/rfc/rfc3986#section-3.4)
public struct RequestQuery: Sendable, Hashable, ExpressibleByDictionaryLiteral {
    struct Item: Sendable, Hashable {
        let name: String
        let value: QueryItemValue
    }

    /// A nesting depth that no service needs.
    ///
    /// A deeper value is rejected when it is added, so that its text and memory are bounded.
    private static let depthMax = 32

    private(set) var items: [Item] = []
    private var depth = 1

    /// Creates a query without items.
    public init() {}

    /// Creates a query from a literal; items whose value is `nil` are omitted.
    public init(dictionaryLiteral elements: (String, (any QueryValue)?)...) {
        items.reserveCapacity(elements.count)
        for (name, value) in elements { append(name, value) }
    }

    /// Appends an item; `nil` adds none.
    public mutating func append(_ name: String, _ value: (any QueryValue)?) {
        let value = value?.queryItemValue ?? QueryItemValue(.none)
        let depth = Self.depth(of: value)
        let isTooDeep = depth >= Self.depthMax
        let kept = isTooDeep ? QueryItemValue(.invalid("is nested more than \(Self.depthMax) levels deep")) : value
        items.append(Item(name: name, value: kept))
        self.depth = max(self.depth, isTooDeep ? 1 : depth + 1)
    }

    private static func depth(of value: QueryItemValue) -> Int {
        switch value.content {
        case .items(let query, _): query.depth
        case .reserved(let value): 1 + depth(of: value)
        case .values(let values, _): 1 + (values.lazy.map(depth).max() ?? 0)
        default: 0
        }
    }

    /// The items of both, those on the left first.
    public static func + (left: Self, right: Self) -> Self {
        var sum = left
        sum.items += right.items
        sum.depth = max(left.depth, right.depth)
        return sum
    }

    /// Whether there is nothing to write.
    public var isEmpty: Bool { items.allSatisfy { $0.value.content == .none } }
}

extension RequestQuery: Redacted {
    /// The names only: values may be secrets.
    public var description: String { items.map { "\($0.name)=…" }.joined(separator: "&") }
}

/// Writes items as `name=value&…`, for queries and forms.
struct QueryWriter {
    private var encoding: PercentCoding.Allowed
    private var output = ""

    /// The items as text; empty where there is nothing to write.
    static func text(of query: RequestQuery, encoding: PercentCoding.Allowed) throws(TransportError) -> String {
        var writer = QueryWriter(encoding: encoding)
        try writer.write(query)
        return writer.output
    }

    private mutating func write(_ query: RequestQuery) throws(TransportError) {
        for item in query.items {
            try write(item.value, named: PercentCoding.encoded(item.name, allowing: nameEncoding))
        }
    }

    /// Names never keep reserved characters.
    private var nameEncoding: PercentCoding.Allowed { encoding == .queryItem ? .unreserved : encoding }

    private mutating func write(_ value: QueryItemValue, named name: String) throws(TransportError) {
        switch value.content {
        case .none: return
        case .values(let values, let style): try write(values, style, named: name)
        case .items(let query, let style): try write(query, style, named: name)
        case .reserved(let inner):
            let outer = encoding
            if outer == .unreserved { encoding = .queryItem }
            try write(inner, named: name)
            encoding = outer
        case .text, .jsonText, .integer, .unsigned, .double, .decimal, .boolean, .invalid:
            begin(name)
            PercentCoding.append(try value.scalarText(named: name), to: &output, allowing: encoding)
        }
    }

    private mutating func write(
        _ values: [QueryItemValue],
        _ style: QueryListStyle,
        named name: String,
    ) throws(TransportError) {
        switch style.kind {
        case .repeated: for value in values { try write(value, named: name) }
        case .bracketed: for value in values { try write(value, named: name + "%5B%5D") }
        case .joined(let separator):
            var texts: [String] = []
            for value in values where value.content != .none { texts.append(try value.scalarText(named: name)) }
            writeJoined(texts, by: separator, named: name)
        }
    }

    private mutating func write(
        _ query: RequestQuery,
        _ style: QueryObjectStyle,
        named name: String,
    ) throws(TransportError) {
        switch style.kind {
        case .exploded: try write(query)
        case .bracketed:
            for item in query.items {
                let key = PercentCoding.encoded(item.name, allowing: nameEncoding)
                try write(item.value, named: "\(name)%5B\(key)%5D")
            }
        case .joined(let separator):
            var texts: [String] = []
            for item in query.items where item.value.content != .none {
                texts += [item.name, try item.value.scalarText(named: name)]
            }
            writeJoined(texts, by: separator, named: name)
        }
    }

    /// The separators between the values are kept; commas inside values are percent-encoded, so that values can be
    /// distinguished.
    private mutating func writeJoined(_ texts: [String], by separator: String, named name: String) {
        guard !texts.isEmpty else { return }
        begin(name)
        for (index, text) in texts.enumerated() {
            if index > 0 { output += separator == "%20" && encoding == .form ? "+" : separator }
            PercentCoding.append(text, to: &output, allowing: nameEncoding)
        }
    }

    private mutating func begin(_ name: String) {
        if !output.isEmpty { output += "&" }
        output += name
        output += "="
    }
}

/// `parameters` as the JSON object of a body: `["a": 1, "b": [2]]` gives `{"a":1,"b":[2]}`.
///
/// If items have the same name, the last one is written.
struct RequestParameters: Encodable, Sendable {
    let query: RequestQuery

    /// - Throws: ``FailureReason/query`` for JSON that would become a text inside of JSON.
    init(_ query: RequestQuery) throws(TransportError) {
        self.query = query
        guard let name = Self.nameOfJSONText(in: query) else { return }
        throw RequestCause.query.error(
            "the value of \(name) is .json, which would be a text inside of the body's JSON: write .encoded(value)"
        )
    }

    private static func nameOfJSONText(in query: RequestQuery) -> String? {
        for item in query.items {
            if let path = pathOfJSONText(in: item.value) { return item.name + path }
        }
        return nil
    }

    private static func pathOfJSONText(in value: QueryItemValue) -> String? {
        switch value.content {
        case .jsonText: ""
        case .reserved(let value): pathOfJSONText(in: value)
        case .values(let values, _): values.lazy.compactMap(pathOfJSONText).first
        case .items(let query, _): nameOfJSONText(in: query).map { ".\($0)" }
        default: nil
        }
    }

    func encode(to encoder: any Encoder) throws {
        try Self.encode(query, to: encoder)
    }

    private struct Value: Encodable {
        let value: QueryItemValue

        func encode(to encoder: any Encoder) throws {
            switch value.content {
            case .none, .invalid: try encoder.encodeNil()
            case .text(let text), .jsonText(let text): try encoder.encode(text)
            case .integer(let number): try encoder.encode(number)
            case .unsigned(let number): try encoder.encode(number)
            case .double(let number): try encoder.encode(number)
            case .decimal(let number): try encoder.encode(number)
            case .boolean(let boolean): try encoder.encode(boolean)
            case .items(let query, _): try RequestParameters.encode(query, to: encoder)
            case .reserved(let value): try Value(value: value).encode(to: encoder)
            case .values(let values, _):
                var list = encoder.unkeyedContainer()
                for value in values { try list.encode(Value(value: value)) }
            }
        }
    }

    private static func encode(_ query: RequestQuery, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: AnyKey.self)
        for item in query.items where item.value.content != .none {
            try container.encode(Value(value: item.value), forKey: AnyKey(item.name))
        }
    }
}

extension Encoder {
    func encode(_ value: some Encodable) throws {
        var container = singleValueContainer()
        try container.encode(value)
    }

    fileprivate func encodeNil() throws {
        var container = singleValueContainer()
        try container.encodeNil()
    }
}
