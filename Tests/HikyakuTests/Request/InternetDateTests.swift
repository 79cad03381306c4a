import Foundation
import Testing

@testable import Hikyaku

@Suite struct InternetDateTests {
    @Test(arguments: [
        ("1970-01-01T00:00:00Z", 0), ("2026-01-01T09:00:00+09:00", 1_767_225_600),
        ("2026-01-01T00:00:00.5Z", 1_767_225_600.5), ("2024-02-29t12:00:00z", 1_709_208_000),
        ("2000-01-01 00:00:00-00:30", 946_686_600), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("9999-12-31T23:59:59Z", 253_402_300_799), ("2016-12-31T23:59:60Z", 1_483_228_799),
        ("2026-01-01T09:00:00+0900", 1_767_225_600), ("2026-01-01T09:00:00+09", 1_767_225_600),
        ("1900-03-01T00:00:00Z", -2_203_891_200),
    ])
    func datesAreRead(text: String, seconds: Double) {
        #expect(InternetDate.date(from: text)?.timeIntervalSince1970 == seconds)
    }

    @Test(arguments: [
        "", "2026-01-01", "2026-01-01T00:00:00", "2026-01-01T00:00:00Z ", "2026-01-01T00:00:00Z hunter2",
        "2026-01-01T00:00:00+09junk", "2026-1-1T0:0:0Z", "2026-02-30T00:00:00Z", "2025-02-29T00:00:00Z",
        "1900-02-29T00:00:00Z", "2026-13-01T00:00:00Z", "2026-00-01T00:00:00Z", "2026-01-00T00:00:00Z",
        "2026-01-01T24:00:00Z", "2026-01-01T00:60:00Z", "2026-01-01T00:00:61Z", "2026-01-01T00:00:00.Z",
        "2026-01-01T00:00:00+24:00", "2026-01-01T00:00:00+09:", "-026-01-01T00:00:00Z", "２０２６-01-01T00:00:00Z",
    ])
    func whatIsNoDateIsRefused(text: String) {
        #expect(InternetDate.date(from: text) == nil)
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
        let seed = UInt64.random(in: 0...UInt64.max)
        var random = SeededGenerator(state: seed)
        for _ in 0..<5000 {
            let second = Int64.random(in: -62_135_596_800..<253_402_300_800, using: &random)
            let date = Date(timeIntervalSince1970: Double(second))
            let text = InternetDate.text(of: date, fraction: true)
            #expect(text.flatMap(InternetDate.date) == date, "seed \(seed): \(second): \(text ?? "nil")")
        }
    }

    @Test func datesThatTheFormatCannotHoldAreNotWritten() {
        for seconds in [Double.nan, .infinity, -.infinity, 253_402_300_800, -62_135_596_801, 1e300] {
            #expect(InternetDate.text(of: Date(timeIntervalSince1970: seconds), fraction: false) == nil)
        }
    }
}

/// A linear congruential generator, so that a failure can be repeated by its seed.
private struct SeededGenerator: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
