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
    func everyErrorHasAMessageAReasonASuggestionAndAHint(error: APIError<ShopError>) throws {
        let isCancelled = error.isCancelled
        #expect((error.recoverySuggestion == nil) == isCancelled, "a cancelled call has nothing to do")
        #expect((error.hint == nil) == isCancelled)
        for text in [error.localizedDescription, error.recoverySuggestion, error.hint].compactMap(\.self) {
            #expect(text.hasSuffix("."))
            #expect(text.count >= 10)
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

    static let reasons = Array(knownReasons.values)

    /// Those that say no more than their phase.
    private static let plain: [FailureReason] = [.transportFailed, .cancelled, .service, .unacceptableStatus, .other]

    @Test func everyReasonSaysMoreThanItsPhase() throws {
        let reasons = Self.reasons
        #expect(reasons.count > 90 && reasons.contains(.cookieStore) && reasons.contains(.emptyToken))
        #expect(reasons.contains(.typeMismatch))
        for reason in reasons where !Self.plain.contains(reason) {
            let errors = [reason, FailureReason(reason.phase, "unknown")].map {
                APIError<ShopError>.transport(CallFailure($0))
            }
            #expect(errors[0].localizedDescription != errors[1].localizedDescription, "\(reason)")
            #expect(errors[0].hint != errors[1].hint, "\(reason)")
        }
    }

    /// Terms of HTTP, of JSON and of authorization say nothing to people.
    @Test func descriptionsSpeakToPeople() {
        let terms = [
            "http", "url", "header", "query", "body", "token", "host", "origin", "credential", "json", "null", "utf",
            "chunk", "content-", "coding", "redirect", "method", "malformed", "key", "limit", "idle", "gateway",
            "request'",
        ]
        for reason in Self.reasons {
            let text = APIError<ShopError>.transport(CallFailure(reason)).localizedDescription
            #expect(!terms.contains { text.lowercased().contains($0) }, "\(reason): \(text)")
        }
        for code in 0...999 {
            let response = BufferedResponse(status: HTTPStatus(code))
            let text = APIError<ShopError>.unacceptableStatus(response).localizedDescription
            #expect(!terms.contains { text.lowercased().contains($0) }, "\(text)")
            // Without its phrase, a status is described by its number.
            #expect(text.hasSuffix("(\(code))."), "\(text)")
        }
    }

    /// Names of this package and of HTTP's grammar say nothing to people.
    @Test func suggestionsSpeakToPeople() {
        let developers = ["()", "(_", "Options", "client", "middleware", "prepare", "timeouts", "context", "decoder"]
        for reason in Self.reasons {
            let error = APIError<ShopError>.transport(CallFailure(reason))
            let text = error.recoverySuggestion ?? ""
            #expect(!developers.contains { text.contains($0) }, "\(reason): \(text)")
        }
        for code in 300...999 {
            let response = BufferedResponse(status: HTTPStatus(code))
            let text = APIError<ShopError>.unacceptableStatus(response).recoverySuggestion
            #expect(!developers.contains { text?.contains($0) != false }, "\(code): \(text ?? "")")
        }
    }

    /// Sending an order again may order twice.
    @Test func nobodyRepeatsWhatMayHaveBeenDone() throws {
        func suggestion(_ error: (CallContext) -> APIError<ShopError>, isIdempotent: Bool, attempt: Int = 1) -> String {
            error(CallContext(method: .post, isIdempotent: isIdempotent, attempt: attempt)).recoverySuggestion ?? ""
        }
        let check = "This may have been done already: check it before you try again."
        let broken: [(CallContext) -> APIError<ShopError>] = [
            { .transport(CallFailure(.connectionReset, context: $0)) },
            { .timedOut(CallFailure(.deadline, context: $0)) },
            { .unacceptableStatus(BufferedResponse(status: 524, context: $0)) },
            { .unacceptableStatus(BufferedResponse(status: 504, context: $0)) },
            { context in
                let diagnosis = DecodingDiagnosis(kind: .missingKey, expected: "the key \"id\"")
                return .decoding(
                    DecodingFailure(diagnosis: diagnosis, response: BufferedResponse(status: 201, context: context))
                )
            },
        ]
        for error in broken {
            #expect(suggestion(error, isIdempotent: false).hasPrefix(check))
            #expect(!suggestion(error, isIdempotent: false).dropFirst(check.count).contains("ry again"))
            #expect(suggestion(error, isIdempotent: true).hasPrefix("Try again"))
            #expect(!suggestion(error, isIdempotent: false, attempt: 0).hasPrefix(check))
        }
        let kept = suggestion({ .limit(CallFailure(.diskFull, context: $0)) }, isIdempotent: false)
        #expect(kept == "\(check) Free some space, then try again.")
        // A redirect to a GET after a POST that was processed.
        let url = try #require(URL(string: "https://a.example/orders"))
        let hop = RedirectHop(status: 303, method: .post, from: url, nextMethod: .get, to: url)
        let after = CallContext(method: .get, attempt: 1, redirects: [hop])
        let refused = APIError<ShopError>.transport(CallFailure(.connectionRefused, context: after))
        #expect(refused.recoverySuggestion?.hasPrefix(check) == true)
        // Nothing was done.
        let harmless: [(CallContext) -> APIError<ShopError>] = [
            { .transport(CallFailure(.hostNotFound, context: $0)) }, { .limit(CallFailure(.queueFull, context: $0)) },
            { .unacceptableStatus(BufferedResponse(status: 429, context: $0)) },
            { .unacceptableStatus(BufferedResponse(status: 425, context: $0)) },
            { .transport(CallFailure(.certificateExpired, context: $0)) },
        ]
        for error in harmless { #expect(!suggestion(error, isIdempotent: false).hasPrefix(check)) }
    }

    /// Nobody is sent to the network, or to another attempt, where neither helps.
    @Test func whatAnotherAttemptDoesNotHelpIsReported() {
        for reason in [FailureReason.tlsFailed, .transportFailed, .other] {
            let text = APIError<ShopError>.transport(CallFailure(reason)).recoverySuggestion ?? ""
            #expect(text.hasSuffix("If this happens again, report it to the app's developers."), "\(reason): \(text)")
            #expect(!text.contains("internet"), "\(reason)")
        }
        for status in [201, 302, 304] {
            let error = APIError<ShopError>.unacceptableStatus(BufferedResponse(status: HTTPStatus(status)))
            #expect(!error.isRetryable && error.recoverySuggestion?.contains("ry again") == false, "\(status)")
        }
    }

    @Test func theLineForLogsNamesCallReasonAndParticulars() {
        let lines = Self.errors.map(\.description)
        #expect(
            lines[2] == "GET https://shop.example/v1/dishes?page=… (Shop.Dishes, attempt 1, 12.3 ms) failed: "
                + "transport.hostNotFound: m (hint: Check the host in the base URL, and the DNS of this machine.)"
        )
        let start = lines[5].prefix { $0 != "(" } + lines[5].drop { $0 != ")" }.dropFirst().prefix { $0 != "(" }
        #expect(start.hasSuffix("failed: decoding.typeMismatch: at /0/id: expected Int, found a string "))
        #expect(lines[5].hasSuffix("(hint: Change the type of the property in the reason to that of the response.)"))
    }

    @Test func aRequestThatCannotBeBuiltNamesItsEnvironment() async throws {
        let error = try await failure { () throws(APIError<ShopError>) in try Shop.DishByID(id: "").httpRequest() }
        #expect(error.description.hasPrefix("GET https://shop.example/v1 (Shop.DishByID, not sent, "))
        #expect(error.localizedDescription == "The app could not make the address of the request.")
    }

    @Test(arguments: [
        (FailureReason.queueFull, "Too many requests are waiting."), (.deadline, "This took too long."),
        (.connectTimeout, "The service could not be reached in time."),
        (.firstByteTimeout, "The service did not respond in time."),
        (.idleTimeout, "The service stopped responding."),
    ])
    func timeoutsAndTheQueueHaveTheirOwnWords(reason: FailureReason, text: String) {
        #expect(APIError<ShopError>.timedOut(CallFailure(reason)).localizedDescription == text)
    }

    @Test func payloadsHaveTheirReasonToo() {
        #expect("\(CallFailure(.hostNotFound, message: "m"))" == "transport.hostNotFound: m")
        #expect("\(CallFailure(.other))" == "other")
    }
}
