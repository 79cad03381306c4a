#if os(Linux)
import HikyakuHTTP

/// All causes of this transport's errors.
enum WireCause: FailureCause {
    // The transport, and its options.
    case shutDown, queueFull, memory, descriptors, thread, defect
    case tlsOption, addressOption, socketOption, proxyOption
    // The request.
    case url, fieldsTooLarge
    // The way to the peer.
    case nameNotFound, refused, unreachable, notConnected
    case filesTimeout, nameTimeout, connectTimeout, tlsTimeout, proxyTimeout, proxyTLSTimeout
    // A proxy.
    case proxyUnreachable, proxyUntrusted, proxyTLS, proxyPlain, proxyForeign, proxyClosed
    case proxyLogin, proxyScheme, proxyRule, proxyPortal, proxyBusy, proxyTarget, proxyUnable
    // TLS.
    case plainPeer, handshakeEnded, handshakeFailed, handshakeVersions, clientCertificate, renegotiation, tlsBroken,
        tlsHost
    case certificateExpired, certificateHost, certificateSelfSigned, certificateRoot, certificateIssuer
    case certificateAlone, certificateUnusable, noAuthorities, pinMismatch
    // The end of a connection or of a stream.
    case closed, keptClosed, reset, firstByteTimeout, idleTimeout
    case refusedStream, noStreams, protocolCode, overloadCode, securityCode, versionCode, cancelCode, otherCode
    // The response.
    case foreignPeer, tlsPeer, http2Peer, lateBytes, brokenHead, brokenHTTP2, connectionField, upgrade, headTooLarge
    case headCut, bodyCut, chunksCut, endUnproven, chunk
    case lengthMalformed, lengthConflict, lengthAmbiguous, coding

