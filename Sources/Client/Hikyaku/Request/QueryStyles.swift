import HikyakuBase
public import HikyakuJSON

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// How several values with one name are written.
///
/// ```swift
/// let query: RequestQuery = ["ids": .list([1, 2], .commaSeparated), "tags": .list(["hot", "new"], .bracketed)]
/// // ?ids=1,2&tags%5B%5D=hot&tags%5B%5D=new
/// ```
public struct QueryListStyle: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case repeated, bracketed
        /// In one item, with this text between the values.
        case joined(String)
    }

    let kind: Kind

    /// `id=1&id=2`.
    public static let repeated = QueryListStyle(kind: .repeated)
    /// `id[]=1&id[]=2`.
    public static let bracketed = QueryListStyle(kind: .bracketed)
    /// `id=1,2`, with commas inside the values percent-encoded.
    public static let commaSeparated = QueryListStyle(kind: .joined(","))
    /// `id=1%202`, with a space between the values.
    ///
    /// A value with a space can't be distinguished from two values.
    public static let spaceSeparated = QueryListStyle(kind: .joined("%20"))
    /// `id=1%7C2`, with a `|` between the values.
    ///
    /// A value with a `|` can't be distinguished from two values.
    public static let pipeSeparated = QueryListStyle(kind: .joined("%7C"))
    /// `id=1%092`, with a tab between the values.
    ///
    /// A value with a tab can't be distinguished from two values.
    public static let tabSeparated = QueryListStyle(kind: .joined("%09"))
}

/// How an object is written in a query or a form.
///
/// ```swift
/// let query: RequestQuery = ["price": .object(["min": 500, "max": 900])]  // ?price%5Bmin%5D=500&price%5Bmax%5D=900
/// let exploded: RequestQuery = ["price": .object(["min": 500, "max": 900], .exploded)]  // ?min=500&max=900
/// ```
public struct QueryObjectStyle: Sendable, Hashable {
    enum Kind: Sendable, Hashable {
        case bracketed, exploded
        /// In one item: keys and values by turns, with this text between them.
        case joined(String)
    }

    let kind: Kind

    /// `filter[tag]=swift&filter[state]=open`.
    public static let bracketed = QueryObjectStyle(kind: .bracketed)
    /// `tag=swift&state=open`: the items themselves, without the object's name.
    public static let exploded = QueryObjectStyle(kind: .exploded)
    /// `filter=tag,swift,state,open`, with commas inside keys and values percent-encoded.
    public static let commaSeparated = QueryObjectStyle(kind: .joined(","))
    /// `filter=tag%20swift%20state%20open`.
    public static let spaceSeparated = QueryObjectStyle(kind: .joined("%20"))
    /// `filter=tag%7Cswift%7Cstate%7Copen`.
    public static let pipeSeparated = QueryObjectStyle(kind: .joined("%7C"))
}

extension QueryValue where Self == QueryItemValue {
    /// Several values in the given style, by default with a repeated name: `"ids": .list([1, 2], .bracketed)`.
    public static func list(_ values: [any QueryValue], _ style: QueryListStyle = .repeated) -> QueryItemValue {
        QueryItemValue(.values(values.map(\.queryItemValue), style))
    }

    /// Several values in the given style; `nil` is omitted.
    public static func list<Value: QueryValue>(_ values: [Value]?, _ style: QueryListStyle) -> QueryItemValue {
        QueryItemValue(values.map { .values($0.map(\.queryItemValue), style) } ?? .none)
    }

    /// Items with one name: `"filter": .object(["tag": "swift"])` gives `filter[tag]=swift`; `nil` is omitted.
    public static func object(_ items: RequestQuery?, _ style: QueryObjectStyle = .bracketed) -> QueryItemValue {
        QueryItemValue(items.map { .items($0, style) } ?? .none)
    }

    /// A value as JSON text: `"filter": .json(filter)` gives `filter=%7B%22tag%22%3A%22swift%22%7D`.
    ///
    /// A value that can't be encoded is rejected as ``FailureReason/query``, and so is one in ``APIRequest/parameters``
    /// that become JSON themselves: there, `.encoded(filter)` is an object.
    public static func json(_ value: some Encodable) -> QueryItemValue {
        do {
            let bytes = try WebJSON.parameterEncoder.encode(value)
            return QueryItemValue(.jsonText(String(decoding: bytes, as: UTF8.self)))
        } catch {
            return unencodable(value, error)
        }
    }

    /// A value that can't be encoded, with the diagnosis.
    fileprivate static func unencodable(_ value: some Encodable, _ error: any Error) -> QueryItemValue {
        let diagnosis = WebJSON.parameterEncoder.diagnosis(of: error, encoding: value)
        return QueryItemValue(.invalid("can't be encoded as JSON: \(diagnosis)"))
    }

    /// The members of a value that is encoded as an object, sorted by their keys, in the given style.
    ///
    /// A value that can't be encoded as JSON is rejected as ``FailureReason/query``. One that is encoded as another
    /// kind of value is written as that kind is.
    public static func encoded(_ value: some Encodable, _ style: QueryObjectStyle = .bracketed) -> QueryItemValue {
        let content = QueryItemValue(encoding: value).content
        guard case .items(let items, _) = content else { return QueryItemValue(content) }
        return QueryItemValue(.items(items, style))
    }

    /// A value whose reserved characters are kept in a query, as with OpenAPI's `allowReserved`: `next=/a/b:c`.
    ///
    /// Percent-encoded are still those that would end the value or change its meaning: `&`, `#`, `+`, `[`, `]` and `%`.
    /// Forms and JSON don't make this difference.
    public static func allowingReserved(_ value: some QueryValue) -> QueryItemValue {
        QueryItemValue(.reserved(value.queryItemValue))
    }

