#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

extension EasyHandle {
    /// What came of the exchange, by the code with which libcurl ended the transfer.
    func outcome(of code: CURLcode) -> Result<ReceivedResponse, any Error> {
        if let failure = transfer.pointee.failure { return .failure(failure) }
        // libcurl sees a transfer that was broken off; the response was whole before that, or as long as it is wanted.
        if transfer.pointee.hasExcess || transfer.pointee.isBodyCut { return .success(transfer.pointee.takeResponse()) }
        guard code == CURLE_OK || transfer.pointee.isAbandoned else {
            return .failure(transfer.pointee.exchange?.upload?.failure ?? error(for: code))
        }
        // A connection that is closed inside of the header block is a success to some versions of libcurl.
        guard transfer.pointee.head.isComplete else {
            guard transfer.pointee.head.hasBegun || code == CURLE_OK else {
                return .failure(error(.connectionClosed, "the server closed the connection amid the request"))
            }
            return .failure(error(.truncatedHeaders, "the response ended inside of its header block"))
        }
        if let problem = transfer.pointee.problemAtEnd { return .failure(error(problem.reason, problem.text)) }
        return .success(transfer.pointee.takeResponse())
    }

    private func error(for code: CURLcode) -> TransportError {
        let text = CurlError.mayShowText(of: code) ? failureText : ""
        let system = Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO))
        let error = CurlError(code, systemErrorNumber: system, text: text)
        let reason = connectionReason(for: code) ?? reason(for: code, system: system)
        let what = connectionText(for: code, error.text)
        return self.error(reason, reason == .headersTooLarge ? ResponseHead.tooLargeText : what, error)
    }

    private func error(_ reason: FailureReason, _ text: String, _ underlyingError: CurlError? = nil) -> TransportError {
        TransportError(
            reason,
            "\(transfer.pointee.exchange?.hostAndPort ?? ""): \(text)",
            underlyingError: underlyingError,
        )
    }

    private func reason(for code: CURLcode, system: Int32) -> FailureReason {
        switch code {
        case CURLE_COULDNT_CONNECT:
            Self.connectReason(for: system)
        case CURLE_GOT_NOTHING where transfer.pointee.head.hasBegun:
            .truncatedHeaders  // informational responses alone are nothing to libcurl
        case CURLE_PARTIAL_FILE where !transfer.pointee.head.isComplete:
            .truncatedHeaders
        case CURLE_PARTIAL_FILE where transfer.pointee.isChunked:
            .missingLastChunk
        case CURLE_RECV_ERROR where transfer.pointee.endsWithTLS && failureText.contains("unexpected eof"):
            .truncatedResponse
        case CURLE_RECV_ERROR where failureText.contains("chunk"):
            // A trailer may be too long for libcurl.
            failureText.contains("memory") ? .headersTooLarge : .malformedChunk
        case CURLE_WEIRD_SERVER_REPLY where failureText.contains("Content-Length"):
            .malformedContentLength  // libcurl reads the line before the transfer does
        case CURLE_BAD_CONTENT_ENCODING:
            .unknownTransferCoding  // content codings are left alone, so it means the other field
        case CURLE_UNSUPPORTED_PROTOCOL where hasSent:
            .malformedResponse  // what came looked like HTTP/0.9
        case CURLE_BAD_FUNCTION_ARGUMENT where transfer.pointee.head.hasBegun:
            .malformedResponse  // a line that libcurl can't store as a field
        case CURLE_OUT_OF_MEMORY where hasSent && !transfer.pointee.head.isComplete, Self.tooLarge:
            .headersTooLarge  // one line alone was too long for libcurl
        default:
            Self.reasons[code.rawValue] ?? .transportFailed
        }
    }

    private var hasSent: Bool { transfer.pointee.sendCount > 0 }

    /// `CURLE_TOO_LARGE`, which the oldest headers don't name.
    private static let tooLarge = CURLcode(rawValue: 100)

    private static func connectReason(for system: Int32) -> FailureReason {
        switch system {
        case ECONNREFUSED: .connectionRefused
        case ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN: .networkUnreachable
        default: .connectionFailed
        }
    }

    private static let reasons: [UInt32: FailureReason] = {
        let groups: [(FailureReason, [CURLcode])] = [
            (.hostNotFound, [CURLE_COULDNT_RESOLVE_HOST]),
            (.url, [CURLE_URL_MALFORMAT]),
            (.connectionFailed, [CURLE_COULDNT_RESOLVE_PROXY, CURLE_PROXY, CURLE_INTERFACE_FAILED]),
            (.connectTimeout, [CURLE_OPERATION_TIMEDOUT]),
            (.connectionClosed, [CURLE_GOT_NOTHING]),
            (.connectionReset, [CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2, CURLE_HTTP2_STREAM]),
            (.truncatedResponse, [CURLE_PARTIAL_FILE]),
            (.malformedResponse, [CURLE_WEIRD_SERVER_REPLY]),
            (.tlsFailed, CurlError.tlsCodes),
        ]
        var reasons: [UInt32: FailureReason] = [:]
        for (reason, codes) in groups {
            for code in codes { reasons[code.rawValue] = reason }
        }
        return reasons
    }()
}
#endif
