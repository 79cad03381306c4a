#if os(Linux)
import Hikyaku
import HikyakuBase
import HikyakuTesting
import HikyakuWire
import Testing

/// What the check of the events' order finds.
@Suite(.serialized, .timeLimit(.minutes(10))) struct EventOrderCheckTests {
    enum Retelling: CaseIterable {
        /// The end is reported with the head, and the body is not reported.
        case endAtTheHead
        /// The same, and all later events are emitted before it.
        case foretoldEnd
        /// The end comes before the last byte.
        case endBeforeTheLastByte
        case endTwice
        /// The second comes when the transport is shut down.
        case endAgainLate
        case noEnd
    }

    private final class Teller: EventObserver {
        private let listener: any EventObserver
        private let retelling: Retelling
        private let last = Lock<TransportEvent?>(nil)

        init(_ listener: any EventObserver, _ retelling: Retelling) {
            self.listener = listener
            self.retelling = retelling
        }

        func observe(_ event: TransportEvent) {
            for event in events(in: event) { listener.observe(event) }
        }

        private func events(in event: TransportEvent) -> [TransportEvent] {
            func other(_ kind: TransportEvent.Kind) -> TransportEvent {
                TransportEvent(exchange: event.exchange, kind: kind)
            }
            switch (retelling, event.kind) {
            case (.endAtTheHead, .firstByte): return [event, other(.ended(nil))]
            case (.foretoldEnd, .firstByte):
                return [event, other(.bytesReceived(100_000, expected: 100_000)), other(.ended(nil))]
            case (.endAtTheHead, .bytesReceived), (.foretoldEnd, .bytesReceived), (.endBeforeTheLastByte, .ended):
                return []
            case (.endAtTheHead, .ended), (.foretoldEnd, .ended), (.noEnd, .ended): return []
            case (.endBeforeTheLastByte, .bytesReceived(100_000, _)): return [other(.ended(nil)), event]
            case (.endTwice, .ended): return [event, event]
            case (.endAgainLate, .ended):
                last.withLock { $0 = event }
                return [event]
            default: return [event]
            }
        }

        func repeatEnd() {
            if let end = last.withLock({ $0 }) { listener.observe(end) }
        }
    }

    private final class Retold: HTTPTransport {
        private let transport = WireTransport()
        private let retelling: Retelling
        private let tellers = Lock<[Teller]>([])

        init(_ retelling: Retelling) {
            self.retelling = retelling
        }

        func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
            var options = options
            options.observer = options.observer.map { listener in
                let teller = Teller(listener, retelling)
                tellers.withLock { $0.append(teller) }
                return teller
            }
            return try await transport.send(request, options: options)
        }

        func shutdown(within grace: Duration) async {
            await transport.shutdown(within: grace)
            for teller in tellers.withLock({ $0 }) { teller.repeatEnd() }
        }
    }

    @Test(arguments: Retelling.allCases)
    func anEndEventThatIsTooEarlyRepeatedOrMissingFailsTheCheck(retelling: Retelling) async throws {
        let check = try #require(TransportConformance.checks.first { $0.name == "events.order" })
        await #expect(throws: ConformanceFailure.self) { try await check.run { Retold(retelling) } }
    }
}
#endif
