#if os(Linux)
import CSSL
import Glibc
import HikyakuBase
import HikyakuHTTP

/// TLS over one socket, or over a TLS connection to a proxy, from the handshake to the end.
///
/// No call blocks; instead, it returns `blocked`.
///
/// `@unchecked`: the compiler can't see that only the connection's owner (``Connection/use``) uses it, and that
/// ownership changes under the engine's lock.
final class TLSStream: @unchecked Sendable {
    private let ssl: OpaquePointer
    /// The BIO by which OpenSSL reads and writes; `ssl` owns it.
    private let bio: OpaquePointer
    private let socket: Socket
    private let context: TLSContext
    /// The key of its sessions.
    private let sessionKey: String
    private let trust: PeerTrust
    /// The TLS connection that carries this one, if it is not the socket; nothing else uses it.
    private let outer: TLSStream?
    private var isBroken = false
    private var isHandshakeDone = false
    /// How many bytes were received since the last byte of data.
    private var bytesWithoutData = 0
    #if SANITIZES_THREADS
    /// Without a lock, so that a second user at the same time is found.
    private var useCount = 0
    #endif

    /// How many bytes of records may come without a byte of data: certificates, session tickets, key updates.
    ///
    /// OpenSSL continues to read as long as they come, and the loop would serve no other connection.
    private static let bytesWithoutDataMax = 256 * 1024

    enum Handshake {
        case done
        case blocked
        case failed(WireCause, TransportError)
    }

    /// - Parameters:
    ///   - descriptor: A socket that is connected, and is closed after this ends.
    ///   - outer: TLS over that socket, through which this one goes.
    ///   - peer: The expected peer.
    ///   - trust: Which certificates of the peer are accepted.
    ///   - identity: The certificate for a server that requests one.
    ///   - context: The state that all connections share.
    ///   - protocols: The protocols that are offered by ALPN (RFC 7301), the preferred one first.
    /// - Throws: An error that names the option that can't be used.
    init(
        _ descriptor: Int32,
        through outer: TLSStream? = nil,
        to peer: Peer,
        _ trust: PeerTrust,
        showing identity: ClientIdentity? = nil,
        in context: TLSContext,
        protocols: [String],
    ) throws(TransportError) {
        (self.context, self.trust, self.outer) = (context, trust, outer)
        socket = Socket(descriptor: descriptor)
        // A session is bound to the certificate that was shown when it began.
        sessionKey = identity.map { "\(peer.key)#\($0.number)" } ?? peer.key
        let made: (ssl: OpaquePointer, bio: OpaquePointer)? = ExitGate.passing {
            guard let ssl = SSL_new(context.pointer) else { return nil }
            guard let bio = SocketBIO.make() else {
                SSL_free(ssl)
                return nil
            }
            SSL_set_bio(ssl, bio, bio)
            SSL_set_connect_state(ssl)
            return (ssl, bio)
        }
        guard let made else { throw WireCause.memory.error("OpenSSL is out of memory") }
        (ssl, bio) = made
        let session = context.sessions.take(for: sessionKey)
        let problem = ExitGate.passing {
            hikyaku_ssl_set_owner(ssl, Unmanaged.passUnretained(self).toOpaque())
            SocketBIO.setStream(of: bio, self)
            if let session { SSL_set_session(ssl, session.pointer) }
            return expect(peer) ?? offer(protocols) ?? identity?.use(in: ssl)
        }
        if let problem { throw problem }
    }

    deinit {
        ExitGate.passing { SSL_free(ssl) }
    }

    /// Sends close_notify if that is possible without waiting; called before the socket is closed.
    func close() {
        passing {
            ERR_clear_error()
            // OpenSSL resumes no session whose connection ended without close_notify, even by the server's fault.
            if isBroken || !isHandshakeDone || SSL_shutdown(ssl) < 0 {
                SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
            }
            ERR_clear_error()
            isBroken = true
        }
        outer?.close()
    }

    // MARK: - The handshake

