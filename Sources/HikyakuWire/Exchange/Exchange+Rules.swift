#if os(Linux)
import HikyakuHTTP

// What holds for an exchange whichever protocol carries it.
extension Exchange {
    /// What becomes of an exchange whose connection was lost.
    enum Replay {
        /// It is made ready to be sent again.
        case ready
        /// It might have been sent again, but for this.
        case refused(String)
        /// Nothing says that the connection was dead before the request was sent.
        case notApplicable
    }

    /// Decides whether the request is sent again over a new connection, and makes it ready.
    ///
    /// It is when nothing of a response came over a kept connection, once, and if nothing of it was sent, or it may be
    /// sent twice (RFC 9110, section 9.2.2).
    ///
    /// - Parameters:
    ///   - isOnKept: Whether the connection may have been dead before the request was sent.
    ///   - isUnanswered: Whether nothing of a response came.
    ///   - hasSent: Whether the server may have got a part of the request.
    /// - Returns: What was decided.
    func prepareReplay(isOnKept: Bool, isUnanswered: Bool, hasSent: Bool) -> Replay {
        guard isUnanswered, isOnKept, !isReplayed else { return .notApplicable }
        guard !hasSent || isIdempotent else {
            return .refused("the kept connection was closed, and \(method) is not sent twice")
        }
        guard sender.restart() else {
            return .refused("the kept connection was closed, and the request's body can't be read again")
        }
        isReplayed = hasSent
        return .ready
    }

    /// What to say when the time of the present stage is up.
    var timeoutError: TransportError {
        let reason = stage.reason
        let text =
            reason == .firstByteTimeout
            ? "no byte of a response within \(options.timeouts.firstByte)" : "silence for \(options.timeouts.idle)"
        return TransportError(reason, text)
    }
}
#endif
