#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

/// The loop on the transport's thread; libcurl's handles are touched nowhere else.
struct EventLoop: ~Copyable {
    private let mailbox: Mailbox
    private let multi: MultiHandle
    private let connectTimeout: Duration
    private var commands: [Mailbox.Command] = []
    private var inFlight: [EasyHandle] = []
    private var idle: [EasyHandle] = []
    private var pace = Pace()
    /// How many of those in flight have a caller who still waits.
    private var waitingCount = 0

    /// How many connections, and how many handles of some 20 KiB, are kept for later: twice as many as ever were in
    /// flight, so that a load that comes in waves finds them again.
    private var keptMax = 0
    private static let keptBounds = 128...8192
    /// How long the loop waits at most when nothing happens; libcurl's own timers make it shorter.
    private static let waitMilliseconds = 60_000.0

    /// Runs a loop until the transport has drained; called on the thread that is the loop's.
    static func run(_ mailbox: Mailbox, connectTimeout: Duration) {
        runToEnd(mailbox, connectTimeout)
        // The loop is gone by now, and with it all connections.
        mailbox.announceEnd()
    }

    private static func runToEnd(_ mailbox: Mailbox, _ connectTimeout: Duration) {
        guard let multi = MultiHandle() else {
            return refuse(mailbox.loopEnded(), TransportError(.transportFailed, "libcurl can't be set up"))
        }
        mailbox.loopBegan(with: multi)
        var loop = EventLoop(mailbox, multi, connectTimeout: connectTimeout)
        loop.run()
    }

    /// Ends exchanges that never began.
    static func refuse(_ commands: [Mailbox.Command], _ error: TransportError) {
        for case .start(let exchange) in commands {
            exchange.finish(with: .failure(error))
        }
    }

    private init(_ mailbox: Mailbox, _ multi: MultiHandle, connectTimeout: Duration) {
        self.mailbox = mailbox
        self.multi = multi
        self.connectTimeout = connectTimeout
        keep(Self.keptBounds.lowerBound)
    }

    private mutating func run() {
        while true {
            let deadline = obeyCommands()
            perform()
            if let deadline, waitingCount == 0 || deadline <= .now { break }
            if awaitWithoutSleep() { continue }
            if mailbox.fallAsleep(drainingBy: deadline) { wait(until: deadline) }
        }
        end()
    }

    /// Stays awake for a quick caller or a quick server; returns whether there is something to do.
    private mutating func awaitWithoutSleep() -> Bool {
        if waitingCount == 0, pace.isCallerQuick {
            while !mailbox.hasCommands {
                if pace.isTooLate() { return false }
                sched_yield()
            }
            return true
        }
        if waitingCount == 1, pace.isCallerQuick, pace.isServerQuick {
            while !multi.isReady, !mailbox.hasCommands {
                if pace.isTooLate() { return false }
                sched_yield()
            }
            return true
        }
        return false
    }

    // MARK: - Commands

    /// Does what was asked for meanwhile, and gives the deadline when the transport drains.
    private mutating func obeyCommands() -> ContinuousClock.Instant? {
        var commands = self.commands
        self.commands = []
        let deadline = mailbox.take(&commands)
        for command in commands { obey(command) }
        commands.removeAll(keepingCapacity: true)
        self.commands = commands
        return deadline
    }

    private mutating func obey(_ command: Mailbox.Command) {
        switch command {
        case .start(let exchange) where exchange.isCancelled:
            exchange.finish(with: .failure(CancellationError()))
        case .start(let exchange):
            start(exchange)
        case .cancel(let exchange):
            exchange.isCancelled = true
            cancel(exchange)
        }
    }

    private mutating func start(_ exchange: Exchange) {
        if waitingCount == 0 { pace.requestCame() }
        guard let handle = idle.popLast() ?? EasyHandle(connectTimeout: connectTimeout) else {
            return exchange.finish(with: .failure(TransportError(.transportFailed, "libcurl has no memory")))
        }
        do throws(TransportError) {
            try handle.begin(exchange)
            guard multi.add(handle) == CURLM_OK else { throw TransportError(.transportFailed, "libcurl refused") }
        } catch {
            return exchange.finish(with: .failure(error))
        }
        handle.place = inFlight.count
        inFlight.append(handle)
        waitingCount += 1
        if inFlight.count * 2 > keptMax { keep(keptMax * 2) }
    }

    private mutating func keep(_ count: Int) {
        guard count <= Self.keptBounds.upperBound else { return }
        keptMax = count
        multi.keepConnections(count)
    }

    private mutating func cancel(_ exchange: Exchange) {
        guard exchange.isWaiting, let handle = exchange.handle else { return }
        waitingCount -= 1
        exchange.finish(with: .failure(CancellationError()))
        // While a name is looked up, removing the transfer would block the loop until the resolver gives up. It ends by
        // itself: nobody waits for it, so that it gets no socket, and isn't sent over a connection that becomes free.
        guard !handle.transfer.pointee.isLookingUp else { return }
        remove(handle)
    }

    /// Takes a transfer off the multi handle, which closes its socket unless the transfer was over.
    private mutating func remove(_ handle: EasyHandle) {
        multi.remove(handle)
        let last = inFlight.removeLast()
        guard last !== handle else { return }
        inFlight[handle.place] = last
        last.place = handle.place
    }

    // MARK: - Transfers

    /// Lets libcurl do what is due, and ends the exchanges that are over by then.
    private mutating func perform() {
        let code = multi.perform()
        if code != CURLM_OK {
            abandonAll(TransportError(.transportFailed, "libcurl can't go on: multi code \(code.rawValue)"))
        }
        while let (handle, code) = multi.nextFinished() { finish(handle, code) }
    }

    private mutating func finish(_ handle: EasyHandle, _ code: CURLcode) {
        let outcome = handle.outcome(of: code)
        // First of all, so that the caller's thread wakes up while the rest is done.
        if let exchange = handle.transfer.pointee.exchange, exchange.isWaiting {
            waitingCount -= 1
            exchange.finish(with: outcome)
            if waitingCount == 0 { pace.outcomeCame() }
        }
        remove(handle)
        handle.reset()
        if case .success = outcome, idle.count < keptMax { idle.append(handle) }
    }

    private mutating func abandonAll(_ error: TransportError) {
        for handle in inFlight {
            handle.transfer.pointee.exchange?.finish(with: .failure(error))
            multi.remove(handle)
        }
        inFlight = []
        waitingCount = 0
    }

    // MARK: - Waiting and ending

    private func wait(until deadline: ContinuousClock.Instant?) {
        var milliseconds = Self.waitMilliseconds
        if let deadline {
            let left = max(deadline - .now, .zero) / .milliseconds(1)
            milliseconds = min(left + 1, milliseconds)
        }
        multi.wait(milliseconds: Int32(milliseconds))
    }

    private mutating func end() {
        let error = TransportError(.shutDown, "the transport was shut down")
        Self.refuse(mailbox.loopEnded(), error)
        for handle in inFlight { handle.transfer.pointee.exchange?.finish(with: .failure(error)) }
        // Older versions of libcurl wait for the look-up of a name when its transfer is removed; nobody else has to.
        if inFlight.contains(where: { $0.transfer.pointee.isLookingUp }) { mailbox.announceEnd() }
        for handle in inFlight { multi.remove(handle) }
        inFlight = []
        idle = []
    }
}
#endif
