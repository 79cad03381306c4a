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

    package init(diagnosis: DecodingDiagnosis, response: BufferedResponse) {
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
    public var reason: FailureReason {
        FailureReason.byKind[diagnosis.kind] ?? FailureReason(.decoding, diagnosis.kind.rawValue)
    }
    /// The call that failed.
    public var context: CallContext { response.context }
}

extension DecodingFailure: CustomStringConvertible {
    /// The reason and the diagnosis, without secrets.
    public var description: String { "\(reason): \(diagnosis)" }
}

extension FailureReason {
    fileprivate static let byKind: [DecodingDiagnosis.Kind: FailureReason] = [
        .missingKey: .missingKey,
        .missingValue: .missingValue,
        .typeMismatch: .typeMismatch,
        .invalidValue: .invalidValue,
        .outOfRange: .outOfRange,
        .duplicateKey: .duplicateKey,
        .tooDeep: .bodyTooDeep,
        .malformed: .malformedBody,
        .empty: .emptyBody,
        .truncated: .truncatedBody,
        .html: .htmlBody,
        .xml: .xmlBody,
        .plainText: .plainTextBody,
        .wrongCharset: .wrongCharset,
        .byteOrderMark: .byteOrderMark,
    ]

    /// An object lacks a key that the model requires.
    public static let missingKey = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.missingKey.rawValue,
        "The service's response lacks a value that is needed.",
        .reportToService,
        hint: "Compare the model's keys with those in the reason. Make the property optional if it can be missing.",
    )
    /// `null` where the model requires a value.
    public static let missingValue = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.missingValue.rawValue,
        "The service's response lacks a value that is needed.",
        .reportToService,
        hint: "Make the property in the reason optional if it can be null.",
    )
    /// A value has another type than the model expects.
    public static let typeMismatch = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.typeMismatch.rawValue,
        "The service's response has an unexpected value.",
        .reportToService,
        hint: "Change the type of the property in the reason to that of the response.",
    )
    /// A value has the right type but is not acceptable.
    public static let invalidValue = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.invalidValue.rawValue,
        "The service's response has an unexpected value.",
        .reportToService,
        hint: "Compare the format of the value in the reason with what its type accepts, such as that of a date.",
    )
    /// A number is out of range for its type in the model.
    public static let outOfRange = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.outOfRange.rawValue,
        "The service's response has a number that is too large or too small.",
        .reportToService,
        hint: "Give the property in the reason a larger type.",
    )
    /// An object has a duplicate key, and the decoder rejects that.
    public static let duplicateKey = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.duplicateKey.rawValue,
        "The service's response contains a value twice.",
        .reportToService,
        hint: "Let the last value win with the decoder's duplicateKeys, or report it to the service.",
    )
    /// Arrays and objects in the body are nested more deeply than the limit.
    public static let bodyTooDeep = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.tooDeep.rawValue,
        "The service's response is too deeply nested.",
        .reportToService,
        hint: "If the decoder's depthMax was lowered, raise it, to at most 512. If the stack of the thread is too "
            + "small, decode on a thread with a larger stack.",
    )
    /// The body can't be read in the expected format.
    public static let malformedBody = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.malformed.rawValue,
        "The service's response is damaged.",
        .reportToService,
        hint: "Report it to the service, with the reason and the body in error.response.",
    )
    /// There is no body, and the model requires one.
    public static let emptyBody = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.empty.rawValue,
        "The service's response is empty.",
        .reportToService,
        hint: "Make the Response optional if the body may be empty, or use EmptyResponse if it always is.",
    )
    /// The body is incomplete: it ends inside the document.
    public static let truncatedBody = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.truncated.rawValue,
        "The service's response is incomplete.",
        .tryAgain,
        hint: "The document ends too early although the transfer was complete: report it to the service.",
    )
    /// The body is an HTML page.
    public static let htmlBody = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.html.rawValue,
        "The service responded with a web page in place of data.",
        "Open a web page in a browser: the network may need a login. Then try again.",
        hint: "Check the URL and the credentials: this may be the page of a proxy, a login page or an error page.",
    )
    /// The body is XML, and something else was expected.
    public static let xmlBody = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.xml.rawValue,
        "The service's response has an unexpected format.",
        .tryLater,
        hint: "Check the URL and the Accept header, or give the request an XML decoder.",
    )
    /// The body is plain text.
    public static let plainTextBody = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.plainText.rawValue,
        "The service's response has an unexpected format.",
        .tryLater,
        hint: "Read error.response?.text: it may say what is wrong. If text is expected, use TextResponse.",
    )
    /// The body's bytes aren't in the charset that the format requires.
    public static let wrongCharset = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.wrongCharset.rawValue,
        "The service's response contains text that can't be read.",
        .reportToService,
        hint: "Read it with RawResponse and convert it, or report it to the service.",
    )
    /// The body begins with a byte order mark.
    public static let byteOrderMark = FailureReason(
        .decoding,
        DecodingDiagnosis.Kind.byteOrderMark.rawValue,
        "The service's response has an unexpected format.",
        .reportToService,
        hint: "Allow it with the decoder's leniency, or report it to the service.",
    )
}
