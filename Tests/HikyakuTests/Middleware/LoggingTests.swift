import Foundation
import Hikyaku
import HikyakuBase
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

    @Test func aLineDescribesTheWholeCall() async throws {
        let log = await log(.line, MockTransport { _ in .json("{}", status: 201) })
        #expect(log.count == 1)
        let line = try #require(log.first)
        #expect(line.hasPrefix("POST https://shop.example/v1/dishes → 201 Created, application/json, 2 bytes, "))
        #expect(line.hasSuffix(" ms"))
    }

    @Test func headersAreThoseThatWereReallySent() async throws {
        let log = await log(.headers, MockTransport { _ in .json("{}", headers: ["Set-Cookie": "hunter2"]) })
        #expect(log.count == 3)
        #expect(log[0].contains("#1 > Authorization: ‹redacted›"), "added by a step inside")
        #expect(log[0].contains("#1 > Content-Type: application/json"))
        #expect(log[1].contains("#1 < Set-Cookie: ‹redacted›"))
        #expect(log[2].hasPrefix("#1 POST https://shop.example/v1/dishes → 200 OK"))
    }

    @Test func bodiesAreShownByTypeAndLength() async throws {
        let log = await log(.bodies, MockTransport { _ in .json("{}") })
        #expect(log[0].hasSuffix("> ‹application/json, 25 bytes›"))
        #expect(log[1].hasSuffix("< ‹application/json, 2 bytes›"))
        #expect(!log.joined().contains("hunter2"))
    }

    @Test func secretsAreShownByChoice() async throws {
        let log = await log(.bodies, revealingSecrets: true, MockTransport { _ in .json("{}") })
        #expect(log[0].contains("> Authorization: Bearer hunter2"))
        #expect(log[0].contains(#""name":"hunter2""#))
    }

    @Test func aFailureInTheResponseIsSaid() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("{}") })
            .logging(.line) { [lines] line in lines.withLock { $0.append(line) } }
        _ = try? await client.send(Shop.Dishes())
        _ = try? await client.send(Shop.DishByID(id: ""))
        let log = lines.withLock { $0 }
        #expect(log[0].contains(" → decoding.typeMismatch: in the body as a whole: expected an array, found an object"))
        #expect(log[1].contains("failed: invalidRequest.path: "))
    }

    @Test func aBodyCannotForgeALineOfTheLog() async throws {
        let body = "a\n#7 GET https://evil.example → 200 OK\u{1B}[2J\r\nb"
        let log = await log(.bodies, revealingSecrets: true, MockTransport { _ in .json(body) })
        #expect(log[1].split(separator: "\n").allSatisfy { $0.hasPrefix("#1 < ") })
        #expect(!log[1].contains("\u{1B}"))
    }

    @Test func whatAPeerSendsCannotMoveTheTerminalsCursor() async throws {
        let headers: HTTPHeaders = ["Server": "x\u{1B}[2J\u{202E}", "Content-Type": "a\u{1B}[31m"]
        let log = await log(.headers, MockTransport { _ in .json("", headers: headers) })
        #expect(!log.joined().contains("\u{1B}"))
        #expect(!log.joined().contains("\u{202E}"))
        let revealed = await self.log(
            .headers,
            revealingSecrets: true,
            MockTransport { _ in .json("", headers: headers) },
        )
        #expect(revealed.last?.contains("\u{1B}") == false && !revealed.joined().contains("\u{1B}"))
    }

    @Test func theLogGoesToStandardErrorByDefault() async throws {
        let result = try await #require(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let client = APIClient(transport: MockTransport { _ in .json("[]") }).logging(.line)
            _ = try await client.send(Shop.Dishes())
        }
        let text = String(decoding: result.standardErrorContent, as: UTF8.self)
        #expect(text.contains("GET https://shop.example/v1/dishes?page=… → 200 OK, application/json, 2 bytes, "))
    }

    @Test func aFailureIsALineToo() async throws {
        let log = await log(.line, MockTransport { _ in throw TransportError(.connectionRefused, "127.0.0.1:1") })
        #expect(try #require(log.first).contains(" → transport.connectionRefused: 127.0.0.1:1, "))
    }

    @Test func aStubbedCallIsSaidToBeStubbed() async throws {
        let client = APIClient(transport: MockTransport())
            .stubbing(Shop.Dishes.self) { _ in [] }
            .logging(.bodies) { [lines] line in lines.withLock { $0.append(line) } }
        _ = try await client.send(Shop.Dishes())
        let log = lines.withLock { $0 }
        #expect(log.count == 1)
        #expect(log[0].hasPrefix("#1 GET https://shop.example/v1/dishes?page=… (not sent) → stubbed, "))
    }

    @Test func whatIsNotSentTakesNoNumber() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("[]") })
            .logging(.headers) { [lines] line in lines.withLock { $0.append(line) } }
        _ = try client.bind(Shop.Dishes()).httpRequest()
        _ = try await client.bind(Shop.Dishes()).curlCommand()
        _ = try await client.send(Shop.Dishes())
        #expect(lines.withLock(\.self).map { $0.prefix(2) } == ["#1", "#1", "#1"])
    }

    @Test func callsThatOverlapAreDistinguished() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("[]") })
            .logging(.headers) { [lines] line in lines.withLock { $0.append(line) } }
        async let first = client.send(Shop.Dishes())
        async let second = client.send(Shop.Dishes())
        _ = try await (first, second)
        let marks = lines.withLock { $0 }.map { $0.prefix(2) }
        #expect(marks.sorted() == ["#1", "#1", "#1", "#2", "#2", "#2"])
    }

    @Test func levelsAreOrderedByHowMuchTheyShow() {
        #expect(LoggingLevel.allCases.sorted() == [.line, .headers, .bodies])
        #expect(LoggingLevel(rawValue: "headers") == .headers)
    }
}
