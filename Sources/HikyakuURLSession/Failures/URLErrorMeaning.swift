import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// What a code of URLSession means where the system below says nothing more exact.
func meaning(of code: URLError.Code, at stage: ExchangeStage) -> FailureMeaning {
    meaningOfTLS(code) ?? meaningOfNetwork(code, at: stage) ?? meaningOfMessage(code)
        ?? (.transportFailed, "URLSession failed")
}

private func meaningOfTLS(_ code: URLError.Code) -> FailureMeaning? {
    switch code {
    case .secureConnectionFailed: (.tlsFailed, "no secure connection could be agreed on")
    case .serverCertificateHasBadDate: (.certificateExpired, "the server's certificate has expired")
    case .serverCertificateNotYetValid: (.certificateExpired, "the server's certificate isn't valid yet")
    case .serverCertificateUntrusted: (.certificateUntrusted, "the server's certificate isn't trusted")
    case .serverCertificateHasUnknownRoot:
        (.certificateUntrusted, "no trusted authority stands behind the server's certificate")
    case .clientCertificateRejected: (.tlsFailed, "the server rejected the client's certificate")
    case .clientCertificateRequired: (.tlsFailed, "the server asks for a client certificate")
    default: nil
    }
}

private func meaningOfNetwork(_ code: URLError.Code, at stage: ExchangeStage) -> FailureMeaning? {
    switch code {
    case .cannotFindHost, .dnsLookupFailed: (.hostNotFound, "the name leads to no address")
    case .cannotConnectToHost: (.connectionRefused, "nothing listens there")
    case .notConnectedToInternet: (.networkUnreachable, "the device is offline")
    case .dataNotAllowed: (.networkUnreachable, "the cellular network may not be used")
    case .internationalRoamingOff: (.networkUnreachable, "roaming is off")
    case .callIsActive: (.networkUnreachable, "a phone call holds the network")
    case .networkConnectionLost: lostConnection(at: stage)
    case .timedOut: timeout(at: stage)
    case .appTransportSecurityRequiresSecureConnection: (.connectionFailed, plainTextBlocked)
    default: nil
    }
}

private func meaningOfMessage(_ code: URLError.Code) -> FailureMeaning? {
    switch code {
    case .badURL, .unsupportedURL: (.url, "the URL can't be used")
    case .badServerResponse, .cannotParseResponse: (.malformedResponse, "what came is no HTTP response")
    case .cannotDecodeRawData, .cannotDecodeContentData:
        (.malformedContentCoding, "the body isn't what its Content-Encoding says")
    case .zeroByteResource: (.truncatedResponse, "a body was announced, and none came")
    case .dataLengthExceedsMaximum: (.bodyTooLarge, "the body is larger than URLSession takes")
    case .requestBodyStreamExhausted:
        (.bodyConsumed, "the connection was lost, and the request's body can't be sent once more")
    case .httpTooManyRedirects: (.tooManyRedirects, "the server redirects too often")
    case .redirectToNonExistentLocation: (.redirectInvalid, "the server redirects to where nothing can go")
    default: nil
    }
}

/// What a connection that ended means.
func lostConnection(at stage: ExchangeStage) -> FailureMeaning {
    stage.hasResponse
        ? (.truncatedResponse, "the connection ended within the response")
        : (.connectionReset, "the connection ended before the response")
}

/// Which stage the system gave up on; the exchange's own limits have ended it before where they are shorter.
func timeout(at stage: ExchangeStage) -> FailureMeaning {
    switch stage {
    case .connecting: (.connectTimeout, "no connection in time")
    case .sending: (.idleTimeout, "the server takes the request no further")
    case .waiting: (.firstByteTimeout, "no answer in time")
    case .receiving: (.idleTimeout, "the response stood still")
    }
}

private let plainTextBlocked = """
    App Transport Security blocks plain http; use https, or allow this host by NSAppTransportSecurity in Info.plist
    """
