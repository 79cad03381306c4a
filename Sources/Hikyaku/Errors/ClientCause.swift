/// All causes of errors that the client finds: in a request, in a response that has arrived, or in its own limits.
enum ClientCause: FailureCause {
    // The request.
    case baseURL, path, query, url, insecureURL, redirectedBody, definition, decoder, encoder, substitution, prepare,
        method
    case contentType, bodyOfMethod, bodyAndParameters, bodyNotEncoded, bodyPart, bodyNotReplayable, bodyTooLong
    case idempotencyKey, defect, cookieStore
    // Credentials.
    case missingToken, emptyToken, expiredToken, refreshNeedsItself, malformedCredential, missingScopes, tokenStore,
        insufficientLevel, otherOrigin,
        redirectedCredential, foreignURL, insecureOrigin
    case credentialInURL, credentialInCookie, rejectedRefresh, rejectedClient, refreshTimeout
    // Limits.
    case cancelled, circuitOpen, queueFull, rateLimited, deadline, bodyTooLarge, changedStatus, fileTooLarge, memory
    // Redirects.
    case tooManyRedirects, redirectLoop, redirectInvalid, redirectBody, redirectInsecure
    // Responses.
    case unexpectedPart, unusablePart, partEnded, codingsNested, codingUnknown, codingOfPart
    case notEventStream, eventTooLarge, streamEnded, streamsEnded
    // Pages.
    case pageCursor, tooManyPages, linkLoop, positionLoop, samePages
    // Uploads in parts.
    case uploadTooLarge, uploadLost, uploadInvalid, uploadInsecure, uploadResponseLost, savedUpload
    // Files.
    case fileExists, fileNotWritten, fileNotRegular, fileInUse, diskFull, digestMismatch, digestMalformed,
        digestUnavailable

    var facts: CauseFacts {
        switch self {
        case .baseURL: CauseFacts(.baseURL)
        case .path: CauseFacts(.path)
        case .query: CauseFacts(.query)
        case .url: CauseFacts(.url)
        case .insecureURL:
            CauseFacts(
                .url,
                hint: "Let the service write https in its links, or read those of its own host so: "
                    + "APIEnvironment(baseURL:upgradingLinks: true).",
            )
        case .redirectedBody:
            CauseFacts(.url, hint: "Send the body to the origin of the environment, or let redirectPolicy allow it.")
        case .definition: CauseFacts(.definition)
        case .decoder: CauseFacts(.decoder)
        case .encoder: CauseFacts(.encoder)
        case .substitution: CauseFacts(.substitution)
        case .prepare: CauseFacts(.prepare)
        case .method: CauseFacts(.method)
        case .contentType: CauseFacts(.header, hint: "Leave out Content-Type: the body sets it, with its boundary.")
        case .bodyOfMethod: CauseFacts(.body)
        case .bodyAndParameters: CauseFacts(.body, hint: "Give the request either a body or parameters.")
        case .bodyNotEncoded: CauseFacts(.body)
        case .bodyPart: CauseFacts(.body, hint: "Correct the part that the reason names.")
        case .bodyNotReplayable:
            CauseFacts(.body, hint: "Use a file, bytes, or a stream with isReplayable as the body.")
        case .bodyTooLong: CauseFacts(.body)
        case .idempotencyKey: CauseFacts(.header, hint: "Give the request a key that is not empty, or nil.")
        case .defect: CauseFacts(.defect)
        case .cookieStore: CauseFacts(.cookieStore)

        case .missingToken: CauseFacts(.missingToken)
        case .emptyToken: CauseFacts(.emptyToken)
        case .expiredToken: CauseFacts(.expiredToken)
        case .refreshNeedsItself: CauseFacts(.refreshNeedsItself)
        case .malformedCredential: CauseFacts(.malformedCredential)
        case .missingScopes: CauseFacts(.missingScopes)
        case .tokenStore: CauseFacts(.tokenStore)
        case .insufficientLevel: CauseFacts(.insufficientLevel)
        case .otherOrigin: CauseFacts(.otherOrigin)
        case .redirectedCredential: CauseFacts(.otherOrigin)
        case .foreignURL: CauseFacts(.otherOrigin, hint: Self.foreignURLHint)
        case .insecureOrigin: CauseFacts(.insecureOrigin)
        case .credentialInURL: CauseFacts(.url)
        case .credentialInCookie: CauseFacts(.header)
        case .rejectedRefresh:
            CauseFacts(.expiredToken, hint: "The service rejects the refresh token: the person has to sign in again.")
        case .rejectedClient: CauseFacts(.rejectedClient)
        case .refreshTimeout: CauseFacts(.refreshTimeout)

        case .cancelled: CauseFacts(.cancelled)
        case .circuitOpen: CauseFacts(.circuitOpen)
        case .queueFull: CauseFacts(.queueFull)
        case .rateLimited: CauseFacts(.rateLimited)
        case .deadline: CauseFacts(.deadline)
        case .bodyTooLarge: CauseFacts(.bodyTooLarge)
        case .changedStatus: CauseFacts(.bodyTooLarge, hint: Self.changedStatusHint)
        case .fileTooLarge: CauseFacts(.bodyTooLarge, hint: "Raise bytesMax of the FileDestination.")
        case .memory: CauseFacts(.outOfMemory)

        case .tooManyRedirects: CauseFacts(.tooManyRedirects)
        case .redirectLoop: CauseFacts(.redirectLoop)
        case .redirectInvalid: CauseFacts(.redirectInvalid)
        case .redirectBody: CauseFacts(.redirectInvalid, hint: Self.redirectBodyHint)
        case .redirectInsecure: CauseFacts(.redirectInsecure)

        case .unexpectedPart: CauseFacts(.unexpectedPart)
        case .unusablePart:
            CauseFacts(.unexpectedPart, hint: "Report it to the service, or download the file without .resumable.")
        case .partEnded: CauseFacts(.truncatedResponse)
        case .codingsNested: CauseFacts(.malformedContentCoding, hint: "The service encodes its responses too often.")
        case .codingUnknown: CauseFacts(.unknownContentCoding)
        case .codingOfPart: CauseFacts(.unknownContentCoding, hint: Self.codingOfPartHint)
        case .notEventStream: CauseFacts(.notAnEventStream)
        case .eventTooLarge: CauseFacts(.eventTooLarge)
        case .streamEnded: CauseFacts(.truncatedResponse)
        case .streamsEnded: CauseFacts(.truncatedResponse)

        case .pageCursor: CauseFacts(.pageCursor)
        case .tooManyPages: CauseFacts(.tooManyPages)
        case .linkLoop: CauseFacts(.pageLoop, hint: Self.linkLoopHint)
        case .positionLoop: CauseFacts(.pageLoop, hint: Self.positionLoopHint)
        case .samePages: CauseFacts(.pageLoop, hint: Self.samePagesHint)

        case .uploadTooLarge: CauseFacts(.uploadTooLarge)
        case .uploadLost: CauseFacts(.uploadLost)
        case .uploadInvalid: CauseFacts(.uploadInvalid)
        case .uploadInsecure: CauseFacts(.redirectInsecure, hint: "The service must give its uploads URLs with https.")
        case .uploadResponseLost: CauseFacts(.uploadResponseLost)
        case .savedUpload:
            CauseFacts(.body, hint: "Continue an upload with the body and the protocol that it was begun with.")

        case .fileExists: CauseFacts(.fileNotWritten, hint: "Choose another path, or allow that the file is replaced.")
        case .fileNotWritten: CauseFacts(.fileNotWritten)
        case .fileNotRegular: CauseFacts(.fileNotWritten, hint: Self.fileNotRegularHint)
        case .fileInUse: CauseFacts(.fileInUse)
        case .diskFull: CauseFacts(.diskFull)
        case .digestMismatch: CauseFacts(.digestMismatch)
        case .digestMalformed:
            CauseFacts(.digestMismatch, hint: "Write the digest in hexadecimal, as the service publishes it.")
        case .digestUnavailable:
            CauseFacts(.digestMismatch, hint: "See context.underlyingError: the system has no such digest.")
        }
    }
}

