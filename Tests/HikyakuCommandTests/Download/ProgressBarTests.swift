import Hikyaku
import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct ProgressBarTests {
    private static let half = CallProgress(
        direction: .down,
        bytesDone: 1_400_000_000,
        bytesTotal: 3_400_000_000,
        bytesPerSecond: 12_300_000,
    )

    @Test func theLineHasEverythingWhereThereIsRoom() {
        let bar = "[================>                       ]"
        #expect(ProgressBar(width: 120).line(for: Self.half) == " 41 % \(bar) 1.4 of 3.4 GB, 12.3 MB/s, 2:43 left")
    }

    @Test(arguments: 0...200)
    func theLineIsShorterThanTheTerminal(width: Int) {
        for progress in [Self.half, CallProgress(direction: .down, bytesDone: 5)] {
            #expect(ProgressBar(width: width).line(for: progress).count <= max(0, width - 1))
        }
    }

    @Test func whatDoesNotFitIsLeftOut() {
        #expect(ProgressBar(width: 44).line(for: Self.half) == " 41 % 1.4 of 3.4 GB, 12.3 MB/s, 2:43 left")
        #expect(ProgressBar(width: 40).line(for: Self.half) == " 41 % 1.4 of 3.4 GB, 2:43 left")
        #expect(ProgressBar(width: 20).line(for: Self.half) == " 41 % 1.4 of 3.4 GB")
        #expect(ProgressBar(width: 10).line(for: Self.half) == " 41 %")
        #expect(ProgressBar(width: 3).line(for: Self.half) == " 4")
    }

    @Test func anUnknownSizeHasNoBar() {
        let progress = CallProgress(direction: .down, bytesDone: 1500, bytesPerSecond: 999)
        #expect(ProgressBar(width: 80).line(for: progress) == "1.5 kB, 999 bytes/s")
    }

    @Test func onlyTheLastByteCompletesIt() {
        let almost = CallProgress(direction: .down, bytesDone: 999_999, bytesTotal: 1_000_000)
        #expect(ProgressBar(width: 30).line(for: almost) == " 99 % 999.9 kB of 1.0 MB")
        let all = CallProgress(direction: .down, bytesDone: 10, bytesTotal: 10, bytesPerSecond: 5)
        #expect(ProgressBar(width: 32).line(for: all) == "100 % 10 of 10 bytes, 5 bytes/s")
        #expect(ProgressBar(width: 50).line(for: all).hasPrefix("100 % ["))
    }

    @Test(arguments: [
        (5, 1.0, "0:05"), (59, 1, "0:59"), (61, 1, "1:01"), (3600, 1, "1:00:00"), (11_105, 1, "3:05:05"),
        (100_000, 1, "more than a day"), (1, 3, "0:01"),
    ])
    func theTimeLeftIsReadable(bytes: Int, speed: Double, text: String) {
        let progress = CallProgress(direction: .down, bytesDone: 0, bytesTotal: bytes, bytesPerSecond: speed)
        #expect(ProgressBar(width: 200).line(for: progress).hasSuffix(", \(text) left"))
    }

    @Test(arguments: [Double.nan, .infinity, -1, .greatestFiniteMagnitude])
    func anImpossibleSpeedDoesNotTrap(speed: Double) {
        let progress = CallProgress(direction: .down, bytesDone: 1, bytesTotal: .max, bytesPerSecond: speed)
        #expect(ProgressBar(width: 80).line(for: progress).count < 80)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (999_999, "999.9 kB"),
        (1_000_000, "1.0 MB"), (12_345_678, "12.3 MB"), (Int.max, "9.2 EB"),
    ])
    func sizesAreReadable(count: Int, text: String) {
        #expect(ByteCount.text(of: count) == text)
    }

    @Test func aTerminalIsDrawnTenTimesASecondAndALogSeldom() {
        let start = ContinuousClock.now
        func times(_ isTerminal: Bool) -> [Int] {
            var pacer = ProgressPacer(isTerminal: isTerminal)
            return stride(from: 0, through: 21_000, by: 50).filter {
                pacer.isDue(at: start.advanced(by: .milliseconds($0)))
            }
        }
        #expect(times(false) == [10_000, 20_000])
        #expect(times(true) == Array(stride(from: 100, through: 21_000, by: 100)))
    }
}
