#if os(Linux)
import HikyakuHTTP

/// How long an exchange may stay where it is.
///
/// The stages, which the callbacks tell of:
/// - `connecting`: no request is sent yet. libcurl keeps the time by itself, but not while it holds a transfer back
///   until another one's connection is there; that is what the limit here is for. Next: `sending`.
/// - `sending`: the request goes out, or is out, and no line of a response came. Next: `receiving`, or `connecting`
///   when a kept connection turned out to be dead.
/// - `receiving`: until the end, unless the exchange begins anew over another connection.
///
/// Noting that something moved is one store. What doesn't show in callbacks is asked for when the time may be up.
struct StageTimer {
    /// The timeouts in nanoseconds.
    struct Limits {
        let connect: Int64
        let firstByte: Int64
        let idle: Int64

        init(_ timeouts: TransportTimeouts) {
            connect = timeouts.connect.clampedNanoseconds
            firstByte = timeouts.firstByte.clampedNanoseconds
            idle = timeouts.idle.clampedNanoseconds
        }
    }

    enum Stage {
        case connecting, sending, receiving
    }

    /// How far the request is, as libcurl says it.
    struct Sending {
        /// How much of the body was handed to the system.
        var bytesSent = 0
        var isOut = true
        /// How long after the beginning the first byte of the response came, which may be one of a line that isn't
        /// whole yet; 0 when none came.
        var microsecondsToFirstByte = 0
    }

    enum Verdict: Equatable {
        /// Nothing is over before that instant.
        case goesOn(until: CoarseInstant)
        case expired(FailureReason)
    }

    /// How long libcurl may be late with its own timeout before the exchange is ended here.
    static let connectGrace: Int64 = 200_000_000
    /// How often it is looked whether a body goes out: nothing is called when the system takes a part of a piece.
    static let sampling: Int64 = 200_000_000

    private var limits = Limits(TransportTimeouts())
    private var stage = Stage.connecting
    private var beginning = CoarseInstant(nanoseconds: 0)
    private var lastMove = CoarseInstant(nanoseconds: 0)
    private var hasUpload = false
    private var bytesSent = 0
    /// The least that has to pass before anything can be over, in whatever stage that is by then.
    private var shortest: Int64 = 0

    /// Begins anew.
    ///
    /// - Parameters:
    ///   - limits: The timeouts.
    ///   - hasUpload: Whether there is a body that doesn't go out with the header block.
    ///   - now: When that is.
    /// - Returns: The first instant at which anything can be over.
    mutating func begin(_ limits: Limits, hasUpload: Bool, at now: CoarseInstant) -> CoarseInstant {
        self.limits = limits
        self.hasUpload = hasUpload
        stage = .connecting
        beginning = now
        lastMove = now
        bytesSent = 0
        shortest = min(limits.connect, limits.firstByte, limits.idle, hasUpload ? Self.sampling : .max)
        return now.advanced(by: shortest)
    }

    mutating func connects(at now: CoarseInstant) {
        guard stage != .connecting else { return }
        stage = .connecting
        lastMove = now
    }

    mutating func sends(at now: CoarseInstant) {
        stage = .sending
        lastMove = now
    }

    /// A piece of the body was taken.
    mutating func sentBody(at now: CoarseInstant) {
        lastMove = now
    }

    mutating func receives(at now: CoarseInstant) {
        stage = .receiving
        lastMove = now
    }

    /// Whether the time is up, and else when to ask again.
    ///
    /// - Parameters:
    ///   - now: When that is.
    ///   - isHeldBack: Whether the exchange waits for its caller, which is on nobody's time.
    ///   - isLookingUp: Whether it waits for a name, which libcurl isn't to end.
    ///   - sending: How far the request is; asked only when that decides.
    /// - Returns: Which of the two.
    mutating func verdict(
        at now: CoarseInstant,
        isHeldBack: Bool,
        isLookingUp: Bool = false,
        sending: () -> Sending,
    ) -> Verdict {
        if isHeldBack { lastMove = now }
        if isLookingUp, isConnectOver(at: now) { return .expired(.connectTimeout) }
        let (end, reason) = isHeldBack ? (CoarseInstant.never, .idleTimeout) : end(at: now, sending)
        return end <= now ? .expired(reason) : .goesOn(until: min(end, now.advanced(by: shortest)))
    }

    /// Whether there should be a connection by now.
    func isConnectOver(at now: CoarseInstant) -> Bool {
        stage == .connecting && lastMove.advanced(by: limits.connect) <= now
    }

    /// When the time is up as things stand.
    private mutating func end(at now: CoarseInstant, _ sending: () -> Sending) -> (CoarseInstant, FailureReason) {
        switch stage {
        case .connecting:
            return (lastMove.advanced(by: limits.connect).advanced(by: Self.connectGrace), .connectTimeout)
        case .receiving:
            return (lastMove.advanced(by: limits.idle), .idleTimeout)
        case .sending:
            let sending = sending()
            if hasUpload, sending.bytesSent != bytesSent {
                bytesSent = sending.bytesSent
                lastMove = now
            }
            // With an upload, libcurl notes the first byte that went out there.
            if !hasUpload, sending.microsecondsToFirstByte > 0 {
                let firstByte = beginning.advanced(by: Int64(sending.microsecondsToFirstByte) &* 1000)
                return (max(min(firstByte, now), lastMove).advanced(by: limits.idle), .idleTimeout)
            }
            if !sending.isOut { return (lastMove.advanced(by: limits.idle), .idleTimeout) }
            return (lastMove.advanced(by: limits.firstByte), .firstByteTimeout)
        }
    }
}
#endif
