import Foundation
import Hikyaku

/// The streams that have begun, by their numbers.
nonisolated final class StreamTable: Sendable {
    private static let streamsMax = 1000

    private struct State {
        var lastID = 0
        var streams: [String: ContractStream] = [:]
    }

    private let client = APIClient()
    private let state = Guarded(State())

    /// Begins a stream.
    ///
    /// - Parameter parameters: What the test suite wants.
    /// - Returns: Its number; `nil` if there are too many.
    func add(_ parameters: StreamParameters) -> String? {
        let stream = ContractStream(parameters, client: client)
        let id: String? = state.withLock { state in
            guard state.streams.count < Self.streamsMax else { return nil }
            state.lastID += 1
            state.streams["\(state.lastID)"] = stream
            return "\(state.lastID)"
        }
        if id != nil { Task { await stream.start() } }
        return id
    }

    func stream(_ id: String) -> ContractStream? { state.withLock { $0.streams[id] } }

    /// Ends a stream.
    ///
    /// - Parameter id: Its number.
    /// - Returns: Whether there was one.
    func remove(_ id: String) -> Bool {
        guard let stream = state.withLock({ $0.streams.removeValue(forKey: id) }) else { return false }
        Task { await stream.stop() }
        return true
    }

    func removeAll() {
        for id in state.withLock({ Array($0.streams.keys) }) { _ = remove(id) }
    }
}

/// A value that one thread at a time uses.
///
/// `@unchecked`: the compiler can't see that the value is used only under the lock.
nonisolated final class Guarded<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: sending Value) {
        self.value = value
    }

    func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
        lock.withLock { body(&value) }
    }
}
