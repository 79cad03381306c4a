import Hikyaku
import HikyakuBase
import HikyakuBroadcast
import Testing

/// Takes that many values; fewer where the stream ends.
func take<Sequence: AsyncSequence>(_ count: Int, of sequence: Sequence) async throws -> [Sequence.Element] {
    var iterator = sequence.makeAsyncIterator()
    var elements: [Sequence.Element] = []
    while elements.count < count, let element = try await iterator.next() { elements.append(element) }
    return elements
}

/// The next value of a stream; waits for it.
func next<Model>(of stream: BroadcastStream<Model>) async -> Model? {
    var iterator = stream.makeAsyncIterator()
    return await iterator.next()
}

/// All that a stream has left, with what it lost; its broadcast has to be gone.
func rest<Model>(of stream: BroadcastStream<Model>) async -> [BroadcastStream<Model>.Event] {
    var events: [BroadcastStream<Model>.Event] = []
    for await event in stream.withLosses { events.append(event) }
    return events
}

/// How many values are alive.
final class LiveCount: Sendable {
    private let count = Lock((now: 0, most: 0))

    var now: Int { count.withLock { $0.now } }
    var most: Int { count.withLock { $0.most } }

    fileprivate func add(_ difference: Int) {
        count.withLock { count in
            count.now += difference
            count.most = max(count.most, count.now)
        }
    }
}

/// A value that is counted while it is alive.
final class CountedValue: Sendable {
    let number: Int
    private let live: LiveCount

    init(_ number: Int, _ live: LiveCount) {
        self.number = number
        self.live = live
        live.add(1)
    }

    deinit {
        live.add(-1)
    }
}
