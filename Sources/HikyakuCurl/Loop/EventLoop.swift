#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

/// What runs all transfers of a transport: on the transport's thread, or for a moment on that of a caller.
///
/// `@unchecked`: the compiler can't see that all of it, libcurl's handles included, is touched only by who has the
/// mailbox's driver role. The role is taken and given away under the mailbox's lock, so that whoever gets it sees what
/// the one before did; libcurl doesn't mind on which thread it is called as long as it isn't on two at once.
final class EventLoop: @unchecked Sendable {
    private let mailbox: Mailbox
    let multi: MultiHandle
    private let options: CurlOptions
    private let settings: ConnectionSettings
    private var commands: [Mailbox.Command] = []
    @OwnPlace private var inFlight: [EasyHandle] = []
    @OwnPlace private var idle: [EasyHandle] = []
    @OwnPlace private var queue: RequestQueue<Exchange>
    private var watch = StageWatch()
    @OwnPlace private var pace: Pace
    private let connections = KeptConnections()
    private let sessions = TLSSessions()
    private let agenda = LoopAgenda()
    /// Whether a connection over TLS may be among those that are open.
    private var hasUsedTLS: Bool
    /// How many of those in flight have a caller who still waits.
    private var waitingCount = 0

    /// How many connections, and how many handles of some 20 KiB, are kept for later: twice as many as ever were in
    /// flight, so that a load that comes in waves finds them again.
    private var keptMax = 0
    private static let keptBounds = 128...8192
    /// How long the loop waits at most when nothing happens; libcurl's own timers make it shorter.
    private static let waitMilliseconds = 60_000.0
    /// How long it waits at most while transfers wait for a connection over TLS.
    private static let forgettingMilliseconds = 250.0

    /// Runs a loop until the transport has drained; called on the thread that is the loop's.
    static func run(_ mailbox: Mailbox, options: CurlOptions, pace: Pace) {
        ExitGate.enter()
        runToEnd(mailbox, options, pace)
        ExitGate.leaveForGood()
        // The loop is gone by now, and with it all connections.
        mailbox.announceEnd()
    }

    private static func runToEnd(_ mailbox: Mailbox, _ options: CurlOptions, _ pace: Pace) {
        guard let multi = MultiHandle() else {
            return refuse(mailbox.loopEnded(), TransportError(.transportFailed, "libcurl can't be set up"))
        }
        let loop = EventLoop(mailbox, multi, options: options, pace: pace)
        mailbox.loopBegan(loop)
        loop.run()
    }

    /// Ends exchanges that never began.
    static func refuse(_ commands: [Mailbox.Command], _ error: TransportError) {
        for case .start(let exchange) in commands {
            exchange.finish(with: .failure(error))
        }
    }

    private init(_ mailbox: Mailbox, _ multi: MultiHandle, options: CurlOptions, pace: Pace) {
        self.mailbox = mailbox
        self.multi = multi
        self.options = options
        settings = ConnectionSettings(options)
        hasUsedTLS = settings.proxy.usesTLS
        _pace = OwnPlace(wrappedValue: pace)
        _queue = OwnPlace(wrappedValue: RequestQueue(RequestQueue.Limits(options)))
        keep(Self.keptBounds.lowerBound)
        // Through a proxy, libcurl takes all origins for one, and would hold transfers back that nothing is in the way
        // of.
        if !settings.proxy.isInUse {
            multi.limitConnections(perHost: max(options.connectionsPerHostMax, 1))
        }
    }

    deinit {
        _inFlight.free()
        _idle.free()
        _queue.free()
        _pace.free()
    }

    private func run() {
        while true {
            let deadline = obeyCommands()
            perform()
            if let deadline, waitingCount == 0 && queue.isEmpty || deadline <= .now { break }
            if inFlight.isEmpty {
                ExitGate.leave()
                mailbox.park()
                ExitGate.enter()
            } else if mailbox.fallAsleep(drainingBy: deadline) {
                wait(until: deadline)
            }
        }
        end()
    }

    // MARK: - Callers that drive

