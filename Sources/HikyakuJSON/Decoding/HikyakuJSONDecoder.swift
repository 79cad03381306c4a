#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads JSON into any `Decodable` type, several times as fast as Foundation's decoder, and says where it can't.
///
/// Documents are read as [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259) says, strictly, and nothing is lost on the
/// way: integers and `Decimal`s come from their digits, doubles are rounded correctly, and a number that its type can't
/// hold is an error. A type that is ``JSONReadable`` too is read directly, without the containers of `Decodable`,
/// wherever it stands.
///
/// ```swift
/// var decoder = HikyakuJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let articles = try decoder.decode([Article].self, from: data)
/// ```
/// A decoder is a value: its properties are set before it is used, from as many tasks at once as there are.
public struct HikyakuJSONDecoder: Sendable {
    /// How the keys of documents become those of types.
    ///
    /// Default: as they are.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    /// What dates look like.
    ///
    /// Default: ISO 8601.
    public var dateDecodingStrategy = DateDecodingStrategy.iso8601
    /// What bytes look like.
    ///
    /// Default: base64.
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// What numbers look like that JSON has no form for.
    ///
    /// Default: they are none.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
    /// What a key means that comes twice in an object.
    ///
    /// Default: the last one wins.
    public var duplicateKeys = DuplicateKeys.lastWins
    /// How many arrays and objects may be inside of each other.
    ///
    /// Default, and most: 512. Types are read by calls inside of calls, and the end of a thread's stack can't be
    /// caught: where that comes first, it is the same error. Swift's own threads have 512 KB on Apple's platforms,
    /// enough for a hundred levels of nearly any type.
    public var depthMax = 512 {
        didSet { depthMax = max(0, min(depthMax, 512)) }
    }
    /// What of a document is passed over that JSON doesn't have.
    ///
    /// Default: nothing.
    public var leniency: Leniency = []
    /// Told of each place where a document was other than its type says and was read nevertheless: see ``JSONDrift``.
    ///
    /// It is called before `decode` returns, on its thread, in the order of the document, and not at all where decoding
    /// fails. At most ``JSONDrift/reportedMax`` drifts of a document are reported one by one; for all others there is
    /// one more call for each kind and type, with their ``JSONDrift/count``. Drift of a value that a type threw away
    /// again, to try another one, is reported too. Without this closure, drift costs next to nothing; with it, a
    /// document that has any is gone through again.
    ///
    /// Default: nobody is told.
    public var onDrift: (@Sendable (JSONDrift) -> Void)?
    /// Where drifts are noted during a call, if anybody is told.
    var driftLog: DriftLog?
    /// Whether an array is decoded to its end behind an element that fails, so as to find all that do.
    ///
    /// Decoding fails nevertheless, with a ``DecodingDiagnosis`` of the first failure that has the others as its
    /// ``DecodingDiagnosis/further``, at most 100, and their number as its ``DecodingDiagnosis/furtherCount``. Each
    /// element ends at its first failure, unless that is in an array again; so do objects, also where they are read
    /// into dictionaries, sets, and a type that takes its elements one by one from an unkeyed container. What isn't
    /// JSON and an error of a type's own end decoding at once. Where nothing fails, it costs nothing.
    ///
    /// Default: `false`.
    public var collectsFailures = false
    /// Whether a ``DecodingDiagnosis`` that is thrown shows the document's texts and numbers as they are, and what the
    /// error says itself.
    ///
    /// For tests and debugging: a diagnosis ends up in logs, and values may be secrets. What ``onDrift`` is told stays
    /// without values.
    ///
    /// Default: `false`, they are masked by their shape.
    public var revealsValues = false
    /// What types find in their decoder's `userInfo`.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Makes a decoder with the defaults.
    public init() {}

    /// Reads a whole document.
    ///
    /// - Parameters:
    ///   - type: What the document is read into.
    ///   - bytes: The document, in UTF-8.
    /// - Returns: The value.
    /// - Throws: ``DecodingDiagnosis`` for a document that isn't JSON or not what the type expects; any other error
    ///   comes from a type's own `init(from:)`.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        let tools = DecodingTools.take()
        let plan = tools.plan(for: type)
        return try withBytes(of: bytes) { try plan.document($0, settings: $1, tools: tools) }
    }

    /// Reads a whole document into a type that reads itself.
    ///
    /// - Parameters:
    ///   - type: What the document is read into.
    ///   - bytes: The document, in UTF-8.
    /// - Returns: The value.
    /// - Throws: As ``decode(_:from:)`` does.
    @inlinable
    public func read<Value: JSONReadable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        try withReader(of: bytes) { try Value(from: &$0) }
    }

    @usableFromInline
    func withReader<Value>(of bytes: Data, _ body: (inout JSONReader) throws -> Value) throws -> Value {
        try withBytes(of: bytes) { try JSONReader.document($0, settings: $1, body) }
    }
}
