import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

@Suite struct TransportFailureTests {
    private let request: HTTPRequest

    init() throws {
        request = HTTPRequest(url: try #require(URL(string: "https://api.example/items?token=hush")))
    }

    private func failure(_ error: any Error, at stage: ExchangeStage = .connecting) throws -> TransportError {
        try #require(transportFailure(of: error, for: request, at: stage) as? TransportError)
    }

    @Test(
        arguments: [
            (URLError.Code.cannotFindHost, FailureReason.hostNotFound),
            (.dnsLookupFailed, .hostNotFound),
            (.cannotConnectToHost, .connectionRefused),
            (.notConnectedToInternet, .networkUnreachable),
            (.dataNotAllowed, .networkUnreachable),
            (.internationalRoamingOff, .networkUnreachable),
            (.callIsActive, .networkUnreachable),
            (.networkConnectionLost, .connectionReset),
            (.cannotParseResponse, .malformedResponse),
            (.cannotDecodeRawData, .malformedContentCoding),
            (.cannotDecodeContentData, .malformedContentCoding),
            (.zeroByteResource, .truncatedResponse),
            (.dataLengthExceedsMaximum, .bodyTooLarge),
            (.requestBodyStreamExhausted, .bodyConsumed),
            (.badURL, .url),
            (.httpTooManyRedirects, .tooManyRedirects),
            (.redirectToNonExistentLocation, .redirectInvalid),
            (.secureConnectionFailed, .tlsFailed),
            (.serverCertificateUntrusted, .certificateUntrusted),
            (.serverCertificateHasUnknownRoot, .certificateUntrusted),
            (.serverCertificateHasBadDate, .certificateExpired),
            (.serverCertificateNotYetValid, .certificateExpired),
            (.clientCertificateRejected, .tlsFailed),
            (.clientCertificateRequired, .tlsFailed),
            (.timedOut, .firstByteTimeout),
            (.appTransportSecurityRequiresSecureConnection, .connectionFailed),
            (.resourceUnavailable, .transportFailed),
        ]
    )
    func namesTheReason(code: URLError.Code, reason: FailureReason) throws {
        let error = try failure(URLError(code))
        #expect(error.reason == reason)
        #expect((error.underlyingError as? URLError)?.code == code)
        #expect(error.message.contains("api.example"))
        #expect(!error.message.contains("hush"))
    }

    /// Apple's platforms say why a network that is there could not be used.
    @Test(arguments: [(0, "cellular"), (1, "expensive"), (2, "Low Data Mode"), (99, "offline")])
    func saysWhyNoNetworkCouldBeUsed(_ reason: Int, _ text: String) throws {
        let key = SystemError.unavailableReasonKey
        let error = try failure(URLError(.notConnectedToInternet, userInfo: [key: reason]))
        #expect(error.reason == .networkUnreachable)
        #expect(error.message.contains(text), "\(error)")
        #expect((error.underlyingError as? URLError)?.userInfo[key] as? Int == reason)
    }

    @Test(
        arguments: [
            (ExchangeStage.connecting, FailureReason.firstByteTimeout),
            (.sending, .idleTimeout),
            (.waiting, .firstByteTimeout),
            (.receiving(transferCoding: nil), .idleTimeout),
        ]
    )
    func reportsTheStageThatTimedOut(stage: ExchangeStage, reason: FailureReason) throws {
        #expect(try failure(URLError(.timedOut), at: stage).reason == reason)
    }

    @Test func distinguishesMalformedResponsesAndRequests() throws {
        let reason = try failure(URLError(.networkConnectionLost), at: .receiving(transferCoding: nil)).reason
        #if canImport(Darwin)
        #expect(reason == .truncatedResponse)
        #else
        // There, it is a reset.
        #expect(reason == .connectionReset)
        #endif
    }

    @Test(
        arguments: [
            (URLError.Code.serverCertificateUntrusted, -9843, FailureReason.certificateHostMismatch),
            (.serverCertificateUntrusted, -9814, .certificateExpired),
            (.serverCertificateUntrusted, -9815, .certificateExpired),
            (.serverCertificateUntrusted, -9813, .certificateUntrusted),
            (.serverCertificateUntrusted, -9807, .certificateUntrusted),
            (.secureConnectionFailed, -9843, .certificateHostMismatch),
            (.secureConnectionFailed, -9836, .tlsFailed),
            (.networkConnectionLost, -9843, .connectionReset),
        ]
    )
    func takesTheSystemsWordOnACertificate(code: URLError.Code, below: Int, reason: FailureReason) throws {
        let notes: [String: Any] = ["_kCFStreamErrorDomainKey": 3, "_kCFStreamErrorCodeKey": below]
        let layer = NSError(domain: "kCFErrorDomainCFNetwork", code: code.rawValue, userInfo: notes)
        #expect(try failure(URLError(code, userInfo: notes)).reason == reason)
        #expect(try failure(URLError(code, userInfo: [NSUnderlyingErrorKey: layer])).reason == reason)
        #expect(try failure(layer).reason == reason)
    }

    @Test(
        arguments: [
            (POSIXErrorCode.ECONNREFUSED, FailureReason.connectionRefused),
            (.EHOSTUNREACH, .networkUnreachable),
            (.ENETUNREACH, .networkUnreachable),
            (.ENETDOWN, .networkUnreachable),
            (.ETIMEDOUT, .connectTimeout),
            (.ECONNRESET, .connectionReset),
            (.EADDRNOTAVAIL, .connectionFailed),
        ]
    )
    func takesTheSystemsWordOnAConnectionThatFailed(code: POSIXErrorCode, reason: FailureReason) throws {
        let number = Int(code.rawValue)
        let posix = NSError(domain: NSPOSIXErrorDomain, code: number)
        let notes: [String: Any] = ["_kCFStreamErrorDomainKey": 1, "_kCFStreamErrorCodeKey": number]
        let stream = NSError(domain: "kCFErrorDomainCFNetwork", code: -1004, userInfo: notes)
        for below in [posix, stream] {
            let error = URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: below])
            #expect(try failure(error).reason == reason)
        }
    }

    /// An error that doesn't say that no connection was opened may have hit a request that was sent: a POST must not be
    /// sent again.
    @Test(arguments: [POSIXErrorCode.ETIMEDOUT, .ENETDOWN, .EHOSTUNREACH, .ECONNRESET, .EPIPE])
    func takesNoErrorOfAnOpenConnectionForOneOfOpeningIt(code: POSIXErrorCode) throws {
        let posix = NSError(domain: NSPOSIXErrorDomain, code: Int(code.rawValue))
        let reason: FailureReason = code == .ETIMEDOUT ? .firstByteTimeout : .connectionReset
        #expect(try failure(posix).reason == reason)
        let lost = URLError(
            code == .ETIMEDOUT ? .timedOut : .networkConnectionLost,
            userInfo: [NSUnderlyingErrorKey: posix],
        )
        #expect(try failure(lost).reason == reason)
    }

    @Test(
        arguments: [
            (1, FailureReason.hostNotFound),
            (120, .proxyFailed),
            (302, .connectionReset),
            (303, .malformedResponse),
            (305, .url),
            (306, .proxyFailed),
            (310, .proxyFailed),
            (311, .proxyFailed),
            (-1001, .firstByteTimeout),
            (9999, .transportFailed),
        ]
    )
    func namesTheReasonOfAnErrorOfCFNetwork(code: Int, reason: FailureReason) throws {
        #expect(try failure(NSError(domain: "kCFErrorDomainCFNetwork", code: code)).reason == reason)
    }

    @Test func reportsAFailedProxy() throws {
        let below = NSError(domain: "kCFErrorDomainCFNetwork", code: 310)
        for code in [URLError.Code.networkConnectionLost, .secureConnectionFailed, .timedOut] {
            #expect(try failure(URLError(code, userInfo: [NSUnderlyingErrorKey: below])).reason == .proxyFailed)
        }
    }

    @Test func hasASuggestionForPlainHTTP() throws {
        let error = try failure(URLError(.appTransportSecurityRequiresSecureConnection))
        #expect(error.hint?.contains("NSAppTransportSecurity") == true)
    }

    @Test func passesCancellationOn() {
        #expect(transportFailure(of: URLError(.cancelled), for: request, at: .connecting) is CancellationError)
    }
}