extension ClientCause {
    /// The error of this cause that ends a call which was settled before.
    func error<Failure: ServiceFailure>(_ message: String, _ context: CallContext) -> APIError<Failure> {
        let facts = facts
        var context = context
        context.hint = facts.hint
        return APIError(facts.reason, message, context)
    }

    /// The cause of an error of a token.
    init(_ error: TokenError) {
        self =
            switch error.reason {
            case .emptyToken: .emptyToken
            case .malformedCredential: .malformedCredential
            case .missingScopes: .missingScopes
            case .expiredToken: .expiredToken
            case .refreshNeedsItself: .refreshNeedsItself
            default: .missingToken
            }
    }
}

// MARK: - Hints that are longer

extension ClientCause {
    private static let redirectBodyHint =
        "Give the request a body that can be read again, such as a file, ask by .expectingContinue() before the body is "
        + "sent, or make the final address the base URL. Another origin gets a body only by the redirectPolicy."
    private static let foreignURLHint =
        "A credential is sent to its own origin only. If the URL needs none, let the request's Access be Public. If it "
        + "needs one, send the request by a client that is authorized for that origin. If the service's own links differ "
        + "from its base URL only in the port, report them, and let paging be .number or .custom."
    private static let linkLoopHint =
        "Check which link the request's paging follows: .link(relation:) or .link(in:) must give that of the next page, "
        + "and none on the last page. If it does, the service's links form a loop: report it."
    private static let positionLoopHint =
        "Check the request's paging: it must read the position of the next page, not that of the page itself, as in "
        + ".cursor(\\.cursor, in: \\.nextCursor), and none on the last page. If it does, the service's positions form a "
        + "loop: report it."
    private static let samePagesHint =
        "The service ignores the position, or the request doesn't send it: the property that paging changes must be in "
        + "the request's query, path or body, under the name that the service expects."
    private static let changedStatusHint =
        "Accept the status that the service sends, accepts(_:), in place of another one by a middleware."
    private static let codingOfPartHint =
        "Ask for the parts of an uncompressed body: Accept-Encoding: identity, or report it to the service."
    private static let fileNotRegularHint =
        "Give the path of a regular file, or of none; for a device or a pipe, read the response as a stream."
}
