package import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The exchanges in flight that several calls wait for.
///
/// An exchange: none → running, with one or more waiting calls → over. It is over when it has a response or an
/// error, or when the last waiting call is cancelled; a later call starts a new exchange.
package final class SharedExchanges: Sendable {
    /// What equal requests have in common.
    struct Key: Hashable, Sendable {
        private let client: ObjectIdentifier
        private let type: ObjectIdentifier
        fileprivate let environment: APIEnvironment
        private let method: HTTPMethod
        fileprivate let url: URL
        private let headers: HTTPHeaders
        private let networkPreferences: NetworkPreferences
        private let cookies: [String]
        private let redirects: RedirectPolicy.Rules?

        init(_ request: HTTPRequest, _ cookies: [String], _ context: RequestContext, sentBy client: ClientIdentity) {
            self.client = ObjectIdentifier(client)
            type = ObjectIdentifier(context.requestType)
            environment = context.environment
            method = request.method
            url = request.url
            headers = request.headers
            var network = request.networkPreferences
            // No number is equal to NaN.
            network.priority = network.priorityInRange
            networkPreferences = network
            self.cookies = cookies
            redirects = context.call.choices.redirectPolicy?.rules
        }
    }

    fileprivate typealias Waiter = CheckedContinuation<SharedOutcome, Never>

    fileprivate struct Exchange {
        let key: Key
        /// The call that started it; the events of the exchange are recorded there.
        let context: RequestContext
        /// What that call had done before.
        let start: (sentCount: Int, failedCount: Int)
        /// The exchange's token, which calls that join later also get.
        let token: Int?
        var waiters: [UInt64: Waiter] = [:]
        var task: Task<Void, Never>?
    }

    fileprivate struct State {
        var lastID: UInt64 = 0
        var running: [UInt64: Exchange] = [:]
        /// The exchanges that other calls may still join.
        var open: [Key: UInt64] = [:]

        mutating func makeID() -> UInt64 {
            lastID += 1
            return lastID
        }

        /// Adds a call to the open exchange for the key, or to a new one.
        mutating func join(
            _ key: Key,
            _ waiter: Waiter,
            in context: RequestContext,
            token: Int?,
        ) -> WaitingCall {
            let known = open[key]
            let exchange = known ?? makeID()
            if known == nil {
                open[key] = exchange
                running[exchange] = Exchange(key: key, context: context, start: context.progress, token: token)
            }
            let id = makeID()
            running[exchange]?.waiters[id] = waiter
            let joined = running[exchange]
            return WaitingCall(
                exchange: exchange,
                id: id,
                context: joined?.context ?? context,
                start: joined?.start ?? (0, 0),
                token: joined?.token ?? token,
                hasJoined: known != nil,
            )
        }

        mutating func remove(_ id: UInt64) -> Exchange? {
            let exchange = running.removeValue(forKey: id)
            if let exchange, open[exchange.key] == id { open[exchange.key] = nil }
            return exchange
        }
    }

    /// The position of a waiting call.
    fileprivate struct WaitingCall: Sendable {
        let exchange: UInt64
        let id: UInt64
        let context: RequestContext
        let start: (sentCount: Int, failedCount: Int)
        let token: Int?
        /// Whether another call has started the exchange.
        let hasJoined: Bool
    }

    private let state = Lock(State())

    package init() {}

    /// Waits for the exchange of equal requests, which the first of them starts.
    ///
    /// - Parameters:
    ///   - key: What the requests have in common.
    ///   - context: The call.
    ///   - token: The token for an exchange that starts now; see ``ResultObserver``.
    ///   - send: Starts the exchange.
    /// - Returns: The response. The context then has the attempts of the call that started the exchange, and the
    ///   exchange's token.
    /// - Throws: The error of the exchange, and `CancellationError` for a cancelled call.
    func response(
        to key: Key,
        in context: RequestContext,
        token: Int?,
        from send: @escaping @Sendable () async throws -> HTTPResponse,
    ) async throws -> HTTPResponse {
        let waiting = Lock<WaitingCall?>(nil)
        let outcome = await CallCancellation.withHandler {
            await withCheckedContinuation { (waiter: Waiter) in
                let taken = state.withLock { $0.join(key, waiter, in: context, token: token) }
                waiting.withLock { $0 = taken }
                if taken.hasJoined {
                    taken.context.noteJoined(until: context.deadline)
                    context.beginWaiting(for: taken.context)
                } else {
                    begin(taken.exchange, send)
                }
                if CallCancellation.isCancelled { leave(taken) }
            }
        } onCancel: {
            if let waiting = waiting.withLock(\.self) { self.leave(waiting) }
        }
        let taken = waiting.withLock(\.self)
        defer { if taken?.hasJoined == true { context.endWaiting() } }
        let response = try context.adopt(outcome)
        context.noteToken(taken?.token)
        return response
    }

    /// Closes all exchanges in flight to new calls; the calls that wait still get the response.
    package func close() {
        state.withLock { $0.open = [:] }
    }

    /// Closes the exchanges in flight to a service to new calls; the calls that wait still get the response.
    ///
    /// - Parameters:
    ///   - origin: The origin of the service's environment.
    ///   - includesGone: Whether to include exchanges that a request, a middleware or a redirect has taken to the
    ///     origin.
    package func close(to origin: HTTPOrigin, includesGone: Bool) {
        state.withLock { state in
            state.open = state.open.filter { key, id in
                guard key.environment.base.origin != origin else { return false }
                guard includesGone else { return true }
                guard HTTPOrigin(key.url) != origin else { return false }
                let hops = state.running[id]?.context.redirects ?? []
                return !hops.contains { HTTPOrigin($0.to) == origin }
            }
        }
    }

    /// Whether there is an exchange that a new call may join.
    package var haveOpen: Bool { state.withLock { !$0.open.isEmpty } }

    /// How many exchanges are in flight.
    var count: Int { state.withLock(\.running.count) }

    /// How many calls wait for them.
    var waiterCount: Int { state.withLock { $0.running.values.reduce(0) { $0 + $1.waiters.count } } }

    private func begin(_ exchange: UInt64, _ send: @escaping @Sendable () async throws -> HTTPResponse) {
        // The exchange belongs to all waiting calls: no call's end stops it, and no call's deadline limits it.
        let task = CallDeadline.outsideOfCalls {
            UnstructuredTask.start { self.end(exchange, with: await Result(send)) }
        }
        let isOver = state.withLock { state in
            guard state.running[exchange] != nil else { return true }
            state.running[exchange]?.task = task
            return false
        }
        // The exchange has ended, or all waiting calls were cancelled meanwhile.
        if isOver { task.cancel() }
    }

    private func end(_ id: UInt64, with outcome: Result<HTTPResponse, any Error>) {
        guard let exchange = state.withLock({ $0.remove(id) }) else { return }
        let shared = exchange.context.outcome(of: outcome, since: exchange.start)
        // In the order in which they came: that of a dictionary differs from process to process.
        for (_, waiter) in exchange.waiters.sorted(by: { $0.key < $1.key }) { waiter.resume(returning: shared) }
    }

    private func leave(_ waiting: WaitingCall) {
        let (waiter, exchange): (Waiter?, Exchange?) = state.withLock { state in
            let waiter = state.running[waiting.exchange]?.waiters.removeValue(forKey: waiting.id)
            let isLast = state.running[waiting.exchange]?.waiters.isEmpty == true
            return (waiter, isLast ? state.remove(waiting.exchange) : nil)
        }
        exchange?.task?.cancel()
        waiter?.resume(returning: waiting.context.outcome(of: .failure(CancellationError()), since: waiting.start))
    }
}
