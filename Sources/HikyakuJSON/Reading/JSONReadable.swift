/// A type that reads itself from a document's bytes, several times as fast as by the containers of `Decodable`.
///
/// ```swift
/// nonisolated struct Article: JSONReadable {
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
/// ``HikyakuJSONDecoder`` uses this conformance wherever a type has it: for whole documents, in arrays, optionals and
/// dictionaries, and in `Decodable` types. Keys are those of the document: key decoding strategies don't apply.
///
/// A type with a raw value only has to declare the conformance.
public protocol JSONReadable {
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

/// The keys of a ``JSONReadable`` type, prepared once and stored in a `static let` of the type.
///
/// ```swift
/// nonisolated struct Tag: JSONReadable {
///     private enum Key: String, CaseIterable { case name }
///     private static let keys = JSONKeys<Key>()
///     let name: String
///
///     init(from reader: inout JSONReader) throws {
///         var name: String?
///         try reader.readObject(Self.keys) { _, reader in name = try reader.read(String.self) }
///         guard let name else { throw reader.missing(Key.name) }
///         self.name = name
///     }
/// }
/// ```
/// The keys in the document are the raw values.
public struct JSONKeys<Key: RawRepresentable & CaseIterable & Sendable>: Sendable where Key.RawValue == String {
    @usableFromInline let keys: [Key]
    @usableFromInline let texts: KeyList

    /// Prepares all cases.
    public init() {
        keys = Array(Key.allCases)
        texts = KeyList(keys.map(\.rawValue))
    }
}

/// The texts of keys, for comparison with a document.
@usableFromInline
final class KeyList: Sendable {
    /// A key after another member in a document without white space: `,"title":`.
    private struct Text {
        let start: UnsafePointer<UInt8>
        /// The length of all of it.
        let count: Int
        /// Whether it can occur unescaped: a quote, a backslash or a control character needs an escape.
        let isPlain: Bool

        /// The length of the punctuation around the key: the comma, both quotes and the colon.
        static let frame = 4
    }

    // The compiler can't prove that nothing is written after `init`, and freed only in `deinit`.
    private nonisolated(unsafe) let texts: UnsafeMutableBufferPointer<Text>
    private nonisolated(unsafe) let bytes: UnsafeMutableBufferPointer<UInt8>

    init(_ keys: [String]) {
        let framed = keys.map { Array((",\"" + $0 + "\":").utf8) }
        bytes = .allocate(capacity: framed.reduce(1) { $0 + $1.count })
        _ = bytes.initialize(from: framed.joined())
        texts = .allocate(capacity: keys.count)
        var place = bytes.baseAddress.unsafelyUnwrapped
        for (number, text) in framed.enumerated() {
            let isPlain = !text.dropFirst(2).dropLast(2).contains {
                $0 == Byte.quote || $0 == Byte.backslash || $0 < 0x20
            }
            let key = Text(start: UnsafePointer(place), count: text.count, isPlain: isPlain)
            texts.initializeElement(at: number, to: key)
            place += text.count
        }
    }

    deinit {
        texts.deallocate()
        bytes.deallocate()
    }

    /// The length of a key with its punctuation, if it is found here.
    @inline(__always)
    func length(
        ofKey number: Int,
        ifAt place: UnsafePointer<UInt8>,
        isFirst: Bool,
        before end: UnsafePointer<UInt8>,
    ) -> Int? {
        guard number < texts.count else { return nil }
        let text = texts[number]
        let count = isFirst ? text.count - 1 : text.count
        guard text.isPlain, end - place > count, Bytes.equal(place, isFirst ? text.start + 1 : text.start, count) else {
            return nil
        }
        return count
    }

    /// The number of a key.
    func number(of key: UnsafeBufferPointer<UInt8>) -> Int? {
        guard let start = key.baseAddress else { return texts.firstIndex { $0.count == Text.frame } }
        return texts.firstIndex { text in
            text.count == key.count + Text.frame && Bytes.equal(start, text.start + 2, key.count)
        }
    }
}
