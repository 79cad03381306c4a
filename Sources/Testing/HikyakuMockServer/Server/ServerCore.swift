import Dispatch
import HikyakuHTTP

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The running server: one thread that accepts connections, and one for each connection.
///
/// The threads keep it alive, and so does ``MockServer``, whose deinit stops the threads.
final class ServerCore: Sendable {
    /// Set on the server's own threads, which can't wait for themselves to end.
    @TaskLocal private static var current: ObjectIdentifier?

    /// How long ``stop()`` waits for a handler that doesn't return.
    private static let stopTimeMax = DispatchTimeInterval.seconds(5)

    let port: UInt16
    let book: AnswerBook
    let journal: Journal
    private let options: MockServerOptions
    private let listener: Int32
    private let stopSignal: WakeSignal
    private let slotSignal: WakeSignal
    private let threads = DispatchGroup()

    init(options: MockServerOptions, book: AnswerBook) throws(MockServerError) {
        self.options = options
        self.book = book
        journal = Journal(recordedRequestsMax: options.recordedRequestsMax)
        stopSignal = try WakeSignal()
        slotSignal = try WakeSignal()
        (listener, port) = try Sockets.makeListener(port: options.port)
    }

    func start() throws(MockServerError) {
        guard startThread(named: "mock-accept", { $0.acceptConnections() }) else {
            Sockets.closeDescriptor(listener)
            throw .startFailed("making a thread", code: EAGAIN)
        }
    }

    /// Closes everything and waits for the threads; may be called again, and from a handler.
    func stop() {
        stopSignal.raise()
        book.clear()
        guard Self.current != ObjectIdentifier(self) else { return }
        guard threads.wait(timeout: .now() + Self.stopTimeMax) == .success else { return }
        stopSignal.close()
        slotSignal.close()
    }

    private func startThread(named name: String, _ body: @escaping @Sendable (ServerCore) -> Void) -> Bool {
        threads.enter()
        let isStarted = BackgroundThread.start(name: name) { [self] in
            Self.$current.withValue(ObjectIdentifier(self)) { body(self) }
            threads.leave()
        }
        if !isStarted { threads.leave() }
        return isStarted
    }

    // MARK: Taking connections

    private func acceptConnections() {
        defer { Sockets.closeDescriptor(listener) }
        let listening = Channel(descriptor: listener, stopSignal: stopSignal)
        let slots = Channel(descriptor: slotSignal.readEnd, stopSignal: stopSignal)
        do throws(Channel.Interruption) {
            while true {
                slotSignal.clear()
                if journal.counts.openConnections >= max(1, options.connectionsMax) {
                    try slots.wait(for: POLLIN, until: nil)
                    continue
                }
                try listening.wait(for: POLLIN, until: nil)
                try accept(listening)
            }
        } catch {
            return
        }
    }

    private func accept(_ listening: Channel) throws(Channel.Interruption) {
        switch Sockets.acceptConnection(listener) {
        case .success(let descriptor):
            serve(descriptor)
        case .failure(let failure) where failure.isTemporary || failure.code == ECONNABORTED:
            return
        case .failure:
            // Usually there is no descriptor left: the connection stays in the backlog, and an immediate retry would
            // spin.
            do { try listening.wait(for: 0, until: .after(.milliseconds(20))) } catch .timedOut { return }
        }
    }

    private func serve(_ descriptor: Int32) {
        let channel = Channel(descriptor: descriptor, stopSignal: stopSignal)
        let number = journal.connectionOpened()
        let isStarted = startThread(named: "mock-connection") { core in
            var connection = Connection(channel: channel, number: number, options: core.options, answer: core.answer)
            connection.serve()
            core.connectionEnded()
        }
        if !isStarted {
            channel.reset()
            connectionEnded()
        }
    }

    private func connectionEnded() {
        journal.connectionClosed()
        slotSignal.raise()
    }

    // MARK: Answering

    private func answer(_ received: MockRequest) -> MockAnswer {
        let (request, handler) = book.resolve(received)
        journal.received(request)
        do {
            return try handler(request)
        } catch {
            return .text("the handler threw: \(error)\n", status: .internalServerError)
        }
    }
}
