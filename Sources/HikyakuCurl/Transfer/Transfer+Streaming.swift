#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

extension Transfer {
    /// Whether the exchange waits for its caller, as reader or as source; its timeouts stand still meanwhile.
    var isHeldBack: Bool { isReceivingPaused || isSendingPaused }

    /// How much of the body libcurl has taken, and whether that is all; what small bodies are, it took beforehand.
    var sending: (bytesTaken: Int, isWhole: Bool) {
        exchange?.upload?.progress ?? (upload.count, isBodyOut)
    }

    // MARK: - Receiving

    /// Hands the caller the head where the body is streamed; called when the header block is there.
    mutating func beginStreaming(bodyCount: Int?, isEmpty: Bool) -> Bool {
        guard let exchange else { return false }
        if isSendingPaused { exchange.agenda?.add(exchange) }
        guard isStreamed, !isEmpty else { return false }
        exchange.deliver(head, bodyCount: bodyCount)
        return true
    }

    /// Whether a streamed body has no room for so many bytes, so that libcurl has to keep them.
    ///
    /// The first time in a round, it opens the piece to which they are added.
    mutating func mustPause(before count: Int) -> Bool {
        guard isStreamed || isSendingPaused else { return false }
        if piece == nil {
            guard let exchange else { return false }
            exchange.agenda?.add(exchange)
            piece = exchange.download?.openPiece()
        }
        isReceivingPaused = piece?.isFull(adding: count) ?? false
        return isReceivingPaused
    }

    /// Lets the reader have what came.
    ///
    /// - Returns: Whether the transfer has to be paused, since the reader is slow.
    mutating func closePiece() -> Bool {
        guard let piece = piece.take(), let download = exchange?.download else { return false }
        return download.close(piece, isFull: isReceivingPaused)
    }

    // MARK: - Sending

    mutating func sendBody(of stream: UploadStream, into room: UnsafeMutableRawBufferPointer) -> Int {
        if mustRestartUpload, !restartUpload() { return Int(CURL_READFUNC_ABORT) }
        switch stream.read(into: room) {
        case .bytes(let count):
            return count
        case .end:
            return 0
        case .pause:
            isSendingPaused = true
            return Int(CURL_READFUNC_PAUSE)
        case .failure:
            return Int(CURL_READFUNC_ABORT)
        }
    }

    /// Whether the server is still there to take the rest of a streamed body; libcurl asks whenever something happened.
    ///
    /// libcurl itself goes on sending to a server that has closed its side, or waits for the source for ever.
    mutating func mayGoOnSending() -> Bool {
        guard let upload = exchange?.upload, !isReceivingPaused, !upload.progress.isWhole,
            let socket = usedConnection.flatMap(connections.socket)
        else { return true }
        var byte: UInt8 = 0
        isAbandoned = recv(socket, &byte, 1, Int32(MSG_PEEK | MSG_DONTWAIT)) == 0
        return !isAbandoned
    }

    /// Begins a streamed body anew for a request that is sent once more.
    mutating func restartUpload() -> Bool {
        isSendingPaused = false
        mustRestartUpload = false
        guard let upload = exchange?.upload, !upload.restart() else { return true }
        _ = refuseRestart()
        return false
    }

    /// Ends the transfer, since its body can't be read again.
    mutating func refuseRestart() -> Int32 {
        fail(.connectionClosed, "the kept connection was closed, and the request's body can't be read again")
        return CURL_SEEKFUNC_FAIL
    }
}
#endif
