#if !canImport(Darwin)
import Foundation
import FoundationNetworking
import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

/// The words of libcurl from 7.81 to 8.x, which Foundation hands on under one code.
@Suite struct LibcurlMeaningTests {
    @Test(
        arguments: [
            ("SSL certificate problem: certificate has expired", FailureReason.certificateExpired),
            ("SSL certificate problem: certificate is not yet valid", .certificateExpired),
            ("SSL certificate problem: self-signed certificate", .certificateSelfSigned),
            ("SSL certificate problem: self signed certificate", .certificateSelfSigned),
            ("SSL certificate problem: self-signed certificate in certificate chain", .certificateUntrusted),
            ("SSL certificate problem: unable to get local issuer certificate", .certificateUntrusted),
            ("SSL: no alternative certificate subject name matches target host name 'a'", .certificateHostMismatch),
            ("SSL: certificate subject name 'expired' does not match target host name 'a'", .certificateHostMismatch),
            ("OpenSSL/3.0.17: error:0A00010B:SSL routines::wrong version number", .tlsFailed),
            ("TLS connect error: error:0A00010B:SSL routines::wrong version number", .tlsFailed),
            ("Failed to connect to proxy.chunk.example port 80 after 0 ms: Couldn't connect", .connectionFailed),
            ("Could not resolve proxy: proxy.example", .proxyFailed),
            ("Received HTTP code 407 from proxy after CONNECT", .proxyFailed),
            ("CONNECT tunnel failed, response 407", .proxyFailed),
            ("Proxy CONNECT aborted", .proxyFailed),
            ("Send failure: Broken pipe", .connectionReset),
            ("Too large response headers: 308159 > 307200", .headersTooLarge),
            ("Out of memory", .headersTooLarge),
            ("A value or data field grew larger than allowed", .headersTooLarge),
            ("Invalid Content-Length: value", .malformedContentLength),
            ("Nul byte in header", .malformedResponse),
            ("Header without colon", .malformedResponse),
            ("Failed writing header", .malformedResponse),
            ("something new", .transportFailed),
        ]
    )
    func readsTheWordsBeforeTheResponse(text: String, reason: FailureReason) throws {
        #expect(try self.reason(text, at: .connecting) == reason)
    }

    @Test(
        arguments: [
            (
                "Error while processing content unencoding: incorrect header check",
                FailureReason.malformedContentCoding,
            ),
            ("transfer closed with outstanding read data remaining", .missingLastChunk),
            ("transfer closed with 6 bytes remaining to read", .truncatedResponse),
            ("Illegal or missing hexadecimal sequence in chunked-encoding", .malformedChunk),
            ("Too long hexadecimal number in chunked-encoding", .malformedChunk),
            ("chunk hex-length char not a hex digit: 0x7a", .malformedChunk),
            ("Failed reading the chunked-encoded stream", .malformedChunk),
            ("Unrecognized content encoding type. libcurl understands gzip.", .unknownContentCoding),
            ("OpenSSL SSL_read: error:0A000126:SSL routines::unexpected eof while reading", .truncatedResponse),
            ("something new", .truncatedResponse),
        ]
    )
    func readsTheWordsWithinTheResponse(text: String, reason: FailureReason) throws {
        #expect(try self.reason(text, at: .receiving(transferCoding: nil)) == reason)
    }

    @Test func distinguishesTransferAndContentCodings() throws {
        let text = "Unrecognized content encoding type. libcurl understands gzip."
        #expect(try reason(text, at: .receiving(transferCoding: "Chunked")) == .unknownContentCoding)
        #expect(try reason(text, at: .receiving(transferCoding: "gurgle")) == .unknownTransferCoding)
    }

    private func reason(_ text: String, at stage: ExchangeStage) throws -> FailureReason {
        let request = HTTPRequest(url: try #require(URL(string: "https://api.example/")))
        let error = URLError(.unknown, userInfo: [NSLocalizedDescriptionKey: text])
        return try #require(transportFailure(of: error, for: request, at: stage) as? TransportError).reason
    }
}
#endif
