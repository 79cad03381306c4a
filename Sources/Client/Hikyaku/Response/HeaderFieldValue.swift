import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that can be read from a header field: a text, a number, a Boolean, a date, a URL, a UUID.
///
/// ```swift
/// let response = try await client.bind(Qiita.Items()).response()
/// let remaining: Int? = response.headers.read("X-RateLimit-Remaining")
/// ```
/// An enumeration with such a raw value needs no conformance.
public protocol HeaderFieldValue: SendableMetatype {
    /// Reads the value of a field, or of an element of its list.
    ///
    /// - Parameter field: The text, without spaces around it.
    init?(headerField field: String)
}

extension HTTPHeaders {
    /// The value of a field; `nil` if there is none, or if it is not of the type.
    ///
    /// - Parameter name: The field's name.
    /// - Returns: The value.
    public func read<Value: HeaderFieldValue>(_ name: HTTPHeaderName) -> Value? {
        self[name].flatMap { Value(headerField: $0.trimmedField) }
    }

    /// The value of a field as an enumeration; `nil` if there is none, or if it is not of the type.
    public func read<Value: RawRepresentable>(_ name: HTTPHeaderName) -> Value?
    where Value.RawValue: HeaderFieldValue {
        self[name].flatMap { Value.RawValue(headerField: $0.trimmedField) }.flatMap(Value.init(rawValue:))
    }

    /// The values of a field that is a list with commas; `nil` if there is none, or if an element is not of the type.
    public func read<Value: HeaderFieldValue>(_ name: HTTPHeaderName) -> [Value]? {
        list(name, Value.init(headerField:))
    }

    /// The values of a field as enumerations; `nil` if there is none, or if an element is not of the type.
    public func read<Value: RawRepresentable>(_ name: HTTPHeaderName) -> [Value]?
    where Value.RawValue: HeaderFieldValue {
        list(name) { Value.RawValue(headerField: $0).flatMap(Value.init(rawValue:)) }
    }

    private func list<Value>(_ name: HTTPHeaderName, _ read: (String) -> Value?) -> [Value]? {
        guard let text = self[name] else { return nil }
        // Empty elements are allowed, and mean nothing (RFC 9110, section 5.6.1).
        let elements = text.byteSplit(separator: ",").map { String($0).trimmedField }.filter { !$0.isEmpty }
        let values = elements.compactMap(read)
        return values.count == elements.count ? values : nil
    }
}

extension String {
    fileprivate var trimmedField: String {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        return String(decoding: utf8.drop(while: isSpace).reversed().drop(while: isSpace).reversed(), as: UTF8.self)
    }
}

extension String: HeaderFieldValue {
    /// The text itself.
    public init?(headerField field: String) { self = field }
}

extension Int: HeaderFieldValue {
    /// Reads a decimal number.
    public init?(headerField field: String) { self.init(field) }
}

extension Int32: HeaderFieldValue {
    /// Reads a decimal number.
    public init?(headerField field: String) { self.init(field) }
}

extension Int64: HeaderFieldValue {
    /// Reads a decimal number.
    public init?(headerField field: String) { self.init(field) }
}

extension Double: HeaderFieldValue {
    /// Reads a number; one that is not finite is none.
    public init?(headerField field: String) {
        guard let number = Double(field), number.isFinite else { return nil }
        self = number
    }
}

extension Float: HeaderFieldValue {
    /// Reads a number; one that is not finite is none.
    public init?(headerField field: String) {
        guard let number = Float(field), number.isFinite else { return nil }
        self = number
    }
}

extension Bool: HeaderFieldValue {
    /// Reads `true` or `false` in any case, `1` or `0`, or the `?1` of structured fields.
    public init?(headerField field: String) {
        switch field.lowercased() {
        case "true", "1", "?1": self = true
        case "false", "0", "?0": self = false
        default: return nil
        }
    }
}

extension Decimal: HeaderFieldValue {
    /// Reads a number.
    public init?(headerField field: String) { self.init(string: field) }
}

extension UUID: HeaderFieldValue {
    /// Reads a UUID.
    public init?(headerField field: String) { self.init(uuidString: field) }
}

extension URL: HeaderFieldValue {
    /// Reads a URL, which may be relative.
    public init?(headerField field: String) { self.init(string: field) }
}

extension Date: HeaderFieldValue {
    /// Reads a date of HTTP (RFC 9110, section 5.6.7), or one of RFC 3339.
    public init?(headerField field: String) {
        if let seconds = HTTPDate.seconds(in: field, now: Int64(Date().timeIntervalSince1970)) {
            self.init(timeIntervalSince1970: Double(seconds))
        } else if let date = InternetDate.date(from: field) {
            self = date
        } else {
            return nil
        }
    }
}
