import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import Testing

/// What the service says about its own failure, to people and in logs.
@Suite struct ServiceWordsTests {
    private struct Spoken: ServiceFailure, LocalizedError, Decodable {
        let message: String
        var errorDescription: String? { message }
        var failureReason: String? { "because of \(message)" }
        var recoverySuggestion: String? { "Come back at six." }
    }

    private struct Order<Failure: ServiceFailure>: APIRequest {
        typealias Response = Dish
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/orders" }
    }

    private func error<Failure>(
        _ type: Failure.Type,
        _ body: String,
        contentType: String = "application/json",
        options: ClientOptions = ClientOptions(retryPolicy: .never),
        log: @escaping @Sendable (String) -> Void = { _ in },
    ) async throws -> APIError<Failure> {
        let transport = MockTransport { _ in
            HTTPResponse(status: 403, headers: ["Content-Type": contentType], body: HTTPBody(body))
        }
        let client = APIClient(transport: transport, options: options).logging(.bodies, to: log)
        return try await failure { () async throws(APIError<Failure>) in try await client.send(Order<Failure>()) }
    }

    /// A client shows neither a body nor other members of a problem.
    @Test func aMockServerWithoutAnAnswerSaysSoInTheErrorOfTheClient() async throws {
        let server = try MockServer()
        defer { server.stop() }
        let environment = APIEnvironment(baseURL: server.baseURL)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient().send(AnyRequest(environment: environment, path: "/t"))
        }
        let title = "MockServer has no answer for GET /t: there are no routes, and the queue is empty"
        #expect("\(error)".contains(title), "\(error)")
        #expect(error.localizedDescription.hasSuffix("Add a route to the server, or enqueue an answer."))
    }

    @Test func aFailureThatIsALocalizedErrorSpeaksToPeople() async throws {
        let error = try await error(Spoken.self, #"{"message":"The kitchen is closed."}"#)
        #expect(error.localizedDescription == "The kitchen is closed.")
        #expect(error.errorDescription == "The kitchen is closed.")
        #expect(error.recoverySuggestion == "Come back at six.")
        #expect(error.failureReason == "because of The kitchen is closed.")
        #expect((error as any Error).localizedDescription == "The kitchen is closed.")
        #expect(AnyAPIFailure(error).localizedDescription == "The kitchen is closed.")
    }

    /// Those may contain anything that the service knows of its user.
    @Test func noLogShowsItsWords() async throws {
        let log = Lock("")
        let error = try await error(Spoken.self, #"{"message":"hunter2"}"#) { line in log.withLock { $0 += line } }
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped, log.withLock(\.self)] {
            #expect(!text.contains("hunter2"), "\(text)")
        }
        #expect("\(error)".contains("403 Forbidden, application/json, 21 bytes, read as Spoken"))
    }

    @Test func aServiceCanNotMoveTheCursorOrFloodTheScreen() async throws {
        let text = String(repeating: "x", count: 5_000)
        let error = try await error(Spoken.self, #"{"message":"a\r\n\u001B[2Jb\u202Ec \#(text)"}"#)
        #expect(error.localizedDescription.hasPrefix("a \u{FFFD}[2Jb\u{FFFD}c xxx"))
        #expect(error.localizedDescription.unicodeScalars.count == 1_000)
        // Joiners are a part of many scripts, and of emoji.
        let family = try await self.error(Spoken.self, #"{"message":"می‌خواهم 👨‍👩‍👧"}"#)
        #expect(family.localizedDescription == "می‌خواهم 👨‍👩‍👧")
        let empty = try await self.error(Spoken.self, #"{"message":" "}"#)
        #expect(empty.localizedDescription == "You don't have the permission for this (403).")
    }

    private func problem(_ body: String) async throws -> APIError<ProblemDetails> {
        try await error(ProblemDetails.self, body, contentType: "application/problem+json")
    }

    @Test func aProblemShowsTitleAndDetailToPeople() async throws {
        let error = try await problem(#"{"title":"You do not have enough credit.","detail":"You have 30."}"#)
        #expect(error.localizedDescription == "You do not have enough credit. You have 30.")
        let short = try await problem(#"{"title":"Out of credit","detail":"You have 30."}"#)
        #expect(short.localizedDescription == "Out of credit: You have 30.")
        #expect(try await problem(#"{"detail":"You have 30."}"#).localizedDescription == "You have 30.")
        #expect(try await problem(#"{"title":"A","detail":"A"}"#).localizedDescription == "A")
        #expect(try await problem("{}").localizedDescription == "You don't have the permission for this (403).")
    }

    @Test func aLogShowsTheTitleOfAProblemAlone() async throws {
        let error = try await problem(#"{"title":"Out of\ncredit","detail":"hunter2"}"#)
        #expect(error.failureReason == "403 Forbidden, application/problem+json, 45 bytes, \"Out of\u{FFFD}credit\"")
        var dumped = ""
        dump(error, to: &dumped)
        for text in ["\(error)", String(reflecting: error), dumped] {
            #expect(text.contains("Out of\u{FFFD}credit") && !text.contains("hunter2"))
        }
    }

    // MARK: - An app's own texts

    private let german = ErrorTexts { failure, english in
        var text = english
        if failure.reason == .service {
            text.errorDescription = "Fehler: \(english.errorDescription)"
            text.hint = failure.hint.map { "(\($0))" }
        } else {
            text.recoverySuggestion = "Später noch einmal versuchen."
        }
        return text
    }

    @Test func anAppReplacesTextsAndHints() async throws {
        let options = ClientOptions(retryPolicy: .never, errorTexts: german)
        let error = try await error(Spoken.self, #"{"message":"zu"}"#, options: options)
        #expect(error.localizedDescription == "Fehler: zu")
        // The failure's own texts are English.
        #expect(error.hint?.hasPrefix("(The client added no credential") == true)
        #expect(error.recoverySuggestion == "Come back at six.")
        let unbuilt = APIClient(options: options)
        let invalid = try await failure { () async throws(APIError<ShopError>) in
            try await unbuilt.send(Shop.DishByID(id: ""))
        }
        #expect(invalid.recoverySuggestion == "Später noch einmal versuchen.")
        #expect(invalid.localizedDescription == "The app could not make the address of the request.")
    }

    @Test func aCancelledCallHasTheClientsTexts() async throws {
        let texts = ErrorTexts { _, _ in ErrorText("Abgebrochen.") }
        let client = APIClient(
            transport: MockTransport { _ in throw CancellationError() },
            options: ClientOptions(errorTexts: texts),
        )
        let error = try await failure { () async throws(APIError<ShopError>) in try await client.send(Shop.Dishes()) }
        #expect(error.localizedDescription == "Abgebrochen." && error.hint == nil)
        #expect(!"\(error)".contains("hint"))
    }
}
