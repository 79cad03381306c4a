#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
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
    /// The drifts of the current call, if ``onDrift`` is set.
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

    /// Decodes the bytes of a document by the settings of the call.
    typealias DocumentBody<Value> = (UnsafeBufferPointer<UInt8>, HikyakuJSONDecoder) throws -> Value

    /// Calls a closure with the bytes of a document, and converts errors into a diagnosis.
    func withBytes<Value>(of document: Data, _ body: DocumentBody<Value>) throws -> Value {
        guard leniency.isEmpty else { return try withLenientBytes(of: document, body) }
        do {
            return try withStrictBytes(of: document, nil, body)
        } catch {
            throw diagnosed(error, document)
        }
    }

    private func withLenientBytes<Value>(of document: Data, _ body: DocumentBody<Value>) throws -> Value {
        let lenient = LenientDocument(document, leniency)
        do {
            return try withStrictBytes(of: lenient.strict, lenient, body)
        } catch let error as DecodingDiagnosis {
            // It belongs to another document inside this one.
            throw error
        } catch {
            let error = diagnosed(lenient.meant(error), lenient.strict)
            throw (error as? DecodingDiagnosis).map { lenient.placed([$0])[0] } ?? error
        }
    }

    /// Reports drift, with the positions of the source if that was a lenient document.
    private func withStrictBytes<Value>(
        of document: Data,
        _ lenient: LenientDocument?,
        _ body: DocumentBody<Value>,
    ) throws -> Value {
        guard let onDrift else { return try withCheckedBytes(of: document, self, body) }
        let log = DriftLog()
        var settings = self
        settings.driftLog = log
        let value = try withCheckedBytes(of: document, settings, body)
        log.drifts(in: document, lenient, convertingKeys: convertingKeys).forEach(onDrift)
        return value
    }

    private func withCheckedBytes<Value>(
        of document: Data,
        _ settings: HikyakuJSONDecoder,
        _ body: DocumentBody<Value>,
    ) throws -> Value {
        try document.withBytes { bytes in
            if case .refused = duplicateKeys { try DuplicateKeySearch.check(bytes, depthMax: depthMax) }
            return try body(bytes, settings)
        }
    }

    /// The public error for an error of a document.
    private func diagnosed(_ error: any Error, _ document: Data) -> any Error {
        switch error {
        case let error as DecodingError: diagnosis(of: error.separated, document)
        case let error as JSONSyntaxError: DecodingDiagnosis(error, body: document, revealingValues: revealsValues)
        default: error
        }
    }

    private func diagnosis(
        of found: (error: DecodingError, failures: CollectedFailures?),
        _ document: Data,
    ) -> DecodingDiagnosis {
        DecodingDiagnosis(
            found.error,
            others: found.failures?.others ?? [],
            othersCount: found.failures?.othersCount ?? 0,
            body: document,
            convertingKeys: convertingKeys,
            revealingValues: revealsValues,
        )
    }

    /// The conversion of the document's keys by a custom strategy.
    package var convertingKeys: ((String) -> String)? {
        if case .custom(let convert) = keyDecodingStrategy { convert } else { nil }
    }
}

/// Searches all objects of a document for a repeated key.
///
/// Keys are compared unescaped: `"a"` and `"\u0061"` are equal. The search takes linear time, by the same tables as
/// decoding.
enum DuplicateKeySearch {
    /// Checks a document before it is decoded.
    ///
    /// - Throws: The first repeated key, at its quote. Other syntax errors take precedence.
    static func check(_ bytes: UnsafeBufferPointer<UInt8>, depthMax: Int) throws {
        var settings = HikyakuJSONDecoder()
        settings.depthMax = depthMax
        _ = try DecodingSession.decode(bytes, settings: settings) { session in
            guard let key = firstRepeatedKey(session) else { return }
            throw JSONSyntaxError(.duplicateKey, at: session.index[key].start)
        }
    }

    private static func firstRepeatedKey(_ session: DecodingSession) -> Int? {
        // An object after the found key can't have an earlier repeated key.
        var first: Int?
        var place = 0
        while place < first ?? session.index.count {
            let entry = session.index[place]
            if entry.kind == .object { first = repeatedKey(of: place, session) ?? first }
            place += entry.isContainer ? 2 : 1
        }
        return first
    }

    private static func repeatedKey(of object: Int, _ session: DecodingSession) -> Int? {
        session.prepare(object)
        guard session.firstMember(of: object, where: { session.index[$0].kind == .shadowedKey }) != nil else {
            return nil
        }
        var seen: Set<ExactText> = []
        return session.firstMember(of: object) { !seen.insert(ExactText(session.sourceText(ofKeyAt: $0))).inserted }
    }
}
