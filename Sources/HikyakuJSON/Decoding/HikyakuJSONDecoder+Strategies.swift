#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HikyakuJSONDecoder {
    /// How the keys of documents become those of types.
    ///
    /// The keys of `[String: …]` dictionaries stay as they are, and so do those that a ``JSONReadable`` type asks for;
    /// those of dictionaries whose keys are of another type, as `CodingKeyRepresentable` ones, are converted.
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
}
