/// The underlying error of a `DecodingError` that represents several failures, of which that error is the first.
///
/// So types can handle it as an ordinary error, and one that discards it discards all failures.
struct CollectedFailures: Error {
    /// The first failure's own underlying error.
    var cause: (any Error)?
    /// The other failures in the order of the document, limited to the number that a diagnosis keeps.
    var others: [DecodingError]
    /// The number of other failures.
    let othersCount: Int
}

/// Collects the failures of an array's elements.
@usableFromInline
struct FailureCollector {
    private var first: DecodingError?
    private var others: [DecodingError] = []
    private var othersCount = 0

    @usableFromInline
    init() {}

    @usableFromInline var isEmpty: Bool { first == nil }

    /// Adds the error of an element, with all failures that it represents.
    ///
    /// - Throws: A custom error or a syntax error, which ends decoding.
    @usableFromInline
    mutating func add(_ error: any Error, ofElementAt offset: Int) throws {
        guard let found = (error as? DecodingError)?.separated else { throw error }
        add(found.error.ofElement(at: offset))
        guard let failures = found.failures else { return }
        failures.others.prefix(DecodingDiagnosis.furtherMax - others.count).forEach { others.append($0) }
        othersCount += failures.othersCount
    }

    private mutating func add(_ error: DecodingError) {
        guard first != nil else { return first = error }
        if others.count < DecodingDiagnosis.furtherMax { others.append(error) }
        othersCount += 1
    }

    /// Ends an array.
    ///
    /// - Throws: All failures in one error, if there are any.
    @usableFromInline
    func finish() throws {
        guard let first else { return }
        guard othersCount > 0 else { throw first }
        let cause = first.context?.underlyingError
        throw first.with(underlyingError: CollectedFailures(cause: cause, others: others, othersCount: othersCount))
    }
}

extension DecodingError {
    /// The first error alone, and all failures that it represents.
    var separated: (error: DecodingError, failures: CollectedFailures?) {
        guard let failures = context?.underlyingError as? CollectedFailures else { return (self, nil) }
        return (with(underlyingError: failures.cause), failures)
    }

    /// The error with the element's offset, if a type has thrown it without a position.
    fileprivate func ofElement(at offset: Int) -> DecodingError {
        guard let context, context.codingPath.isEmpty, context.underlyingError == nil else { return self }
        return with(underlyingError: JSONPlace(byteOffset: offset))
    }
}

extension JSONReader {
    /// Reads an array to its end, even if elements fail.
    @usableFromInline
    @inline(never)
    mutating func readArrayCollecting(_ element: (inout JSONReader) throws -> Void) throws {
        let (beginning, depthAround) = (place, depthLeft)
        var failures = FailureCollector()
        do {
            guard try beginArray() else { return }
            repeat {
                let (start, depth) = (place, depthLeft)
                do {
                    try element(&self)
                    if place == start || depthLeft != depth { try skip(from: start, depth) }
                } catch {
                    try failures.add(error, ofElementAt: start - context.bytes)
                    try skip(from: start, depth)
                }
            } while try nextElement()
            try failures.finish()
        } catch {
            goBack(to: beginning, depthAround)
            throw error
        }
    }
}

/// The offset of the value that a `DecodingError` is about, as its underlying error.
///
/// An error itself has only a coding path, whose keys may be converted. The offset is exact and needs no search.
struct JSONPlace: Error {
    /// The value's first byte; for a missing key, the object's; at an array's end, the closing bracket's.
    let byteOffset: Int
    /// The expectation, if the error itself can't hold it.
    var expectation: JSONExpectation?
}

/// The expectation of a `DecodingError.dataCorrupted`, which itself has only a text.
///
/// It is the underlying error itself if only the coding path is known.
enum JSONExpectation: Error {
    /// In words that follow "expected": `a date in ISO 8601`.
    case words(String)
    /// A numeric type, so that a value out of its range is diagnosed.
    case type(any Any.Type)
}

extension DecodingError.Context {
    /// The context of an error whose value begins at an offset; without a coding path, that is added later.
    @inline(never)
    init(_ text: String, at offset: Int, _ expectation: JSONExpectation? = nil, codingPath: [any CodingKey] = []) {
        let place = JSONPlace(byteOffset: offset, expectation: expectation)
        self.init(codingPath: codingPath, debugDescription: text, underlyingError: place)
    }
}

extension DecodingError {
    /// The context, which every error has.
    var context: Context? {
        switch self {
        case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
            .dataCorrupted(let context):
            context
        @unknown default: nil
        }
    }

    /// The same error with another context.
    func mapContext(_ changed: (Context) -> Context) -> DecodingError {
        switch self {
        case .typeMismatch(let type, let context): .typeMismatch(type, changed(context))
        case .valueNotFound(let type, let context): .valueNotFound(type, changed(context))
        case .keyNotFound(let key, let context): .keyNotFound(key, changed(context))
        case .dataCorrupted(let context): .dataCorrupted(changed(context))
        @unknown default: self
        }
    }

    /// The same error with another cause.
    func with(underlyingError: (any Error)?) -> DecodingError {
        mapContext { context in
            let (path, text) = (context.codingPath, context.debugDescription)
            return Context(codingPath: path, debugDescription: text, underlyingError: underlyingError)
        }
    }
}
