import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How far an exchange had come when it failed, as far as URLSession lets know.
enum ExchangeStage: Sendable {
    /// Nothing of the request is known to be sent; a request without a body stays here until it is answered.
    case connecting
    /// A part of the request's body is out.
    case sending
    /// The whole request is out.
    case waiting
    /// The response's head is there, with this `Transfer-Encoding`.
    case receiving(transferCoding: String?)

    var hasResponse: Bool {
        if case .receiving = self { true } else { false }
    }
}

/// A reason and what to say of it.
typealias FailureMeaning = (reason: FailureReason, text: String)

/// The meanings that more than one layer reports.
enum Meaning {
    static let noHost: FailureMeaning = (.hostNotFound, "the host name could not be resolved")
    static let refused: FailureMeaning = (.connectionRefused, "nothing listens there")
    static let notConnected: FailureMeaning = (.connectionFailed, "the connection could not be opened")
    static let refusedByProxy: FailureMeaning = (.proxyFailed, "the proxy did not forward the request")
    static let unusableURL: FailureMeaning = (.url, "the URL can't be used")
    static let noHTTP: FailureMeaning = (.malformedResponse, "the response is not valid HTTP")
    static let damagedCoding: FailureMeaning =
        (.malformedContentCoding, "the body does not match its Content-Encoding")
    static let expired: FailureMeaning = (.certificateExpired, "the server's certificate has expired")
    static let notYetValid: FailureMeaning = (.certificateExpired, "the server's certificate is not yet valid")
    static let wrongHost: FailureMeaning = (.certificateHostMismatch, "the server's certificate is for another host")
    static let untrusted: FailureMeaning =
        (.certificateUntrusted, "the server's certificate is not signed by a trusted authority")
}

/// What an error of URLSession means to the client above.
///
/// - Parameters:
///   - error: What the session reported.
///   - request: What was sent; its host is named in the message, never its query.
///   - stage: How far the exchange had come.
/// - Returns: ``TransportError`` with the error below it, its URLs taken out, or `CancellationError`.
func transportFailure(of error: any Error, for request: HTTPRequest, at stage: ExchangeStage) -> any Error {
    let host = request.url.host(percentEncoded: true) ?? "the host"
    guard let urlError = error as? URLError ?? urlError(ofCFNetwork: error as NSError) else {
        let system = error as NSError
        let meaning = meaning(ofSystemError: system, at: stage) ?? (.transportFailed, "URLSession failed")
        let message = "\(host): \(meaning.text) (\(system.domain) \(system.code))"
        return TransportError(meaning.reason, message, underlyingError: withoutURLs(system))
    }
    if urlError.code == .cancelled { return CancellationError() }
    let meaning = meaning(of: urlError, at: stage)
    let message = "\(host): \(meaning.text) (URLError \(urlError.errorCode))"
    return TransportError(meaning.reason, message, underlyingError: withoutURL(urlError))
}

/// CFNetwork's errors have the session's codes where they are below zero.
private func urlError(ofCFNetwork error: NSError) -> URLError? {
    guard error.domain == SystemError.cfNetworkDomain, error.code < 0 else { return nil }
    // Optional on Linux alone.
    let code: URLError.Code? = URLError.Code(rawValue: error.code)
    return code.map { URLError($0, userInfo: error.userInfo) }
}

/// The most exact that is known of an error: what the system below says, then the session's own code.
private func meaning(of error: URLError, at stage: ExchangeStage) -> FailureMeaning {
    if let meaning = meaningBelow(error, at: stage) { return meaning }
    #if !canImport(Darwin)
    if let meaning = meaningOnLinux(of: error, at: stage) { return meaning }
    #endif
    return meaning(of: error.code, at: stage)
}

// MARK: - What may be printed

/// The error as it may be printed: Foundation puts the whole URL into it, and the query may be a secret.
private func withoutURL(_ error: URLError) -> URLError {
    URLError(error.code, userInfo: harmless(error.userInfo, depth: 0))
}

private func withoutURLs(_ error: NSError, depth: Int = 0) -> NSError {
    NSError(domain: error.domain, code: error.code, userInfo: harmless(error.userInfo, depth: depth))
}