    /// Carries one exchange on its caller's thread; called by who got the driver role from the mailbox, which is given
    /// back here.
    ///
    /// It goes to the loop's thread when the exchange isn't expected to be quick, when it isn't over within
    /// ``Pace/window``, or when there is something else to do. The exchange then has its outcome from there.
    func drive(_ exchange: Exchange) {
        guard pace.isQuick(for: exchange.url) else { return mailbox.giveBack(with: .start(exchange)) }
        ExitGate.enter()
        defer { ExitGate.leave() }
        if hasUsedTLS {
            BrokenPipe.isolated { driveAwhile(exchange) }
        } else {
            driveAwhile(exchange)
        }
        mailbox.giveBack(isIdle: inFlight.isEmpty)
    }

    private func driveAwhile(_ exchange: Exchange) {
        obey(.start(exchange))
        perform()
        while exchange.isWaiting {
            let elapsed = pace.elapsed()
            guard elapsed < Pace.window, !mailbox.hasNews else { return pace.waitedInVain() }
            if !multi.isReady {
                // Falling asleep and waking up would take about as long as the whole wait.
                if elapsed < Pace.lookout {
                    sched_yield()
                    continue
                }
                multi.wait(milliseconds: 1)
            }
            perform()
        }
    }

    // MARK: - Commands

    /// Does what was asked for meanwhile, and gives the deadline when the transport drains.
    private func obeyCommands() -> ContinuousClock.Instant? {
        var commands = self.commands
        self.commands = []
        let deadline = mailbox.take(&commands)
        for command in commands { obey(command) }
        commands.removeAll(keepingCapacity: true)
        self.commands = commands
        return deadline
    }

    private func obey(_ command: Mailbox.Command) {
        switch command {
        case .start(let exchange) where exchange.isCancelled:
            exchange.finish(with: .failure(CancellationError()))
        case .start(let exchange):
            admit(exchange)
        case .cancel(let exchange):
            exchange.isCancelled = true
            end(exchange, with: CancellationError())
        case .goOn(let exchange):
            goOn(exchange)
        }
    }

    private func admit(_ exchange: Exchange) {
        switch queue.admit(exchange, to: exchange.url, needsConnection: exchange.options.streamsBody) {
        case .now(let origin):
            start(exchange, origin)
        case .later(let ticket):
            exchange.ticket = ticket
        case .full:
            let text = "\(exchange.hostAndPort): \(options.queuedRequestsMax) requests are waiting already"
            exchange.finish(with: .failure(TransportError(.queueFull, text)))
        }
    }

    private func startQueued() {
        while let (exchange, origin) = queue.next() {
            exchange.ticket = nil
            exchange.trail?.dequeued()
            start(exchange, origin)
        }
    }

    private func start(_ exchange: Exchange, _ origin: RequestQueue<Exchange>.Origin) {
        pace.requestCame(isAlone: inFlight.isEmpty)
        hasUsedTLS = hasUsedTLS || exchange.isSecure
        guard let handle = idle.popLast() ?? EasyHandle(options, settings, connections, sessions) else {
            queue.leave(origin)
            return exchange.finish(with: .failure(TransportError(.transportFailed, "libcurl has no memory")))
        }
        handle.origin = origin
        if exchange.mayUseHTTP2, isStuck(origin) { exchange.needsNewConnection = true }
        do throws(TransportError) {
            try handle.begin(exchange)
            guard multi.add(handle) == CURLM_OK else { throw TransportError(.transportFailed, "libcurl refused") }
        } catch {
            queue.leave(origin)
            return exchange.finish(with: .failure(error))
        }
        watch.begin(handle, exchange)
        handle.place = inFlight.count
        inFlight.append(handle)
        waitingCount += 1
        exchange.agenda = agenda
        if inFlight.count * 2 > keptMax { keep(keptMax * 2) }
    }

    /// Whether all that is on the way to an origin is look-ups that nobody waits for any more, since they took too
    /// long.
    ///
    /// Who asks next isn't to wait until one of them has made a connection to share.
    private func isStuck(_ origin: RequestQueue<Exchange>.Origin) -> Bool {
        guard waitingCount < inFlight.count else { return false }
        watch.readClock()
        let handles = inFlight.filter { $0.origin == origin }
        return !handles.isEmpty && handles.allSatisfy { LookUpTime.isLeftAndLate($0) }
    }

