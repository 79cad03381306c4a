import Hikyaku
import Testing

@Suite struct RetryAfterTests {
    /// Sun, 06 Nov 1994 08:49:37 GMT is the date of the examples in RFC 9110.
    @Test(
        arguments: [
            ("0", 0), ("120", 120), (" 7 ", 7), ("Sun, 06 Nov 1994 08:50:07 GMT", 30),
            ("Sunday, 06-Nov-94 08:49:38 GMT", 1), ("Sun Nov  6 08:49:40 1994", 3),
            ("Sun, 06 Nov 1994 08:49:36 GMT", 0),
        ]
    )
    func secondsAndAllFormatsOfDatesAreRead(_ text: String, seconds: Int) {
        let headers: HTTPHeaders = ["Retry-After": text, "Date": "Sun, 06 Nov 1994 08:49:37 GMT"]
        #expect(BufferedResponse(status: 503, headers: headers).retryAfter == .seconds(seconds))
    }

    @Test(arguments: ["", "-1", "soon", "+3", "١"])
    func anythingElseIsIgnored(_ text: String) {
        #expect(BufferedResponse(status: 503, headers: ["Retry-After": text]).retryAfter == nil)
    }

    @Test func withoutADateTheMachinesClockCounts() throws {
        let past = BufferedResponse(status: 503, headers: ["Retry-After": "Sun, 06 Nov 1994 08:49:37 GMT"])
        #expect(past.retryAfter == .zero)
        let future = BufferedResponse(status: 503, headers: ["Retry-After": "Sun, 06 Nov 2994 08:49:37 GMT"])
        #expect(try #require(future.retryAfter) > .seconds(86_400))
    }

    @Test func aNumberThatNothingCanHoldIsVeryLong() throws {
        let headers: HTTPHeaders = ["Retry-After": String(repeating: "9", count: 400)]
        #expect(try #require(BufferedResponse(status: 503, headers: headers).retryAfter) > .seconds(86_400 * 365))
    }

    @Test func ofSeveralTheLongestCounts() {
        var headers: HTTPHeaders = ["Retry-After": "3"]
        headers.append("Retry-After", "120")
        headers.append("Retry-After", "soon")
        #expect(BufferedResponse(status: 503, headers: headers).retryAfter == .seconds(120))
    }

    @Test func anErrorHasItToo() {
        let response = BufferedResponse(status: 429, headers: ["Retry-After": "5"])
        #expect(APIError<ShopError>.unacceptableStatus(response).retryAfter == .seconds(5))
        #expect(APIError<ShopError>.transport(CallFailure(.connectionReset)).retryAfter == nil)
    }
}
