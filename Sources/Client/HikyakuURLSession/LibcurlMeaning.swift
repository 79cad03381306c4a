#if !canImport(Darwin)
import Foundation
import FoundationNetworking
import HikyakuHTTP

/// What an error means on Linux, where Foundation uses libcurl and reports its texts with only a few codes.
///
/// The texts differ a little between versions. If a text is not recognised, the code and the stage decide.
func meaningOnLinux(of error: URLError, at stage: ExchangeStage) -> FailureMeaning? {
    let text = error.localizedDescription
    switch error.code {
    // libcurl treats a response without a status line as HTTP/0.9, and rejects it.
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

/// The meaning of an unsupported coding: libcurl has the same text for content codings and transfer codings.
private func unknownCoding(at stage: ExchangeStage) -> FailureMeaning {
    if case .receiving(let coding?) = stage, coding.asciiLowercased != "chunked" {
        return (.unknownTransferCoding, "unsupported transfer coding")
    }
    return (.unknownContentCoding, "unsupported content coding")
}

/// The meaning of a text about TLS, which begins with the library's name or with an error of OpenSSL.
private func meaningOfTLS(_ text: String) -> FailureMeaning? {
    let isOfTLS = ["SSL", "OpenSSL", "TLS", "error:"].contains { text.hasPrefix($0) }
    return isOfTLS ? (.tlsFailed, "the TLS handshake failed") : nil
}

/// How a text of libcurl begins, and a word that it contains after that.
private struct CurlText {
    let start: String
    let word: String
    let meaning: FailureMeaning

    init(_ start: String, and word: String = "", _ meaning: FailureMeaning) {
        (self.start, self.word, self.meaning) = (start, word, meaning)
    }

    func isIn(_ text: String) -> Bool { text.hasPrefix(start) && (word.isEmpty || text.contains(word)) }
}

// Texts that contain a host's name come first, so that no name is mistaken for another text.
private let meanings = certificates + connections + heads + bodies

private let sslProblem = "SSL certificate problem"

private let certificates = [
    CurlText("SSL: ", and: "match", Meaning.wrongHost),
    CurlText(sslProblem, and: "expired", Meaning.expired),
    CurlText(sslProblem, and: "not yet valid", Meaning.notYetValid),
    CurlText(
        sslProblem,
        and: "in certificate chain",
        (.certificateUntrusted, "the certificate's authority is not trusted"),
    ),
    CurlText(sslProblem, and: "self", (.certificateSelfSigned, "the server's certificate is self-signed")),
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
    // libcurl reports a line that is too long in this way.
    CurlText("Out of memory", (.headersTooLarge, "a header line is longer than libcurl allows")),
    CurlText("A value or data field grew larger", (.headersTooLarge, "a line is longer than libcurl allows")),
    CurlText("Invalid Content-Length", (.malformedContentLength, "Content-Length is not a number")),
    CurlText("Nul byte in header", (.malformedResponse, "a header field contains a NUL")),
    CurlText("Header without colon", (.malformedResponse, "a header line has no colon")),
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
