import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct InternetDateTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-01T09:00:00+09:00", 1_767_225_600),
        ("2026-01-01T00:00:00.5Z", 1_767_225_600.5), ("2024-02-29t12:00:00z", 1_709_208_000),
        ("2000-01-01 00:00:00-00:30", 946_686_600), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_799),
        ("2026-01-01T09:00:00+0900", 1_767_225_600), ("2026-01-01T09:00:00+09", 1_767_225_600),
        ("1900-03-01T00:00:00Z", -2_203_891_200), ("1970-01-01T00:00:01,125Z", 1.125),
        ("1970-01-01T00:00:00.1234567890123456789Z", 0.123456789012345),
        ("1969-12-31T23:59:59.75-00:00", -0.25),
    ])
    func datesAreRead(text: String, seconds: Double) {
        // To the precision of what a date keeps, which is counted from 2001.
        let date = Date(timeIntervalSince1970: seconds)
        #expect(InternetDate.date(from: text) == date)
        #expect(NumberTexts.withBytes(text, InternetDate.date) == date)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00Z ", "2026-01-01T00:00:00Z hunter2",
        "2026-01-01T00:00:00+09junk", "2026-1-1T0:0:0Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+09:", "-026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z",
    ])
    func invalidDatesAreRejected(text: String) {
        #expect(InternetDate.date(from: text) == nil)
        #expect(NumberTexts.withBytes(text, InternetDate.date) == nil)
    }

    @Test func noPartOfADateIsOne() {
        let text = "2026-01-01T00:00:00.250+09:30"
        // What is left are offsets without minutes, and without a colon.
        let dates = (0..<text.count).filter { InternetDate.date(from: String(text.prefix($0))) != nil }
        #expect(dates == [26])
        for index in text.indices {
            let changed = text.replacingCharacters(in: index...index, with: "x")
            #expect(InternetDate.date(from: changed) == nil, "\(changed)")
        }
    }

    @Test func generatedDatesAreAsFoundationReadsThem() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        for _ in 0..<Effort.rounds(5000) {
            let second = Int64.random(in: -12_219_292_800..<253_402_300_800, using: &random)
            let text = Date(timeIntervalSince1970: Double(second)).formatted(style).replacing(".000Z", with: ".875Z")
            let date = InternetDate.date(from: text)
            #expect(date == (try? style.parse(text)), "seed \(seed): \(text)")
            #expect(date == Date(timeIntervalSince1970: Double(second) + 0.875), "seed \(seed): \(text)")
        }
    }

    @Test func aFractionIsNotRoundedBeforeItIsAdded() {
        let date = InternetDate.date(from: "2001-01-01T00:00:07.723767Z")
        #expect(date?.timeIntervalSinceReferenceDate == 7.723767)
        let earlier = InternetDate.date(from: "2000-12-31T23:59:52.276233Z")
        #expect(earlier?.timeIntervalSinceReferenceDate == -7.723767)
    }

    @Test func aFractionIsRoundedOnce() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(5000) {
            let second = Int.random(in: 0...86_399, using: &random)
            let fraction = String(format: "%.6f", Double.random(in: 0..<1, using: &random)).dropFirst()
            let clock = String(format: "%02d:%02d:%02d", second / 3600, second / 60 % 60, second % 60)
            let date = InternetDate.date(from: "2001-01-01T\(clock)\(fraction)Z")
            #expect(date?.timeIntervalSinceReferenceDate == Double("\(second)\(fraction)"), "seed \(seed)")
        }
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
        (1_709_208_000.25, "2024-02-29T12:00:00.250Z"),
        (253_402_300_799, "9999-12-31T23:59:59Z"), (-2_203_891_200, "1900-03-01T00:00:00Z"),
        (-0.5, "1969-12-31T23:59:59.500Z"),
    ])
    func datesAreWritten(seconds: Double, text: String) {
        #expect(InternetDate.text(of: Date(timeIntervalSince1970: seconds), fraction: true) == text)
    }

    @Test func whatIsWrittenIsReadBackAsTheSame() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(5000) {
            let second = Int64.random(in: -62_135_596_800..<253_402_300_800, using: &random)
            let date = Date(timeIntervalSince1970: Double(second))
            let text = InternetDate.text(of: date, fraction: true)
            #expect(text.flatMap(InternetDate.date) == date, "seed \(seed): \(second): \(text ?? "nil")")
            // Milliseconds are found again in what a date makes of them.
            let read = text.flatMap { InternetDate.date(from: "\($0.dropLast()).123Z") }
            #expect(read.flatMap { InternetDate.text(of: $0, fraction: true)?.suffix(5) } == ".123Z", "\(second)")
        }
    }

    @Test func datesThatTheFormatCannotHoldAreNotWritten() {
        for seconds in [Double.nan, .infinity, -.infinity, 253_402_300_800, -62_135_596_801, 1e300] {
            #expect(InternetDate.text(of: Date(timeIntervalSince1970: seconds), fraction: false) == nil)
        }
    }
}
