import Testing

@testable import Hikyaku
@testable import HikyakuEngine

@Suite struct QuotaTests {
    /// 2026-01-01 00:00:00 UTC, which is also the `Date` of the responses.
    private static let now: Int64 = 1_767_225_600

    private static func quotas(_ headers: HTTPHeaders) -> [Quota] { headers.quotas(now: now) }

    private static func report(_ status: Int, _ headers: HTTPHeaders) -> QuotaReport? {
        QuotaReport(HTTPStatus(status), headers, now: now)
    }

    // MARK: - RateLimit

    @Test func theFieldsOfTheDraft() {
        let policies = #""burst";q=100;w=60, "daily";q=1000;w=86400"#
        #expect(
            Self.quotas(["RateLimit-Policy": policies, "RateLimit": #""burst";r=50;t=30,"daily";r=999"#]) == [
                Quota(name: "burst", limit: 100, remaining: 50, resetsIn: .seconds(30)),
                // Without an effective window, it is at most that of the policy.
                Quota(name: "daily", limit: 1000, remaining: 999, resetsIn: .seconds(86_400)),
            ]
        )
        #expect(
            Self.quotas(["RateLimit": #""default";r=50;t=30"#]) == [
                Quota(name: "default", remaining: 50, resetsIn: .seconds(30))
            ]
        )
        // Several lines are one list.
        var lines: HTTPHeaders = ["RateLimit": #""a";r=1;t=2"#]
        lines.append("RateLimit", #""b";r=3;t=4"#)
        #expect(Self.quotas(lines).map(\.name) == ["a", "b"])
    }

    @Test func partitionsAreDistinguished() {
        let quotas = Self.quotas([
            "RateLimit-Policy": #""user";q=100;w=60;pk=:YQ==:, "user";q=5;w=60;pk=:Yg==:"#,
            "RateLimit": #""user";r=1;t=9;pk=:Yg==:"#,
        ])
        #expect(quotas == [Quota(name: "user;pk=Yg", limit: 5, remaining: 1, resetsIn: .seconds(9))])
    }

    @Test func otherUnitsThanRequestsAreNotCounted() {
        let fields: HTTPHeaders = [
            "RateLimit-Policy": #""size";q=65535;qu="content-bytes";w=10, "open";q=7;qu="concurrent-requests""#,
            "RateLimit": #""size";r=0;t=10, "open";r=0;t=5, "plain";r=3;t=5"#,
        ]
        #expect(Self.quotas(fields).map(\.name) == ["plain"])
        #expect(Self.report(200, fields)?.concurrencyMax == 7)
    }

    @Test(arguments: [
        // Not a list at all, or with an error somewhere.
        #""default";r=50;t=30,"#, #""default;r=50"#, #""a";r=1;t=1 "b";r=1;t=1"#, #""a";R=1"#, #""a";r=1;;t=1"#,
        #""é";r=0;t=5"#, #"limit=1, remaining"#, "remaining=-1", "limit=5", #""a";r="#, "", ",", "\"a\";r=0;t=5;pk=:*:",
        // Without a valid number of requests.
        #""a";t=30"#, #""a";r=-1;t=30"#, #""a";r=1.5;t=30"#, #""a";r="1";t=30"#, #"7;r=1;t=30"#, #"("a");r=1;t=30"#,
    ])
    func malformedFieldsAreIgnored(_ value: String) {
        #expect(Self.quotas(["RateLimit": value]).isEmpty)
    }

    @Test func theOlderFormsOfTheDraft() {
        let expected = [Quota(limit: 100, remaining: 50, resetsIn: .seconds(30))]
        #expect(
            Self.quotas(["RateLimit": "limit=100, remaining=50, reset=30", "RateLimit-Policy": "100;w=60"]) == expected
        )
        #expect(
            Self.quotas([
                "RateLimit-Limit": "100, 100;w=60", "RateLimit-Remaining": "50", "RateLimit-Reset": "30",
            ]) == expected
        )
        // As Docker's registry sends them.
        #expect(
            Self.quotas(["RateLimit-Limit": "100;w=21600", "RateLimit-Remaining": "76;w=21600"]) == [
                Quota(limit: 100, remaining: 76, resetsIn: .seconds(21_600))
            ]
        )
    }

    // MARK: - X-RateLimit and others

    @Test(arguments: [
        ("60", Duration.seconds(60)), ("1.5", .milliseconds(1500)), ("0", .zero),
        ("1767225660", .seconds(60)), ("1767225660000", .seconds(60)), ("1767225660.25", .milliseconds(60_250)),
        // In the past, and out of all bounds.
        ("1767225000", .zero), ("999999999", .seconds(999_999_999)), ("99999999999999999999", .seconds(1_000_000_000)),
    ])
    func resetsInSecondsAndInUnixTime(_ text: String, _ expected: Duration) {
        for prefix in ["X-RateLimit-", "X-Rate-Limit-", "x-ratelimit-"] {
            var headers: HTTPHeaders = ["Date": "Thu, 01 Jan 2026 00:00:00 GMT"]
            headers.append(HTTPHeaderName(prefix + "Limit"), "100")
            headers.append(HTTPHeaderName(prefix + "Remaining"), "7")
            headers.append(HTTPHeaderName(prefix + "Reset"), text)
            // The service's clock counts.
            #expect(headers.quotas(now: 0) == [Quota(limit: 100, remaining: 7, resetsIn: expected)])
        }
    }

    @Test func gitHubNamesTheResource() {
        let headers: HTTPHeaders = [
            "X-RateLimit-Limit": "30", "X-RateLimit-Remaining": "29", "X-RateLimit-Reset": "1767225660",
            "X-RateLimit-Used": "1", "X-RateLimit-Resource": "search",
        ]
        #expect(Self.quotas(headers) == [Quota(name: "search", limit: 30, remaining: 29, resetsIn: .seconds(60))])
    }

    @Test func otherFormsOfX() {
        #expect(
            Self.quotas(["X-RateLimit-Remaining": "599.0", "X-RateLimit-Reset": "300"]) == [
                Quota(remaining: 599, resetsIn: .seconds(300))
            ]
        )
        #expect(
            Self.quotas([
                "X-RateLimit-Limit": "10", "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "1767225601.123",
                "X-RateLimit-Reset-After": "1.125",
            ]) == [Quota(limit: 10, remaining: 0, resetsIn: .milliseconds(1125))]
        )
    }

    @Test(arguments: ["", "-1", "many", "1e3", "0x10", "1 2", ".", "1.2.3"])
    func aMalformedNumberIsIgnored(_ text: String) {
        #expect(Self.quotas(["X-RateLimit-Remaining": text, "X-RateLimit-Reset": "5"]).isEmpty)
        let reset = Self.quotas(["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": text, "X-RateLimit-Limit": text])
        #expect(reset == [Quota(remaining: 5)])
    }

    /// Also where it is not a number of requests.
    @Test func aTimeThatNothingCanHoldIsVeryLong() {
        let text = String(repeating: "9", count: 400)
        #expect(Self.quotas(["X-RateLimit-Remaining": text, "X-RateLimit-Reset": "5"]).isEmpty)
        let reset = Self.quotas(["X-RateLimit-Remaining": "5", "X-RateLimit-Reset": text, "X-RateLimit-Limit": text])
        #expect(reset == [Quota(remaining: 5, resetsIn: .seconds(1_000_000_000))])
    }

    @Test func theFirstDialectCounts() {
        let headers: HTTPHeaders = [
            "X-RateLimit-Remaining": "1", "X-RateLimit-Reset": "1", "RateLimit-Remaining": "2", "RateLimit-Reset": "2",
            "RateLimit": #""a";r=3;t=3"#,
        ]
        #expect(Self.quotas(headers).map(\.remaining) == [3])
        var malformed = headers
        malformed["RateLimit"] = "?"
        #expect(Self.quotas(malformed).map(\.remaining) == [2])
    }

    // MARK: - Reports

    @Test func aResponseWithoutQuotasSaysNothing() {
        #expect(Self.report(200, ["Date": "Thu, 01 Jan 2026 00:00:00 GMT"]) == nil)
        #expect(Self.report(403, [:]) == nil)
        #expect(Self.report(201, ["Retry-After": "5"]) == nil)
    }

    @Test func aCachedResponseShowsNothingOfNow() {
        let fields: HTTPHeaders = ["RateLimit": #""a";r=0;t=30"#, "Age": "12"]
        #expect(Self.report(200, fields) == nil)
        var fresh = fields
        fresh["Age"] = "0"
        #expect(Self.report(200, fresh)?.quotas.count == 1)
    }

    @Test(arguments: [(429, false), (503, true), (403, true)])
    func retryAfterIsAPause(status: Int, concernsService: Bool) {
        let report = Self.report(status, ["Retry-After": "60"])
        #expect(report == QuotaReport(pause: .seconds(60), concernsService: concernsService))
    }

    @Test func stripesReasons() {
        func report(_ reason: String) -> QuotaReport? { Self.report(429, ["Stripe-Rate-Limited-Reason": reason]) }
        #expect(report("global-rate") == QuotaReport(pause: .seconds(1), concernsService: true))
        #expect(report("endpoint-rate") == QuotaReport(pause: .seconds(1)))
        #expect(report("global-concurrency") == QuotaReport(concernsService: true, isConcurrencyRejection: true))
        #expect(report("endpoint-concurrency") == QuotaReport(isConcurrencyRejection: true))
        #expect(report("resource-specific") == nil && report("other") == nil)
        #expect(Self.report(200, ["Stripe-Rate-Limited-Reason": "global-rate"]) == nil)
        let both: HTTPHeaders = ["Stripe-Rate-Limited-Reason": "endpoint-rate", "Retry-After": "7"]
        #expect(Self.report(429, both)?.pause == .seconds(7))
    }

    @Test(arguments: [("true", true), ("FALSE ", false), ("maybe", nil), (nil, nil)] as [(String?, Bool?)])
    func stripeSaysWhetherToRetry(_ text: String?, _ expected: Bool?) {
        var headers = HTTPHeaders()
        headers["Stripe-Should-Retry"] = text
        #expect(headers.stripeShouldRetry == expected)
    }
}
