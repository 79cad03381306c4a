#if os(Linux)
import CCurl
import HikyakuHTTP

extension EasyHandle {
    /// Whether a request that was lost with its kept connection is to go over a new one; its body is then as it was.
    func mayStartAfresh(after code: CURLcode) -> Bool {
        guard transfer.pointee.isAbandoned || code == CURLE_SEND_ERROR, !transfer.pointee.head.hasBegun,
            let exchange = transfer.pointee.exchange, exchange.isWaiting, !exchange.needsNewConnection,
            exchange.request.method.isIdempotent, number(CURLINFO_NUM_CONNECTS) == 0
        else { return false }
        return exchange.upload?.restart() ?? true
    }

    /// Lets both directions go on or wait, as their streams have it.
    ///
    /// - Returns: `CURLE_OK`, or why what libcurl had kept can't be received.
    func setPauses() -> CURLcode {
        guard let exchange = transfer.pointee.exchange else { return CURLE_OK }
        let mustStopReceiving = exchange.download?.isPaused == true
        let mustStopSending = exchange.upload?.isStarved == true && !transfer.pointee.head.isComplete
        // The time that the caller took is nobody's silence.
        if transfer.pointee.isHeldBack { transfer.pointee.timer.sentBody(at: transfer.pointee.now) }
        transfer.pointee.isReceivingPaused = mustStopReceiving
        transfer.pointee.isSendingPaused = mustStopSending
        let action = (mustStopReceiving ? CURLPAUSE_RECV : 0) | (mustStopSending ? CURLPAUSE_SEND : 0)
        let code = curl_easy_pause(pointer, action)
        // There is no connection any more, or not yet again.
        return code == CURLE_BAD_FUNCTION_ARGUMENT ? CURLE_OK : code
    }
}
#endif
