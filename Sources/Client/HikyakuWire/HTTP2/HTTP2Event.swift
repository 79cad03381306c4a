#if os(Linux)
import HikyakuHTTP

/// An event of an HTTP/2 connection; the number is the stream's, from ``HTTP2Session/open(_:_:holdsBack:)``.
enum HTTP2Event {
    /// An informational response (1xx) came; others may follow.
    case informational(Int32, status: Int)
    /// The fields of the final response came.
    case head(Int32, HTTP2Head)
    /// Bytes of the response's body, which are valid only while the event is handled.
    case body(Int32, UnsafeRawBufferPointer)
    /// The response is complete. Nothing follows for the stream.
    case ended(Int32, trailers: HTTPHeaders)
    /// No complete response will come. Nothing follows for the stream.
    case failed(Int32, HTTP2Failure)
    /// The session needs the next piece of the request's body.
    case wantsBody(Int32)
    /// How many bytes of the request's body were written to the connection; `isWhole` if they ended the request.
    case sent(Int32, bodyBytes: Int, isWhole: Bool)
    /// The server allows another number of streams.
    case capacityChanged
    /// The server accepts no further requests on this connection (GOAWAY); those in progress continue.
    case draining
    /// The connection broke a rule and can't be used any more; it is closed after the output is written.
    case broken(TransportError)
}

/// The fields of a final response.
struct HTTP2Head {
    let status: Int
    let headers: HTTPHeaders
    /// The length that the fields announce; `nil` if they don't, and 0 if the response has no body.
    let contentLength: Int?
}

/// Why a stream has no complete response.
struct HTTP2Failure: Error {
    enum Processing {
        /// Nothing of the request was written.
        case none
        /// The server has not processed the request: it may be repeated whatever its method is.
        ///
        /// [RFC 9113, section 8.7](https://www.rfc-editor.org/rfc/rfc9113#section-8.7)
        case refused
        /// The server processes it over HTTP/1.1 only (HTTP_1_1_REQUIRED): it may be repeated there.
        case overHTTP1Only
        /// The server may have processed it, but no byte of a response came.
        case unknown
        /// A part of a response came.
        case begun
    }

    let error: TransportError
    let processing: Processing
}

/// The limits of one HTTP/2 connection.
struct HTTP2Limits {
    /// All fields of one response, those of informational responses and trailers included, in bytes.
    ///
    /// A field counts its name, its value and 32 bytes (RFC 9113, section 6.5.2). It is also the limit for one encoded
    /// header block.
    var headerBytesMax = 256 * 1024
    var headerFieldsMax = 500
    /// CONTINUATION frames of one header block.
    var continuationsMax = 128
    /// Streams at a time, whatever the server allows.
    var streamsMax = 256
    /// What a server may send of one response before it is read.
    ///
    /// It is the capacity of a response's stream (``PieceMemory``).
    var streamWindow = Int32(PieceMemory.capacity)
    /// What a server may send of all responses before the window is updated.
    var connectionWindow: Int32 = 16 << 20
    /// How many bytes may wait for their readers before the connection's window is no longer updated at once.
    ///
    /// The window is updated at once so that a slow reader delays no other. The limit is what 64 readers that stop
    /// reading leave unread, as they do over 64 connections of HTTP/1.1.
    var unreadBytesMax = 64 * PieceMemory.capacity
    /// How many bytes of requests' bodies are framed ahead of the socket.
    var outputBytesMax = 64 * 1024
    /// How many frames may come that carry nothing of a response, and how many more each second.
    var idleFramesMax = 2000
    var idleFramesPerSecond = 50
    /// The first stream's number.
    var firstStreamID: Int32 = 1
}

extension TransportError {
    static func malformedHTTP2(_ text: String) -> TransportError { WireCause.brokenHTTP2.error(text) }
}
#endif
