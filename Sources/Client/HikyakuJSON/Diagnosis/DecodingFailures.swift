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
    /// The first error alone, and all failures that it represents.
    var separated: (error: DecodingError, failures: CollectedFailures?) {
        guard let failures = context?.underlyingError as? CollectedFailures else { return (self, nil) }
        return (with(underlyingError: failures.cause), failures)
    }

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
