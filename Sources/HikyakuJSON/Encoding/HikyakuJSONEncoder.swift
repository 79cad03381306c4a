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
