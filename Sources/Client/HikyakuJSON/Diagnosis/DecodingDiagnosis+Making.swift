#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

extension DecodingDiagnosis {
    /// Diagnoses the error that a decoder has thrown for a body.
    ///
    /// If the body is JSON, the value that failed is found and described. Otherwise the diagnosis describes the body.
    /// This takes about as long as decoding. If the document needed ``HikyakuJSONDecoder/leniency``, that decoder's
    /// ``DecodingDiagnosis/error`` records it. Any other error of such a document, and one with a custom underlying
    /// error, is diagnosed without the pointer and the value, which only a strict document shows.
    ///
    /// - Parameters:
    ///   - error: The error that the decoder, or the decoded type, threw.
    ///   - body: The decoded body; `nil` if it is not available.
    ///   - isJSON: Whether the decoder reads JSON. For other formats, the diagnosis has only what the error contains.
    ///   - convertingKeys: The decoder's conversion of the document's keys, if it has one.
    ///   - revealingValues: Whether strings and numbers are shown unmasked, with the error's own text.
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

    /// Diagnoses a body in which several values can't be decoded.
    ///
    /// - Parameters:
    ///   - error: The first error.
    ///   - others: The others; those beyond the first 100 are only counted.
    ///   - othersCount: How many others there were, if more than are given.
    ///   - body: What was decoded.
    ///   - convertingKeys: The decoder's conversion of the document's keys, if it has one.
    ///   - revealingValues: Whether strings and numbers are shown unmasked, with the errors' own texts.
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

    /// Diagnoses a body that is not JSON.
    init(_ error: JSONSyntaxError, body: Data, revealingValues: Bool = false) {
        self = Diagnoser.diagnosing(body, nil, revealingValues: revealingValues) { $0.diagnosis(of: error) }
        self.error = .dataCorrupted(
            DecodingError.Context(codingPath: [], debugDescription: "The body is not JSON.", underlyingError: error)
        )
    }

    /// Replaces the offset at which a document is truncated by that in its source.
    ///
    /// - Parameters:
    ///   - end: How many bytes it has.
    ///   - origin: The offset of its end in the source.
    mutating func moveEnd(from end: Int, to origin: Int) {
        guard kind == .truncated else { return }
        found = found?.replacing("byte \(end)", with: "byte \(origin)")
    }
}

extension Diagnoser {
    /// Diagnoses a body, or its strict form if the error shows that it was a lenient document.
    fileprivate static func diagnosing(
        _ body: Data?,
        _ error: DecodingError?,
        revealingValues: Bool,
        _ work: (inout Diagnoser) -> DecodingDiagnosis,
    ) -> DecodingDiagnosis {
        guard let body, let cause = error?.context?.underlyingError as? LenientCause else {
            return diagnosing(body ?? Data(), revealingValues, work)
        }
        let lenient = LenientDocument(body, cause.deviations)
        return lenient.marked([diagnosing(lenient.strict, revealingValues, work)])[0]
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
    /// Diagnoses a body in which a format other than JSON was expected.
    ///
    /// - Parameters:
    ///   - body: What came.
    ///   - expected: The expected format, in words that follow "expected".
    package init(unreadable body: Data, expected: String) {
        let content = body.withBytes { BodyContent(binaryIn: $0) ?? BodyContent(textIn: $0, revealingValues: false) }
        if body.isEmpty {
            self.init(kind: .empty, expected: expected, found: "an empty body")
        } else {
            self.init(
                kind: content?.kind ?? .malformed,
                expected: expected,
                found: content?.words ?? "\(body.count) bytes in another format",
            )
        }
    }
}
