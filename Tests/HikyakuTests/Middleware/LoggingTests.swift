import FoundationEssentials
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct LoggingTests {
    private let lines = Lock<[String]>([])

    private func log(
        _ level: LoggingLevel,
        revealingSecrets: Bool = false,
        _ transport: MockTransport,
    ) async -> [String] {
        let client = APIClient(transport: transport)
            .authorized(by: .bearer("hunter2"), for: .shop)
            .logging(level, revealingSecrets: revealingSecrets) { [lines] line in lines.withLock { $0.append(line) } }
        try? await client.send(Shop.AddDish(dish: Dish(id: 1, name: "hunter2")))
        return lines.withLock { $0 }
    }

    @Test func aLineTellsTheWholeCall() async throws {
        let log = await log(.line, MockTransport { _ in .json("{}", status: 201) })
        #expect(log.count == 1)
        let line = try #require(log.first)
        #expect(line.hasPrefix("POST https://shop.example/v1/dishes → 201 Created, application/json, 2 bytes, "))
        #expect(line.hasSuffix(" ms"))
    }

    @Test func headersAreThoseThatWereReallySent() async throws {
        let log = await log(.headers, MockTransport { _ in .json("{}", headers: ["Set-Cookie": "hunter2"]) })
        #expect(log.count == 3)
        #expect(log[0].contains("> Authorization: ‹redacted›"), "added by a step inside")
        #expect(log[0].contains("> Content-Type: application/json"))
        #expect(log[2].contains("< Set-Cookie: ‹redacted›"))
    }

    @Test func bodiesAreShownByTypeAndLength() async throws {
        let log = await log(.bodies, MockTransport { _ in .json("{}") })
        #expect(log[0].hasSuffix("> ‹application/json, 25 bytes›"))
        #expect(log[2].hasSuffix("< ‹application/json, 2 bytes›"))
        #expect(!log.joined().contains("hunter2"))
    }

    @Test func secretsAreShownWhenThatIsAskedFor() async throws {
        let log = await log(.bodies, revealingSecrets: true, MockTransport { _ in .json("{}") })
        #expect(log[0].contains("> Authorization: Bearer hunter2"))
        #expect(log[0].contains(#""name":"hunter2""#))
    }

    @Test func aFailureIsALineToo() async throws {
        let log = await log(.line, MockTransport { _ in throw TransportError(.connectionRefused, "127.0.0.1:1") })
        #expect(try #require(log.first).contains(" → transport.connectionRefused: 127.0.0.1:1, "))
    }

    @Test func whatWasNotSentIsSaidNotToHaveBeenSent() async throws {
        let client = APIClient(transport: MockTransport())
            .stubbing(Shop.Dishes.self) { _ in [] }
            .logging(.line) { [lines] line in lines.withLock { $0.append(line) } }
        _ = try await client.send(Shop.Dishes())
        #expect(
            lines.withLock { $0 }.first?.hasPrefix("GET https://shop.example/v1/dishes?page=… (not sent) → 200 OK")
                == true
        )
    }
}
