#if canImport(os)
public import os

extension APIClient {
    /// A client that logs what it really sends and receives to the system's log; a second call replaces the first.
    ///
    /// ```swift
    /// import os
    ///
    /// let client = APIClient().logging(.line, to: Logger(subsystem: "com.example.reader", category: "network"))
    /// ```
    /// Calls that failed have the level `error`, and other calls `info`. Header blocks and bodies have `debug`: the
    /// system does not store them. Since secrets are hidden, entries are public. If secrets are revealed, entries are
    /// private: the system shows them only in the debugger, and where private data is enabled.
    ///
    /// The system cuts long entries, so what is longer than about 1,000 bytes is logged as several ones.
    ///
    /// - Parameters:
    ///   - level: How much is logged.
    ///   - revealingSecrets: Whether credentials, query values and bodies are also shown.
    ///   - logger: The log's subsystem and category.
    /// - Returns: The client that logs.
    public func logging(_ level: LoggingLevel, revealingSecrets: Bool = false, to logger: Logger) -> APIClient {
        let step = CallLogging(level: level, revealingSecrets: revealingSecrets) { kind, text in
            let type: OSLogType =
                switch kind {
                case .failure: .error
                case .outcome: .info
                case .detail: .debug
                }
            for piece in text.logPieces() {
                if revealingSecrets {
                    logger.log(level: type, "\(piece, privacy: .private)")
                } else {
                    logger.log(level: type, "\(piece, privacy: .public)")
                }
            }
        }
        return with { $0.logging = step }
    }

    /// A client whose calls are intervals in Instruments, by signposts; a second call replaces the first.
    ///
    /// ```swift
    /// import os
    ///
    /// let client = APIClient().signposting(with: OSSignposter(subsystem: "com.example.reader", category: "network"))
    /// ```
    /// `Call` lasts from the built request to the model, with the type of the request and the outcome. `Exchange` is
    /// one request and its response on the wire, with method and URL: several in a call that is redirected or sent
    /// again, and none for a stub. Secrets are hidden. `Step` marks a moment, such as a retry or a wait for a limit.
    ///
    /// While no one records signposts, texts are not made; the events of the transport are still emitted.
    ///
    /// - Parameter signposter: The subsystem and category of the signposts.
    /// - Returns: The client with signposts.
    public func signposting(with signposter: OSSignposter) -> APIClient {
        with { $0.intervals = CallIntervals(SignpostRecorder(signposter: signposter)) }
    }
}

/// Records intervals as signposts, whose names must be literals.
private struct SignpostRecorder: IntervalRecorder {
    let signposter: OSSignposter

    func begin(_ kind: CallIntervals.Kind, _ text: () -> String) -> UInt64? {
        guard signposter.isEnabled else { return nil }
        let (id, text) = (signposter.makeSignpostID(), text())
        // The states are made again from the numbers.
        switch kind {
        case .call: _ = signposter.beginInterval("Call", id: id, "\(text, privacy: .public)")
        case .exchange: _ = signposter.beginInterval("Exchange", id: id, "\(text, privacy: .public)")
        }
        return id.rawValue
    }

    func end(_ kind: CallIntervals.Kind, _ id: UInt64, _ text: String) {
        let state = OSSignpostIntervalState.beginState(id: OSSignpostID(id))
        switch kind {
        case .call: signposter.endInterval("Call", state, "\(text, privacy: .public)")
        case .exchange: signposter.endInterval("Exchange", state, "\(text, privacy: .public)")
        }
    }

    func mark(_ text: () -> String) {
        guard signposter.isEnabled else { return }
        let text = text()
        signposter.emitEvent("Step", "\(text, privacy: .public)")
    }
}
#endif

extension String {
    /// The text in pieces, each with as many whole lines as fit; a longer line is split between two scalars.
    ///
    /// - Parameter bytesMax: The size of a piece, at least 4. The system's log cuts entries of 1,024 bytes.
    /// - Returns: At least one piece.
    func logPieces(bytesMax: Int = 1_000) -> [String] {
        guard utf8.count > bytesMax else { return [self] }
        var pieces: [String] = []
        var rest = utf8[...]
        while rest.count > bytesMax {
            let end = rest.index(rest.startIndex, offsetBy: bytesMax)
            if let line = rest[..<rest.index(after: end)].lastIndex(of: UInt8(ascii: "\n")) {
                pieces.append(String(decoding: rest[..<line], as: UTF8.self))
                rest = rest[rest.index(after: line)...]
            } else {
                // A scalar's first byte is not a continuation.
                let end = rest[rest.startIndex...end].lastIndex { $0 & 0xC0 != 0x80 } ?? end
                pieces.append(String(decoding: rest[..<end], as: UTF8.self))
                rest = rest[end...]
            }
        }
        return pieces + [String(decoding: rest, as: UTF8.self)]
    }
}
