#if os(Linux)
import Foundation
import HikyakuHTTP
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

    /// The arrival of fewer bytes than the threshold would never be reported.
    @Test func theLastBytesAreNotWaitedFor() {
        var (gathering, now) = Self.on()
        #expect(gathering.note(now + 1, bytesLeft: Gathering.bytesMin) == false)
        #expect(gathering.note(now + 2, bytesLeft: Gathering.bytesMin - 1) == true)
        #expect(!gathering.isOn)
        (gathering, now) = Self.on()
        #expect(gathering.end(at: now, isOver: true) == true)
    }

    // MARK: - The system

    @Test func theSystemReportsManyBytesAtOnce() throws {
        var ends: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
        defer { close(ends[1]) }
        let site = Site(RequestURL("http://a/"), key: "", ConnectionSettings(WireOptions()))
        let poller = try #require(Poller())
        let connection = Connection(ends[0], for: Dial(1, 0, site), attempt: 0, poller, key: 1, Gathering())
        defer { connection.close() }
        func lowWater() -> Int32 {
            var (count, length) = (Int32(-1), socklen_t(MemoryLayout<Int32>.size))
            return getsockopt(ends[0], SOL_SOCKET, SO_RCVLOWAT, &count, &length) == 0 ? count : -1
        }
        for _ in 0..<2 {
            #expect(lowWater() == 1)
            // Until nothing has held this thread up for eight reads.
            for _ in 0..<1_000_000 where !connection.gathering.isOn { connection.noteRead(bytesLeft: Self.large) }
            #expect(lowWater() == Int32(Gathering.bytesMin))
            connection.noteRead(bytesLeft: 1)
            #expect(lowWater() == 1)
        }
        for _ in 0..<1_000_000 where !connection.gathering.isOn { connection.noteRead(bytesLeft: Self.large) }
        #expect(connection.endGathering(at: Nanoseconds.now + Gathering.delayMax))
        #expect(lowWater() == 1 && !connection.gathering.isOn)
    }
}
#endif