    private func keep(_ count: Int) {
        guard count <= Self.keptBounds.upperBound else { return }
        keptMax = count
        multi.keepConnections(count)
    }

    private func end(_ exchange: Exchange, with error: any Error) {
        if let ticket = exchange.ticket {
            queue.remove(ticket)
            exchange.ticket = nil
            return exchange.finish(with: .failure(error))
        }
        // One without a handle may not even have been submitted, and still be in its caller's hands.
        guard let handle = exchange.handle, exchange.isWaiting else { return }
        end(handle, exchange, error)
    }

    /// Ends an exchange whose transfer isn't over.
    private func end(_ handle: EasyHandle, _ exchange: Exchange, _ error: any Error) {
        waitingCount -= 1
        exchange.finish(with: .failure(error))
        // While a name is looked up, removing the transfer would block the loop until the resolver gives up, or leave
        // the thread that looks it up to itself. It ends by itself: nobody waits for it, so that it gets no socket, and
        // isn't sent over a connection that becomes free. Until then, it counts as on its way, and so there are never
        // more such threads than requests may be.
        guard !handle.transfer.pointee.isLookingUp else { return LookUpTime.leave(handle) }
        // Others may wait to share the connection that is being made, and are forgotten by libcurl at times when it
        // goes. It is made, then, and nothing is sent over it for who gave up.
        guard !(handle.transfer.pointee.isConnecting && exchange.mayUseHTTP2 && queue.hasSeveral(handle.origin)) else {
            return
        }
        remove(handle)
    }

    /// Takes a transfer off the multi handle, which closes its socket unless the transfer was over.
    private func remove(_ handle: EasyHandle) {
        detach(handle)
        queue.leave(handle.origin)
    }

    private func detach(_ handle: EasyHandle) {
        multi.remove(handle)
        let last = inFlight.removeLast()
        guard last !== handle else { return }
        inFlight[handle.place] = last
        last.place = handle.place
    }

    // MARK: - Transfers

    /// Lets libcurl do what is due, and ends the exchanges that are over by then.
    private func perform() {
        watch.readClock()
        if watch.isDue {
            for (handle, exchange, error) in watch.overdueLookUps(among: inFlight) { end(handle, exchange, error) }
        }
        var unsentCount = unsentCount
        while true {
            let hasFinished = performOnce()
            let leftCount = self.unsentCount
            guard unsentCount > 0, hasFinished || leftCount < unsentCount else { break }
            unsentCount = leftCount
        }
        while let exchange = agenda.next() { settle(exchange) }
        if watch.isDue { endOverdue() }
        if !queue.isEmpty { startQueued() }
    }

    /// How many transfers wait for a connection over TLS, of their own or of another's.
    ///
    /// libcurl lets one that waits for another's go on whenever one gets a connection or is over, and forgets the timer
    /// for it when the former was the last in its list. So it is asked again as long as that may have happened; once
    /// more also when the last of them was sent, since at times libcurl holds back what it wrote for HTTP/2 until then.
    private var unsentCount: Int {
        hasUsedTLS ? inFlight.count { $0.transfer.pointee.sendCount == 0 } : 0
    }

    /// Whether transfers were over.
    private func performOnce() -> Bool {
        let code = multi.perform()
        if code != CURLM_OK {
            abandonAll(TransportError(.transportFailed, "libcurl can't go on: multi code \(code.rawValue)"))
        }
        var hasFinished = false
        while let (handle, code) = multi.nextFinished() {
            hasFinished = true
            finish(handle, code)
        }
        return hasFinished
    }

    /// Ends those that have been silent for too long.
    private func endOverdue() {
        for (handle, exchange, error) in watch.overdue(among: inFlight) { end(handle, exchange, error) }
    }

    // MARK: - Streams

    /// Tells a reader what came in this round, and pauses a transfer whose reader is slow.
    private func settle(_ exchange: Exchange) {
        guard let handle = exchange.handle else { return }
        let mustPause = handle.transfer.pointee.closePiece()
        if mustPause || handle.transfer.pointee.isHeldBack { setPauses(of: handle) }
    }

