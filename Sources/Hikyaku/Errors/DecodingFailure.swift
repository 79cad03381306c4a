/// A response of a request inside the package that doesn't match its model, which the app can't see.
struct AdvisedDiagnosis: Error {
    let diagnosis: any Error
    /// What a developer can do.
    let hint: String
}

extension BufferedResponse {
    /// Decodes the body; an error has a hint of its own.
    package func decode<Value: Decodable>(_ type: Value.Type = Value.self, advising hint: String) throws -> Value {
        do { return try decode(type) } catch { throw AdvisedDiagnosis(diagnosis: error, hint: hint) }
    }
}

/// A response that does not match its model: where, and how it differs.
///
/// ```swift
/// do {
///     show(try await client.send(Shop.Dishes()))
/// } catch .decoding(let failure) {
///     log(failure.diagnosis)  // at /3/id: expected Int, found null (line 1, column 57, …
/// } catch {
///     show(error.localizedDescription)
/// }
/// ```
public struct DecodingFailure: Sendable {
    /// Where the body differs from the model.
    public let diagnosis: DecodingDiagnosis
    /// The response, whose status was accepted.
    public let response: BufferedResponse

    /// Creates a failure, for tests of error handling.
    public init(diagnosis: DecodingDiagnosis, response: BufferedResponse) {
        self.diagnosis = diagnosis
        self.response = response
    }

    /// The diagnosis with the strings and numbers of the body unmasked, and the text of the decoder's error.
    ///
    /// For a debugger or a test, not for logs. It is created from the body that the error keeps. If that body was cut,
    /// or the decoder left no error, it is ``diagnosis``.
    ///
    /// - Parameter revealingValues: Whether values are shown.
    /// - Returns: The diagnosis, with those of further elements if they were collected.
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
    /// The call that failed.
    public var context: CallContext { response.context }
}

extension DecodingFailure: CustomStringConvertible {
    /// The reason and the diagnosis, without secrets.
    public var description: String { "\(reason): \(diagnosis)" }
}

extension FailureReason {
    /// An object lacks a key that the model requires.
    public static let missingKey = FailureReason(.decoding, DecodingDiagnosis.Kind.missingKey.rawValue)
    /// `null` where the model requires a value.
    public static let missingValue = FailureReason(.decoding, DecodingDiagnosis.Kind.missingValue.rawValue)
    /// A value has another type than the model expects.
    public static let typeMismatch = FailureReason(.decoding, DecodingDiagnosis.Kind.typeMismatch.rawValue)
    /// A value has the right type but is not acceptable.
    public static let invalidValue = FailureReason(.decoding, DecodingDiagnosis.Kind.invalidValue.rawValue)
    /// A number is out of range for its type in the model.
    public static let outOfRange = FailureReason(.decoding, DecodingDiagnosis.Kind.outOfRange.rawValue)
    /// An object has a duplicate key, and the decoder rejects that.
    public static let duplicateKey = FailureReason(.decoding, DecodingDiagnosis.Kind.duplicateKey.rawValue)
    /// Arrays and objects in the body are nested more deeply than the limit.
    public static let bodyTooDeep = FailureReason(.decoding, DecodingDiagnosis.Kind.tooDeep.rawValue)
    /// The body can't be read in the expected format.
    public static let malformedBody = FailureReason(.decoding, DecodingDiagnosis.Kind.malformed.rawValue)
    /// There is no body, and the model requires one.
    public static let emptyBody = FailureReason(.decoding, DecodingDiagnosis.Kind.empty.rawValue)
    /// The body is incomplete: it ends inside the document.
    public static let truncatedBody = FailureReason(.decoding, DecodingDiagnosis.Kind.truncated.rawValue)
    /// The body is an HTML page.
    public static let htmlBody = FailureReason(.decoding, DecodingDiagnosis.Kind.html.rawValue)
    /// The body is XML, and something else was expected.
    public static let xmlBody = FailureReason(.decoding, DecodingDiagnosis.Kind.xml.rawValue)
    /// The body is plain text.
    public static let plainTextBody = FailureReason(.decoding, DecodingDiagnosis.Kind.plainText.rawValue)
    /// The body's bytes aren't in the charset that the format requires.
    public static let wrongCharset = FailureReason(.decoding, DecodingDiagnosis.Kind.wrongCharset.rawValue)
    /// The body begins with a byte order mark.
    public static let byteOrderMark = FailureReason(.decoding, DecodingDiagnosis.Kind.byteOrderMark.rawValue)
}
