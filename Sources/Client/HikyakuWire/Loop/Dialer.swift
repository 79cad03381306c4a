#if os(Linux)
import HikyakuBase
import Glibc
import HikyakuHTTP

/// Opens the connections of one loop: look-ups, attempts to reach the addresses, the proxy, and TLS.
///
/// ``HappyEyeballs`` decides which address is tried, and each connection's ``ConnectionLife`` which step comes next.
/// Only the loop's thread uses it.
final class Dialer {
    private let engine: Engine
    private let poller: Poller
    private let table: ConnectionTable
    /// A buffer for what proxies send.
    private let buffer: UnsafeMutableRawBufferPointer
    private var dials: [UInt64: Dial] = [:]
    /// How many idle connections were closed for their descriptors.
    private var closuresCount = 0

    /// How long calls wait for a shared handshake before another one begins: 250 ms in nanoseconds.
    private static let slowHandshake: Int64 = 250_000_000
    /// How long a handshake may take if no call waits for it: 10 s in nanoseconds.
    private static let unwantedHandshake: Int64 = 10_000_000_000
    /// How long a shared handshake may take if no further one is allowed: 20 s in nanoseconds.
    private static let stalledHandshake: Int64 = 20_000_000_000
    /// How many idle connections are closed if there are no descriptors: a look-up, and then a certificate's check, may
    /// need several at a time.
    private static let closedAtOnce = 4
    /// How long to wait before a Unix socket without room is tried again.
    private static let crowdedDelay = Duration.milliseconds(5)

    init(_ engine: Engine, _ poller: Poller, _ table: ConnectionTable, _ buffer: UnsafeMutableRawBufferPointer) {
        (self.engine, self.poller, self.table, self.buffer) = (engine, poller, table, buffer)
    }

    func connect(_ handshake: UInt64, _ origin: Int, _ site: Site) {
        let dial = Dial(handshake, origin, site)
        dials[handshake] = dial
        dial.closuresBefore = closuresCount
        engine.state.withLock { state in
            dial.offersHTTP2 = site.isSecure && engine.options.offersHTTP2 && !state.pool.wantsHTTP1(origin)
            let time = state.pool.sharesHandshakes(origin) ? Self.slowHandshake : Self.unwantedHandshake
            let due = Nanoseconds.sum(Nanoseconds.coarseNow, time)
            dial.timer = state.timers.add(.handshake(handshake, origin), due: due)
        }
        readIdentity(dial)
    }

    /// Reads the client's certificate, if there is one for the host.
    private func readIdentity(_ dial: Dial) {
        guard let files = (try? dial.site.rules.get())?.certificate else { return lookUp(dial) }
        let handshake = dial.handshake
        dial.identityRead = engine.identityReads.begin(files) { [engine] outcome in
            engine.post(.identified(handshake, outcome))
        }
    }

    func identified(_ handshake: UInt64, _ outcome: Result<ClientIdentity, TransportError>) {
        guard let dial = dials[handshake] else { return }
        dial.identityRead = nil
        switch outcome {
        case .success(let identity):
            dial.identity = identity
            lookUp(dial)
        case .failure where freesDescriptors(for: dial): readIdentity(dial)
        case .failure(let error): fail(dial, dial.site.error(error))
        }
    }

    /// Whether a look-up or a file's reading is tried a second time: there may have been no descriptors for it, which
    /// the system reports in several ways, even as an unknown name.
    private func freesDescriptors(for dial: Dial) -> Bool {
        guard let before = dial.closuresBefore else { return false }
        dial.closuresBefore = nil
        // Another dial may have closed some since this one began.
        return closuresCount > before || IOFault.lacksDescriptors(Self.closedAtOnce) && closeOldestIdle()
    }

