#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DecodingDiagnosis {
    /// Looks at a body again for what a decoder has thrown.
    ///
    /// Where the body is JSON, the place is looked up and described; where it is none, the diagnosis says what it is.
    /// This takes about as long as decoding. Of a document that ``HikyakuJSONDecoder/leniency`` was needed for, a
    /// ``DecodingDiagnosis/error`` of that decoder remembers it; any other error of such a document, and one with an
    /// underlying error of a type's own, is told without what only a strict document shows: pointer and value.
    ///
    /// - Parameters:
    ///   - error: What the decoder threw, or the type that it was decoding.
    ///   - body: What was decoded; `nil` where it isn't at hand.
    ///   - isJSON: Whether the decoder reads JSON; of anything else, no more than the error's own is told.
    ///   - convertingKeys: What the decoder makes of the document's keys, if it makes anything.
    ///   - revealingValues: Whether texts and numbers are shown as they are, and what the error says itself.
    public init(
        _ error: DecodingError,
        body: Data?,
        isJSON: Bool = true,
        convertingKeys: ((String) -> String)? = nil,
        revealingValues: Bool = false,
    ) {
        self = Diagnoser.diagnosing(body, isJSON ? error : nil, revealingValues: revealingValues) { diagnoser in
            diagnoser.isJSON = isJSON
            diagnoser.hasBody = body != nil
            diagnoser.convertingKeys = convertingKeys
            return diagnoser.diagnosis(of: error.ofStrictDocument)
        }
    }

    /// Looks at a body again in which several values can't be read.
    ///
    /// - Parameters:
    ///   - error: The first error.
    ///   - others: The others; those beyond ``furtherMax`` are counted.
    ///   - othersCount: How many others there were, if more than are given.
    ///   - body: What was decoded.
    ///   - convertingKeys: What the decoder makes of the document's keys, if it makes anything.
    ///   - revealingValues: Whether texts and numbers are shown as they are, and what the errors say themselves.
    package init(
        _ error: DecodingError,
        others: [DecodingError],
        othersCount: Int = 0,
        body: Data,
        convertingKeys: ((String) -> String)? = nil,
        revealingValues: Bool = false,
    ) {
        self = Diagnoser.diagnosing(body, error, revealingValues: revealingValues) { diagnoser in
            diagnoser.convertingKeys = convertingKeys
            var diagnosis = diagnoser.diagnosis(of: error.ofStrictDocument)
            diagnosis.further = others.prefix(Self.furtherMax).map { diagnoser.diagnosis(of: $0.ofStrictDocument) }
            diagnosis.furtherCount = max(othersCount, others.count)
            return diagnosis
        }
    }

    /// Looks at a body again that is no JSON.
    init(_ error: JSONSyntaxError, body: Data, revealingValues: Bool = false) {
        self = Diagnoser.diagnosing(body, nil, revealingValues: revealingValues) { $0.diagnosis(of: error) }
        self.error = .dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "The body is no JSON.", underlyingError: error)
        )
    }

    /// Says of a document that is cut off where it ends in what it was made of, or is a part of.
    ///
    /// - Parameters:
    ///   - end: How many bytes it has.
    ///   - origin: What its end is there.
    mutating func moveEnd(from end: Int, to origin: Int) {
        guard kind == .truncated else { return }
        found = found?.replacing("byte \(end)", with: "byte \(origin)")
    }
}

extension Diagnoser {
    /// Looks at a body, or at the strict document that it becomes where the error tells that it was a lenient one.
    fileprivate static func diagnosing(
        _ body: Data?,
        _ error: DecodingError?,
        revealingValues: Bool,
        _ work: (inout Diagnoser) -> DecodingDiagnosis,
    ) -> DecodingDiagnosis {
        guard let body, let cause = error?.context?.underlyingError as? LenientCause else {
            return diagnosing(body ?? Data(), revealingValues, work)
        }
        let lenient = LenientDocument(body, cause.leniency)
        return lenient.placed([diagnosing(lenient.strict, revealingValues, work)])[0]
    }

    private static func diagnosing(
        _ body: Data,
        _ revealingValues: Bool,
        _ work: (inout Diagnoser) -> DecodingDiagnosis,
    ) -> DecodingDiagnosis {
        body.withBytes { bytes in
            var diagnoser = Diagnoser(bytes, revealingValues: revealingValues)
            return work(&diagnoser)
        }
    }
}

extension DecodingDiagnosis {
    /// Looks at a body that was to be something else than a document, and isn't.
    ///
    /// - Parameters:
    ///   - body: What came.
    ///   - expected: What was to come, in words that follow "expected".
    package init(unreadable body: Data, expected: String) {
        let content = body.withBytes { BodyContent(binaryIn: $0) ?? BodyContent(textIn: $0, revealingValues: false) }
        if body.isEmpty {
            self.init(kind: .empty, expected: expected, found: "an empty body")
        } else {
            self.init(
                kind: content?.kind ?? .malformed,
                expected: expected,
                found: content?.words ?? "\(body.count) bytes of something else",
            )
        }
    }
}
