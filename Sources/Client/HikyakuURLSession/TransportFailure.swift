import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// How far an exchange had come when it failed, as far as URLSession reports it.
enum ExchangeStage: Sendable {
    /// No part of the request is known to be sent; a request without a body stays in this stage until its response.
    case connecting
    /// A part of the request's body was sent.
    case sending
    /// The whole request was sent.
    case waiting
    /// The response's head was received, with this `Transfer-Encoding`.
    case receiving(transferCoding: String?)

    var hasResponse: Bool {
        if case .receiving = self { true } else { false }
    }
}

/// A cause and its text.
typealias FailureMeaning = (cause: SessionCause, text: String)

/// The reasons and texts that more than one layer reports.
enum Meaning {
    static let noHost: FailureMeaning = (.hostNotFound, "the host name could not be resolved")
    static let connectTimeout: FailureMeaning = (.connectTimeout, "the connection could not be opened in time")
    static let unreachable: FailureMeaning = (.networkUnreachable, "the host is unreachable")
    static let refused: FailureMeaning = (.connectionRefused, "the host refused the connection")
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

/// Maps an error of URLSession to the error that the client expects.
///
/// - Parameters:
///   - error: The error that the session reported.
///   - request: The request; the message contains its host, never its query.
///   - stage: How far the exchange had come.
/// - Returns: ``TransportError`` with the underlying error, whose URLs are removed, or `CancellationError`.
func transportFailure(of error: any Error, for request: HTTPRequest, at stage: ExchangeStage) -> any Error {
    let host = request.url.host(percentEncoded: true) ?? "the host"
    guard let urlError = error as? URLError ?? urlError(ofCFNetwork: error as NSError) else {
        let system = error as NSError
        let meaning = meaning(ofSystemError: system, at: stage) ?? (.transportFailed, "URLSession failed")
        let message = "\(host): \(meaning.text) (\(system.domain) \(system.code))"
        return meaning.cause.error(message, underlyingError: withoutURLs(system))
    }
    if urlError.code == .cancelled { return CancellationError() }
    let meaning = meaning(of: urlError, at: stage)
    let message = "\(host): \(meaning.text) (URLError \(urlError.errorCode))"
    return meaning.cause.error(message, underlyingError: withoutURL(urlError))
}

/// Maps an error of CFNetwork: its negative codes are those of URLSession.
private func urlError(ofCFNetwork error: NSError) -> URLError? {
    guard error.domain == SystemError.cfNetworkDomain, error.code < 0 else { return nil }
    // Optional only on Linux.
    let code: URLError.Code? = URLError.Code(rawValue: error.code)
    return code.map { URLError($0, userInfo: error.userInfo) }
}

/// The most exact meaning of an error: that of the underlying errors, otherwise that of the session's code.
private func meaning(of error: URLError, at stage: ExchangeStage) -> FailureMeaning {
    if let meaning = meaningBelow(error, at: stage) { return meaning }
    if let meaning = meaningOfUnavailableNetwork(error) { return meaning }
    #if !canImport(Darwin)
    if let meaning = meaningOnLinux(of: error, at: stage) { return meaning }
    #endif
    return meaning(of: error.code, at: stage)
}

// MARK: - What may be printed

/// The error without its URL: Foundation adds the whole URL, whose query may contain a secret.
private func withoutURL(_ error: URLError) -> URLError {
    URLError(error.code, userInfo: harmless(error.userInfo, depth: 0))
}

private func withoutURLs(_ error: NSError, depth: Int = 0) -> NSError {
    NSError(domain: error.domain, code: error.code, userInfo: harmless(error.userInfo, depth: depth))
}

private let harmlessKeys = [
    NSLocalizedDescriptionKey, SystemError.streamDomainKey, SystemError.streamCodeKey,
    SystemError.unavailableReasonKey,
]

private func harmless(_ userInfo: [String: Any], depth: Int) -> [String: Any] {
    var shown = userInfo.filter { harmlessKeys.contains($0.key) }
    // On Linux this is libcurl's text, which may contain a proxy's URL with its password.
    if let text = shown[NSLocalizedDescriptionKey] as? String, Redaction.mayHoldURL(text) {
        shown[NSLocalizedDescriptionKey] = nil
    }
    if depth < SystemError.depthMax, let below = userInfo[NSUnderlyingErrorKey] as? NSError {
        shown[NSUnderlyingErrorKey] = withoutURLs(below, depth: depth + 1)
    }
    return shown
}

/// What a code of URLSession means if the underlying errors are not more exact.
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
    case .clientCertificateRejected: (.clientCertificate, "the server rejected the client's certificate")
    case .clientCertificateRequired: (.clientCertificate, "the server requires a client certificate")
    default: nil
    }
}

private func meaningOfNetwork(_ code: URLError.Code, at stage: ExchangeStage) -> FailureMeaning? {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: Meaning.noHost
    case .cannotConnectToHost: Meaning.refused
    case .notConnectedToInternet: (.networkUnreachable, "the device is offline")
    case .dataNotAllowed: (.networkForbidden, "the cellular network is not allowed")
    case .internationalRoamingOff: (.networkForbidden, "roaming is off")
    case .callIsActive: (.networkUnreachable, "a phone call is using the network")
    case .networkConnectionLost: lostConnection(at: stage)
    case .timedOut: timeout(at: stage)
    case .appTransportSecurityRequiresSecureConnection: (.plainTextBlocked, "App Transport Security blocks plain http")
    default: nil
    }
}

/// Why the networks that are there could not be used; `nil` if the system doesn't say.
private func meaningOfUnavailableNetwork(_ error: URLError) -> FailureMeaning? {
    guard [.notConnectedToInternet, .dataNotAllowed].contains(error.code) else { return nil }
    // The raw values of URLError.NetworkUnavailableReason.
    switch error.userInfo[SystemError.unavailableReasonKey] as? Int {
    case 0: return (.networkForbidden, "only a cellular network is there, which the request may not use")
    case 1: return (.networkForbidden, "only an expensive network is there, which the request may not use")
    case 2: return (.networkForbidden, "Low Data Mode is on, in which the request may not be sent")
    default: return nil
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

/// What a lost connection means at a stage.
func lostConnection(at stage: ExchangeStage) -> FailureMeaning {
    stage.hasResponse
        ? (.truncatedResponse, "the connection closed inside the response")
        : (.connectionReset, "the connection closed before the response")
}

/// What a timeout of the system means at a stage; shorter timeouts of the exchange have ended it before.
///
/// A request without a body may have been sent at any time after the connection was opened, which no stage shows. So a
/// timeout is that of the connection only if the system says that this one was never opened.
func timeout(at stage: ExchangeStage) -> FailureMeaning {
    switch stage {
    case .connecting: (.firstByteTimeout, "the server did not respond in time, or could not be reached")
    case .sending: (.idleTimeout, "the server stopped reading the request")
    case .waiting: (.firstByteTimeout, "the server did not respond in time")
    case .receiving: (.idleTimeout, "the server stopped sending the response")
    }
}