    /// Has another handshake begin soon if calls still wait after one has ended: the others are older, and may never
    /// end.
    func hastenHandshake(to origin: Int, _ state: inout Engine.State) {
        guard let newest = state.pool.newestShared(of: origin), let timer = dials[newest]?.timer else { return }
        state.timers.lower(timer, to: Nanoseconds.sum(Nanoseconds.coarseNow, Self.slowHandshake))
    }

    /// Looks up the origin, or the proxy through which it is reached.
    private func lookUp(_ dial: Dial) {
        let isOfOrigin = dial.isForProxy || dial.proxy == nil
        if isOfOrigin, let own = (try? dial.site.rules.get())?.addresses { return found(own, dial) }
        let peer = isOfOrigin ? dial.site.peer : dial.proxy?.peer ?? dial.site.peer
        if peer.isAddress { return found(SocketAddress.numeric(peer.host, port: peer.port), dial) }
        let handshake = dial.handshake
        dial.lookUp = engine.lookUps.begin(HostName(host: ByteText(peer.host), port: peer.port)) { [engine] outcome in
            engine.post(.resolved(handshake, outcome))
        }
    }

    func resolved(_ handshake: UInt64, _ outcome: Result<[SocketAddress], LookUpError>) {
        guard let dial = dials[handshake] else { return }
        dial.lookUp = nil
        switch outcome {
        case .success(let addresses) where !addresses.isEmpty: found(addresses, dial)
        case .success: failLookUps(dial, WireCause.nameNotFound.error("the name has no address"))
        case .failure where freesDescriptors(for: dial): lookUp(dial)
        case .failure(let error):
            let below = WireError(systemErrorNumber: nil, certificateErrorNumber: nil, text: error.text)
            failLookUps(dial, WireCause.nameNotFound.error(error.text, underlyingError: below))
        }
    }

    /// Fails a handshake whose name is not found, and the shared handshakes that look up the same name: a slow second
    /// look-up is not waited for.
    private func failLookUps(_ dial: Dial, _ error: TransportError) {
        let isShared = engine.state.withLock { $0.pool.sharesHandshakes(dial.origin) }
        let others = isShared ? dials.values.filter { $0.origin == dial.origin && $0.lookUp != nil } : []
        for other in others where other.isForProxy == dial.isForProxy { fail(other, other.error(error)) }
        fail(dial, dial.error(error))
    }

    private func found(_ addresses: [SocketAddress], _ dial: Dial) {
        guard !dial.isForProxy else { return foundForProxy(addresses, dial) }
        dial.marks.nameFound = .now
        perform(dial.happyEyeballs.found(addresses, at: .now), dial)
    }

    /// A proxy gets one address; SOCKS4 supports IPv4 only.
    private func foundForProxy(_ addresses: [SocketAddress], _ dial: Dial) {
        let usable = addresses.filter { $0.family == AF_INET || dial.proxy?.scheme != .socks4 }
        guard let address = usable.first?.ipBytes else {
            let text = "the host has no address that the proxy supports"
            return fail(dial, dial.error(WireCause.nameNotFound.error(text)))
        }
        (dial.address, dial.isForProxy) = (address, false)
        lookUp(dial)
    }

    // MARK: - Attempts

    func tryNextAddress(of handshake: UInt64) {
        guard let dial = dials[handshake], let alarm = dial.alarm else { return }
        if let (number, address) = dial.crowded.take() { return perform([.start(number, address)], dial) }
        // The clock of the timers may be behind.
        perform(dial.happyEyeballs.timerFired(at: max(.now, alarm.instant)), dial)
    }

    private func perform(_ actions: [HappyEyeballs.Action], _ dial: Dial) {
        var actions = actions[...]
        while let action = actions.popFirst() {
            switch action {
            case .start(let number, let address):
                guard let fault = start(number, address, dial) else { continue }
                actions += dial.happyEyeballs.attemptFailed(number, Self.error(fault, dial), at: .now)
            case .close(let number):
                if let connection = dial.attempts.removeValue(forKey: number) { table.close(connection) }
            case .setTimer(let instant): setAlarm(of: dial, instant)
            case .succeed(let number):
                guard let connection = dial.attempts.removeValue(forKey: number) else { continue }
                dial.connection = connection
                dial.marks.connected = .now
                advance(connection, dial, .connected)
            case .fail:
                fail(dial, dial.error(dial.happyEyeballs.failure))
            }
        }
    }

