#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Encodes any `Encodable` as JSON, several times as fast as Foundation's encoder and with the same strategies.
///
/// ```swift
/// var encoder = HikyakuJSONEncoder()
/// encoder.keyEncodingStrategy = .convertToSnakeCase
/// encoder.outputFormatting = [.sortedKeys]
/// let document = try encoder.encode(Order(id: 1, dishIDs: [3, 4]))
/// let client = APIClient(options: ClientOptions(encoder: encoder))  // for all its requests
/// ```
/// Values are written directly to the document's bytes, with members in the order in which a type encodes them. A
/// ``JSONWritable`` type writes itself, also in arrays, optionals and `Encodable` types. Strings are UTF-8.
/// Characters are escaped only if [RFC 8259, section 7](https://www.rfc-editor.org/rfc/rfc8259#section-7) requires
/// it: `/` stays `/`.
///
/// Each value is encoded once, if all types encode in document order. Some don't: they use two containers at a time,
/// repeat a key, or keep a `superEncoder` for later. Then the whole value is encoded a second time, and its parts are
/// collected before they are written, so `encode(to:)` and `write(to:)` should have no side effects. The last value of
/// a key wins, and a container that is requested again is continued. Containers and encoders of a value may be used
/// until its `encode(to:)` returns.
///
/// At most 512 objects and arrays may be nested, so that a value that contains itself is an error. The limit is lower
/// if the thread's stack has less room.
public struct HikyakuJSONEncoder: Sendable {
    /// How coding keys are converted to keys of objects; keys of `[String: …]` dictionaries are not converted.
    public var keyEncodingStrategy = KeyEncodingStrategy.useDefaultKeys
    /// The format of dates, also for ``JSONWritable`` types.
    public var dateEncodingStrategy = DateEncodingStrategy.iso8601
    /// The format of binary data, also for ``JSONWritable`` types.
    public var dataEncodingStrategy = DataEncodingStrategy.base64
    /// The representation of infinity and NaN, which JSON numbers can't express.
    public var nonConformingFloatEncodingStrategy = NonConformingFloatEncodingStrategy.throw
    /// The order of members and the white space; by default, members are in encoding order, without white space.
    public var outputFormatting: OutputFormatting = []
    /// The `userInfo` of the encoder that types encode to.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]
    /// Whether members that only the service writes are left out: for the bodies of requests.
    ///
    /// See `JSONWriter.readOnlyMember(_:_:)`.
    package var leavesOutReadOnlyMembers = false

    /// Creates an encoder for compact documents with ISO 8601 dates and base64 data.
    public init() {}

    /// Encodes a value as a whole document, which may be a single string, number or `null`.
    ///
    /// - Returns: UTF-8 without a byte order mark or a trailing line break.
    /// - Throws: `EncodingError` for a number or date that can't be encoded by the strategies, and for a value that
    ///   encodes nothing. It is also thrown for more than 512 open objects and arrays. Errors of a type's
    ///   `encode(to:)` are rethrown unchanged.
    public func encode<Value: Encodable>(_ value: Value) throws -> Data {
        try inAnyOrder { settings in
            let session = EncodingSession(settings: settings)
            try session.encodeDocument(value)
            return session.writer.pointee.bytes.takeData()
        }
    }

    /// Writes a ``JSONWritable`` value as a whole document, without `Encodable`.
    ///
    /// - Returns: UTF-8 without a byte order mark or a trailing line break.
    /// - Throws: `EncodingError` for a number or date that can't be encoded by the strategies, and for a value that
    ///   doesn't write exactly one value. It is also thrown for more than 512 open objects and arrays. Errors of a
    ///   type's `write(to:)` are rethrown unchanged.
    public func write<Value: JSONWritable>(_ value: Value) throws -> Data {
        try inAnyOrder { settings in
            var writer = JSONWriter(settings: settings)
            try value.write(to: &writer)
            if let misuse = writer.misuse { throw misuse }
            guard writer.expected == .nothing else {
                throw writer.failure(JSONWriter.wroteNothing(value), value: value)
            }
            return writer.bytes.takeData()
        }
    }

    /// Runs an encoding, and a second time if a value didn't encode in the order of the document.
    ///
    /// What the first run has written or thrown is ignored then.
    @inline(__always) func inAnyOrder<Result>(
        recorder: FailureRecorder? = nil,
        _ encode: (EncodingSettings) throws -> Result,
    ) throws -> Result {
        var settings = EncodingSettings(self, recorder: recorder)
        while true {
            do {
                let result = try encode(settings)
                if !settings.isOutOfOrder { return result }
            } catch {
                if !settings.isOutOfOrder { throw error }
            }
            // What builds trees is never out of order.
            recorder?.forget()
            settings = EncodingSettings(self, recorder: recorder, buildsTrees: true)
        }
    }
}

