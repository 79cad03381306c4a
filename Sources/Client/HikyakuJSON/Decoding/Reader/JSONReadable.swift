/// A type that reads itself from a document's bytes, several times as fast as by the containers of `Decodable`.
///
/// ```swift
/// struct Article: JSONReadable {
///     let id: Int
///     let title: String
///     let note: String?
///
///     init(from reader: inout JSONReader) throws {
///         try reader.beginObject()
///         id = try reader.member("id")
///         title = try reader.member("title")
///         note = try reader.member("note")
///         try reader.endObject()
///     }
/// }
/// ```
/// ``HikyakuJSONDecoder`` uses this conformance wherever a type has it: for whole documents, in arrays, optionals and
/// dictionaries, and in `Decodable` types. Keys are those of the document: key decoding strategies don't apply.
///
/// A type with a raw value only has to declare the conformance.
public protocol JSONReadable: SendableMetatype {
    /// Reads one value.
    ///
    /// - Parameter reader: The reader, positioned before the value. It must be after the value on return.
    /// - Throws: Errors of the reader, a `DecodingError`, or an error of the type's own.
    init(from reader: inout JSONReader) throws

    /// The value of a member that an object lacks, for `JSONReader.member(_:)`; `nil` if the member is required.
    ///
    /// It is `nil` by default. Optionals return `nil`, and ``Defaulted`` values their default.
    static var missingMember: Self? { get }
}

extension JSONReadable {
    /// `nil`, since a member is required unless its type says otherwise.
    @inlinable public static var missingMember: Self? { nil }
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
    /// Reads the raw value.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for an unknown raw value, and any error of reading it.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        let (start, depth) = (reader.place, reader.depthLeft)
        guard let value = Self(rawValue: try RawValue(from: &reader)) else {
            throw reader.unknown(Self.self, from: start, depth)
        }
        self = value
    }
}
