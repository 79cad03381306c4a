import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct ErrorTextTests {
    /// One of each case.
    private static let errors: [APIError<ShopError>] = {
        let context = CallContext(
            requestType: "Shop.Dishes",
            url: "https://shop.example/v1/dishes?page=…",
            attempt: 1,
            elapsed: .microseconds(12_345),
        )
        let response = BufferedResponse(status: 404, body: Data("{}".utf8), context: context)
        let diagnosis = DecodingDiagnosis(kind: .typeMismatch, pointer: "/0/id", expected: "Int", found: "a string")
        func failure(_ reason: FailureReason) -> CallFailure { CallFailure(reason, message: "m", context: context) }
        return [
            .invalidRequest(failure(.path)), .unauthorized(failure(.missingToken)), .transport(failure(.hostNotFound)),
            .service(ShopError(message: "no"), response), .unacceptableStatus(response),
            .decoding(DecodingFailure(diagnosis: diagnosis, response: response)), .limit(failure(.bodyTooLarge)),
            .timedOut(failure(.deadline)), .cancelled(failure(.cancelled)), .other(failure(.other)),
        ]
    }()

    @Test(arguments: errors)
    func everyErrorHasAMessageAReasonAndASuggestion(error: APIError<ShopError>) throws {
        for text in [error.localizedDescription, try #require(error.recoverySuggestion)] {
            #expect(text.hasSuffix("."))
            #expect(text.count > 10)
        }
        #expect(error.errorDescription == error.localizedDescription)
        #expect(try #require(error.failureReason).isEmpty == false)
        #expect(Set(Self.errors.map(\.phase)).count == FailurePhase.allCases.count)
    }

    @Test func noErrorMovesTheCursorOrTurnsTheDirection() {
        let marks = "a\r\n\u{1B}[2J\u{202E}\u{2028}b"
        let context = CallContext(requestType: marks, method: HTTPMethod(marks), url: "https://a.example/\(marks)")
        let failure = CallFailure(.other, message: marks, context: context)
        let error = APIError<ShopError>.other(failure)
        let cookie = Cookie(name: marks, value: "", domain: marks, path: marks)
        let texts = [
            "\(context)", "\(failure)", "\(error)", String(reflecting: error), error.failureReason ?? marks,
            "\(cookie)",
        ]
        for text in texts {
            let isPlain = !text.unicodeScalars.contains { $0.value < 0x20 || $0 == "\u{202E}" || $0 == "\u{2028}" }
            #expect(isPlain, "\(text.debugDescription)")
        }
    }

    /// All reasons that the sources declare, since a new one is forgotten in any list.
    @Test func everyReasonHasWordsOfItsOwn() throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../../Sources")
            .standardized
        let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
        let declaration = #/static let \w+ = FailureReason\(\.(\w+), "(\w+)"\)/#
        var reasons: [FailureReason] = []
        for case let file as URL in files where file.pathExtension == "swift" {
            let found = try String(contentsOf: file, encoding: .utf8).matches(of: declaration)
            reasons += found.compactMap { match in
                FailurePhase(rawValue: String(match.1)).map { FailureReason($0, String(match.2)) }
            }
        }
        #expect(reasons.count > 50 && reasons.contains(.cookieStore) && reasons.contains(.emptyToken))
        // Those that say no more than their phase.
        let plain: [FailureReason] = [.transportFailed, .cancelled, .service, .unacceptableStatus, .other]
        for reason in reasons where !plain.contains(reason) {
            let texts = [reason, FailureReason(reason.phase, "unknown")].map {
                APIError<ShopError>.transport(CallFailure($0)).localizedDescription
            }
            #expect(texts[0] != texts[1], "\(reason)")
        }
    }

    @Test func theLineForLogsNamesCallReasonAndParticulars() {
        let lines = Self.errors.map(\.description)
        #expect(
            lines[2] == "GET https://shop.example/v1/dishes?page=… (Shop.Dishes, attempt 1, 12.3 ms) failed: "
                + "transport.hostNotFound: m"
        )
        #expect(lines[5].hasSuffix("failed: decoding.typeMismatch: at /0/id: expected Int, found a string"))
    }

    @Test func aRequestThatCannotBeBuiltNamesItsEnvironment() async throws {
        let error = try await failure { () throws(APIError<ShopError>) in try Shop.DishByID(id: "").httpRequest() }
        #expect(error.description.hasPrefix("GET https://shop.example/v1 (Shop.DishByID, not sent, "))
        #expect(error.localizedDescription == "The request's path is invalid.")
    }

    @Test(arguments: [
        (FailureReason.queueFull, "The queue of waiting requests is full."), (.deadline, "The call took too long."),
        (.connectTimeout, "The connection could not be opened in time."),
        (.firstByteTimeout, "The service did not respond in time."),
        (.idleTimeout, "The connection was idle for too long."),
    ])
    func timeoutsAndTheQueueHaveTheirOwnWords(reason: FailureReason, text: String) {
        #expect(APIError<ShopError>.timedOut(CallFailure(reason)).localizedDescription == text)
    }

    @Test func payloadsHaveTheirReasonToo() {
        #expect("\(CallFailure(.hostNotFound, message: "m"))" == "transport.hostNotFound: m")
        #expect("\(CallFailure(.other))" == "other")
    }

    private struct Spoken: ServiceFailure, LocalizedError {
        init?(response: BufferedResponse) {}
        var errorDescription: String? { "The kitchen is closed." }
        var recoverySuggestion: String? { "Come back at six." }
    }

    @Test func aFailureThatSpeaksForItselfIsLetSpeak() throws {
        let response = BufferedResponse(status: 503)
        let error = APIError.service(try #require(Spoken(response: response)), response)
        #expect(error.localizedDescription == "The kitchen is closed.")
        #expect(error.recoverySuggestion == "Come back at six.")
    }
}
