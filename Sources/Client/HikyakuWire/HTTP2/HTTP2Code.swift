#if os(Linux)
import HikyakuHTTP

/// A code of RST_STREAM or GOAWAY ([RFC 9113, section 7](https://www.rfc-editor.org/rfc/rfc9113#section-7)).
struct HTTP2Code: Equatable, CustomStringConvertible {
    static let noError = HTTP2Code(0)
    static let refusedStream = HTTP2Code(7)
    static let inadequateSecurity = HTTP2Code(12)
    static let http11Required = HTTP2Code(13)

    private static let known: [(name: String, cause: WireCause)] = [
        ("NO_ERROR", .closed), ("PROTOCOL_ERROR", .protocolCode), ("INTERNAL_ERROR", .otherCode),
        ("FLOW_CONTROL_ERROR", .protocolCode), ("SETTINGS_TIMEOUT", .otherCode), ("STREAM_CLOSED", .protocolCode),
        ("FRAME_SIZE_ERROR", .protocolCode), ("REFUSED_STREAM", .refusedStream), ("CANCEL", .cancelCode),
        ("COMPRESSION_ERROR", .protocolCode), ("CONNECT_ERROR", .otherCode), ("ENHANCE_YOUR_CALM", .overloadCode),
        ("INADEQUATE_SECURITY", .securityCode), ("HTTP_1_1_REQUIRED", .versionCode),
    ]

    let value: UInt32

    init(_ value: UInt32) {
        self.value = value
    }

    var description: String { value < Self.known.count ? Self.known[Int(value)].name : "error code \(value)" }

    /// What a server says with it of a request that it may have processed.
    ///
    /// An unknown code has no meaning of its own; it is read as INTERNAL_ERROR.
    var cause: WireCause { value < Self.known.count ? Self.known[Int(value)].cause : .otherCode }
}

/// What a server said when it ended a connection
/// ([RFC 9113, section 6.8](https://www.rfc-editor.org/rfc/rfc9113#section-6.8)).
struct HTTP2GoAway: CustomStringConvertible {
    let code: HTTP2Code
    /// What of the server's debug data may be shown; empty for none.
    let words: String

    init(_ code: UInt32, debugData: UnsafeRawBufferPointer) {
        self.code = HTTP2Code(code)
        words = Redaction.words(in: debugData)
    }

    /// `GOAWAY ENHANCE_YOUR_CALM, "too_many_pings"`.
    var description: String { "GOAWAY \(code)" + (words.isEmpty ? "" : ", \"\(words)\"") }
}
#endif