    var facts: CauseFacts {
        switch self {
        case .shutDown: CauseFacts(.shutDown)
        case .queueFull: CauseFacts(.queueFull)
        case .memory: CauseFacts(.outOfMemory)
        case .descriptors: CauseFacts(.connectionFailed, hint: Self.descriptorsHint)
        case .thread: CauseFacts(.transportFailed, hint: "The system starts no further thread: look at its limits.")
        case .defect: CauseFacts(.transportFailed, hint: "This is a bug of Hikyaku: please report it with this error.")

        case .tlsOption: CauseFacts(.tlsFailed, hint: Self.optionHint)
        case .addressOption: CauseFacts(.hostNotFound, hint: Self.optionHint, transience: nil)
        case .socketOption: CauseFacts(.connectionFailed, hint: Self.optionHint, transience: nil)
        case .proxyOption: CauseFacts(.proxyFailed, hint: Self.proxyURLHint, transience: nil)

        case .url: CauseFacts(.url)
        case .fieldsTooLarge:
            CauseFacts(.header, hint: "Send fewer or smaller fields: HTTP/2 carries them in one block.")

        case .nameNotFound: CauseFacts(.hostNotFound)
        case .refused: CauseFacts(.connectionRefused)
        case .unreachable: CauseFacts(.networkUnreachable)
        case .notConnected: CauseFacts(.connectionFailed)
        case .filesTimeout: CauseFacts(.connectTimeout, hint: "The disk of the certificate's files is slow.")
        case .nameTimeout:
            CauseFacts(.connectTimeout, hint: "Check the DNS of this machine: it does not answer in time.")
        case .connectTimeout: CauseFacts(.connectTimeout)
        case .tlsTimeout: CauseFacts(.connectTimeout, hint: Self.silentHint)
        case .proxyTimeout:
            CauseFacts(.connectTimeout, hint: "The proxy opens no connection: check its scheme and port, and its log.")
        case .proxyTLSTimeout:
            CauseFacts(.connectTimeout, hint: "Write the proxy's URL with http:// if the proxy does not speak TLS.")

        case .proxyUnreachable, .proxyClosed: CauseFacts(.proxyFailed)
        case .proxyUntrusted: CauseFacts(.proxyFailed, hint: Self.proxyCertificateHint, transience: nil)
        case .proxyTLS: CauseFacts(.proxyFailed, hint: Self.proxyTLSHint, transience: nil)
        case .proxyPlain: CauseFacts(.proxyFailed, hint: Self.plainProxyHint, transience: nil)
        case .proxyForeign: CauseFacts(.proxyFailed, hint: "Check the proxy's scheme and port.", transience: nil)
        // Each attempt with a wrong password brings an account closer to being locked.
        case .proxyLogin: CauseFacts(.proxyFailed, hint: Self.proxyLoginHint, transience: nil)
        case .proxyScheme: CauseFacts(.proxyFailed, hint: Self.proxySchemeHint, transience: nil)
        case .proxyRule: CauseFacts(.proxyFailed, hint: Self.proxyRuleHint, transience: nil)
        case .proxyPortal: CauseFacts(.proxyFailed, hint: Self.proxyPortalHint, transience: nil)
        case .proxyBusy:
            CauseFacts(
                .proxyFailed,
                hint: "The proxy admits no more requests for now: send fewer, or wait.",
                transience: nil,
            )
        case .proxyTarget: CauseFacts(.proxyFailed, hint: Self.proxyTargetHint, transience: nil)
        case .proxyUnable:
            CauseFacts(
                .proxyFailed,
                hint: "The proxy could not reach the service: check the host and the port, or "
                    + "ask who runs the proxy.",
            )

        case .plainPeer: CauseFacts(.tlsFailed, hint: Self.plainHint)
        case .handshakeEnded: CauseFacts(.tlsFailed, hint: Self.handshakeEndedHint, transience: .notDone)
        case .handshakeFailed: CauseFacts(.tlsFailed)
        case .handshakeVersions: CauseFacts(.tlsFailed, hint: Self.versionsHint)
        case .clientCertificate: CauseFacts(.tlsFailed, hint: Self.clientCertificateHint)
        case .renegotiation: CauseFacts(.tlsFailed, hint: Self.renegotiationHint)
        case .tlsBroken:
            CauseFacts(.tlsFailed, hint: "The connection was damaged on its way, or the server broke TLS.")
        case .tlsHost: CauseFacts(.tlsFailed, hint: "Correct the host in the base URL: no certificate can have it.")
        case .certificateExpired: CauseFacts(.certificateExpired)
        case .certificateHost: CauseFacts(.certificateHostMismatch)
        case .certificateSelfSigned: CauseFacts(.certificateSelfSigned)
        case .certificateRoot: CauseFacts(.certificateUntrusted, hint: Self.rootHint)
        case .certificateIssuer: CauseFacts(.certificateUntrusted)
        case .certificateAlone: CauseFacts(.certificateUntrusted, hint: Self.aloneHint)
        case .certificateUnusable: CauseFacts(.tlsFailed, hint: Self.unusableHint)
        case .noAuthorities: CauseFacts(.certificateUntrusted, hint: Self.noAuthoritiesHint)
        case .pinMismatch: CauseFacts(.certificatePinMismatch)

        case .closed: CauseFacts(.connectionClosed)
        case .keptClosed: CauseFacts(.connectionClosed, hint: Self.keptClosedHint)
        case .reset: CauseFacts(.connectionReset)
        case .firstByteTimeout: CauseFacts(.firstByteTimeout)
        case .idleTimeout: CauseFacts(.idleTimeout)
        case .refusedStream: CauseFacts(.notProcessed)
        case .noStreams: CauseFacts(.notProcessed, hint: "The server allows no requests at present: it is overloaded.")
        case .protocolCode: CauseFacts(.connectionReset, hint: Self.protocolCodeHint)
        case .overloadCode: CauseFacts(.connectionReset, hint: Self.overloadCodeHint)
        case .securityCode: CauseFacts(.connectionReset, hint: Self.securityCodeHint, transience: nil)
        case .versionCode: CauseFacts(.notProcessed, hint: "The server requires HTTP/1.1: offersHTTP2 = false.")
        case .cancelCode: CauseFacts(.connectionReset, hint: "The server gave the request up: see its log.")
        case .otherCode: CauseFacts(.connectionReset, hint: "The server failed: see its log.")

        case .foreignPeer: CauseFacts(.malformedResponse)
        case .tlsPeer: CauseFacts(.malformedResponse, hint: "Use https: the server speaks TLS on this port.")
        case .http2Peer: CauseFacts(.malformedResponse, hint: Self.http2PeerHint)
        // An idempotent request may be sent again, over another connection.
        case .lateBytes: CauseFacts(.malformedResponse, hint: Self.lateBytesHint, transience: .unknown)
        case .brokenHead: CauseFacts(.malformedResponse, hint: Self.brokenRulesHint)
        case .brokenHTTP2: CauseFacts(.malformedResponse, hint: "\(Self.brokenRulesHint) \(Self.withoutHTTP2)")
        case .connectionField: CauseFacts(.malformedResponse, hint: "\(Self.connectionFieldHint) \(Self.withoutHTTP2)")
        case .upgrade: CauseFacts(.unexpectedUpgrade)
        case .headTooLarge: CauseFacts(.headersTooLarge)
        case .headCut: CauseFacts(.truncatedHeaders)
        case .bodyCut: CauseFacts(.truncatedResponse)
        case .chunksCut: CauseFacts(.missingLastChunk)
        case .endUnproven: CauseFacts(.truncatedResponse, hint: Self.endUnprovenHint)
        case .chunk: CauseFacts(.malformedChunk)
        case .lengthMalformed: CauseFacts(.malformedContentLength)
        case .lengthConflict: CauseFacts(.conflictingContentLength)
        case .lengthAmbiguous: CauseFacts(.ambiguousLength)
        case .coding: CauseFacts(.unknownTransferCoding)
        }
    }
}

