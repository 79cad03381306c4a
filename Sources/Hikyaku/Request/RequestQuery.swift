import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The items of a query, a form, or of `parameters`, in the order in which a query and a form are written.
///
/// ```swift
/// ["page": page, "tag": tag, "ids": [1, 2], "filter": .object(["state": "open"])]
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
        case .items(let query): query.depth
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

extension RequestQuery: CustomStringConvertible, CustomReflectable {
    /// The names only: values may be secrets.
    public var description: String { items.map { "\($0.name)=…" }.joined(separator: "&") }

    /// The names only, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["names": items.map(\.name)]) }
}

/// Writes items as `name=value&…`, for queries and forms.
struct QueryWriter {
    private let encoding: PercentCoding.Allowed
    private var output = ""

    /// The items as text; empty where there is nothing to write.
    static func text(of query: RequestQuery, encoding: PercentCoding.Allowed) throws(TransportError) -> String {
        var writer = QueryWriter(encoding: encoding)
        for item in query.items {
            try writer.write(item.value, named: PercentCoding.encoded(item.name, allowing: encoding))
        }
        return writer.output
    }

    private mutating func write(_ value: QueryItemValue, named name: String) throws(TransportError) {
        switch value.content {
        case .none:
            return
        case .values(let values, let style):
            if let separator = style.separator { return try writeJoined(values, separator, named: name) }
            let itemName = style == .bracketed ? name + "%5B%5D" : name
            for value in values { try write(value, named: itemName) }
        case .items(let query):
            for item in query.items {
                let key = PercentCoding.encoded(item.name, allowing: encoding)
                try write(item.value, named: "\(name)%5B\(key)%5D")
            }
        case .text, .integer, .unsigned, .double, .decimal, .boolean, .invalid:
            begin(name)
            PercentCoding.append(try Self.scalar(value, named: name), to: &output, allowing: encoding)
        }
    }

    /// The commas between the values are kept; those inside values are percent-encoded, so that values can be told
    /// apart.
    private mutating func writeJoined(
        _ values: [QueryItemValue],
        _ separator: String,
        named name: String,
    ) throws(TransportError) {
        let present = values.filter { $0.content != .none }
        guard !present.isEmpty else { return }
        begin(name)
        for (index, value) in present.enumerated() {
            if index > 0 {
                if separator == "," {
                    output += ","
                } else {
                    PercentCoding.append(separator, to: &output, allowing: encoding)
                }
            }
            PercentCoding.append(try Self.scalar(value, named: name), to: &output, allowing: encoding)
        }
    }

    private mutating func begin(_ name: String) {
        if !output.isEmpty { output += "&" }
        output += name
        output += "="
    }

    static func scalar(_ value: QueryItemValue, named name: String) throws(TransportError) -> String {
        switch value.content {
        case .text(let text): return text
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .double(let number) where number.isFinite: return text(of: number)
        case .decimal(let number) where !number.isNaN: return number.description
        case .invalid(let cause): throw TransportError(.query, "the value of \(name) \(cause)")
        case .double, .decimal: throw TransportError(.query, "the value of \(name) is not a finite number")
        case .none, .values, .items:
            throw TransportError(.query, "the value of \(name) contains a list or an object in a comma-separated list")
        }
    }

    /// `1` instead of `1.0`, as services expect integers.
    private static func text(of number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

/// `parameters` as the JSON object of a body: `["a": 1, "b": [2]]` gives `{"a":1,"b":[2]}`.
///
/// If items have the same name, the last one is written.
struct RequestParameters: Encodable, Sendable {
    let query: RequestQuery

    func encode(to encoder: any Encoder) throws {
        try Self.encode(query, to: encoder)
    }

    private struct Value: Encodable {
        let value: QueryItemValue

        func encode(to encoder: any Encoder) throws {
            switch value.content {
            case .none, .invalid: try encoder.encodeNil()
            case .text(let text): try encoder.encode(text)
            case .integer(let number): try encoder.encode(number)
            case .unsigned(let number): try encoder.encode(number)
            case .double(let number): try encoder.encode(number)
            case .decimal(let number): try encoder.encode(number)
            case .boolean(let boolean): try encoder.encode(boolean)
            case .items(let query): try RequestParameters.encode(query, to: encoder)
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
