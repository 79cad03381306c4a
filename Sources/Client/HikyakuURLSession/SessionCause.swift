import HikyakuHTTP

/// All causes of this transport's errors.
enum SessionCause: FailureCause {
    // The transport, and its options.
    case shutDown, queueFull, transportFailed, tlsOption, proxyOption, noTLSOptions, noProxyOption
    // The request.
    case url, bodyWithGet, bodyTooLong, bodyConsumed
    // The way to the server.
    case hostNotFound, connectionRefused, networkUnreachable, networkForbidden, connectionFailed, plainTextBlocked
    case proxyFailed, connectTimeout
    // TLS.
    case tlsFailed, clientCertificate, certificateExpired, certificateHostMismatch, certificateUntrusted
    case certificateSelfSigned
    // The response.
    case connectionClosed, connectionReset, firstByteTimeout, idleTimeout, malformedResponse, truncatedResponse,
        unexpectedUpgrade
    case headersTooLarge, bodyTooLarge, readerTooSlow, malformedContentCoding
    case unknownContentCoding, unknownTransferCoding, malformedChunk, missingLastChunk
    case ambiguousLength, malformedContentLength, conflictingContentLength, tooManyRedirects, redirectInvalid

    var facts: CauseFacts {
        switch self {
        case .shutDown: CauseFacts(.shutDown)
        case .queueFull: CauseFacts(.queueFull)
        case .transportFailed: CauseFacts(.transportFailed)
        case .tlsOption: CauseFacts(.tlsFailed, hint: "Correct the option that the reason names.")
        case .proxyOption:
            CauseFacts(.proxyFailed, hint: "Correct the proxy that the transport was created with.", transience: nil)
        case .noTLSOptions: CauseFacts(.tlsFailed, hint: "Use WireTransport, which has all of TLSOptions.")
        case .noProxyOption:
            CauseFacts(.proxyFailed, hint: "Use WireTransport, which has all of HTTPProxy.", transience: nil)

        case .url: CauseFacts(.url)
        case .bodyWithGet: CauseFacts(.body, hint: "Use WireTransport, or another method.")
        case .bodyTooLong: CauseFacts(.body, hint: "Use WireTransport, which sends bodies of any size.")
        case .bodyConsumed: CauseFacts(.bodyConsumed)

        case .hostNotFound: CauseFacts(.hostNotFound)
        case .connectionRefused: CauseFacts(.connectionRefused)
        case .networkUnreachable: CauseFacts(.networkUnreachable)
        case .networkForbidden:
            CauseFacts(.networkUnreachable, hint: "Allow the network in NetworkPreferences, or wait for another one.")
        case .connectionFailed: CauseFacts(.connectionFailed)
        case .plainTextBlocked:
            CauseFacts(
                .connectionFailed,
                hint: "Use https, or allow this host by NSAppTransportSecurity in Info.plist.",
                transience: nil,
            )
        case .proxyFailed: CauseFacts(.proxyFailed)
        case .connectTimeout: CauseFacts(.connectTimeout)

        case .tlsFailed: CauseFacts(.tlsFailed)
        case .clientCertificate:
            CauseFacts(
                .tlsFailed,
                hint: "The server wants a certificate of the client, or rejects it: see TLSOptions.clientCertificates.",
            )
        case .certificateExpired: CauseFacts(.certificateExpired)
        case .certificateHostMismatch: CauseFacts(.certificateHostMismatch)
        case .certificateUntrusted: CauseFacts(.certificateUntrusted)
        case .certificateSelfSigned: CauseFacts(.certificateSelfSigned)

        case .connectionClosed: CauseFacts(.connectionClosed)
        case .connectionReset: CauseFacts(.connectionReset)
        case .firstByteTimeout: CauseFacts(.firstByteTimeout)
        case .idleTimeout: CauseFacts(.idleTimeout)
        case .malformedResponse: CauseFacts(.malformedResponse)
        case .truncatedResponse: CauseFacts(.truncatedResponse)
        case .unexpectedUpgrade: CauseFacts(.unexpectedUpgrade)
        case .headersTooLarge: CauseFacts(.headersTooLarge)
        case .bodyTooLarge: CauseFacts(.bodyTooLarge)
        case .readerTooSlow: CauseFacts(.readerTooSlow)
        case .malformedContentCoding: CauseFacts(.malformedContentCoding)
        case .unknownContentCoding: CauseFacts(.unknownContentCoding)
        case .unknownTransferCoding: CauseFacts(.unknownTransferCoding)
        case .malformedChunk: CauseFacts(.malformedChunk)
        case .missingLastChunk: CauseFacts(.missingLastChunk)
        case .ambiguousLength: CauseFacts(.ambiguousLength)
        case .malformedContentLength: CauseFacts(.malformedContentLength)
        case .conflictingContentLength: CauseFacts(.conflictingContentLength)
        case .tooManyRedirects: CauseFacts(.tooManyRedirects)
        case .redirectInvalid: CauseFacts(.redirectInvalid)
        }
    }
}
