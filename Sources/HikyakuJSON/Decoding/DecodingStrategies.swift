#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension HikyakuJSONDecoder {
    /// How the keys of documents become those of types.
    ///
    /// The keys of `[String: …]` dictionaries stay as they are, and so do those that a ``JSONReadable`` type asks
    /// for; those of dictionaries whose keys are of another type, as `CodingKeyRepresentable` ones, are converted.
    public enum KeyDecodingStrategy: Sendable {
        /// As they are.
        case useDefaultKeys
        /// `created_at` becomes `createdAt`: underscores at the beginning and the end stay, the first word is
        /// lower-case, the others begin with a capital.
        case convertFromSnakeCase
        /// By a function that gives the type's key for the document's; it is called once for each key of a document.
        case custom(@Sendable (String) -> String)
    }

    /// What dates look like.
    public enum DateDecodingStrategy: Sendable {
        /// `2026-11-21T09:30:00Z`, with or without a fraction, with any offset
        /// ([RFC 3339, section 5.6](https://www.rfc-editor.org/rfc/rfc3339#section-5.6)).
        case iso8601
        /// The seconds since 1970.
        case secondsSince1970
        /// The milliseconds since 1970.
        case millisecondsSince1970
        /// As `Date` itself does it: the seconds since 2001.
        case deferredToDate
        /// By a function.
        case custom(@Sendable (any Decoder) throws -> Date)
    }

    /// What bytes look like.
    public enum DataDecodingStrategy: Sendable {
        /// Base64 with its padding ([RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4)).
        case base64
        /// Base64 for URLs, with or without padding ([RFC 4648, section
        /// 5](https://www.rfc-editor.org/rfc/rfc4648#section-5)).
        case base64URL
        /// As `Data` itself does it: an array of numbers.
        case deferredToData
        /// By a function.
        case custom(@Sendable (any Decoder) throws -> Data)
    }

    /// What numbers look like that JSON has no form for.
    public enum NonConformingFloatDecodingStrategy: Sendable {
        /// They are none: a text where a number is expected is an error.
        case `throw`
        /// Texts stand for them.
        case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// What a key means that comes twice in an object, which RFC 8259 leaves open.
    public enum DuplicateKeys: Sendable {
        /// The last one wins, as in most decoders: what stands at the others may be of any kind.
        ///
        /// A ``JSONReadable`` type that reads its members itself is handed each in turn: a value that isn't what it
        /// expects is an error there, also where its key comes again.
        case lastWins
        /// The document is refused, wherever in it the object is, also in parts that no type asks for.
        ///
        /// Keys are the same when they say the same, byte for byte: `"a"` and `"\u0061"` are, `"é"` in one character
        /// and in two aren't. Looking for them takes about as long as a look at all of the document.
        case refused
    }

    /// What of a document is passed over that RFC 8259 doesn't allow; each has to be asked for by its name.
    ///
    /// ```swift
    /// decoder.leniency = [.comments, .trailingCommas]
    /// ```
    /// A lenient document becomes a strict one before it is read: what is passed over turns into white space, so that
    /// nearly all else keeps its place, and the places that errors name are always those of the document as it came. A
    /// document without any of it is read as it is, after one look at its bytes.
    public struct Leniency: OptionSet, Sendable, Hashable {
        /// The options as bits.
        public let rawValue: UInt8

        /// Makes a set of options from bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// `// up to the line's end` and `/* up to here */`, wherever white space may be.
        public static let comments = Leniency(rawValue: 1)
        /// A comma behind the last element of an array or the last member of an object.
        public static let trailingCommas = Leniency(rawValue: 2)
        /// A mark of the order of bytes before the document, as some editors write it.
        public static let byteOrderMark = Leniency(rawValue: 4)
        /// All of [JSON5](https://spec.json5.org), which includes the others.
        ///
        /// Texts in single quotes, keys without quotes, more escapes and line breaks in texts, hexadecimal integers (of
        /// at most 128 bits), a plus before a number, a point at its beginning or end, and more white space. `Infinity`
        /// and `NaN` are numbers that `Double` and `Float` can hold, whatever ``nonConformingFloatDecodingStrategy``
        /// says, and that a ``JSONNumber`` can't.
        public static let json5: Leniency = [.comments, .trailingCommas, .byteOrderMark, Leniency(rawValue: 8)]

        /// Whether there is more than what turns into white space.
        var isJSON5: Bool { rawValue & 8 != 0 }
    }
}
