import Foundation
import HikyakuJSON
import Testing

@Suite struct CalendarDateTests {
    @Test(arguments: ["2026-11-21", "0000-01-01", "9999-12-31", "2024-02-29"])
    func textsAreReadAndWritten(_ text: String) throws {
        let date = try #require(CalendarDate(text))
        #expect(date.description == text)
        let document = Data("[\"\(text)\"]".utf8)
        #expect(try HikyakuJSONDecoder().decode([CalendarDate].self, from: document) == [date])
        #expect(try HikyakuJSONEncoder().encode([date]) == document)
        #expect(try JSONDecoder().decode([CalendarDate].self, from: document) == [date])
        #expect(try JSONEncoder().encode([date]) == document)
    }

    @Test(arguments: [
        "", "2026", "2026-11-2", "2026-11-31", "2025-02-29", "2026-13-01", "2026-00-10", "2026-11-00", "26-11-21",
        "2026/11/21",
        "2026-11-21T09:30:00Z", "-026-11-21", "+026-11-21", "2026-1 -21", "２026-11-21",
    ])
    func otherTextsAreNone(_ text: String) {
        #expect(CalendarDate(text) == nil)
    }

    @Test func aDayThatDoesNotExistIsAnError() {
        #expect(throws: (any Error).self) {
            try HikyakuJSONDecoder().decode(CalendarDate.self, from: Data("\"2026-02-30\"".utf8))
        }
    }

    @Test func daysAreInOrder() throws {
        let days = ["2025-12-31", "2026-01-01", "2026-01-02", "2026-02-01"].compactMap(CalendarDate.init)
        #expect(days.count == 4)
        #expect(days.shuffled().sorted() == days)
    }

    @Test func aDateFallsOnTheDayOfAPlace() throws {
        let date = Date(timeIntervalSince1970: 1_795_203_000)
        #expect(CalendarDate(date)?.description == "2026-11-20")
        #expect(CalendarDate(date, secondsFromGMT: 9 * 3600)?.description == "2026-11-21")
        #expect(CalendarDate(Date(timeIntervalSince1970: -1))?.description == "1969-12-31")
    }

    @Test func aDayBeginsAtMidnight() throws {
        let day = try #require(CalendarDate(year: 2026, month: 11, day: 21))
        #expect(day.date() == Date(timeIntervalSince1970: 1_795_219_200))
        #expect(day.date(secondsFromGMT: 3600) == day.date().addingTimeInterval(-3600))
        #expect(CalendarDate(day.date(secondsFromGMT: -7200), secondsFromGMT: -7200) == day)
    }

    @Test(arguments: [Double.infinity, -.infinity, .nan, 1e300, -1e300, 253_402_300_800, -62_167_219_201])
    func noDayIsOutsideOfTheYears(_ seconds: Double) {
        #expect(CalendarDate(Date(timeIntervalSince1970: seconds)) == nil)
    }
}

@Suite struct NumberTextTests {
    @Test(arguments: [#""9007199254740993""#, "9007199254740993", #" "9007199254740993" "#])
    func bothFormsAreRead(_ document: String) throws {
        let number = try HikyakuJSONDecoder().decode(NumberText<Int64>.self, from: Data(document.utf8))
        #expect(number.value == 9_007_199_254_740_993)
        #expect(number == 9_007_199_254_740_993)
    }

    @Test func aStringIsWritten() throws {
        let document = Data(#"["-7"]"#.utf8)
        #expect(try HikyakuJSONEncoder().encode([NumberText<Int64>(-7)]) == document)
        #expect(try JSONEncoder().encode([NumberText<Int64>(-7)]) == document)
        #expect(try JSONDecoder().decode([NumberText<Int64>].self, from: document) == [-7])
    }

    @Test(arguments: [
        #""""#, #""a""#, #""1.5""#, "1.5", "true", "null", #""99999999999999999999""#, "99999999999999999999",
    ])
    func otherValuesAreErrors(_ document: String) {
        #expect(throws: (any Error).self) {
            try HikyakuJSONDecoder().decode(NumberText<Int64>.self, from: Data(document.utf8))
        }
    }

    @Test(arguments: ["0", "-12.5", "12345678901234567890.123456789"])
    func decimalsKeepTheirDigits(_ text: String) throws {
        let document = Data("\"\(text)\"".utf8)
        let number = try HikyakuJSONDecoder().decode(NumberText<Decimal>.self, from: document)
        #expect(number.value == Decimal(string: text))
        #expect(try HikyakuJSONEncoder().encode(number) == document)
    }

    @Test(arguments: ["", "NaN", "1.", "0x1", "１"])
    func otherTextsAreNotDecimals(_ text: String) {
        #expect(throws: (any Error).self) {
            try HikyakuJSONDecoder().decode(NumberText<Decimal>.self, from: Data("\"\(text)\"".utf8))
        }
    }
}
