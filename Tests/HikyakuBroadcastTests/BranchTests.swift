import Hikyaku
import HikyakuBroadcast
import Testing

@Suite struct BranchTests {
    private struct Broken: Error, Equatable {}

    private func numbers(_ numbers: [Int]) -> AsyncStream<Int> {
        AsyncStream { continuation in
            for number in numbers { continuation.yield(number) }
            continuation.finish()
        }
    }

    /// The values that are published to a broadcast while something is done.
    private func published<Model>(
        _ work: (Broadcast<Model>) async throws -> Void
    ) async rethrows -> [Model] {
        var broadcast: Broadcast<Model>? = Broadcast()
        guard let stream = broadcast?.subscribe(.unbounded) else { return [] }
        if let broadcast { try await work(broadcast) }
        broadcast = nil
        var values: [Model] = []
        for await value in stream { values.append(value) }
        return values
    }

    @Test func elementsGoOnAndArePublished() async {
        let values = await published { broadcast in
            var taken: [Int] = []
            for await number in numbers([1, 2, 3]).branch(to: broadcast) { taken.append(number) }
            #expect(taken == [1, 2, 3])
        }
        #expect(values == [1, 2, 3])
    }

    /// Older systems and code that iterates by hand use this path.
    @Test func elementsThatAreTakenByHandArePublishedToo() async {
        let values = await published { broadcast in
            var iterator = numbers([1, 2]).branch(to: broadcast).makeAsyncIterator()
            #expect(await iterator.next() == 1)
            #expect(await iterator.next() == 2)
            #expect(await iterator.next() == nil)
        }
        #expect(values == [1, 2])
    }

    @Test func unreadElementsAreNotPublished() async {
        let values = await published { broadcast in
            for await number in numbers([1, 2, 3]).branch(to: broadcast) where number == 2 { break }
        }
        #expect(values == [1, 2])
    }

    @Test func anElementIsPublishedBeforeItIsHandedOn() async {
        let broadcast = Broadcast<Int>()
        for await number in numbers([1, 2]).branch(to: broadcast) { #expect(broadcast.latest == number) }
    }

    @Test func anErrorGoesThrough() async {
        let values = await published { broadcast in
            let failing = AsyncThrowingStream<Int, any Error> { continuation in
                continuation.yield(1)
                continuation.finish(throwing: Broken())
            }
            await #expect(throws: Broken()) {
                for try await _ in failing.branch(to: broadcast) {}
            }
        }
        #expect(values == [1])
    }

    @Test func eachValueOfAnArrayIsPublishedByItself() async {
        let values = await published { broadcast in
            let arrays = numbers([2, 0, 3]).map { Array(0..<$0) }
            var taken: [[Int]] = []
            for await array in arrays.branch(to: broadcast, each: \.self) { taken.append(array) }
            #expect(taken == [[0, 1], [], [0, 1, 2]])
        }
        #expect(values == [0, 1, 0, 1, 2])
    }

    @Test func eachValueInsideOfAnElementIsPublished() async {
        let values: [Int] = await published { broadcast in
            let pages = numbers([1, 2]).map { ResponsePage(items: [$0, -$0], info: $0) }
            for await _ in pages.branch(to: broadcast, each: \.items) {}
        }
        #expect(values == [1, -1, 2, -2])
    }

    @Test func aHubReceivesTheModels() async throws {
        let hub = HubDate.hub()
        let stream = hub.updates(of: Meal.self)
        let pages = numbers([1, 2]).map { [Meal(id: $0)] }
        for await _ in pages.branch(to: hub, source: .network) {}
        #expect(shown(try await take(2, of: stream)) == ["1 network", "2 network"])
    }

    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    @MainActor
    @Test func anActorKeepsWhatIsNotSendable() async {
        let broadcast = Broadcast<Int>()
        var iterator = numbers([7]).branch(to: broadcast).makeAsyncIterator()
        #expect(await iterator.next(isolation: MainActor.shared) == 7)
        let stream = broadcast.subscribe(.latest)
        var values = stream.makeAsyncIterator()
        #expect(await values.next(isolation: MainActor.shared) == 7)
    }
}