    /// Begins to connect to an address, a second time if there were no descriptors; returns the fault if that fails at
    /// once.
    private func start(_ number: Int, _ address: SocketAddress, _ dial: Dial) -> IOFault? {
        let fault = open(number, address, dial)
        guard let fault, fault.isOfDescriptors, closeOldestIdle() else { return fault }
        return open(number, address, dial)
    }

    /// Closes the connections that have been idle for longest, of any origin, so that others get their descriptors.
    ///
    /// - Returns: Whether there was one.
    private func closeOldestIdle() -> Bool {
        let connections = engine.state.withLock { state in
            (0..<Self.closedAtOnce).compactMap { _ in
                let connection = state.pool.takeOldestIdle()
                connection?.use.leavePool()
                return connection
            }
        }
        for connection in connections { table.close(connection) }
        closuresCount += connections.count
        return !connections.isEmpty
    }

    private func open(_ number: Int, _ address: SocketAddress, _ dial: Dial) -> IOFault? {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = socket(address.family, type, 0)
        guard descriptor >= 0 else { return IOFault(systemError: errno) }
        if !address.isUnix { Self.setOptions(descriptor) }
        let code = address.connect(descriptor)
        guard code == 0 || code == EINPROGRESS else {
            Glibc.close(descriptor)
            if address.isUnix, code == EAGAIN {
                // The listener's queue is full, and no event reports when there is room.
                dial.crowded = (number, address)
                setAlarm(of: dial, .now + Self.crowdedDelay)
                return nil
            }
            return IOFault(systemError: code)
        }
        let connection = table.makeConnection(descriptor, for: dial, attempt: number)
        guard poller.add(descriptor, key: connection.key) else {
            let fault = IOFault(systemError: errno)
            table.close(connection)
            return fault
        }
        dial.attempts[number] = connection
        return nil
    }

