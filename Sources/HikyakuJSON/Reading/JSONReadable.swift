/// A type that reads itself from the bytes of a document, without the containers of `Decodable`: several times as fast.
///
/// ```swift
/// struct Article: JSONReadable {
///     let id: Int
///     let title: String
///     let note: String?
///
///     private enum Key: String, CaseIterable { case id, title, note }
///     private static let keys = JSONKeys<Key>()
///
///     init(from reader: inout JSONReader) throws {
///         var id: Int?, title: String?, note: String?
///         try reader.readObject(Self.keys) { key, reader in
///             switch key {
///             case .id: id = try reader.read(Int.self)
///             case .title: title = try reader.read(String.self)
///             case .note: note = try reader.read(String?.self)
///             }
///         }
///         guard let id, let title else { throw reader.missing(Key.id, .title) }
///         (self.id, self.title, self.note) = (id, title, note)
///     }
/// }
/// ```
/// ``HikyakuJSONDecoder`` uses it wherever a type has it: for whole documents, inside of arrays, optionals and
/// dictionaries, and inside of types that are `Decodable`. Keys are those of the document: key strategies don't apply.
///
/// A type with a raw value has only to declare the conformance.
public protocol JSONReadable {
    /// Reads one value.
    ///
    /// - Parameter reader: Stands before the value, and behind it afterwards.
    /// - Throws: What the reader throws, a `DecodingError`, or an error of one's own.
    init(from reader: inout JSONReader) throws
}

extension JSONReadable where Self: RawRepresentable, RawValue: JSONReadable {
    /// Reads the raw value.
    ///
    /// - Throws: `DecodingError.dataCorrupted` for one that the type doesn't know, and what reading it throws.
    @inlinable
    public init(from reader: inout JSONReader) throws {
        let (start, depth) = (reader.place, reader.depthLeft)
        guard let value = Self(rawValue: try RawValue(from: &reader)) else {
            throw reader.unknown(Self.self, from: start, depth)
        }
        self = value
    }
}

extension JSONReader {
    /// Goes back to a value that its type doesn't know.
    @usableFromInline
    @inline(never)
    mutating func unknown(_ type: any Any.Type, from start: UnsafePointer<UInt8>, _ depth: Int) -> DecodingError {
        goBack(to: start, depth)
        return corrupted("the value is none that \(type) knows", .type(type), at: offset)
    }
}
