#if os(Linux)
import HikyakuHTTP

/// One handshake in progress, from the look-up to a connection that can carry requests.
///
/// Only the loop uses it. The steps, each only if it is needed: read the client's certificate, look up the origin or
/// its proxy, connect, TLS with the proxy, open a tunnel to the origin, TLS with the origin. If the proxy needs an
/// address, the origin is looked up first.
final class Dial {
    let handshake: UInt64
    let origin: Int
    let site: Site
    let proxy: HTTPProxy.Server?
    var marks = HandshakeMarks()
    /// Whether the origin may choose HTTP/2.
    var offersHTTP2 = false
    /// The reading of the client's certificate, while it is in progress.
    var identityRead: ClientIdentityReads.Ticket?
    /// The client's certificate for the origin.
    var identity: ClientIdentity?
    /// How many idle connections had been closed for their descriptors when it began; `nil` after a look-up or a file
    /// was tried a second time.
    var closuresBefore: Int?
    /// The look-up of a name, while it is in progress.
    var lookUp: NameLookUps.Ticket?
    /// Chooses which address is tried, and when.
    var happyEyeballs = HappyEyeballs()
    /// The attempt that is repeated at the alarm, because a Unix socket had no room.
    var crowded: (number: Int, address: SocketAddress)?
    /// When the next address is tried.
    var alarm: (timer: Int, instant: ContinuousClock.Instant)?
    /// The connections that are being opened, by the number of the attempt.
    var attempts: [Int: Connection] = [:]
    /// The connection that was open first.
    var connection: Connection?
    /// Whether the origin's address is being looked up for the proxy.
    var isForProxy: Bool
    /// The origin's address for the proxy.
    var address: [UInt8]?
    /// The handshake with the proxy, and its bytes that are not sent yet.
    var tunnel: (any ProxyHandshake)?
    var outgoing: [UInt8] = []
    /// When it began, by the coarse clock.
    let begin = Nanoseconds.coarseNow
    /// Due when it takes too long: another one begins then, or it is given up.
    var timer: Int?

    init(_ handshake: UInt64, _ origin: Int, _ site: Site) {
        (self.handshake, self.origin, self.site) = (handshake, origin, site)
        proxy = site.proxy
        isForProxy = proxy.map { !$0.looksUpNames } ?? false
    }

    /// What its connections need before they can carry requests.
    var route: ConnectionLife.Route {
        ConnectionLife.Route(
            proxy: proxy.map { _ in site.isForwarded ? .forwards : .tunnels },
            isProxySecure: proxy?.scheme == .https,
            isOriginSecure: site.isSecure,
        )
    }

    /// Whether it waits for a name or for a certificate's file.
    var isLookingUp: Bool { lookUp != nil || identityRead != nil }

    /// Whether both wait for the same name or file.
    func waits(with other: Dial) -> Bool { origin == other.origin && isLookingUp && other.isLookingUp }

    /// An error of the host that is looked up or connected to, before its connection is closed; all errors of a proxy
    /// have the same reason.
    ///
    /// - Parameters:
    ///   - error: The error.
    ///   - cause: Why a TLS handshake failed; `nil` for another error.
    /// - Returns: The error with the names of the origin and the proxy.
    func error(_ error: TransportError, of cause: WireCause? = nil) -> TransportError {
        let isProxys = proxy != nil && connection?.life.peer != .origin
        guard isProxys, !isForProxy else { return site.error(error) }
        let cause: WireCause =
            switch cause {
            case .plainPeer: .proxyPlain
            case .certificateRoot, .certificateIssuer, .certificateAlone, .certificateSelfSigned, .noAuthorities:
                .proxyUntrusted
            case let cause? where cause.facts.transience == nil: .proxyTLS
            default: .proxyUnreachable
            }
        return site.error(cause.error("the proxy: \(error.message)", underlyingError: error.underlyingError))
    }

    /// What has not ended in the time for a connection.
    var lateness: (WireCause, String) {
        if identityRead != nil { return (.filesTimeout, "the files of the client certificate were not read") }
        if marks.nameFound == nil { return (.nameTimeout, "the name was not found") }
        switch (connection?.life.stage, connection?.life.peer) {
        case (.securing, .proxy): return (.proxyTLSTimeout, "the proxy did not complete its TLS handshake")
        case (.securing, _): return (.tlsTimeout, "the TLS handshake did not end")
        case (.tunneling, _): return (.proxyTimeout, "the proxy opened no connection")
        default: return (.connectTimeout, "no connection")
        }
    }

    /// Removes the references to connections, which refer to this object.
    func forgetConnections() {
        (connection, attempts) = (nil, [:])
    }
}
#endif
