/// The causes of errors of a request that is built.
package enum RequestCause: FailureCause {
    case path, query, url, insecureURL, foreignURL, decoder, encoder, substitution, noStub, prepare, method,
        contentType, bodyOfMethod, bodyAndParameters, bodyNotEncoded, bodyPart, bodyTooLong, idempotencyKey

    package var facts: CauseFacts {
        switch self {
        case .path: CauseFacts(.path)
        case .query: CauseFacts(.query)
        case .url: CauseFacts(.url)
        case .insecureURL:
            CauseFacts(
                .url,
                hint: "Let the service write https in its links, or read those of its own host so: "
                    + "APIEnvironment(baseURL:upgradingLinks: true).",
            )
        case .foreignURL: CauseFacts(.otherOrigin, hint: Self.foreignURLHint)
        case .decoder: CauseFacts(.decoder)
        case .encoder: CauseFacts(.encoder)
        case .substitution: CauseFacts(.substitution)
        case .noStub: CauseFacts(.noStub)
        case .prepare: CauseFacts(.prepare)
        case .method: CauseFacts(.method)
        case .contentType: CauseFacts(.header, hint: "Leave out Content-Type: the body sets it, with its boundary.")
        case .bodyOfMethod: CauseFacts(.body)
        case .bodyAndParameters: CauseFacts(.body, hint: "Give the request either a body or parameters.")
        case .bodyNotEncoded: CauseFacts(.body)
        case .bodyPart: CauseFacts(.body, hint: "Correct the part that the reason names.")
        case .bodyTooLong: CauseFacts(.body)
        case .idempotencyKey: CauseFacts(.header, hint: "Give the request a key that is not empty, or nil.")
        }
    }
}

extension RequestCause {
    private static let foreignURLHint =
        "A credential is sent to its own origin only. If the URL needs none, let the request's Access be Public. If it "
        + "needs one, send the request by a client that is authorized for that origin. If the service's own links differ "
        + "from its base URL only in the port, report them, and let paging be .number or .custom."
}

extension FailureReason {
    /// The path begins with a scheme, or has a dot segment, an empty interpolated value, a control character, `?`, `#`
    /// or a broken percent triplet.
    public static let path = FailureReason(
        .invalidRequest,
        "path",
        "The app could not make the address of the request.",
        .checkInput,
        hint: "Correct the request's path, or the value that it interpolates.",
    )
    /// A query or form value can't be written: not a number, infinite, or nested too deeply.
    public static let query = FailureReason(
        .invalidRequest,
        "query",
        "The request contains a value that can't be sent.",
        .checkInput,
        hint: "Correct the named value.",
    )
    /// The request's `decoder` is of a type that is not a `ResponseDecoder`.
    public static let decoder = FailureReason(
        .invalidRequest,
        "decoder",
        "The app could not make the request.",
        .report,
        hint: "Use a decoder of a type that conforms to ResponseDecoder.",
    )
    /// The request's `encoder` is of a type that is not a `RequestEncoder`.
    public static let encoder = FailureReason(
        .invalidRequest,
        "encoder",
        "The app could not make the request.",
        .report,
        hint: "Use an encoder of a type that conforms to RequestEncoder.",
    )
    /// The client substitutes another environment, which is probably that of the request, but mistyped.
    public static let substitution = FailureReason(
        .invalidRequest,
        "substitution",
        "The app could not make the request.",
        .report,
        hint: """
            Write the request's own base URL in substituting(_:for:). If this request is meant for the service \
            itself, substitute its environment by itself.
            """,
    )
    /// The client is ``APIClient/stubbingOnly``, and has no stub for the request.
    public static let noStub = FailureReason(
        .invalidRequest,
        "noStub",
        "The app could not make the request.",
        .report,
        hint: "Add a stub for the type that the reason names: client.stubbing(Type.self) { request in … }.",
    )
    /// The request's own `prepare(_:)` threw.
    public static let prepare = FailureReason(
        .invalidRequest,
        "prepare",
        "The app could not make the request.",
        .report,
        hint: "See context.underlyingError: the request's prepare(_:) threw it.",
    )
}