    /// A date as whole seconds since 1970.
    public static func seconds(_ date: Date) -> QueryItemValue {
        whole(date.timeIntervalSince1970)
    }

    /// A date as whole milliseconds since 1970.
    public static func milliseconds(_ date: Date) -> QueryItemValue {
        whole(date.timeIntervalSince1970 * 1000)
    }

    private static func whole(_ number: Double) -> QueryItemValue {
        let content = Int64(exactly: number.rounded(.down)).map { QueryItemValue.Content.integer($0) }
        return QueryItemValue(content ?? .invalid("is a date that a number can't represent"))
    }
}

extension QueryItemValue {
    /// The value that another one is encoded as.
    init(encoding value: some Encodable) {
        do {
            let bytes = try WebJSON.parameterEncoder.encode(value)
            self = try HikyakuJSONDecoder().decode(JSONValue.self, from: bytes).queryItemValue
        } catch {
            self = Self.unencodable(value, error)
        }
    }

    /// A value without parts as text.
    func scalarText(named name: String) throws(TransportError) -> String {
        switch content {
        case .text(let text), .jsonText(let text): return text
        case .integer(let number): return String(number)
        case .unsigned(let number): return String(number)
        case .boolean(let boolean): return boolean ? "true" : "false"
        case .double(let number) where number.isFinite: return Self.text(of: number)
        case .decimal(let number) where !number.isNaN: return number.description
        case .reserved(let value): return try value.scalarText(named: name)
        case .invalid(let cause): throw Self.invalid(name, cause)
        case .double, .decimal: throw Self.invalid(name, "is not a finite number")
        case .none, .values, .items: throw Self.invalid(name, "contains a list or an object in a list of one item")
        }
    }

    /// An error that names the item as the request does: a writer has percent-encoded names.
    private static func invalid(_ name: String, _ cause: String) -> TransportError {
        let plain = PercentCoding.text(of: name.utf8, plusIsSpace: false) ?? name
        return RequestCause.query.error("the value of \(plain) \(cause)")
    }

    /// The text of a header field or a form field: a list or an object is separated by commas (RFC 6570, section
    /// 3.2.2).
    func fieldText(named name: String, isExploded: Bool = false) throws(TransportError) -> String {
        var parts: [String] = []
        switch content {
        case .none: return ""
        case .values(let values, _):
            for value in values where value.content != .none { parts.append(try value.scalarText(named: name)) }
        case .items(let query, _):
            for item in query.items where item.value.content != .none {
                let value = try item.value.scalarText(named: name)
                parts += isExploded ? ["\(item.name)=\(value)"] : [item.name, value]
            }
        default: return try scalarText(named: name)
        }
        return parts.joined(separator: ",")
    }

    /// `1` instead of `1.0`, as services expect integers.
    private static func text(of number: Double) -> String {
        let text = number.description
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension JSONValue: QueryValue {
    /// The value of its kind: an object's members are sorted by their keys, and `null` is omitted.
    public var queryItemValue: QueryItemValue {
        switch self {
        case .null: return QueryItemValue(.none)
        case .bool(let value): return QueryItemValue(.boolean(value))
        case .string(let text): return QueryItemValue(.text(text))
        case .array(let elements): return .list(elements)
        case .number(let number):
            if let integer = number.int { return integer.queryItemValue }
            return QueryItemValue(number.decimal.map { .decimal($0) } ?? .text(number.text))
        case .object(let members):
            var items = RequestQuery()
            for (key, value) in members.sorted(by: { $0.key < $1.key }) { items.append(key, value) }
            return .object(items)
        }
    }
}

extension RequestQuery {
    /// The members of a value that is encoded as an object, sorted by their keys.
    ///
    /// A form of a model is `.form(RequestQuery(encoding: order))`.
    /// Lists repeat their name, and objects are written as `name[key]`. A value that isn't encoded as a JSON object is
    /// rejected as ``FailureReason/query``.
    public init(encoding value: some Encodable) {
        self.init()
        let encoded = QueryItemValue(encoding: value)
        switch encoded.content {
        case .items(let items, _): self = items
        case .invalid: append("\(type(of: value))", encoded)
        default: append("\(type(of: value))", QueryItemValue(.invalid("is not encoded as a JSON object")))
        }
    }
}

extension HTTPHeaders {
    /// Sets a field to a value as OpenAPI's style `simple` writes it, or leaves the fields as they are for `nil`.
    ///
    /// A list is `1,2`, and an object `tag,swift`. A value that can't be written, such as a number that is not finite,
    /// becomes a field that is rejected as ``FailureReason/header``.
    ///
    /// - Parameters:
    ///   - name: The field's name.
    ///   - value: The value.
    ///   - exploded: Whether an object is written as `tag=swift`.
    public mutating func set(_ name: HTTPHeaderName, to value: (any QueryValue)?, exploded: Bool = false) {
        guard let value = value?.queryItemValue, value.content != .none else { return }
        // A NUL is valid in no field.
        self[name] = (try? value.fieldText(named: name.rawName, isExploded: exploded)) ?? "\0"
    }

    /// Adds items to the field `Cookie`, with percent-encoded values; a list repeats its name.
    public mutating func addCookies(_ items: RequestQuery) {
        let text = (try? QueryWriter.text(of: items, encoding: .unreserved)) ?? "\0"
        guard !text.isEmpty else { return }
        let added = text.byteSplit(separator: "&").joined(separator: "; ")
        self[.cookie] = self[.cookie].map { "\($0); \(added)" } ?? added
    }
}
