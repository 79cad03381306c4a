#if os(Linux)
import HikyakuBase
import HikyakuHTTP

// The steps between TCP and the first request: the proxy, and TLS.
extension EventLoop {
    /// TCP is open, to the origin or to its proxy.
    func connected(_ connection: Connection, _ dial: Dial) {
        dial.marks.connected = .now
        guard let proxy = dial.proxy else { return secure(connection, dial) }
        guard proxy.scheme == .https else { return tunnel(connection, dial, proxy) }
        beginTLS(over: connection, dial, to: proxy.peer, HostRules(), nil, ["http/1.1"])
    }

    // MARK: - TLS

    /// Begins TLS with the origin, if its scheme is https.
    private func secure(_ connection: Connection, _ dial: Dial) {
        guard dial.site.isSecure else { return open(connection, dial) }
        do throws(TransportError) {
            let protocols = dial.offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
            beginTLS(over: connection, dial, to: dial.site.peer, try dial.site.rules.get(), dial.identity, protocols)
        } catch {
            abandon(connection, dial, dial.site.error(error))
        }
    }

    private func beginTLS(
        over connection: Connection,
        _ dial: Dial,
        to peer: Peer,
        _ rules: HostRules,
        _ identity: ClientIdentity?,
        _ protocols: [String],
    ) {
        do throws(TransportError) {
            connection.tls = try TLSStream(
                connection.descriptor,
                through: connection.tls,
                to: peer,
                rules,
                showing: identity,
                in: try engine.context(),
                protocols: protocols,
            )
        } catch {
            return abandon(connection, dial, dial.site.error(error))
        }
        connection.stage = .securing(dial)
        goOnSecuring(connection, dial)
    }

    func goOnSecuring(_ connection: Connection, _ dial: Dial) {
        switch connection.tls?.handshake() {
        case .blocked: return
        case .done:
            if !dial.isPastProxy, let proxy = dial.proxy { return tunnel(connection, dial, proxy) }
            dial.marks.secured = .now
            open(connection, dial)
        case .failed(let error): abandon(connection, dial, dial.error(error))
        case nil: abandon(connection, dial, dial.error(TransportError(.tlsFailed, "there is no TLS")))
        }
    }

    // MARK: - The proxy

    /// Opens a tunnel through the proxy, unless the proxy forwards requests.
    private func tunnel(_ connection: Connection, _ dial: Dial, _ proxy: HTTPProxy.Server) {
        guard !dial.site.isForwarded else {
            dial.isPastProxy = true
            return open(connection, dial)
        }
        do throws(TransportError) {
            let tunnel = try proxy.handshake(to: dial.site.origin, address: dial.address)
            (dial.tunnel, dial.outgoing) = (tunnel, tunnel.greeting)
        } catch {
            return abandon(connection, dial, dial.site.error(error))
        }
        connection.stage = .tunneling(dial)
        goOnTunneling(connection, dial)
    }

    func goOnTunneling(_ connection: Connection, _ dial: Dial) {
        guard dial.tunnel != nil else { return }
        while true {
            let sendingFault = send(dial, over: connection)
            switch connection.receive(into: buffer) {
            case .bytes(let count):
                let step = dial.tunnel?.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) ?? .wait
                switch step {
                case .wait: continue
                case .send(let bytes): dial.outgoing += bytes
                case .open:
                    (dial.tunnel, dial.isPastProxy) = (nil, true)
                    return secure(connection, dial)
                case .failed(let error): return abandon(connection, dial, dial.site.error(error))
                }
            // What the proxy sent before it closed the connection was read by now.
            case .blocked:
                if let sendingFault { endTunnel(connection, dial, sendingFault) }
                return
            case .end: return endTunnel(connection, dial, nil)
            case .failed(let fault): return endTunnel(connection, dial, fault)
            }
        }
    }

    private func send(_ dial: Dial, over connection: Connection) -> IOFault? {
        while !dial.outgoing.isEmpty {
            switch dial.outgoing.withUnsafeBytes({ connection.send($0) }) {
            case .bytes(let count): dial.outgoing.removeFirst(min(count, dial.outgoing.count))
            case .blocked: return nil
            case .failed(let fault): return fault
            }
        }
        return nil
    }

    private func endTunnel(_ connection: Connection, _ dial: Dial, _ fault: IOFault?) {
        let text = "the proxy closed the connection before the tunnel was open"
        abandon(connection, dial, dial.site.error(.proxyFailed, text, fault?.error))
    }

    // MARK: - Outcomes

    private func open(_ connection: Connection, _ dial: Dial) {
        if dial.offersHTTP2, connection.tls?.chosenProtocol == "h2" { return openShared(connection, dial) }
        connection.stage = .open
        connection.marks = dial.marks
        forget(dial)
        noteRelease(of: connection)
        let isWanted = engine.state.withLock { state in
            state.beginIdleTime(of: connection, max: engine.idleAgeMax)
            state.pool.noteUnshared(dial.origin)
            let isIdle = state.pool.connected(dial.handshake, connection, of: dial.origin)
            connection.isIdle = isIdle ?? false
            connection.isKept = connection.isIdle
            state.takeActions()
            return isIdle != nil
        }
        if !isWanted { close(connection) }
    }

    func abandon(_ connection: Connection, _ dial: Dial, _ error: TransportError) {
        close(connection)
        fail(dial, error)
    }

    func fail(_ dial: Dial, _ error: TransportError) {
        forget(dial)
        let exchanges = engine.state.withLock { state in
            let exchanges = state.pool.failed(dial.handshake, of: dial.origin)
            for exchange in exchanges {
                state.endWaiting(exchange)
                exchange.phase = .over
            }
            hastenHandshake(to: dial.origin, &state)
            state.takeActions()
            return exchanges
        }
        for exchange in exchanges {
            exchange.trail?.handshake(dial.marks)
            exchange.finish(error)
        }
    }
}
#endif
