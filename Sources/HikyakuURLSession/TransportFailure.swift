import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What an error of URLSession means to the client above.
///
/// - Parameters:
///   - error: What the session reported.
///   - request: What was sent; its host is named in the message, never its query.
///   - hasResponse: Whether the head of a response came before.
/// - Returns: ``TransportError`` with the error below it, its URLs taken out, or `CancellationError`.
func transportFailure(of error: any Error, for request: HTTPRequest, hasResponse: Bool) -> any Error {
    guard let urlError = error as? URLError else {
        return TransportError(.transportFailed, "URLSession failed", underlyingError: withoutURLs(error as NSError))
    }
    if urlError.code == .cancelled { return CancellationError() }
    let (reason, what) = meaning(of: urlError, hasResponse: hasResponse)
    let host = request.url.host(percentEncoded: true) ?? "the host"
    let message = "\(host): \(what) (URLError \(urlError.errorCode))"
    return TransportError(reason, message, underlyingError: withoutURL(urlError))
}

/// The error as it may be printed: Foundation puts the whole URL into it, and the query may be a secret.
private func withoutURL(_ error: URLError) -> URLError {
    URLError(error.code, userInfo: harmless(error.userInfo, depth: 0))
}

private func withoutURLs(_ error: NSError, depth: Int = 0) -> NSError {
    NSError(domain: error.domain, code: error.code, userInfo: harmless(error.userInfo, depth: depth))
}

private let harmlessKeys = [NSLocalizedDescriptionKey, streamErrorDomainKey, streamErrorCodeKey]

private func harmless(_ userInfo: [String: Any], depth: Int) -> [String: Any] {
    var shown = userInfo.filter { harmlessKeys.contains($0.key) }
    if depth < 4, let below = userInfo[NSUnderlyingErrorKey] as? NSError {
        shown[NSUnderlyingErrorKey] = withoutURLs(below, depth: depth + 1)
    }
    return shown
}

private func meaning(of error: URLError, hasResponse: Bool) -> (FailureReason, String) {
    #if !canImport(Darwin)
    if let meaning = meaningOnLinux(error.code, hasResponse: hasResponse) { return meaning }
    #endif
    if let meaning = meaningOfTLS(error.code) { return (.tlsFailed, meaning) }
    return switch error.code {
    case .cannotFindHost, .dnsLookupFailed: (.hostNotFound, "the name leads to no address")
    case .cannotConnectToHost: isRefusal(error) ? refused : (.connectionFailed, "no connection could be opened")
    case .notConnectedToInternet: (.networkUnreachable, "the device is offline")
    case .dataNotAllowed: (.networkUnreachable, "the cellular network may not be used")
    case .internationalRoamingOff: (.networkUnreachable, "roaming is off")
    case .callIsActive: (.networkUnreachable, "a phone call holds the network")
    case .networkConnectionLost where hasResponse: (.truncatedResponse, "the connection ended within the response")
    case .networkConnectionLost: (.connectionReset, "the connection ended before the response")
    case .badServerResponse, .cannotParseResponse: (.malformedResponse, "what came is no HTTP response")
    case .cannotDecodeRawData, .cannotDecodeContentData: (.malformedResponse, "the body's coding is broken")
    case .timedOut: hasResponse ? (.deadline, "the response stood still") : (.connectTimeout, "no answer in time")
    case .badURL, .unsupportedURL: (.url, "the URL can't be used")
    case .dataLengthExceedsMaximum: (.bodyTooLarge, "the body is larger than URLSession takes")
    case .appTransportSecurityRequiresSecureConnection: (.connectionFailed, plainTextBlocked)
    default: (.transportFailed, "URLSession failed")
    }
}

#if !canImport(Darwin)
/// The codes into which Foundation there folds what libcurl tells apart.
private func meaningOnLinux(_ code: URLError.Code, hasResponse: Bool) -> (FailureReason, String)? {
    switch code {
    // An answer without a status line is taken for HTTP/0.9, which libcurl then refuses.
    case .unsupportedURL: (.malformedResponse, "what came is no HTTP response")
    case .badServerResponse where !hasResponse: (.connectionClosed, "the server closed without an answer")
    case .unknown where hasResponse: (.truncatedResponse, "the connection ended within the response")
    default: nil
    }
}
#endif

private let refused = (FailureReason.connectionRefused, "nothing listens there")

private let plainTextBlocked = """
    App Transport Security blocks plain http; use https, or allow this host by NSAppTransportSecurity in Info.plist
    """

private func meaningOfTLS(_ code: URLError.Code) -> String? {
    switch code {
    case .secureConnectionFailed: "no secure connection could be agreed on"
    case .serverCertificateHasBadDate: "the server's certificate has expired"
    case .serverCertificateNotYetValid: "the server's certificate isn't valid yet"
    case .serverCertificateUntrusted, .serverCertificateHasUnknownRoot: "the server's certificate isn't trusted"
    case .clientCertificateRejected: "the server rejected the client's certificate"
    case .clientCertificateRequired: "the server asks for a client certificate"
    default: nil
    }
}

// CFNetwork's own note of the system's code.
private let streamErrorDomainKey = "_kCFStreamErrorDomainKey"
private let streamErrorCodeKey = "_kCFStreamErrorCodeKey"

/// Whether the port refused: so unless a code of the system below says something else.
private func isRefusal(_ error: URLError) -> Bool {
    var next: NSError? = error as NSError
    for _ in 0..<4 {
        guard let current = next else { break }
        if current.domain == NSPOSIXErrorDomain { return current.code == Int(POSIXErrorCode.ECONNREFUSED.rawValue) }
        // Domain 1 is POSIX.
        if current.userInfo[streamErrorDomainKey] as? Int == 1,
            let code = current.userInfo[streamErrorCodeKey] as? Int
        {
            return code == Int(POSIXErrorCode.ECONNREFUSED.rawValue)
        }
        next = current.userInfo[NSUnderlyingErrorKey] as? NSError
    }
    return true
}