    private static func setOptions(_ descriptor: Int32) {
        var one: Int32 = 1
        let length = socklen_t(MemoryLayout<Int32>.size)
        setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &one, length)
        setsockopt(descriptor, SOL_SOCKET, SO_KEEPALIVE, &one, length)
    }

    private func setAlarm(of dial: Dial, _ instant: ContinuousClock.Instant?) {
        let due = instant.map { Nanoseconds.sum(Nanoseconds.coarseNow, ($0 - .now).clampedNanoseconds) }
        engine.state.withLock { state in
            if let alarm = dial.alarm.take() { state.timers.remove(alarm.timer) }
            guard let due, let instant else { return }
            dial.alarm = (state.timers.add(.nextAddress(dial.handshake), due: due), instant)
        }
    }

    private static func error(_ fault: IOFault, _ dial: Dial) -> TransportError {
        let path = (try? dial.site.rules.get())?.unixPath
        let text = path.map { "\(fault.text) (socket \($0))" } ?? fault.text
        return fault.connectCause.error(text, underlyingError: fault.error)
    }

    private func goOnConnecting(_ connection: Connection, _ dial: Dial, _ number: Int) {
        var error: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(connection.descriptor, SOL_SOCKET, SO_ERROR, &error, &length)
        guard error == 0 else {
            dial.attempts[number] = nil
            table.close(connection)
            let fault = IOFault(systemError: error)
            return perform(dial.happyEyeballs.attemptFailed(number, Self.error(fault, dial), at: .now), dial)
        }
        guard connection.isConnected else { return }
        perform(dial.happyEyeballs.attemptSucceeded(number), dial)
    }

    // MARK: - Time

    /// A handshake takes long: another one is begun for the calls that wait, or it is given up if none does.
    func noteSlow(_ handshake: UInt64, to origin: Int, at now: Int64, _ state: inout Engine.State) {
        guard let dial = dials[handshake], let timer = dial.timer else { return }
        // Another handshake would wait for the same two look-ups.
        let mustWait = dial.isLookingUp && dials.values.contains { $0 !== dial && $0.waits(with: dial) }
        if !mustWait {
            state.pool.isSlow(handshake, of: origin, isStalled: now - dial.begin >= Self.stalledHandshake)
        }
        guard !state.pool.giveUpUnwanted(handshake, of: origin) else { return }
        let time = mustWait ? Self.slowHandshake : Self.unwantedHandshake
        state.timers.lower(timer, to: Nanoseconds.sum(now, time))
    }

    // MARK: - The end

    private func forget(_ dial: Dial) {
        dials[dial.handshake] = nil
        dial.forgetConnections()
        if let read = dial.identityRead.take() { engine.identityReads.cancel(read) }
        if let lookUp = dial.lookUp.take() { engine.lookUps.cancel(lookUp) }
        setAlarm(of: dial, nil)
        guard let timer = dial.timer.take() else { return }
        engine.state.withLock { $0.timers.remove(timer) }
    }

    /// No call waits for a handshake any more.
    func cancelDial(_ handshake: UInt64) {
        guard let dial = dials[handshake] else { return }
        perform(dial.happyEyeballs.cancel(), dial)
        let connection = dial.connection
        forget(dial)
        if let connection { table.close(connection) }
    }

    /// No call waits for any handshake any more.
    func forgetAll() {
        for dial in Array(dials.values) { forget(dial) }
    }

    /// Ends an exchange that waited too long for a connection.
    func endLate(_ exchange: Exchange, _ handshake: UInt64?) {
        let dial = handshake.flatMap { dials[$0] }
        let marks = dial?.marks ?? HandshakeMarks()
        let (cause, problem) = dial?.lateness ?? (.connectTimeout, "no connection")
        exchange.trail?.handshake(marks)
        let error = cause.error("\(problem) within \(exchange.options.timeouts.connect)")
        exchange.finish(exchange.site?.error(error) ?? error)
    }

    // MARK: - The steps

    /// An event came for a connection that is being opened.
    ///
    /// If the server has chosen HTTP/2, the connection's stage is then `beginningHTTP2`, and the session is the loop's.
    func goOn(_ connection: Connection) {
        guard let (dial, number) = connection.dial else { return }
        switch connection.life.stage {
        case .connecting: goOnConnecting(connection, dial, number)
        case .securing: goOnSecuring(connection, dial)
        case .tunneling: goOnTunneling(connection, dial)
        case .beginningHTTP2, .open, .shared, .closed: return
        }
    }

    /// Passes an event to a connection's state machine, and executes the actions that it returns.
    private func advance(
        _ connection: Connection,
        _ dial: Dial,
        _ event: ConnectionLife.Event,
        _ error: TransportError? = nil,
    ) {
        for action in connection.life.handle(event) {
            switch action {
            case .beginTLS(let peer): beginTLS(over: connection, dial, with: peer)
            case .beginTunnel: beginTunnel(over: connection, dial)
            case .beginHTTP2: continue
            case .offer: offer(connection, dial)
            case .close: table.remove(connection)
            case .report: fail(dial, error ?? dial.site.error(.notConnected, "no connection"))
            }
        }
    }

    // MARK: - TLS

    private func beginTLS(over connection: Connection, _ dial: Dial, with peer: ConnectionLife.Peer) {
        do throws(TransportError) {
            connection.tls =
                if peer == .proxy, let proxy = dial.proxy {
                    try TLSStream(
                        connection.descriptor,
                        to: proxy.peer,
                        PeerTrust(),
                        in: try engine.context(),
                        protocols: ["http/1.1"],
                    )
                } else {
                    try TLSStream(
                        connection.descriptor,
                        through: connection.tls,
                        to: dial.site.peer,
                        try dial.site.rules.get().trust,
                        showing: dial.identity,
                        in: try engine.context(),
                        protocols: dial.offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"],
                    )
                }
        } catch {
            return fail(connection, dial, dial.site.error(error))
        }
        goOnSecuring(connection, dial)
    }

    private func goOnSecuring(_ connection: Connection, _ dial: Dial) {
        switch connection.tls?.handshake() {
        case .blocked: return
        case .done:
            if connection.life.peer == .origin { dial.marks.secured = .now }
            let choosesHTTP2 = dial.offersHTTP2 && connection.tls?.chosenProtocol == "h2"
            advance(connection, dial, .secured(choosesHTTP2: choosesHTTP2))
        case .failed(let cause, let error): fail(connection, dial, dial.error(error, of: cause))
        case nil: fail(connection, dial, dial.error(Exchange.defect("the connection has no TLS")))
        }
    }

    // MARK: - The proxy

    private func beginTunnel(over connection: Connection, _ dial: Dial) {
        do throws(TransportError) {
            let tunnel = try dial.proxy?.handshake(to: dial.site.origin, address: dial.address)
            (dial.tunnel, dial.outgoing) = (tunnel, tunnel?.greeting ?? [])
        } catch {
            return fail(connection, dial, dial.site.error(error))
        }
        goOnTunneling(connection, dial)
    }

    private func goOnTunneling(_ connection: Connection, _ dial: Dial) {
        while true {
            let sendingFault = send(dial, over: connection)
            switch connection.receive(into: buffer) {
            case .bytes(let count):
                let step = dial.tunnel?.receive(UnsafeRawBufferPointer(rebasing: buffer[..<count])) ?? .wait
                switch step {
                case .wait: continue
                case .send(let bytes): dial.outgoing += bytes
                case .open:
                    dial.tunnel = nil
                    return advance(connection, dial, .tunnelOpened)
                case .failed(let error): return fail(connection, dial, dial.site.error(error))
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
        if let refusal = dial.tunnel?.problemAtEnd { return fail(connection, dial, dial.site.error(refusal)) }
        let text = "the proxy closed the connection before the tunnel was open"
        fail(connection, dial, dial.site.error(.proxyClosed, text, fault?.error))
    }

    // MARK: - Outcomes

    /// Gives the pool a connection of HTTP/1.1.
    private func offer(_ connection: Connection, _ dial: Dial) {
        conclude(dial, with: connection)
        table.noteRelease(of: connection)
        let isWanted = engine.state.withLock { state in
            state.beginIdleTime(of: connection, max: engine.idleAgeMax)
            state.pool.noteUnshared(dial.origin)
            let isIdle = state.pool.connected(dial.handshake, connection, of: dial.origin)
            connection.use.giveBack(toPool: isIdle == true)
            connection.isKept = isIdle == true
            state.takeActions()
            return isIdle != nil
        }
        if !isWanted { table.close(connection) }
    }

    /// Ends a dial whose connection goes to the pool.
    func conclude(_ dial: Dial, with connection: Connection) {
        connection.marks = dial.marks
        connection.dial = nil
        forget(dial)
    }

    /// Ends a connection whose present step has failed, and its dial.
    func fail(_ connection: Connection, _ dial: Dial, _ error: TransportError) {
        advance(connection, dial, .failed, error)
    }

    private func fail(_ dial: Dial, _ error: TransportError) {
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

extension Connection {
    /// Whether the connection is open.
    fileprivate var isConnected: Bool {
        var address = sockaddr()
        var length = socklen_t(MemoryLayout<sockaddr>.size)
        return getpeername(descriptor, &address, &length) == 0
    }
}
#endif