    private func goOn(_ exchange: Exchange) {
        // The time that passed until now is the caller's.
        watch.readClock()
        guard let handle = exchange.handle, exchange.isWaiting else { return }
        if let error = exchange.upload?.failure { return end(exchange, with: error) }
        setPauses(of: handle)
    }

    /// What libcurl had to keep meanwhile is received inside of this call, so that it can fail like a transfer.
    private func setPauses(of handle: EasyHandle) {
        let code = handle.setPauses()
        if code != CURLE_OK { finish(handle, code) }
    }

    private func finish(_ handle: EasyHandle, _ code: CURLcode) {
        if let exchange = handle.transfer.pointee.exchange, exchange.isWaiting,
            handle.transfer.pointee.mustStartAfresh || handle.mayStartAfresh(after: code)
        {
            exchange.needsNewConnection = true
            return startAfresh(exchange, on: handle)
        }
        if let exchange = handle.exchangeToRepeat(after: code) {
            exchange.isRepeated = true
            return startAfresh(exchange, on: handle)
        }
        let outcome = handle.outcome(of: code)
        // Before the rest, so that the caller's thread wakes up while that is done.
        if let exchange = handle.transfer.pointee.exchange, exchange.isWaiting {
            waitingCount -= 1
            note(outcome, of: exchange, handle)
            exchange.finish(with: outcome)
        }
        remove(handle)
        handle.reset()
        if case .success = outcome, CurlLibrary.mayReuseHandles, idle.count < keptMax { idle.append(handle) }
    }

    /// Begins anew with what wasn't sent over a kept connection that can't be trusted, or got lost with one.
    private func startAfresh(_ exchange: Exchange, on handle: EasyHandle) {
        waitingCount -= 1
        detach(handle)
        handle.reset()
        start(exchange, handle.origin)
    }

    private func note(_ outcome: Result<ReceivedResponse, any Error>, of exchange: Exchange, _ handle: EasyHandle) {
        let isSuccess = if case .success = outcome { true } else { false }
        let connectionCount = isSuccess ? handle.number(CURLINFO_NUM_CONNECTS) : 0
        // Over a kept connection, the protocol is the one that it was; what is streamed asks for no other.
        if connectionCount > 0, !exchange.options.streamsBody {
            queue.note(handle.origin, isMultiplexed: handle.isMultiplexed)
        }
        pace.outcomeCame(
            for: exchange.url,
            isSuccess: isSuccess,
            isOverKeptConnection: isSuccess && connectionCount == 0,
        )
    }

    private func abandonAll(_ error: TransportError) {
        for handle in inFlight {
            handle.transfer.pointee.exchange?.finish(with: .failure(error))
            multi.remove(handle)
            queue.leave(handle.origin)
        }
        inFlight = []
        waitingCount = 0
    }

    // MARK: - Waiting and ending

    private func wait(until deadline: ContinuousClock.Instant?) {
        // Whom libcurl has forgotten all the same goes on when it is asked again.
        let longest = unsentCount > 0 ? Self.forgettingMilliseconds : Self.waitMilliseconds
        var milliseconds = min(longest, watch.millisecondsLeft)
        if let deadline {
            let left = max(deadline - .now, .zero) / .milliseconds(1)
            milliseconds = min(left + 1, milliseconds)
        }
        ExitGate.leave()
        multi.wait(milliseconds: Int32(milliseconds))
        ExitGate.enter()
    }

    private func end() {
        let error = TransportError(.shutDown, "the transport was shut down")
        Self.refuse(mailbox.loopEnded(), error)
        for handle in inFlight { handle.transfer.pointee.exchange?.finish(with: .failure(error)) }
        for exchange in queue.removeAll() { exchange.finish(with: .failure(error)) }
        // Older versions of libcurl wait for the look-up of a name when its transfer is removed; nobody else has to.
        if inFlight.contains(where: { $0.transfer.pointee.isLookingUp }) { mailbox.announceEnd() }
        for handle in inFlight { multi.remove(handle) }
        inFlight = []
        idle = []
    }
}
#endif
