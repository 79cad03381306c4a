/// A response that isn't what its request says it is: where, and how it differs.
public struct DecodingFailure: Sendable {
    /// Where the body differs from what was expected.
    public let diagnosis: DecodingDiagnosis
    /// The response, whose status was accepted.
    public let response: BufferedResponse

    /// Makes a failure, for tests of what handles errors.
    public init(diagnosis: DecodingDiagnosis, response: BufferedResponse) {
        self.diagnosis = diagnosis
        self.response = response
    }

    /// The diagnosis with the body's texts and numbers as they are, and what the decoder's error says itself.
    ///
    /// For a debugger or a test, not for logs. It is made from the body that the error keeps; where that was cut, or
    /// the decoder left no error, it is ``diagnosis``.
    ///
    /// - Parameter revealingValues: Whether values are shown.
    /// - Returns: The diagnosis, with those of further elements where they were collected.
    public func diagnosis(revealingValues: Bool) -> DecodingDiagnosis {
        guard revealingValues, let error = diagnosis.error, !response.isBodyCut, !response.body.isEmpty else {
            return diagnosis
        }
        guard diagnosis.further.isEmpty else {
            return DecodingDiagnosis(
                error,
                others: diagnosis.further.compactMap(\.error),
                othersCount: diagnosis.furtherCount,
                body: response.body,
                convertingKeys: response.decoder.convertingKeys,
                revealingValues: true,
            )
        }
        return DecodingDiagnosis(
            error,
            body: response.body,
            isJSON: response.decoder.readsJSON,
            convertingKeys: response.decoder.convertingKeys,
            revealingValues: true,
        )
    }

    /// Why, in a form that code can switch over: `decoding.` and the diagnosis's kind.
    public var reason: FailureReason { FailureReason(.decoding, diagnosis.kind.rawValue) }
    /// Which call it was.
    public var context: CallContext { response.context }
}

extension DecodingFailure: CustomStringConvertible {
    /// The reason and the diagnosis, without secrets.
    public var description: String { "\(reason): \(diagnosis)" }
}

extension FailureReason {
    /// An object lacks a key that the model requires.
    public static let missingKey = FailureReason(.decoding, DecodingDiagnosis.Kind.missingKey.rawValue)
    /// `null` stands where the model requires a value.
    public static let missingValue = FailureReason(.decoding, DecodingDiagnosis.Kind.missingValue.rawValue)
    /// A value is of another type than the model expects.
    public static let typeMismatch = FailureReason(.decoding, DecodingDiagnosis.Kind.typeMismatch.rawValue)
    /// A value is of the right type and yet not acceptable.
    public static let invalidValue = FailureReason(.decoding, DecodingDiagnosis.Kind.invalidValue.rawValue)
    /// A number is beyond what its type in the model can hold.
    public static let outOfRange = FailureReason(.decoding, DecodingDiagnosis.Kind.outOfRange.rawValue)
    /// An object has a key twice, where that is refused.
    public static let duplicateKey = FailureReason(.decoding, DecodingDiagnosis.Kind.duplicateKey.rawValue)
    /// The body has arrays and objects inside of each other beyond the limit.
    public static let bodyTooDeep = FailureReason(.decoding, DecodingDiagnosis.Kind.tooDeep.rawValue)
    /// The body can't be read in the expected format.
    public static let malformedBody = FailureReason(.decoding, DecodingDiagnosis.Kind.malformed.rawValue)
    /// There is no body, and the model requires one.
    public static let emptyBody = FailureReason(.decoding, DecodingDiagnosis.Kind.empty.rawValue)
    /// The body ends in the midst of its document.
    public static let truncatedBody = FailureReason(.decoding, DecodingDiagnosis.Kind.truncated.rawValue)
    /// The body is a web page.
    public static let htmlBody = FailureReason(.decoding, DecodingDiagnosis.Kind.html.rawValue)
    /// The body is XML, and something else was expected.
    public static let xmlBody = FailureReason(.decoding, DecodingDiagnosis.Kind.xml.rawValue)
    /// The body is a text for people.
    public static let plainTextBody = FailureReason(.decoding, DecodingDiagnosis.Kind.plainText.rawValue)
    /// The body's bytes aren't in the charset that its format has.
    public static let wrongCharset = FailureReason(.decoding, DecodingDiagnosis.Kind.wrongCharset.rawValue)
    /// A mark of the order of bytes stands before the document.
    public static let byteOrderMark = FailureReason(.decoding, DecodingDiagnosis.Kind.byteOrderMark.rawValue)
}
