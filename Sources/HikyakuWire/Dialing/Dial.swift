#if os(Linux)
import HikyakuHTTP

/// One handshake on its way, from the look-up to a connection that can carry requests.
///
/// It is the loop's alone. The steps: read the client's certificate, look up the origin or its proxy, connect, TLS with
/// the proxy, ask it for the way to the origin, TLS with the origin; each only where it is needed. A proxy that wants
/// an address is asked after the origin was looked up.
final class Dial {
    let handshake: UInt64
    let origin: Int
    let site: Site
    let proxy: HTTPProxy.Server?
    var marks = HandshakeMarks()
    /// Whether the origin may choose HTTP/2.
    var offersHTTP2 = false
    /// The reading of the client's certificate, while it is waited for.
    var identityRead: ClientIdentityReads.Ticket?
    /// What is shown to the origin if it asks for a certificate.
    var identity: ClientIdentity?
    /// The look-up of a name, while it is waited for.
    var lookUp: NameLookUps.Ticket?
    /// Chooses which address is tried when.
    var happyEyeballs = HappyEyeballs()
    /// The attempt that is made again at the alarm, where a Unix socket had no room.
    var crowded: (number: Int, address: SocketAddress)?
    /// When the next address is tried.
    var alarm: (timer: Int, instant: ContinuousClock.Instant)?
    /// The connections that are being opened, by the number of the attempt.
    var attempts: [Int: Connection] = [:]
    /// The one that was open first.
    var connection: Connection?
    /// Whether the origin's address is looked up that the proxy is to be given.
    var isForProxy: Bool
    /// The origin's address that the proxy is given.
    var address: [UInt8]?
    /// What is said to the proxy, and what of it is still to be sent.
    var tunnel: (any ProxyHandshake)?
    var outgoing: [UInt8] = []
    /// Whether what follows comes from the origin.
    var isPastProxy: Bool
    /// When it began, by the coarse clock.
    let begin = Nanoseconds.coarseNow
    /// Due when it takes long, so that a further one begins or it is given up.
    var timer: Int?

    init(_ handshake: UInt64, _ origin: Int, _ site: Site) {
        (self.handshake, self.origin, self.site) = (handshake, origin, site)
        proxy = site.proxy
        isForProxy = proxy.map { !$0.looksUpNames } ?? false
        isPastProxy = proxy == nil
    }

    /// Whether it waits for a name, or for a file of the app's.
    var isLookingUp: Bool { lookUp != nil || identityRead != nil }

    /// Whether both wait for the same name, or file.
    func waits(with other: Dial) -> Bool { origin == other.origin && isLookingUp && other.isLookingUp }

    /// An error of the one who is looked up or connected to: any of a proxy has the same reason.
    func error(_ error: TransportError) -> TransportError {
        guard !isPastProxy, !isForProxy else { return site.error(error) }
        let text = "the proxy: \(error.message)"
        return site.error(TransportError(.proxyFailed, text, underlyingError: error.underlyingError))
    }

    /// Ends all references to connections, which refer to this.
    func forgetConnections() {
        (connection, attempts) = (nil, [:])
    }
}
#endif
