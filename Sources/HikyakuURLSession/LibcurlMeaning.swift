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
    case .unsupportedURL: return Meaning.noHTTP
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
private struct CurlText {
    let start: String
    let word: String
    let meaning: FailureMeaning

    init(_ start: String, and word: String = "", _ meaning: FailureMeaning) {
        (self.start, self.word, self.meaning) = (start, word, meaning)
    }

    func isIn(_ text: String) -> Bool { text.hasPrefix(start) && (word.isEmpty || text.contains(word)) }
}

// Those with a host's name in them come first, so that no name passes for another text.
private let meanings = certificates + connections + heads + bodies

private let sslProblem = "SSL certificate problem"

private let certificates = [
    CurlText("SSL: ", and: "match", Meaning.wrongHost),
    CurlText(sslProblem, and: "expired", Meaning.expired),
    CurlText(sslProblem, and: "not yet valid", Meaning.notYetValid),
    CurlText(
        sslProblem,
        and: "in certificate chain",
        (.certificateUntrusted, "the server's authority is not trusted"),
    ),
    CurlText(sslProblem, and: "self", (.certificateSelfSigned, "the server's certificate is signed by itself")),
    CurlText(sslProblem, and: "unable to", Meaning.untrusted),
]

private let connections = [
    CurlText("Failed to connect to", Meaning.notConnected),
    CurlText("Couldn't connect to server", Meaning.notConnected),
    CurlText("Could not resolve proxy", (.proxyFailed, "the proxy's host name could not be resolved")),
    CurlText("CONNECT tunnel failed", Meaning.refusedByProxy),
    CurlText("Received HTTP code", and: "proxy", Meaning.refusedByProxy),
    CurlText("Proxy CONNECT", Meaning.refusedByProxy),
    CurlText("Send failure", (.connectionReset, "the connection closed inside the request")),
]

private let heads = [
    CurlText("Too large response headers", (.headersTooLarge, "the header block is larger than libcurl allows")),
    // What a line that is too long for libcurl comes to.
    CurlText("Out of memory", (.headersTooLarge, "a header line is longer than libcurl allows")),
    CurlText("A value or data field grew larger", (.headersTooLarge, "a line is longer than libcurl allows")),
    CurlText("Invalid Content-Length", (.malformedContentLength, "Content-Length is no number")),
    CurlText("Nul byte in header", (.malformedResponse, "a field has a NUL in it")),
    CurlText("Header without colon", (.malformedResponse, "a header line is not a field")),
    CurlText("Failed writing header", (.malformedResponse, "Foundation can't read the header block")),
    CurlText("Received HTTP/0.9", Meaning.noHTTP),
    CurlText("Unsupported HTTP", Meaning.noHTTP),
]

private let bodies = [
    CurlText("Error while processing content unencoding", Meaning.damagedCoding),
    CurlText("transfer closed with outstanding", (.missingLastChunk, "the connection closed before the last chunk")),
    CurlText("transfer closed with", (.truncatedResponse, "the connection closed inside the body")),
    CurlText("", and: "chunk", (.malformedChunk, "the body has a malformed chunk")),
]
#endif
