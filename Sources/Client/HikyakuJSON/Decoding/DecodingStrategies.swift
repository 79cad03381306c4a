#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HikyakuJSONDecoder {
    /// How the keys of a document are converted to the keys of types.
    ///
    /// ```swift
    /// var decoder = HikyakuJSONDecoder()
    /// decoder.keyDecodingStrategy = .convertFromSnakeCase
    /// ```
    /// The keys of `[String: …]` dictionaries and the keys of ``JSONReadable`` types are not converted. Dictionary
    /// keys of another type, such as `CodingKeyRepresentable`, are converted.
    public enum KeyDecodingStrategy: Sendable {
        /// Keys are not converted.
        case useDefaultKeys
        /// `created_at` becomes `createdAt`.
        ///
        /// Leading and trailing underscores are kept. The first word is lower-case, and the others are capitalized.
        case convertFromSnakeCase
        /// Keys are converted by a closure from the document's key to the type's key.
        ///
        /// The closure is called once for each key of a document.
        case custom(@Sendable (String) -> String)
    }

    /// The format of dates.
    ///
    /// ```swift
    /// var decoder = HikyakuJSONDecoder()
    /// decoder.dateDecodingStrategy = .millisecondsSince1970
    /// ```
    public enum DateDecodingStrategy: Sendable {
        /// RFC 3339, with or without a fraction, with any offset: `2026-11-21T09:30:00Z`.
        ///
        /// See [RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6).
        case iso8601
        /// Texts in one of several formats, which are tried in order: made by ``iso8601OrUTC``,
        /// ``format(_:secondsFromUTC:)`` and ``or(_:)``.
        case texts(DateFormats)
        /// The number of seconds since 1970.
        case secondsSince1970
        /// The number of milliseconds since 1970.
        case millisecondsSince1970
        /// The format of `Date` itself: the number of seconds since 2001.
        case deferredToDate
        /// Dates are decoded by a closure.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// The format of binary data.
    ///
    /// ```swift
    /// var decoder = HikyakuJSONDecoder()
    /// decoder.dataDecodingStrategy = .base64URL
    /// ```
    public enum DataDecodingStrategy: Sendable {
        /// Base64 with padding ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
        case base64
        /// Base64 with the URL-safe alphabet, with or without padding.
        ///
        /// See [RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5).
        case base64URL
        /// The format of `Data` itself: an array of numbers.
        case deferredToData
        /// Data is decoded by a closure.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// The representation of infinity and NaN, which JSON numbers can't express.
    ///
    /// ```swift
    /// var decoder = HikyakuJSONDecoder()
    /// decoder.nonConformingFloatDecodingStrategy = .convertFromString(
    ///     positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN"
    /// )
    /// ```
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// Such numbers are rejected: a string where a number is expected is an error.
        case `throw`
        /// The given strings represent these numbers.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// How repeated keys of an object are handled, which RFC 8259 leaves open.
    ///
    /// ```swift
    /// var decoder = HikyakuJSONDecoder()
    /// decoder.duplicateKeys = .rejected
    /// ```
    public enum DuplicateKeys: Sendable {
        /// If a key is repeated, the last value wins; earlier ones may have any type.
        ///
        /// A ``JSONReadable`` type that reads its members itself receives each of them in order. A value of an
        /// unexpected type is then an error, even if its key is repeated later.
        case lastWins
        /// A document with a repeated key is rejected, even if no type reads that part of the document.
        ///
        /// Keys are compared byte for byte after unescaping: `"a"` and `"\u0061"` are equal, but `"é"` as one code
        /// point and as two are not. The check takes about as long as a scan of the whole document.
        case rejected
    }

    /// Deviations from RFC 8259 that the decoder accepts; each is enabled by name.
    ///
    /// ```swift
    /// var decoder = HikyakuJSONDecoder()
    /// decoder.leniency = [.byteOrderMark, .trailingCommas]
    /// ```
    /// Deviations become white space before the document is decoded, so that all other bytes keep their offsets. A
    /// document without any deviation is decoded unchanged, after one scan of its bytes.
    public struct Leniency: OptionSet, Sendable, Hashable {
        /// The raw bits of the options.
        public let rawValue: UInt8

        /// Creates a set of options from its raw bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        var deviations: LenientDocument.Deviations { LenientDocument.Deviations(rawValue: rawValue) }

        /// A comma after the last element of an array or the last member of an object.
        public static let trailingCommas = Leniency(rawValue: LenientDocument.Deviations.trailingCommas.rawValue)
        /// A byte order mark before the document, which some editors write.
        public static let byteOrderMark = Leniency(rawValue: LenientDocument.Deviations.byteOrderMark.rawValue)
    }
}