// MARK: - Hints that are longer

extension WireCause {
    private static let keptClosedHint =
        "The server may have closed the connection because it was idle: set WireOptions.idleAgeMax below the server's own "
        + "time, or say that the request may be sent twice by isIdempotent or an idempotencyKey."
    private static let optionHint = "Correct the option that the reason names."
    private static let descriptorsHint =
        "The process has too many files and sockets open: raise its limit (ulimit -n), or close some."
    private static let proxyURLHint =
        "Correct the proxy's URL. Percent-encode what would end a part of it in a name or a password: @ : / ? #"
    private static let silentHint =
        "The server accepts connections on this port, but does not answer in TLS: check the scheme and the port."
    private static let proxyCertificateHint =
        "The proxy's certificate isn't trusted: add the file of its authority to TLSOptions.trustedAuthorities."
    private static let plainProxyHint = "Write the proxy's URL with http:// in place of https://."
    private static let proxyLoginHint =
        "The proxy wants a name and a password, or rejects those that it got: write them in its URL, "
        + "http://name:password@host:port, percent-encoded."
    private static let proxySchemeHint =
        "The proxy offers no Basic, the only login that this transport has: send the requests through a program on this "
        + "machine that logs in to it. A name and a password in the proxy's URL would only be shown to it."
    private static let proxyTLSHint =
        "The reason says what is wrong with TLS between this machine and the proxy: its certificate must be valid today, "
        + "and for the host in the proxy's URL, and both need a version in common."
    private static let proxyPortalHint =
        "The proxy may want a login in a browser first: open a web page through it, or ask who runs it."
    private static let proxyTargetHint =
        "This kind of SOCKS can't carry the host or the credentials: use SOCKS5 or an HTTP proxy, or shorter ones."
    private static let proxyRuleHint =
        "The proxy's rules don't allow this host or port: ask who runs it, or add the host to no_proxy."
    private static let plainHint =
        "Use http instead of https if the service is meant to be plain, or check the port."
    private static let handshakeEndedHint =
        "The server, or a firewall in between, ended the handshake: check the port, and whether the server wants a "
        + "client certificate (TLSOptions.clientCertificates)."
    private static let versionsHint =
        "Both sides have no version or cipher of TLS in common: the server must support TLS 1.2 or 1.3, and "
        + "TLSOptions.minimumVersion must allow it."
    private static let clientCertificateHint =
        "The server wants a certificate of the client, or rejects it: see TLSOptions.clientCertificates."
    private static let renegotiationHint =
        "The server may want to negotiate TLS anew, usually to request a client certificate for this path. It must do that "
        + "in the first handshake, and TLSOptions.clientCertificates must have one."
    private static let lateBytesHint =
        "The server sends more than its responses have, such as content with a 204 or to HEAD: report it to the service. "
        + "The connection is not used again."
    private static let rootHint =
        "The chain ends at a root that this machine doesn't trust: that of a private authority, or of a company's proxy "
        + "that reads TLS. If it is the right one, add its file to TLSOptions.trustedAuthorities."
    private static let aloneHint =
        "The service sent its certificate without those of its issuers: it must send the whole chain. Or it has a private "
        + "authority: add its file to TLSOptions.trustedAuthorities."
    private static let unusableHint =
        "The certificate breaks a rule of this machine's OpenSSL, which the reason names: the service needs another one."
    private static let noAuthoritiesHint =
        "This machine has no list of trusted authorities: install its package ca-certificates, or name a file in "
        + "TLSOptions.trustedAuthorities."
    private static let protocolCodeHint =
        "The server takes something that it got for a violation of HTTP/2. Some servers say so of a field that is too "
        + "large: see its log. \(withoutHTTP2)"
    private static let overloadCodeHint =
        "The server finds the load too high: send fewer requests at once, or fewer and smaller fields."
    private static let securityCodeHint =
        "The server rejects this connection's version or cipher of TLS for HTTP/2. \(withoutHTTP2)"
    private static let withoutHTTP2 = "Until that is mended, try offersHTTP2 = false in the transport's options."
    private static let http2PeerHint =
        "The server speaks HTTP/2 that wasn't agreed on: without TLS use HTTP/1.1, or https; with TLS it must offer h2 by "
        + "ALPN, and offersHTTP2 must not be off."
    private static let brokenRulesHint = "The service, or a proxy in between, breaks the rule that the reason names."
    private static let connectionFieldHint =
        "The field belongs to one connection of HTTP/1.1: the proxy in front of the service must drop it."
    private static let endUnprovenHint =
        "The server ended TLS without saying so (close_notify), and announced no length: only it can mend that."
}
#endif
