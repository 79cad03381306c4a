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
public protocol JSONReadable {
    /// Reads one value.
    ///
    /// - Parameter reader: Stands before the value, and behind it afterwards.
    /// - Throws: What the reader throws, a `DecodingError`, or an error of one's own.
    init(from reader: inout JSONReader) throws
}
