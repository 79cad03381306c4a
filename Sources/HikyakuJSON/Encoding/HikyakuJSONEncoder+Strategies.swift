#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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

/// What an encoder was set to, shared by all that takes part in one document.
final class EncodingSettings {
    let keys: HikyakuJSONEncoder.KeyEncodingStrategy
    let dates: HikyakuJSONEncoder.DateEncodingStrategy
    let data: HikyakuJSONEncoder.DataEncodingStrategy
    let nonConformingFloats: HikyakuJSONEncoder.NonConformingFloatEncodingStrategy
    let isPretty: Bool
    let sortsKeys: Bool
    let userInfo: [CodingUserInfoKey: Any]

    init(_ encoder: HikyakuJSONEncoder) {
        keys = encoder.keyEncodingStrategy
        dates = encoder.dateEncodingStrategy
        data = encoder.dataEncodingStrategy
        nonConformingFloats = encoder.nonConformingFloatEncodingStrategy
        isPretty = encoder.outputFormatting.contains(.prettyPrinted)
        sortsKeys = encoder.outputFormatting.contains(.sortedKeys)
        userInfo = encoder.userInfo.isEmpty ? [:] : encoder.userInfo.mapValues { $0 }
    }
}