    /// Continues the handshake as far as possible without waiting.
    func handshake() -> Handshake {
        passing {
            ERR_clear_error()
            let code = SSL_do_handshake(ssl)
            let systemError = errno
            guard code != 1 else {
                (isHandshakeDone, bytesWithoutData) = (true, 0)
                if let error = pinProblem() {
                    isBroken = true
                    return .failed(.pinMismatch, error)
                }
                keepOldSession()
                return .done
            }
            let error = SSL_get_error(ssl, code)
            if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return .blocked }
            isBroken = true
            if let fault = flood {
                let text = "TLS handshake: \(fault.text)"
                return .failed(.tlsBroken, WireCause.tlsBroken.error(text, underlyingError: fault.error))
            }
            let (cause, text, below) = TLSFault.ofHandshake(
                ssl,
                error,
                systemError,
                hasEnded: SocketBIO.hasEnded(bio),
                hasAuthorities: context.hasAuthorities,
            )
            return .failed(cause, cause.error(text, underlyingError: below))
        }
    }

    /// The protocol that was chosen by ALPN; `nil` for none.
    var chosenProtocol: String? {
        ExitGate.passing {
            var start: UnsafePointer<UInt8>?
            var count: UInt32 = 0
            SSL_get0_alpn_selected(ssl, &start, &count)
            guard let start, count > 0 else { return nil }
            return String(decoding: UnsafeBufferPointer(start: start, count: Int(count)), as: UTF8.self)
        }
    }

    /// Has OpenSSL check that the certificate names the host as a subject alternative name; common names do not count
    /// (RFC 9525, section 6.1).
    private func expect(_ peer: Peer) -> TransportError? {
        let (host, isAddress) = (peer.verifiedHost, peer.isAddress)
        // OpenSSL would read a name with an empty label as a pattern, and no name as any.
        guard isAddress || host.isHostName else {
            return WireCause.tlsHost.error("the host is not a name or an address")
        }
        if !isAddress, hikyaku_ssl_set_server_name(ssl, host) != 1 {
            return WireCause.tlsHost.error("OpenSSL rejected the host name")
        }
        guard trust.isVerified else {
            SSL_set_verify(ssl, SSL_VERIFY_NONE, nil)
            return nil
        }
        guard let parameters = SSL_get0_param(ssl) else {
            return WireCause.memory.error("OpenSSL is out of memory")
        }
        let flags = UInt32(X509_CHECK_FLAG_NEVER_CHECK_SUBJECT | X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS)
        X509_VERIFY_PARAM_set_hostflags(parameters, flags)
        let isSet =
            isAddress
            ? X509_VERIFY_PARAM_set1_ip_asc(parameters, host) : X509_VERIFY_PARAM_set1_host(parameters, host, 0)
        return isSet == 1 ? nil : WireCause.tlsHost.error("OpenSSL rejected the host name")
    }

    private func offer(_ protocols: [String]) -> TransportError? {
        let list = protocols.flatMap { [UInt8($0.utf8.count & 0xFF)] + Array($0.utf8) }
        return SSL_set_alpn_protos(ssl, list, UInt32(list.count)) == 0
            ? nil : WireCause.memory.error("OpenSSL is out of memory")
    }

    private func pinProblem() -> TransportError? {
        guard let pins = trust.pins else { return nil }
        guard let certificate = SSL_get0_peer_certificate(ssl), let hash = PublicKeyPins.hash(of: certificate),
            pins.contains(hash)
        else {
            return PublicKeyPins.mismatch
        }
        return nil
    }

    // MARK: - Sessions

    /// Called by OpenSSL when the server has sent a session ticket, which is kept if this returns `true`.
    func keep(_ session: OpaquePointer) -> Bool {
        // A host's verification and pins never change, and sessions are kept by origin.
        context.sessions.add(TLSSessions.Session(session), for: sessionKey)
        return true
    }

    /// Keeps a resumed session of TLS 1.2, which can be resumed again; the server may send no new one.
    private func keepOldSession() {
        guard SSL_session_reused(ssl) == 1, SSL_version(ssl) < TLS1_3_VERSION, let session = SSL_get1_session(ssl)
        else {
            return
        }
        context.sessions.add(TLSSessions.Session(session), for: sessionKey)
    }
}

// MARK: - Reading and writing

extension TLSStream {
    /// Whether received bytes are not read yet, so that no event may report them.
    var hasPending: Bool { passing { SSL_has_pending(ssl) == 1 } || outer?.hasPending ?? false }

    /// Reads what has been received.
    func receive(into room: UnsafeMutableRawBufferPointer) -> Received {
        guard !isBroken else { return .failed(IOFault(systemError: EPROTO)) }
        return passing {
            ERR_clear_error()
            let count = SSL_read(ssl, room.baseAddress, Int32(truncatingIfNeeded: min(room.count, 1 << 30)))
            if count > 0 {
                bytesWithoutData = 0
                return .bytes(Int(count))
            }
            let systemError = errno
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return .blocked
            // OpenSSL treats the socket's end as close_notify; after a real close_notify, it reads no further.
            case SSL_ERROR_ZERO_RETURN: return .end(isProven: !SocketBIO.hasEnded(bio))
            case let error:
                isBroken = true
                return .failed(flood ?? TLSFault.fault(error, systemError, ssl))
            }
        }
    }

    /// Writes as much as the socket takes.
    func send(_ bytes: UnsafeRawBufferPointer) -> Sent {
        guard !isBroken else { return .failed(IOFault(systemError: EPIPE)) }
        return passing {
            ERR_clear_error()
            let count = SSL_write(ssl, bytes.baseAddress, Int32(truncatingIfNeeded: min(bytes.count, 1 << 30)))
            if count > 0 { return .bytes(Int(count)) }
            let systemError = errno
            let error = SSL_get_error(ssl, count)
            if error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE { return .blocked }
            // What the server sent before can still be read.
            return .failed(TLSFault.fault(error, systemError, ssl))
        }
    }

    /// Calls OpenSSL.
    private func passing<Result>(_ body: () -> Result) -> Result {
        #if SANITIZES_THREADS
        useCount &+= 1
        #endif
        return ExitGate.passing(body)
    }

    // MARK: - For OpenSSL

    /// Reads encrypted bytes.
    func receiveRecord(into room: UnsafeMutableRawBufferPointer) -> Received {
        guard flood == nil else { return .failed(IOFault(systemError: EPROTO)) }
        let received = outer?.receive(into: room) ?? socket.receive(into: room)
        if case .bytes(let count) = received { bytesWithoutData += count }
        return received
    }

    /// Writes encrypted bytes.
    func sendRecord(_ bytes: UnsafeRawBufferPointer) -> Sent {
        outer?.send(bytes) ?? socket.send(bytes)
    }

    /// The fault of a server that sends too much without sending data.
    private var flood: IOFault? {
        guard bytesWithoutData > Self.bytesWithoutDataMax else { return nil }
        let text = "the server sent more than \(Self.bytesWithoutDataMax / 1024) KiB of TLS messages without any data"
        return IOFault(systemError: EPROTO, tlsText: text)
    }
}
#endif
