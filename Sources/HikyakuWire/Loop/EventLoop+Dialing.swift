#if os(Linux)
import Glibc
import HikyakuHTTP

// How connections are opened.
extension EventLoop {
    func connect(_ handshake: UInt64, _ origin: Int, _ site: Site) {
        let dial = Dial(handshake, origin, site)
        dials[handshake] = dial
        engine.state.withLock { state in
            let time = state.pool.sharesHandshakes(origin) ? Self.slowHandshake : Self.unwantedHandshake
            let due = Nanoseconds.sum(Nanoseconds.coarseNow, time)
            dial.timer = state.timers.add(.handshake(handshake, origin), due: due)
        }
        if let own = (try? site.rules.get())?.addresses { return found(own, dial) }
        if site.isAddress { return found(SocketAddress.numeric(site.host, port: site.port), dial) }
        dial.lookUp = engine.lookUps.lookUp(site.host, port: site.port) { [engine] outcome in
            engine.post(.resolved(handshake, outcome))
        }
    }

    /// How long calls wait for a handshake that they share before one more is begun: 250 ms in nanoseconds.
    private static let slowHandshake: Int64 = 250_000_000

    func resolved(_ handshake: UInt64, _ outcome: NameLookUps.Outcome) {
        guard let dial = dials[handshake] else { return }
        switch outcome {
        case .success(let addresses) where !addresses.isEmpty: found(addresses, dial)
        case .success: fail(dial, dial.site.error(.hostNotFound, "the name has no address"))
        case .failure(let error):
            let below = WireError(systemErrorNumber: nil, text: error.text)
            fail(dial, dial.site.error(.hostNotFound, error.text, below))
        }
    }

    private func found(_ addresses: [SocketAddress], _ dial: Dial) {
        dial.marks.nameFound = .now
        dial.addresses = addresses
        connectNext(dial)
    }

    /// Connects to the next address that doesn't fail at once.
    private func connectNext(_ dial: Dial) {
        dial.connection = nil
        while dial.nextAddress < dial.addresses.count {
            let address = dial.addresses[dial.nextAddress]
            dial.nextAddress += 1
            let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
            let descriptor = socket(address.family, type, 0)
            guard descriptor >= 0 else {
                dial.lastFault = IOFault(systemError: errno)
                continue
            }
            if !address.isUnix { Self.setOptions(descriptor) }
            let code = address.connect(descriptor)
            guard code == 0 || code == EINPROGRESS else {
                dial.lastFault = IOFault(systemError: code)
                Glibc.close(descriptor)
                continue
            }
            let connection = makeConnection(descriptor, for: dial)
            dial.connection = connection
            guard poller.add(descriptor, key: connection.key) else {
                dial.lastFault = IOFault(systemError: errno)
                close(connection)
                continue
            }
            return
        }
        let fault = dial.lastFault ?? IOFault(systemError: ECONNREFUSED)
        let path = (try? dial.site.rules.get())?.unixPath
        let text = path.map { "\(fault.text), by the socket \($0)" } ?? fault.text
        fail(dial, dial.site.error(fault.connectReason, text, fault.error))
    }

    private static func setOptions(_ descriptor: Int32) {
        var one: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, length)
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &one, length)
    }

    // MARK: - Events

    /// An event came for a connection that is being opened.
    func goOnConnecting(_ connection: Connection, _ dial: Dial) {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(connection.descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        guard error == 0 else {
            dial.lastFault = IOFault(systemError: error)
            close(connection)
            return connectNext(dial)
        }
        guard connection.isConnected else { return }
        dial.marks.connected = .now
        guard dial.site.isSecure else { return open(connection, dial) }
        do throws(TransportError) {
            let rules = try dial.site.rules.get()
            connection.tls = try TLSStream(
                connection.descriptor,
                to: dial.site,
                rules,
                in: try engine.context(),
                protocols: ["http/1.1"],
            )
            connection.stage = .securing(dial)
            goOnSecuring(connection, dial)
        } catch {
            close(connection)
            fail(dial, dial.site.error(error))
        }
    }

    func goOnSecuring(_ connection: Connection, _ dial: Dial) {
        switch connection.tls?.handshake() {
        case .blocked: return
        case .done:
            dial.marks.secured = .now
            open(connection, dial)
        case .failed(let error):
            close(connection)
            fail(dial, dial.site.error(error))
        case nil:
            close(connection)
        }
    }

    // MARK: - Outcomes

    private func open(_ connection: Connection, _ dial: Dial) {
        connection.stage = .open
        connection.marks = dial.marks
        forget(dial)
        noteRelease(of: connection)
        let isWanted = engine.state.withLock { state in
            let now = Nanoseconds.coarseNow
            connection.idleSince = now
            let isIdle = state.pool.connected(dial.handshake, connection, of: dial.origin)
            connection.isIdle = isIdle ?? false
            connection.isKept = connection.isIdle
            state.timers.lower(connection.timer, to: Nanoseconds.sum(now, engine.idleAgeMax))
            state.takeActions()
            return isIdle != nil
        }
        if !isWanted { close(connection) }
    }

    private func fail(_ dial: Dial, _ error: TransportError) {
        forget(dial)
        let exchanges = engine.state.withLock { state in
            let exchanges = state.pool.failed(dial.handshake, of: dial.origin)
            for exchange in exchanges {
                state.endWaiting(exchange)
                exchange.phase = .over
            }
            state.takeActions()
            return exchanges
        }
        for exchange in exchanges {
            exchange.trail?.handshake(dial.marks)
            exchange.finish(error)
        }
    }

    private func forget(_ dial: Dial) {
        dials[dial.handshake] = nil
        dial.connection = nil
        if let lookUp = dial.lookUp.take() { engine.lookUps.cancel(lookUp) }
        guard let timer = dial.timer.take() else { return }
        engine.state.withLock { $0.timers.remove(timer) }
    }

    /// No call waits for a handshake any more.
    func cancelDial(_ handshake: UInt64) {
        guard let dial = dials[handshake] else { return }
        let connection = dial.connection
        forget(dial)
        if let connection { close(connection) }
    }

    /// Ends an exchange that waited too long for a connection.
    func endLate(_ exchange: Exchange, _ handshake: UInt64?) {
        let marks = handshake.flatMap { dials[$0]?.marks } ?? HandshakeMarks()
        let timeout = exchange.options.timeouts.connect
        let isLookingUp = handshake.map { dials[$0]?.marks.nameFound == nil } ?? false
        let text = isLookingUp ? "the name wasn't found within \(timeout)" : "no connection within \(timeout)"
        exchange.trail?.handshake(marks)
        let error = TransportError(.connectTimeout, text)
        exchange.finish(exchange.site?.error(error) ?? error)
    }
}

extension Connection {
    /// Whether the other end has answered.
    fileprivate var isConnected: Bool {
        var address = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getpeername(descriptor, $0, &length) == 0
            }
        }
    }
}
#endif
