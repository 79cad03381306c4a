import HikyakuBase
import Testing

@Suite struct HTTPDateTests {
    private let now: Int64 = 1_795_000_000  // in November 2026

    @Test(
        "All three forms of RFC 9110, section 5.6.7 are read",
        arguments: [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994",
        ],
    )
    func threeForms(text: String) {
        #expect(HTTPDate.seconds(in: text, now: now) == 784_111_777)
    }

    @Test(
        "A year of two digits is at most 50 years in the future",
        arguments: [
            ("76", 2076), ("77", 1977), ("00", 2000), ("26", 2026),
        ],
    )
    func century(digits: String, year: Int) throws {
        let seconds = try #require(HTTPDate.seconds(in: "Monday, 01-Jan-\(digits) 00:00:00 GMT", now: now))
        #expect(CivilDay(daysSince1970: Int((Double(seconds) / 86_400).rounded(.down))).year == year)
    }

    @Test(arguments: [
        "", "now", "Sun, 6 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 UTC",
        "Sun, 31 Nov 1994 08:49:37 GMT", "Sun, 29 Feb 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:49:37 GMT",
        "Sun, 06 Nov 1994 08:60:37 GMT", "Sun, 06 Nov 1994 08:49:61 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
        "Sun, 06 Nov 1600 08:49:37 GMT", "Sun, 06 Nov +994 08:49:37 GMT", "Sun, 06 Nov 1994 08-49-37 GMT",
        "Sun Nov 6 08:49:37 1994", "Sunday, 6-Nov-94 08:49:37 GMT", "Sunday, 06-Nov-1994 08:49:37 GMT",
        "Sun, 06 Nov 1994 08:49:37 GM\u{301}T",
    ])
    func otherTextsAreNotDates(text: String) {
        #expect(HTTPDate.seconds(in: text, now: now) == nil)
    }

    @Test func aLeapSecondCounts() {
        #expect(HTTPDate.seconds(in: "Sat, 31 Dec 2016 23:59:60 GMT", now: now) == 1_483_228_800)
    }

    @Test(
        arguments: [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (-1, "Wed, 31 Dec 1969 23:59:59 GMT"), (-62_135_596_800, "Mon, 01 Jan 0001 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)]
    )
    func writesTheFormOfToday(seconds: Int64, text: String) {
        #expect(HTTPDate.text(of: seconds) == text)
        if seconds > -11_000_000_000 { #expect(HTTPDate.seconds(in: text, now: now) == seconds) }
    }

    @Test(arguments: [-62_135_596_801, 253_402_300_800, Int64.min, Int64.max])
    func yearsBeyondFourDigitsHaveNone(seconds: Int64) {
        #expect(HTTPDate.text(of: seconds) == nil)
    }
}
