#if os(Linux)
import Testing

@testable import HikyakuWire

struct GatheringTests {
    private static let millisecond: Int64 = 1_000_000
    private static let large = 10 << 20

    /// Reads that follow each other quickly until it is on.
    private static func on() -> (gathering: Gathering, now: Int64) {
        var (gathering, now) = (Gathering(), millisecond * 1000)
        while !gathering.isOn, now < millisecond * 1100 {
            now += millisecond / 2
            _ = gathering.note(now, bytesLeft: large)
        }
        return (gathering, now)
    }

    @Test func readsThatFollowEachOtherQuicklyTurnItOn() {
        var gathering = Gathering()
        var changes: [Int] = []
        for number in 1...20 {
            let now = Self.millisecond * 1000 + Int64(number) * 900_000
            if gathering.note(now, bytesLeft: Self.large) { changes.append(number) }
        }
        #expect(changes == [9] && gathering.isOn)
    }

    @Test func slowReadsDoNot() {
        var gathering = Gathering()
        for number in 1...100 {
            #expect(gathering.note(Int64(number) * Self.millisecond * 1000, bytesLeft: Self.large) == false)
        }
        #expect(!gathering.isOn)
    }

    @Test func aPauseTurnsItOff() {
        var (gathering, now) = Self.on()
        #expect(gathering.note(now + Gathering.delayMax, bytesLeft: Self.large) == true)
        #expect(!gathering.isOn)
        (gathering, now) = Self.on()
        #expect(gathering.end(at: now + Gathering.delayMax - 1) == false)
        #expect(gathering.end(at: now + Gathering.delayMax) == true)
        #expect(!gathering.isOn)
        #expect(gathering.end(at: now + Gathering.delayMax) == false)
    }

    /// Fewer bytes than are waited for would never be told of.
    @Test func theLastBytesAreNotWaitedFor() {
        var (gathering, now) = Self.on()
        #expect(gathering.note(now + 1, bytesLeft: Gathering.bytesMin) == false)
        #expect(gathering.note(now + 2, bytesLeft: Gathering.bytesMin - 1) == true)
        #expect(!gathering.isOn)
        (gathering, now) = Self.on()
        #expect(gathering.end(at: now, isOver: true) == true)
    }
}
#endif
