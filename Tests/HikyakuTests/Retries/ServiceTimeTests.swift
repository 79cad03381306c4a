import Foundation
import HikyakuBase
import HikyakuHTTP
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// What a service says about time is read leniently, and never as more than it says.
@Suite struct ServiceTimeTests {
    /// Friday, 27 November 2026, 12:00:00 UTC.
    private static let now: Int64 = 1_795_780_800

    @Test(
        arguments: [
            ("120", 120_000), ("1.5", 1_500), (" 7 ", 7_000), ("0", 0), ("0.0", 0), ("0.0001", 1),
            ("\"30\"", 30_000), ("1795780860", 60_000), ("1795780860.25", 60_250), ("1795780860000", 60_000),
            ("1795780740", 0), ("Fri, 27 Nov 2026 12:01:00 GMT", 60_000), ("Friday, 27-Nov-26 12:01:00 GMT", 60_000),
            ("Fri Nov 27 12:01:00 2026", 60_000), ("Fri, 27 Nov 2026 11:00:00 GMT", 0),
            ("2026-11-27T12:01:00Z", 60_000), ("2026-11-27T13:01:00.5+01:00", 60_500), ("2020-01-01T00:00:00Z", 0),
            ("1m30s", 90_000), ("6m0s", 360_000), ("20ms", 20), ("1h2m3.5s", 3_723_500), ("30 seconds", 30_000),
            ("2 Minutes", 120_000), ("1 day", 86_400_000), ("60, 120", 120_000), ("5,3", 5_000),
        ] as [(String, Int)]
    )
    func eachSpellingIsATime(_ text: String, milliseconds: Int) {
        #expect(ServiceTime.pause(text, from: Self.now) == .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            "", " ", "soon", "-1", "-0.5", "1e9", "0x10", "+5", "1.2.3", ".", "-", "5 parsecs", "s", "12:01", "5; w=1",
            "\"",
            "1,soon", "١", "NaN", "inf", "27 Nov 2026", String(repeating: "1s", count: 51),
        ]
    )
    func whatIsNotATimeIsNone(_ text: String) {
        #expect(ServiceTime.pause(text, from: Self.now) == nil)
    }

    @Test(arguments: [String(repeating: "9", count: 1_000), "99999999999999999999d", "Fri, 31 Dec 9999 23:59:59 GMT"])
    func noTimeIsTooLong(_ text: String) throws {
        let pause = try #require(ServiceTime.pause(text, from: Self.now))
        #expect(pause > .seconds(86_400 * 365) && pause <= .farFuture)
    }

    @Test(
        arguments: [
            (#"{"retry_after": 2.5}"#, 2_500), (#"{"message": "slow", "retry_after": 3, "global": false}"#, 3_000),
            (#"{"retryAfter": "1m"}"#, 60_000), (#"{"retry-after": "4"}"#, 4_000), (#"{"retry_after_ms": 250}"#, 250),
            (#"{"ok": false, "parameters": {"retry_after": 35}}"#, 35_000),
            (#"{"error": {"retryAfterSeconds": 9}, "retry_after": 8}"#, 9_000),
            (#"{"retry_after": "2026-11-27T12:01:00Z"}"#, 60_000),
        ] as [(String, Int)]
    )
    func aFailureSaysIt(_ body: String, milliseconds: Int) {
        #expect(ServiceTime.pause(inJSON: Data(body.utf8), from: Self.now) == .milliseconds(milliseconds))
    }

    @Test(
        arguments: [
            #"{"retry_after": null}"#, #"{"retry_after": true}"#, #"{"retry_after": {"retry_after": 1e}}"#,
            #"["retry_after"]"#, #"{"a": {"b": {"retry_after": 5}}}"#, "retry_after=5", #"{"do_retry_after_lunch": 5}"#,
            #"{"retry_after": "tomorrow"}"#,
        ]
    )
    func whatIsNotAPauseOfAFailureIsNone(_ body: String) {
        #expect(ServiceTime.pause(inJSON: Data(body.utf8), from: Self.now) == nil)
    }

    @Test func theLongestOfAllCounts() {
        var response = HTTPResponse(status: 429, headers: ["Retry-After": "1", "Retry-After-Ms": "1200"])
        #expect(response.retryAfter(at: Self.now) == .milliseconds(1200))
        response.headers.append(.retryAfter, "7")
        #expect(response.retryAfter(at: Self.now) == .seconds(7))
        response.body = HTTPBody(#"{"retry_after": 9}"#)
        #expect(response.retryAfter(at: Self.now) == .seconds(9))
        #expect((["Retry-After-Ms": "250"] as HTTPHeaders).retryAfter(at: Self.now) == .milliseconds(250))
    }

    /// The response's own clock counts, not this machine's.
    @Test func aDateIsComparedWithThatOfTheResponse() {
        let headers: HTTPHeaders = [
            "Date": "Fri, 27 Nov 2026 08:00:00 GMT", "Retry-After": "Fri, 27 Nov 2026 08:00:30 GMT",
        ]
        #expect(headers.retryAfter(at: Self.now) == .seconds(30))
    }
}