private let harmlessKeys = [NSLocalizedDescriptionKey, SystemError.streamDomainKey, SystemError.streamCodeKey]

private func harmless(_ userInfo: [String: Any], depth: Int) -> [String: Any] {
    var shown = userInfo.filter { harmlessKeys.contains($0.key) }
    // libcurl's words on Linux, in which a proxy's URL may stand with its password.
    if let text = shown[NSLocalizedDescriptionKey] as? String, Redaction.mayHoldURL(text) {
        shown[NSLocalizedDescriptionKey] = nil
    }
    if depth < SystemError.depthMax, let below = userInfo[NSUnderlyingErrorKey] as? NSError {
        shown[NSUnderlyingErrorKey] = withoutURLs(below, depth: depth + 1)
    }
    return shown
}

/// What a code of URLSession means where the system below says nothing more exact.
func meaning(of code: URLError.Code, at stage: ExchangeStage) -> FailureMeaning {
    meaningOfTLS(code) ?? meaningOfNetwork(code, at: stage) ?? meaningOfMessage(code)
        ?? (.transportFailed, "URLSession failed")
}

private func meaningOfTLS(_ code: URLError.Code) -> FailureMeaning? {
    switch code {
    case .secureConnectionFailed: (.tlsFailed, "the TLS handshake failed")
    case .serverCertificateHasBadDate: Meaning.expired
    case .serverCertificateNotYetValid: Meaning.notYetValid
    case .serverCertificateUntrusted: (.certificateUntrusted, "the server's certificate is not trusted")
    case .serverCertificateHasUnknownRoot: Meaning.untrusted
    case .clientCertificateRejected: (.tlsFailed, "the server rejected the client's certificate")
    case .clientCertificateRequired: (.tlsFailed, "the server asks for a client certificate")
    default: nil
    }
}

private func meaningOfNetwork(_ code: URLError.Code, at stage: ExchangeStage) -> FailureMeaning? {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: Meaning.noHost
    case .cannotConnectToHost: Meaning.refused
    case .notConnectedToInternet: (.networkUnreachable, "the device is offline")
    case .dataNotAllowed: (.networkUnreachable, "the cellular network is not allowed")
    case .internationalRoamingOff: (.networkUnreachable, "roaming is off")
    case .callIsActive: (.networkUnreachable, "a phone call is using the network")
    case .networkConnectionLost: lostConnection(at: stage)
    case .timedOut: timeout(at: stage)
    case .appTransportSecurityRequiresSecureConnection: (.connectionFailed, plainTextBlocked)
    default: nil
    }
}

private func meaningOfMessage(_ code: URLError.Code) -> FailureMeaning? {
    switch code {
    case .badURL, .unsupportedURL: Meaning.unusableURL
    case .badServerResponse, .cannotParseResponse: Meaning.noHTTP
    case .cannotDecodeRawData, .cannotDecodeContentData: Meaning.damagedCoding
    case .zeroByteResource: (.truncatedResponse, "the body is missing")
    case .dataLengthExceedsMaximum: (.bodyTooLarge, "the body is larger than URLSession allows")
    case .requestBodyStreamExhausted:
        (.bodyConsumed, "the connection was lost, and the request body can't be sent again")
    case .httpTooManyRedirects: (.tooManyRedirects, "the server redirects more often than the limit allows")
    case .redirectToNonExistentLocation: (.redirectInvalid, "the redirect target is invalid")
    default: nil
    }
}

/// What a connection that ended means.
func lostConnection(at stage: ExchangeStage) -> FailureMeaning {
    stage.hasResponse
        ? (.truncatedResponse, "the connection closed inside the response")
        : (.connectionReset, "the connection closed before the response")
}

/// Which stage the system gave up on; the exchange's own limits have ended it before where they are shorter.
func timeout(at stage: ExchangeStage) -> FailureMeaning {
    switch stage {
    case .connecting: (.connectTimeout, "no connection in time")
    case .sending: (.idleTimeout, "the server stopped reading the request")
    case .waiting: (.firstByteTimeout, "no answer in time")
    case .receiving: (.idleTimeout, "the response stood still")
    }
}

private let plainTextBlocked = """
    App Transport Security blocks plain http; use https, or allow this host by NSAppTransportSecurity in Info.plist
    """
