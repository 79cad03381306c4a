/// What the underlying error of a `DecodingError` is that stands for several: the first one of them is that error
/// itself.
///
/// Types meet an ordinary error so, and one that drops it drops all.
struct CollectedFailures: Error {
    /// The first one's own underlying error.
    var cause: (any Error)?
    /// The others in the order of the document, as many as a diagnosis has room for.
    var others: [DecodingError]
    /// How many others there are.
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

    /// Keeps an error of the element that begins somewhere, with those that it stands for.
    ///
    /// - Throws: An error of a type's own, and one of the syntax: with these, decoding ends.
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
    /// The error by itself, and what it stands for besides.
    var separated: (error: DecodingError, failures: CollectedFailures?) {
        guard let failures = context?.underlyingError as? CollectedFailures else { return (self, nil) }
        return (with(underlyingError: failures.cause), failures)
    }

    /// An error of a type's own that says nothing of its place, as one of the element that it comes from.
    fileprivate func ofElement(at offset: Int) -> DecodingError {
        guard let context, context.codingPath.isEmpty, context.underlyingError == nil else { return self }
        return with(underlyingError: JSONPlace(byteOffset: offset))
    }
}

extension ArrayPlan {
    /// Decodes an array to its end, whichever elements fail.
    @inline(never)
    func decodeCollecting(_ session: DecodingSession, at place: Int) throws -> [Element] {
        var elements: [Element] = []
        var failures = FailureCollector()
        let end = session.index.end(of: place)
        var next = place + 2
        while next < end {
            do {
                let value = try element.decode(session, at: next)
                if failures.isEmpty { elements.append(value) }
            } catch {
                try failures.add(error, ofElementAt: session.offset(of: next))
            }
            next = session.index.next(after: next)
        }
        try failures.finish()
        return elements
    }
}

extension JSONReader {
    /// Reads an array to its end, whichever elements fail.
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

/// Where in the document a value stands that a `DecodingError` speaks of, carried as its underlying error.
///
/// An error alone has a coding path, whose keys may be converted ones; the place is sure, and found without a search.
struct JSONPlace: Error {
    /// The value's first byte; of a key that is missing, the object's; at an array's end, that of its closing bracket.
    let byteOffset: Int
    /// What was asked for, where the error has no room for it.
    var expectation: JSONExpectation?
}

/// What was asked for where `DecodingError.dataCorrupted` is thrown, which has room for a text only.
///
/// Its own, as the underlying error, when the place is no more than the coding path.
enum JSONExpectation: Error {
    /// In words that follow "expected": `a date in ISO 8601`.
    case words(String)
    /// A number's type, so that a value beyond it is named as such.
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
    /// What every error has, whichever it is.
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
