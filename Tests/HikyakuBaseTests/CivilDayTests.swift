import HikyakuBase
import Testing

@Suite struct CivilDayTests {
    @Test func daysFollowOneAnotherFromTheYear400BeforeTo10000() throws {
        var (year, month, day) = (-400, 1, 1)
        var number = try #require(CivilDay(year: year, month: month, day: day)).daysSince1970
        while year <= 10_000 {
            let civil = CivilDay(daysSince1970: number)
            guard civil == CivilDay(year: year, month: month, day: day), civil.daysSince1970 == number else {
                Issue.record("\(year)-\(month)-\(day) is not a day \(number)")
                return
            }
            number += 1
            day += 1
            if day > CivilDay.length(ofMonth: month, in: year) { (month, day) = (month + 1, 1) }
            if month > 12 { (year, month) = (year + 1, 1) }
        }
    }

    @Test func theFirstDayIsThatOf1970() {
        #expect(CivilDay(daysSince1970: 0) == CivilDay(year: 1970, month: 1, day: 1))
        #expect(CivilDay(daysSince1970: -719_528) == CivilDay(year: 0, month: 1, day: 1))
    }

    @Test(arguments: [(2026, 2, 29), (2100, 2, 29), (2026, 4, 31), (2026, 0, 1), (2026, 13, 1), (2026, 1, 0)])
    func thereAreNoOtherDays(year: Int, month: Int, day: Int) {
        #expect(CivilDay(year: year, month: month, day: day) == nil)
    }

    @Test func noNumberOfDaysTraps() {
        for days in [Int.min, .min + 1, .max, .max - 719_468] { _ = CivilDay(daysSince1970: days) }
    }
}
