#if !canImport(Darwin)
import Foundation
import FoundationNetworking
import HikyakuHTTP

/// What an error means on Linux, where Foundation uses libcurl and reports its texts under very few codes.
///
/// The texts differ a little between versions; one that isn't recognised keeps the meaning of its code and stage.
func meaningOnLinux(of error: URLError, at stage: ExchangeStage) -> FailureMeaning? {
    let text = error.localizedDescription
    switch error.code {
    // An answer without a status line is taken for HTTP/0.9, which libcurl then refuses.
    case .unsupportedURL: return (.malformedResponse, "the response is not valid HTTP")
    case .badServerResponse where !stage.hasResponse:
        return (.connectionClosed, "the server closed the connection without a response")
    case .networkConnectionLost: return (.connectionReset, "the connection was reset")
    case .unknown:
        if text.hasPrefix("Unrecognized content encoding") { return unknownCoding(at: stage) }
        let known = meanings.first { $0.isIn(text) }?.meaning
        return known ?? (stage.hasResponse ? lostConnection(at: stage) : meaningOfTLS(text))
    default: return nil
    }
}

/// libcurl has the same words for both fields.
private func unknownCoding(at stage: ExchangeStage) -> FailureMeaning {
    if case .receiving(let coding?) = stage, coding.asciiLowercased != "chunked" {
        return (.unknownTransferCoding, "unsupported transfer coding")
    }
    return (.unknownContentCoding, "unsupported content coding")
}

/// By TLS's own words, which begin with the library's name or hold an error of OpenSSL.
private func meaningOfTLS(_ text: String) -> FailureMeaning? {
    let isOfTLS = ["SSL", "OpenSSL", "TLS", "error:"].contains { text.hasPrefix($0) }
    return isOfTLS ? (.tlsFailed, "the TLS handshake failed") : nil
}

/// A text by which libcurl begins, and what follows somewhere behind it.
private struct LibcurlText {
    let start: String
    let word: String
    let meaning: FailureMeaning

    init(_ start: String, and word: String = "", _ reason: FailureReason, _ text: String) {
        self.start = start
        self.word = word
        meaning = (reason, text)
    }

    func isIn(_ text: String) -> Bool { text.hasPrefix(start) && (word.isEmpty || text.contains(word)) }
}

// Those with a host's name in them come first, so that no name passes for another text.
private let meanings = certificates + connections + heads + bodies

private let certificates = [
    LibcurlText("SSL: ", and: "match", .certificateHostMismatch, "the server's certificate is for another host"),
    LibcurlText(
        "SSL certificate problem",
        and: "expired",
        .certificateExpired,
        "the server's certificate has expired",
    ),
    LibcurlText(
        "SSL certificate problem",
        and: "not yet valid",
        .certificateExpired,
        "the server's certificate is not yet valid",
    ),
    LibcurlText(
        "SSL certificate problem",
        and: "in certificate chain",
        .certificateUntrusted,
        "the server's authority is not trusted",
    ),
    LibcurlText(
        "SSL certificate problem",
        and: "self",
        .certificateSelfSigned,
        "the server's certificate is signed by itself",
    ),
    LibcurlText(
        "SSL certificate problem",
        and: "unable to",
        .certificateUntrusted,
        "the server's certificate is not signed by a trusted authority",
    ),
]

private let connections = [
    LibcurlText("Failed to connect to", .connectionFailed, "the connection could not be opened"),
    LibcurlText("Couldn't connect to server", .connectionFailed, "the connection could not be opened"),
    LibcurlText("Could not resolve proxy", .proxyFailed, "the proxy's host name could not be resolved"),
    LibcurlText("CONNECT tunnel failed", .proxyFailed, "the proxy did not forward the request"),
    LibcurlText("Received HTTP code", and: "proxy", .proxyFailed, "the proxy did not forward the request"),
    LibcurlText("Proxy CONNECT", .proxyFailed, "the proxy did not forward the request"),
    LibcurlText("Send failure", .connectionReset, "the connection closed inside the request"),
]

private let heads = [
    LibcurlText("Too large response headers", .headersTooLarge, "the header block is larger than libcurl allows"),
    // What a line that is too long for libcurl comes to.
    LibcurlText("Out of memory", .headersTooLarge, "a header line is longer than libcurl allows"),
    LibcurlText("A value or data field grew larger", .headersTooLarge, "a line is longer than libcurl allows"),
    LibcurlText("Invalid Content-Length", .malformedContentLength, "Content-Length is no number"),
    LibcurlText("Nul byte in header", .malformedResponse, "a field has a NUL in it"),
    LibcurlText("Header without colon", .malformedResponse, "a header line is not a field"),
    LibcurlText("Failed writing header", .malformedResponse, "Foundation can't read the header block"),
    LibcurlText("Received HTTP/0.9", .malformedResponse, "the response is not valid HTTP"),
    LibcurlText("Unsupported HTTP", .malformedResponse, "the response is not valid HTTP"),
]

private let bodies = [
    LibcurlText(
        "Error while processing content unencoding",
        .malformedContentCoding,
        "the body does not match its Content-Encoding",
    ),
    LibcurlText(
        "transfer closed with outstanding",
        .missingLastChunk,
        "the connection closed before the last chunk",
    ),
    LibcurlText("transfer closed with", .truncatedResponse, "the connection closed inside the body"),
    LibcurlText("", and: "chunk", .malformedChunk, "the body has a malformed chunk"),
]
#endif
