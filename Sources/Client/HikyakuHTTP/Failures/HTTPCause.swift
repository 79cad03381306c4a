/// All causes of errors of messages and options, which have the same meaning for each transport.
package enum HTTPCause: FailureCause {
    case method, url, field, framing, bodyForHead, bodyLength, bodyFile, bodyURL, bodyConsumed
    case bodyTooLarge, memory
    case proxyVariable, pinOption, pinMismatch

    package var facts: CauseFacts {
        switch self {
        case .method: CauseFacts(.method)
        case .url: CauseFacts(.url)
        case .field: CauseFacts(.header)
        case .framing: CauseFacts(.header, hint: "Leave the field out: the transport writes it.")
        case .bodyForHead: CauseFacts(.body, hint: "Leave out the body, or use another method.")
        case .bodyLength:
            CauseFacts(.body, hint: "The stream and the count of the body don't agree: correct one of them.")
        case .bodyFile: CauseFacts(.body, hint: "Check the path of the file, and that this process may read it.")
        case .bodyURL: CauseFacts(.body, hint: "This is the text of a URL: give the URL of a file, or a path.")
        case .bodyConsumed: CauseFacts(.bodyConsumed)
        case .bodyTooLarge: CauseFacts(.bodyTooLarge)
        case .memory: CauseFacts(.outOfMemory)
        case .proxyVariable:
            CauseFacts(
                .proxyFailed,
                hint:
                    "Correct the variable: http://host:port, or http://name:password@host:port. Percent-encode in a name "
                    + "and a password what would end them: @ : / ? #",
                transience: nil,
            )
        case .pinOption: CauseFacts(.tlsFailed, hint: "Correct the option that the reason names.")
        case .pinMismatch: CauseFacts(.certificatePinMismatch)
        }
    }
}
