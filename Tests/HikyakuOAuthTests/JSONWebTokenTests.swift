import Foundation
import Hikyaku
import HikyakuTesting
import TestSupport
import Testing

@testable import HikyakuOAuth

struct JSONWebTokenTests {
    private static func jwt(_ payload: String) -> String {
        "eyJhbGciOiJub25lIn0.\(Base64URL.text(of: Data(payload.utf8)))."
    }

    @Test(
        arguments: [
            (#"{"exp":1800000000}"#, 1_800_000_000), (#"{"sub":"x","exp":1.5,"a":{"b":[]}}"#, 1.5),
            (#"{"exp":18e8}"#, 18e8),
            (#"{}"#, nil), (#"{"exp":null}"#, nil), (#"{"exp":"1800000000"}"#, nil), (#"{"exp":0}"#, nil),
            (#"{"exp":-5}"#, nil), (#"{"exp":1e18}"#, nil), (#"{"exp":1e999}"#, nil), (#"{"exp":[]}"#, nil),
            (#"{"exp":99999999999999999999999999}"#, nil), ("[1]", nil), ("", nil), ("x", nil),
            (String(repeating: #"{"a":"#, count: 40) + "1" + String(repeating: "}", count: 40), nil),
        ] as [(String, Double?)]
    )
    func endIsReadWhereItIsATime(payload: String, seconds: Double?) {
        #expect(JSONWebToken.expiration(of: Self.jwt(payload)) == seconds.map(Date.init(timeIntervalSince1970:)))
    }

    @Test(arguments: [
        "", ".", "..", "...", "a.b", "a.eyJleHAiOjF9", ".eyJleHAiOjF9.", "a.eyJleHAiOjF9.b.c.d", "a.eyJleHAiOjF9=.b",
        "é.é.é",
    ])
    func otherTextsAreNotTokens(text: String) {
        #expect(JSONWebToken.expiration(of: text) == nil)
    }

    @Test
    func tokenHasALimit() {
        let token = "a.eyJleHAiOjF9."
        let longest = token + String(repeating: "x", count: 65_536 - token.utf8.count)
        #expect(JSONWebToken.expiration(of: longest) == Date(timeIntervalSince1970: 1))
        #expect(JSONWebToken.expiration(of: longest + "x") == nil)
    }

    @Test
    func damagedTokensNeverTrap() {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        let token = Array(Self.jwt(#"{"exp":1800000000,"iat":5}"#).utf8)
        for _ in 0..<Effort.rounds(2000) {
            var bytes = token
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: .min ... .max, using: &generator)
            }
            let end = JSONWebToken.expiration(of: String(decoding: bytes, as: UTF8.self))
            #expect(end.map { $0.timeIntervalSince1970 > 0 } ?? true, "seed \(seed)")
        }
    }

    /// The token's expiration by the server's clock is converted to this machine's time.
    @Test(
        arguments: [
            (nil, 1_800_000_600, 600), ("Fri, 15 Jan 2027 08:00:00 GMT", 1_800_000_600, 600),
            // The server is an hour ahead, an hour behind.
            ("Fri, 15 Jan 2027 09:00:00 GMT", 1_800_004_200, 600),
            ("Fri, 15 Jan 2027 07:00:00 GMT", 1_799_997_000, 600),
            // In the forms that are obsolete and still to be read (RFC 9110, section 5.6.7).
            ("Friday, 15-Jan-27 09:00:00 GMT", 1_800_004_200, 600), ("Fri Jan 15 09:00:00 2027", 1_800_004_200, 600),
            // A server issues no expired token: the clocks differ, and nothing more is known.
            (nil, 1_799_999_999, nil), (nil, 1_800_000_000, nil), ("never", 1_800_000_600, 600),
        ] as [(String?, Int, Double?)]
    )
    func aTokenWithoutLifetimeExpiresAtItsClaim(date: String?, exp: Int, seconds: Double?) async throws {
        let headers: HTTPHeaders = date.map { [.date: $0] } ?? [:]
        let json = #"{"access_token":"\#(Self.jwt(#"{"exp":\#(exp)}"#))"}"#
        let token = try await Bench(answers: [.response(.json(json, headers: headers))]).oauth.clientCredentials()
        #expect(token.expiresAt == seconds.map { Bench.now.addingTimeInterval($0) })
    }

    /// The token's own expiration, the lifetime that the server declares, and which of them counts.
    @Test(
        arguments: [
            (1_800_000_600, 60, 60), (1_800_000_600, 3600, 600), (1_800_000_600, 600, 600), (1_799_999_999, 60, 60),
        ] as [(Int, Int, Double)]
    )
    func theEarlierOfTwoEndsCounts(exp: Int, lifetime: Int, seconds: Double) async throws {
        let json = #"{"access_token":"\#(Self.jwt(#"{"exp":\#(exp)}"#))","expires_in":\#(lifetime)}"#
        let token = try await Bench(json: json).oauth.clientCredentials()
        #expect(token.expiresAt == Bench.now.addingTimeInterval(seconds))
    }
}

struct WebDateTests {
    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Thu, 01 Jan 1970 00:00:00 GMT", 0),
            ("Wed, 31 Dec 1969 23:59:59 GMT", -1), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
            ("Fri, 31 Dec 9999 23:59:59 GMT", 253_402_300_799),
        ] as [(String, Double)]
    )
    func dateGoesBothWays(text: String, seconds: Double) {
        #expect(WebDate.date(from: text, at: .now)?.timeIntervalSince1970 == seconds)
        #expect(WebDate.text(of: Date(timeIntervalSince1970: seconds)) == text)
    }

    @Test(arguments: [
        "", "Sun, 06 Nov 1994 08:49:37", "Sunday, 06-Nov-94 08:49:37", "Sun Nov 06 08:49:37 94",
        "Sun, 30 Feb 2024 08:49:37 GMT", "Sun, 00 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT",
        "Sun, 06 nov 1994 08:49:37 GMT", "Sun, 06 Nov 0000 08:49:37 GMT", "Sun, 06 Nov 1994 08:4a:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 éT",
    ])
    func otherTextsAreNone(text: String) {
        #expect(WebDate.date(from: text, at: .now) == nil)
    }

    @Test
    func momentBeforeMidnightHasTheDayThatIsWritten() {
        let moment = Date(timeIntervalSince1970: 784_080_000 - 1e-7)
        #expect(WebDate.text(of: moment) == "Sun, 06 Nov 1994 00:00:00 GMT")
    }

    @Test(arguments: [Double.infinity, -Double.infinity, .nan, 1e300, -1e300])
    func dateOutOfRangeHasNoText(seconds: Double) {
        #expect(WebDate.text(of: Date(timeIntervalSince1970: seconds)) == nil)
    }
}
