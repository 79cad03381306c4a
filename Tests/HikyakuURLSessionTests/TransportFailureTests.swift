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
            (.cannotDecodeContentData, .malformedResponse),
            (.secureConnectionFailed, .tlsFailed),
            (.serverCertificateUntrusted, .tlsFailed),
            (.serverCertificateHasBadDate, .tlsFailed),
            (.serverCertificateNotYetValid, .tlsFailed),
            (.serverCertificateHasUnknownRoot, .tlsFailed),
            (.clientCertificateRejected, .tlsFailed),
            (.timedOut, .connectTimeout),
            (.appTransportSecurityRequiresSecureConnection, .connectionFailed),
            (.resourceUnavailable, .transportFailed),
        ]
    )
    func namesTheReason(code: URLError.Code, reason: FailureReason) throws {
        let failure = transportFailure(of: URLError(code), for: request, hasResponse: false)
        let error = try #require(failure as? TransportError)
        #expect(error.reason == reason)
        #expect((error.underlyingError as? URLError)?.code == code)
        #expect(error.message.contains("api.example"))
        #expect(!error.message.contains("hush"))
    }

    @Test func tellsABrokenResponseFromABrokenRequest() throws {
        let failure = transportFailure(of: URLError(.networkConnectionLost), for: request, hasResponse: true)
        #expect((failure as? TransportError)?.reason == .truncatedResponse)
    }

    @Test func takesTheSystemsWordOnAConnectionThatFailed() throws {
        let below = NSError(domain: NSPOSIXErrorDomain, code: Int(POSIXErrorCode.EHOSTUNREACH.rawValue))
        let error = URLError(.cannotConnectToHost, userInfo: [NSUnderlyingErrorKey: below])
        let failure = transportFailure(of: error, for: request, hasResponse: false)
        #expect((failure as? TransportError)?.reason == .connectionFailed)
    }

    @Test func saysWhatToDoAboutPlainHTTP() throws {
        let code = URLError.Code.appTransportSecurityRequiresSecureConnection
        let failure = transportFailure(of: URLError(code), for: request, hasResponse: false)
        let message = try #require(failure as? TransportError).message
        #expect(message.contains("NSAppTransportSecurity"))
    }

    @Test func passesCancellationOn() {
        let failure = transportFailure(of: URLError(.cancelled), for: request, hasResponse: false)
        #expect(failure is CancellationError)
    }
}
