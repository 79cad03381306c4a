#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

extension EasyHandle {
    /// What came of the exchange, by the code with which libcurl ended the transfer.
    func outcome(of code: CURLcode) -> Result<ReceivedResponse, any Error> {
        if let failure = transfer.pointee.failure { return .failure(failure) }
        guard code == CURLE_OK else { return .failure(error(for: code)) }
        // A connection that is closed inside of the header block is a success to some versions of libcurl.
        guard transfer.pointee.head.isComplete else {
            return .failure(error(.truncatedResponse, "the response ended inside of its header block"))
        }
        return .success(transfer.pointee.takeResponse())
    }

    private func error(for code: CURLcode) -> TransportError {
        let text = CurlError.mayShowText(of: code) ? failureText : ""
        let system = Int32(truncatingIfNeeded: number(CURLINFO_OS_ERRNO))
        let error = CurlError(code, systemErrorNumber: system, text: text)
        let reason = reason(for: code, system: system)
        return self.error(reason, reason == .headersTooLarge ? ResponseHead.tooLargeText : error.text, error)
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
        case CURLE_RECV_ERROR where failureText.contains("chunk"):
            .malformedResponse
        case CURLE_UNSUPPORTED_PROTOCOL where hasSent:
            .malformedResponse  // what came looked like HTTP/0.9
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
            (.malformedResponse, [CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING]),
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