extension HikyakuJSONEncoder {
    /// How coding keys are converted to keys of objects.
    ///
    /// ```swift
    /// var encoder = HikyakuJSONEncoder()
    /// encoder.keyEncodingStrategy = .convertToSnakeCase
    /// ```
    public enum KeyEncodingStrategy: Sendable {
        /// Keys are not converted.
        case useDefaultKeys
        /// `createdAt` becomes `created_at`, and `myURLProperty` becomes `my_url_property`.
        ///
        /// Leading and trailing underscores are kept.
        case convertToSnakeCase
        /// Keys are converted by a closure from the type's key to the document's key.
        ///
        /// The closure is called once for each key in a document, or twice if that is encoded a second time.
        case custom(@Sendable (String) -> String)
    }

    /// The format of dates.
    ///
    /// ```swift
    /// var encoder = HikyakuJSONEncoder()
    /// encoder.dateEncodingStrategy = .iso8601WholeSeconds
    /// ```
    public enum DateEncodingStrategy: Sendable {
        /// ISO 8601 in UTC: `"2026-11-21T09:30:00Z"`.
        ///
        /// Three digits of milliseconds are added if the date has a fraction of a second ([RFC
        /// 3339](https://www.rfc-editor.org/rfc/rfc3339)). The format covers the years 0 to 9999 of the proleptic
        /// Gregorian calendar, so that `Date.distantPast` is `0000-12-30`.
        case iso8601
        /// Like ``iso8601``, but rounded down to whole seconds, for services that don't accept a fraction.
        case iso8601WholeSeconds
        /// The number of seconds since the beginning of 1970, with a fraction.
        case secondsSince1970
        /// The number of milliseconds since the beginning of 1970, with a fraction.
        case millisecondsSince1970
        /// The format of `Date` itself: the number of seconds since the beginning of 2001.
        case deferredToDate
        /// Dates are encoded by a closure; a closure that encodes nothing produces `{}`.
        case custom(@Sendable (Date, any Encoder) throws -> Void)
    }

    /// The format of binary data.
    ///
    /// ```swift
    /// var encoder = HikyakuJSONEncoder()
    /// encoder.dataEncodingStrategy = .base64URL
    /// ```
    public enum DataEncodingStrategy: Sendable {
        /// Base64 with `+`, `/` and padding.
        ///
        /// See [RFC 4648, section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4).
        case base64
        /// Base64 with `-` and `_`, without padding.
        ///
        /// See [RFC 4648, section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5).
        case base64URL
        /// The format of `Data` itself: an array of numbers.
        case deferredToData
        /// Data is encoded by a closure; a closure that encodes nothing produces `{}`.
        case custom(@Sendable (Data, any Encoder) throws -> Void)
    }

    /// The representation of infinity and NaN, which JSON numbers can't express.
    ///
    /// ```swift
    /// var encoder = HikyakuJSONEncoder()
    /// encoder.nonConformingFloatEncodingStrategy = .convertToString(
    ///     positiveInfinity: "Infinity", negativeInfinity: "-Infinity", nan: "NaN"
    /// )
    /// ```
    public enum NonConformingFloatEncodingStrategy: Sendable {
        /// Such numbers are rejected: encoding fails.
        case `throw`
        /// The given strings represent these numbers; the receiver must know them.
        case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
    }

    /// The order of members and the white space.
    ///
    /// ```swift
    /// var encoder = HikyakuJSONEncoder()
    /// encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
    /// ```
    public struct OutputFormatting: OptionSet, Sendable {
        /// The raw bits of the options.
        public let rawValue: UInt

        /// Creates a set of options from its raw bits.
        public init(rawValue: UInt) {
            self.rawValue = rawValue
        }

        /// Members are sorted by the bytes of their keys, so that equal values give equal documents.
        ///
        /// This includes the members of ``JSONWritable`` types.
        public static let sortedKeys = OutputFormatting(rawValue: 1)
        /// Lines are indented by two spaces for each level, with `"key" : value`, for readability.
        public static let prettyPrinted = OutputFormatting(rawValue: 2)
    }
}

/// The settings of an encoder, shared by all parts of one encoding.
final class EncodingSettings {
    let encoder: HikyakuJSONEncoder
    let isPretty: Bool
    let sortsKeys: Bool
    let leavesOutReadOnlyMembers: Bool
    let userInfo: [CodingUserInfoKey: Any]
    /// What records where the encoding fails; `nil` unless that is to be found out.
    let recorder: FailureRecorder?
    /// Whether values are assembled before they are written.
    let buildsTrees: Bool
    /// Whether a value has not encoded in the order of the document, so that it has to be assembled.
    var isOutOfOrder = false

    init(_ encoder: HikyakuJSONEncoder, recorder: FailureRecorder? = nil, buildsTrees: Bool = false) {
        self.encoder = encoder
        self.buildsTrees = buildsTrees
        self.recorder = recorder
        isPretty = encoder.outputFormatting.contains(.prettyPrinted)
        sortsKeys = encoder.outputFormatting.contains(.sortedKeys)
        leavesOutReadOnlyMembers = encoder.leavesOutReadOnlyMembers
        userInfo = encoder.userInfo.isEmpty ? [:] : encoder.userInfo.mapValues { $0 }
    }
}
