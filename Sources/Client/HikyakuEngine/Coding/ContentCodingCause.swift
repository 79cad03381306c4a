/// The causes of errors of the content coding of a response.
package enum ContentCodingCause: FailureCause {
    case codingsNested, codingUnknown, codingOfPart

    package var facts: CauseFacts {
        switch self {
        case .codingsNested: CauseFacts(.malformedContentCoding, hint: "The service encodes its responses too often.")
        case .codingUnknown: CauseFacts(.unknownContentCoding)
        case .codingOfPart: CauseFacts(.unknownContentCoding, hint: Self.codingOfPartHint)
        }
    }
}

extension ContentCodingCause {
    private static let codingOfPartHint =
        "Request the parts of an uncompressed body: Accept-Encoding: identity, or report it to the service."
}
