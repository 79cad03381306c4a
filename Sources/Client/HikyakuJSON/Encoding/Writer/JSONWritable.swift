#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A value that writes itself to a ``JSONWriter``, without the containers of `Encodable`.
///
/// Use it for models whose encoding takes too long.
///
/// ```swift
/// struct Article: JSONWritable {
///     let id: Int
///     let title: String
///     let note: String?
///
///     func write(to writer: inout JSONWriter) throws {
///         try writer.beginObject()
///         try writer.member("id", id)
///         try writer.member("title", title)
///         try writer.member("note", note)
///         try writer.endObject()
///     }
/// }
/// ```
///
/// ``HikyakuJSONEncoder/encode(_:)`` uses this conformance at any depth instead of the type's `encode(to:)`. Both
/// should write the same value. A type with a raw value only has to declare the conformance.
public protocol JSONWritable: SendableMetatype {
    /// Writes exactly one value, by one call of a `write` function or of another value's `write(to:)`.
    ///
    /// It may be called more than once for a document, and runs synchronously. It should neither block nor have side
    /// effects.
    ///
    /// - Throws: Errors of the writer, and any error of the type's own, which ends the document.
    func write(to writer: inout JSONWriter) throws
}

extension JSONWritable where Self: RawRepresentable, RawValue: JSONWritable {
    /// Writes the raw value.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try rawValue.write(to: &writer)
    }
}

extension String: JSONWritable {
    /// Writes the string in quotation marks.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendQuoted(self) }
    }
}

extension URL: JSONWritable {
    /// Writes the absolute URL as a string.
    public func write(to writer: inout JSONWriter) throws {
        try absoluteString.write(to: &writer)
    }
}

extension UUID: JSONWritable {
    /// Writes the UUID as a string of 36 upper-case characters.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendQuoted(self) }
    }
}

extension Date: JSONWritable {
    /// Writes the date by the encoder's date strategy.
    public func write(to writer: inout JSONWriter) throws {
        switch writer.settings.encoder.dateEncodingStrategy {
        case .iso8601: try writer.appendInternetDate(self, hasFraction: true)
        case .iso8601WholeSeconds: try writer.appendInternetDate(self, hasFraction: false)
        case .secondsSince1970: try writer.appendNumber(timeIntervalSince1970)
        case .millisecondsSince1970: try writer.appendNumber(timeIntervalSince1970 * 1000)
        case .deferredToDate: try writer.appendNumber(timeIntervalSinceReferenceDate)
        case .custom(let encode): try writer.encode(by: { encoder in try encode(self, encoder) })
        }
    }
}

extension Data: JSONWritable {
    /// Writes the bytes by the encoder's data strategy.
    public func write(to writer: inout JSONWriter) throws {
        switch writer.settings.encoder.dataEncodingStrategy {
        case .base64: try writer.appendValue { $0.appendQuoted(self, .standard) }
        case .base64URL: try writer.appendValue { $0.appendQuoted(self, .url) }
        case .deferredToData: try writer.writeArray { writer in for byte in self { try byte.write(to: &writer) } }
        case .custom(let encode): try writer.encode(by: { encoder in try encode(self, encoder) })
        }
    }
}

extension JSONWriter {
    fileprivate mutating func appendInternetDate(_ date: Date, hasFraction: Bool) throws {
        guard let milliseconds = ByteBuffer.milliseconds(of: date) else {
            // The error contains no date: Foundation on Linux traps when it describes a distant one.
            throw failure(
                """
                ISO 8601 covers the years 0 to 9999, but the date is \(date.timeIntervalSince1970) seconds from 1970. \
                Leave it out, or use another dateEncodingStrategy.
                """,
                value: date.timeIntervalSince1970,
                cause: .distantDate,
            )
        }
        try appendValue { $0.appendQuotedDate(milliseconds: milliseconds, hasFraction: hasFraction) }
    }
}

extension Optional: JSONWritable where Wrapped: JSONWritable {
    /// Writes the value, or `null` for `nil`.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        switch self {
        case .some(let value): try value.write(to: &writer)
        case .none: try writer.appendNull()
        }
    }
}

extension Array: JSONWritable where Element: JSONWritable {
    /// Writes the elements in order.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try writer.writeArray { writer in
            for element in self { try element.write(to: &writer) }
        }
    }
}

extension Set: JSONWritable where Element: JSONWritable {
    /// Writes the elements as an array, in an order that differs between runs.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try writer.writeArray { writer in
            for element in self { try element.write(to: &writer) }
        }
    }
}

extension Dictionary: JSONWritable where Key == String, Value: JSONWritable {
    /// Writes an object; without the encoder's `sortedKeys`, the order of its members differs between runs.
    @inlinable public func write(to writer: inout JSONWriter) throws {
        try writer.writeObject { writer in
            for (key, value) in self {
                try writer.writeMember(key) { writer in try value.write(to: &writer) }
            }
        }
    }
}

extension JSONWriter {
    mutating func appendNumber(_ value: Double) throws {
        guard value.isFinite else { return try appendNonConforming(value) }
        try appendValue { $0.appendFinite(value) }
    }

    mutating func appendNumber(_ value: Float) throws {
        guard value.isFinite else { return try appendNonConforming(value) }
        try appendValue { $0.appendFinite(value) }
    }

    /// Writes the strategy's text for an infinity or NaN.
    @inline(never) fileprivate mutating func appendNonConforming(_ value: some FloatingPoint) throws {
        guard let text = settings.text(ofNonConforming: value) else {
            throw failure(EncodingSettings.nonConforming(value), value: value, cause: .notFinite)
        }
        try appendValue { $0.appendQuoted(text) }
    }
}

extension EncodingSettings {
    func text(ofNonConforming value: some FloatingPoint) -> String? {
        let strategy = encoder.nonConformingFloatEncodingStrategy
        guard case .convertToString(let positiveInfinity, let negativeInfinity, let nan) = strategy else { return nil }
        return value.isNaN ? nan : value.sign == .minus ? negativeInfinity : positiveInfinity
    }

    static func nonConforming(_ value: some FloatingPoint) -> String {
        """
        JSON has no number for \(value). Leave it out, or set nonConformingFloatEncodingStrategy to convertToString.
        """
    }
}

extension Bool: JSONWritable {
    /// Writes `true` or `false`.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.append(self ? "true" : "false") }
    }
}

extension Int: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension Int8: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension Int16: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension Int32: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension Int64: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension UInt: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension UInt8: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension UInt16: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension UInt32: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension UInt64: JSONWritable {
    /// Writes all digits.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension Int128: JSONWritable {
    /// Writes all digits, even though many JSON parsers don't keep that many.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

@available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
extension UInt128: JSONWritable {
    /// Writes all digits, even though many JSON parsers don't keep that many.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendValue { $0.appendInteger(self) }
    }
}

extension Double: JSONWritable {
    /// Writes the shortest digits that read back as the same number.
    ///
    /// Infinity and NaN are written by the encoder's strategy.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendNumber(self)
    }
}

extension Float: JSONWritable {
    /// Writes the shortest digits that read back as the same number.
    ///
    /// Infinity and NaN are written by the encoder's strategy.
    public func write(to writer: inout JSONWriter) throws {
        try writer.appendNumber(self)
    }
}

extension Decimal: JSONWritable {
    /// Writes all digits; `NaN` is written by the encoder's strategy for non-conforming numbers.
    public func write(to writer: inout JSONWriter) throws {
        guard !isNaN else { return try writer.appendNonConforming(Double.nan) }
        try writer.appendValue { bytes in description.withContiguousBytes { bytes.append($0) } }
    }
}
