// Hands values to a hundred readers, by a Broadcast or by as many AsyncStreams that are yielded to by hand.
//
//   BroadcastPeer broadcast|hand waiting|buffered|dropping VALUES
//
// waiting: every reader waits for each value. buffered: all values are buffered before the first is read. dropping:
// no value is read, and sixteen values are buffered for each subscriber. The difference between two runs with different
// numbers of values gives the instructions per value:
//
//   valgrind --tool=callgrind BroadcastPeer broadcast waiting 1000
//
// `BroadcastPeer hub watched|unwatched RESPONSES` publishes that number of arrays of 1,000 models to a hub.

import Foundation
import HikyakuBroadcast

struct Model: HubModel {
    let id: Int
    let name: String
}

/// Opens when all readers have come.
///
/// `@unchecked`: the lock guards what the compiler can't see it guard.
final class Gate: @unchecked Sendable {
    private let lock = NSLock()
    private var missing = 0
    private var waiter: CheckedContinuation<Void, Never>?

    func arrive() {
        let waiter: CheckedContinuation<Void, Never>? = lock.withLock {
            missing -= 1
            guard missing == 0 else { return nil }
            defer { self.waiter = nil }
            return self.waiter
        }
        waiter?.resume()
    }

    /// Does the work, and waits until `count` values have come since.
    func pass(_ count: Int, after work: () -> Void) async {
        await withCheckedContinuation { continuation in
            lock.withLock {
                missing += count
                waiter = continuation
            }
            work()
        }
    }
}

let subscriberCount = 100

func makeModel(_ number: Int) -> Model { Model(id: number, name: "a model with a name of some length") }

func read<Values: AsyncSequence & Sendable>(
    _ streams: [Values],
    _ gate: Gate,
) -> [Task<Int, any Error>] where Values.Element == Model {
    streams.map { stream in
        Task {
            var sum = 0
            gate.arrive()
            for try await model in stream {
                sum &+= model.id
                gate.arrive()
            }
            return sum
        }
    }
}

func measure<Values: AsyncSequence & Sendable>(
    _ streams: [Values],
    _ mode: String,
    _ valueCount: Int,
    publish: (Model) -> Void,
    finish: () -> Void,
) async throws -> Int where Values.Element == Model {
    let gate = Gate()
    var tasks: [Task<Int, any Error>] = []
    if mode == "waiting" {
        await gate.pass(streams.count) { tasks = read(streams, gate) }
        for number in 0..<valueCount { await gate.pass(streams.count) { publish(makeModel(number)) } }
    } else {
        for number in 0..<valueCount { publish(makeModel(number)) }
        if mode == "buffered" { tasks = read(streams, gate) }
    }
    finish()
    var sums = 0
    for task in tasks { sums &+= try await task.value }
    return sums
}

/// - Returns: How many models are known.
func publish(_ count: Int, isWatched: Bool) -> Int {
    let hub = ModelHub()
    let streams = isWatched ? [hub.updates(of: Model.self, .newest(1_000)), hub.updates(of: Model.self, id: 7)] : []
    for number in 0..<count { hub.publish((0..<1_000).map { makeModel($0 + number % 2) }, source: .network) }
    return (0...1_000).count { hub.value(of: Model.self, id: $0) != nil } + streams.count
}

/// - Returns: A sum over all that was read.
func run(_ words: [String]) async throws -> Int {
    guard words.count == 4, let valueCount = Int(words[3]) else {
        throw POSIXError(.EINVAL)
    }
    let mode = words[2]
    if words[1] == "hub" { return publish(valueCount, isWatched: mode == "watched") }
    if words[1] == "broadcast" {
        var broadcast: Broadcast<Model>? = Broadcast()
        let policy: BroadcastPolicy = mode == "dropping" ? .newest(16) : .unbounded
        let streams = (0..<subscriberCount).compactMap { _ in broadcast?.subscribe(policy) }
        return try await measure(streams, mode, valueCount) {
            broadcast?.publish($0)
        } finish: {
            broadcast = nil
        }
    }
    let pairs = (0..<subscriberCount).map { _ in
        AsyncStream.makeStream(of: Model.self, bufferingPolicy: mode == "dropping" ? .bufferingNewest(16) : .unbounded)
    }
    return try await measure(pairs.map(\.stream), mode, valueCount) { model in
        for pair in pairs { pair.continuation.yield(model) }
    } finish: {
        for pair in pairs { pair.continuation.finish() }
    }
}

// The thread that began waits: an asynchronous main would end it, which valgrind doesn't survive.
Task.detached {
    do {
        print("sum=\(try await run(CommandLine.arguments))")
        exit(0)
    } catch {
        FileHandle.standardError.write(Data("\(CommandLine.arguments[0]): \(error)\n".utf8))
        exit(1)
    }
}
while true { pause() }
