import Foundation
import HikyakuHTTP

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// One request in flight: what came so far, and who waits for it.
///
/// Whoever finishes it first decides its outcome; what comes later is ignored.
final class Exchange: Sendable {
    typealias Outcome = Result<HTTPResponse, any Error>

    private struct State {
        /// Who waits, until there is an outcome.
        var waiter: CheckedContinuation<Outcome, Never>?
        /// Set once; a waiter that comes later gets it at once.
        var outcome: Outcome?
        /// Ends the work below.
        var stop: (@Sendable () -> Void)?
        var response: HTTPURLResponse?
        var body = Data()
        /// Whether the whole response is there although an error follows.
        var isWhole = false
    }

    private let request: HTTPRequest
    private let bodyBytesMax: Int
    private let state = Lock(State())

    init(request: HTTPRequest, bodyBytesMax: Int) {
        self.request = request
        self.bodyBytesMax = bodyBytesMax
    }

    /// Hands the outcome to `continuation` when there is one; `false` when that is at once, and nothing is to be done.
    func wait(with continuation: CheckedContinuation<Outcome, Never>) -> Bool {
        let outcome = state.withLock { state in
            if state.outcome == nil { state.waiter = continuation }
            return state.outcome
        }
        if let outcome { continuation.resume(returning: outcome) }
        return outcome == nil
    }

    /// Says how the work is ended, and ends it where the outcome was there before the work.
    func didStart(stop: @escaping @Sendable () -> Void) {
        let isOver = state.withLock { state in
            if state.outcome == nil { state.stop = stop }
            return state.outcome != nil
        }
        if isOver { stop() }
    }

    /// Sets the outcome where there is none yet, hands it over, and ends the work where it still goes on.
    func finish(_ outcome: Outcome, isOver: Bool = false) {
        let (waiter, stop) = state.withLock { state in
            guard state.outcome == nil else {
                return (nil, nil) as (CheckedContinuation<Outcome, Never>?, (() -> Void)?)
            }
            state.outcome = outcome
            state.body = Data()
            defer { (state.waiter, state.stop) = (nil, nil) }
            return (state.waiter, state.stop)
        }
        if !isOver { stop?() }
        waiter?.resume(returning: outcome)
    }
}

// MARK: - What the session's delegate reports

extension Exchange {
    /// Takes the head, and refuses a body that says it is too large.
    func didReceive(_ response: HTTPURLResponse) {
        state.withLock { $0.response = response }
        guard let length = bodyLength(of: response), length > Int64(bodyBytesMax) else { return }
        finish(.failure(tooLarge("\(length) bytes")))
    }

    /// Takes bytes up to the limit.
    func didReceive(_ data: Data) {
        let isTooLarge = state.withLock { state in
            guard state.outcome == nil else { return false }
            guard data.count <= bodyBytesMax - state.body.count else { return true }
            if state.body.isEmpty { reserve(&state) }
            state.body.append(data)
            return false
        }
        if isTooLarge { finish(.failure(tooLarge("more"))) }
    }

    /// Takes the response for whole, whatever error comes.
    func didReceiveWholeResponse() {
        state.withLock { $0.isWhole = true }
    }

    /// Sets the outcome by what came; `finalResponse` stands for a head that wasn't reported by itself.
    func didComplete(with error: (any Error)?, finalResponse: URLResponse?) {
        let (response, body, isWhole) = state.withLock { state in
            (state.response ?? finalResponse as? HTTPURLResponse, state.body, state.isWhole)
        }
        if let error, !isWhole || response == nil {
            let failure = transportFailure(of: error, for: request, hasResponse: response != nil)
            return finish(.failure(failure), isOver: true)
        }
        guard let response else {
            return finish(.failure(TransportError(.malformedResponse, "what came is no HTTP response")), isOver: true)
        }
        #if !canImport(Darwin)
        // Apple's Foundation sees to that by itself.
        if let length = bodyLength(of: response), Int64(body.count) < length {
            let message = "the body ended after \(body.count) of \(length) bytes"
            return finish(.failure(TransportError(.truncatedResponse, message)), isOver: true)
        }
        #endif
        finish(.success(HTTPResponse(response, body: body)), isOver: true)
    }

    private func tooLarge(_ size: String) -> TransportError {
        TransportError(.bodyTooLarge, "the body has \(size), the limit is \(bodyBytesMax) bytes")
    }

    /// The length that the head promises for the decoded body; `nil` where it says nothing of that.
    private func bodyLength(of response: HTTPURLResponse) -> Int64? {
        let coding = response.value(forHTTPHeaderField: "Content-Encoding")?.lowercased() ?? "identity"
        guard request.method != .head, ![204, 304].contains(response.statusCode), coding == "identity",
            response.expectedContentLength >= 0
        else { return nil }
        return response.expectedContentLength
    }

    /// Takes the memory at once where the size is known, up to a mebibyte: a peer's word is not worth more.
    private func reserve(_ state: inout State) {
        guard let length = state.response?.expectedContentLength, length > 0 else { return }
        state.body.reserveCapacity(Int(min(length, Int64(min(bodyBytesMax, 1 << 20)))))
    }
}
