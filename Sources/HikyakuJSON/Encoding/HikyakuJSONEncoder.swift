#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes any `Encodable` as JSON, several times as fast as Foundation's encoder and with the same strategies.
///
/// Values are written straight to the document's bytes, members in the order in which a type encodes them. A type that
/// is ``JSONWritable`` writes itself, also inside of arrays, optionals and Codable parents. Text is UTF-8 and escaped
/// only where [RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7) demands it: `/` stays `/`.
///
/// Each value is encoded once. Where it doesn't write in order (two containers side by side, a key that is written
/// again, a `superEncoder` that waits), its parts are put together before they are written: the last value of a key
/// wins, a container that is asked for again goes on, and what a value was handed may be written to until its
/// `encode(to:)` returns.
///
/// At most 512 objects and arrays stand inside of one another, so that a value that contains itself is an error; fewer
/// where the thread's stack has no room for so many.
public struct HikyakuJSONEncoder: Sendable {
    /// How the keys of objects are made from coding keys; keys of `[String: …]` dictionaries stay as they are.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
    /// How dates are written, also those of a ``JSONWritable`` type.
    public var dateEncodingStrategy = DateEncodingStrategy.iso8601
    /// How bytes are written, also those of a ``JSONWritable`` type.
    public var dataEncodingStrategy = DataEncodingStrategy.base64
    /// What becomes of an infinity or of what is not a number, which JSON can't hold.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// The order of members and the space between them; as written, and none, by default.
    public var outputFormatting: OutputFormatting = []
    /// What the types that are encoded find as their encoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes an encoder of compact documents with ISO 8601 dates and base64 data.
    public init() {}

    /// Encodes a value as a whole document, which may be a single text, number or `null`.
    ///
    /// - Returns: UTF-8 without a byte order mark or a line break at the end.
    /// - Throws: `EncodingError` for a number or date that JSON can't hold by the strategies, a value that encodes
    ///   nothing, and for more than 512 open objects and arrays; what a type's `encode(to:)` throws passes as it is.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        let session = EncodingSession(settings: EncodingSettings(self))
        try session.encodeDocument(value)
        return session.writer.pointee.bytes.takeData()
    }

    /// Has a value write itself as a whole document, without Codable.
    ///
    /// - Returns: UTF-8 without a byte order mark or a line break at the end.
    /// - Throws: `EncodingError` for a number or date that JSON can't hold by the strategies, a value that writes
    ///   nothing or more than one value, and for more than 512 open objects and arrays; what a type's `write(to:)`
    ///   throws passes as it is.
    public func write<Value: JSONWritable>(_ value: Value) throws -> Data {
        var writer = JSONWriter(settings: EncodingSettings(self))
        try value.write(to: &writer)
        if let misuse = writer.misuse { throw misuse }
        guard writer.expected == .nothing else { throw writer.failure(JSONWriter.wroteNothing(value), value: value) }
        return writer.bytes.takeData()
    }
}

extension HikyakuJSONEncoder {
    /// How the keys of objects are made from coding keys.
    public enum KeyEncodingStrategy: Sendable {
        /// The coding key's text.
        case useDefaultKeys
        /// `createdAt` becomes `created_at`, `myURLProperty` becomes `my_url_property`; underscores at the ends stay.
        case convertToSnakeCase
        /// Makes the document's key from the type's key; called once for each key in a document.
        case custom(@Sendable (String) -> String)
    }

    /// How dates are written.
    public enum DateEncodingStrategy: Sendable {
        /// `"2026-11-21T09:30:00Z"`, in UTC, with three digits of milliseconds where the date has a fraction of a
        /// second ([RFC 3339](https://www.rfc-editor.org/rfc/rfc3339)). It holds the years 0 to 9999
        /// of the Gregorian calendar, also before there was one, so that `Date.distantPast` is `0000-12-30`.
        case iso8601
        /// As ``iso8601``, but always without a fraction, rounded down: for services that read no other.
        case iso8601WholeSeconds
        /// Seconds since the beginning of 1970, as a number with a fraction.
        case secondsSince1970
        /// Milliseconds since the beginning of 1970, as a number with a fraction.
        case millisecondsSince1970
        /// As `Date` encodes itself: seconds since the beginning of 2001.
        case deferredToDate
        /// Encodes each date with a closure; one that encodes nothing leaves `{}`.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// How bytes are written.
    public enum DataEncodingStrategy: Sendable {
        /// With `+` and `/` and padding ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
        case base64
        /// With `-` and `_`, and without padding ([section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)).
        case base64URL
        /// As `Data` encodes itself: an array of numbers.
        case deferredToData
        /// Encodes each `Data` with a closure; one that encodes nothing leaves `{}`.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// What becomes of an infinity or of what is not a number.
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Encoding fails.
        case `throw`
        /// A text stands for each, which the other side must know.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The order of members and the space between them.
    public struct OutputFormatting: OptionSet, Sendable {
        /// The options as bits.
        public let rawValue: UInt

        /// Makes options from bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Members in the order of the bytes of their keys, so that equal values are equal documents; also those of
        /// ``JSONWritable`` types.
        public static let sortedKeys = OutputFormatting(rawValue: 1)
        /// Lines with two spaces for each level, and `"key" : value`, for people.
        public static let prettyPrinted = OutputFormatting(rawValue: 2)
    }
}

/// The settings of an encoder, shared by all parts of one encoding.
final class EncodingSettings {
    let encoder: HikyakuJSONEncoder
    let isPretty: Bool
    let sortsKeys: Bool
    let userInfo: [CodingUserInfoKey: Any]

    init(_ encoder: HikyakuJSONEncoder) {
        self.encoder = encoder
        isPretty = encoder.outputFormatting.contains(.prettyPrinted)
        sortsKeys = encoder.outputFormatting.contains(.sortedKeys)
        userInfo = encoder.userInfo.isEmpty ? [:] : encoder.userInfo.mapValues { $0 }
    }
}
