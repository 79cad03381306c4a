#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// Decodes JSON into any `Decodable` type, several times as fast as Foundation's decoder, with precise diagnoses.
///
/// Documents are parsed strictly by [RFC 8259](https://www.rfc-editor.org/rfc/rfc8259), without loss. Integers and
/// `Decimal`s are read from their digits, and doubles are rounded correctly. A number that its type can't hold is an
/// error. A type that is also ``JSONReadable`` is read directly at any depth, without the containers of `Decodable`.
///
/// ```swift
/// var decoder = HikyakuJSONDecoder()
/// decoder.keyDecodingStrategy = .convertFromSnakeCase
/// let items = try decoder.decode([Item].self, from: bytes)
/// ```
/// A decoder is a value: set its properties first, then use it from any number of tasks at once.
public struct HikyakuJSONDecoder: Sendable {
    /// How the keys of a document are converted to the keys of types.
    ///
    /// Default: keys are not converted.
    public var keyDecodingStrategy = KeyDecodingStrategy.useDefaultKeys
    /// The format of dates.
    ///
    /// Default: ISO 8601.
    public var dateDecodingStrategy = DateDecodingStrategy.iso8601
    /// The format of binary data.
    ///
    /// Default: base64.
    public var dataDecodingStrategy = DataDecodingStrategy.base64
    /// The representation of infinity and NaN, which JSON numbers can't express.
    ///
    /// Default: such numbers are rejected.
    public var nonConformingFloatDecodingStrategy = NonConformingFloatDecodingStrategy.throw
    /// How repeated keys of an object are handled.
    ///
    /// Default: the last value wins.
    public var duplicateKeys = DuplicateKeys.lastWins
    /// The maximum nesting depth of arrays and objects.
    ///
    /// Default and maximum: 512. Types are decoded by nested calls. If the thread's stack has no more room, the same
    /// error is thrown, because a stack overflow can't be caught. Swift's own threads have 512 KB on Apple's
    /// platforms, enough for a hundred levels of nearly any type.
    public var depthMax = 512 {
        didSet { depthMax = max(0, min(depthMax, 512)) }
    }
    /// The deviations from JSON's grammar that are accepted.
    ///
    /// Default: none.
    public var leniency: Leniency = []
    /// Called for each difference between a document and its type that the type tolerates: see ``JSONDrift``.
    ///
    /// It is called before `decode` returns, on the same thread and in document order. It is not called if decoding
    /// fails. At most 100 drifts of a document are reported one by one. The others are reported
    /// by one more call for each kind and type, with their ``JSONDrift/count``. Drift is also reported for a value
    /// that a type discarded to try another type. Without this closure, drift costs next to nothing; with it, a
    /// document that has any drift is scanned again.
    ///
    /// Default: `nil`.
    public var onDrift: (@Sendable (JSONDrift) -> Void)?
    /// The drifts of the current call, if ``onDrift`` is set.
    var driftLog: DriftLog?
    /// Whether decoding continues after an array element that fails, to collect all failures.
    ///
    /// Decoding still fails. It throws a ``DecodingDiagnosis`` of the first failure; the others are in its
    /// ``DecodingDiagnosis/further``, at most 100. Their number is in its ``DecodingDiagnosis/furtherCount``. Each
    /// element stops at its first failure, unless that failure is in a nested array. Objects also stop at the first
    /// failure, even if they are decoded into dictionaries. So do sets, and types that decode their elements one by
    /// one from an unkeyed container. A syntax error or an error of a type's own stops decoding at once. If nothing
    /// fails, this option costs nothing.
    ///
    /// Default: `false`.
    public var collectsFailures = false
    /// Whether a thrown ``DecodingDiagnosis`` shows strings and numbers unmasked, with the error's own message.
    ///
    /// Use it only for tests and debugging: a diagnosis is often logged, and values may be secrets. Drift that is
    /// reported to ``onDrift`` never contains values.
    ///
    /// Default: `false`; values are masked by their shape.
    public var revealsValues = false
    /// The `userInfo` of the decoder that types decode from.
    public var userInfo: [CodingUserInfoKey: any Sendable] = [:]

    /// Creates a decoder with the default settings.
    public init() {}

    /// Decodes a whole document.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: The document, in UTF-8.
    /// - Returns: The value.
    /// - Throws: ``DecodingDiagnosis`` if the document is not JSON or not what the type expects; any other error
    ///   comes from a type's own `init(from:)`.
    public func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        let tools = DecodingTools.take()
        let plan = tools.plan(for: type)
        return try withBytes(of: bytes) { try plan.document($0, settings: $1, tools: tools) }
    }

    /// Reads a whole document into a ``JSONReadable`` type.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - bytes: The document, in UTF-8.
    /// - Returns: The value.
    /// - Throws: The same errors as ``decode(_:from:)``.
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
        let lenient = LenientDocument(document, leniency.deviations)
        do {
            return try withStrictBytes(of: lenient.strict, lenient, body)
        } catch let error as DecodingDiagnosis {
            // It belongs to another document inside this one.
            throw error
        } catch {
            let error = diagnosed(error, lenient.strict)
            throw (error as? DecodingDiagnosis).map { lenient.marked([$0])[0] } ?? error
        }
    }

    /// Reports drift.
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
            if case .rejected = duplicateKeys { try DuplicateKeySearch.check(bytes, depthMax: depthMax) }
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
