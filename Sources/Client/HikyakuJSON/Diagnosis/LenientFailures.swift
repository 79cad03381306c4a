extension LenientDocument {
    /// Diagnoses of the strict document, whose errors record the leniency of the source.
    func marked(_ diagnoses: [DecodingDiagnosis]) -> [DecodingDiagnosis] {
        diagnoses.map { diagnosis in
            var marked = diagnosis
            marked.error = marked.error.map { $0.ofLenientDocument(deviations) }
            marked.further = self.marked(marked.further)
            return marked
        }
    }
}

/// The underlying error of a lenient document's error, which wraps the original one.
///
/// With it, the error and the source can be diagnosed again without the decoder.
struct LenientCause: Error {
    let deviations: LenientDocument.Deviations
    let cause: (any Error)?
}

extension DecodingError {
    /// The error of a strict document as an error of its lenient source.
    fileprivate func ofLenientDocument(_ deviations: LenientDocument.Deviations) -> DecodingError {
        switch context?.underlyingError {
        case nil, is JSONPlace, is JSONSyntaxError, is JSONExpectation:
            with(underlyingError: LenientCause(deviations: deviations, cause: context?.underlyingError))
        default:
            // A custom error, which an app may look for.
            self
        }
    }

    /// The error without the wrapper of ``ofLenientDocument(_:)``.
    var ofStrictDocument: DecodingError {
        (context?.underlyingError as? LenientCause).map { with(underlyingError: $0.cause) } ?? self
    }
}
