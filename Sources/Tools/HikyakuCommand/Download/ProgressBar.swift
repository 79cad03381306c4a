import Hikyaku
import HikyakuGenerate

/// The progress of bytes as one line of text.
struct ProgressBar {
    /// A wider bar says no more.
    private static let barWidthMax = 40
    private static let barWidthMin = 10

    /// The columns of the terminal.
    let width: Int

    /// A line that is shorter than the terminal is wide: what doesn't fit is left out, the bar first.
    ///
    /// ```text
    ///  42 % [================>                       ] 1.4 of 3.4 GB, 12.3 MB/s, 2:41 left
    /// ```
    func line(for progress: CallProgress) -> String {
        let share = progress.fractionCompleted.map { Self.percent(of: $0) }
        let bytes = Self.bytes(of: progress)
        let speed = progress.bytesPerSecond.map { "\(ByteCount.text(of: Self.count($0)))/s" }
        let isComplete = progress.bytesDone == progress.bytesTotal
        let rest = isComplete ? nil : progress.timeLeft.map { "\(Self.text(of: $0)) left" }
        let room = max(0, width - 1)
        let candidates = [[bytes, speed, rest], [bytes, rest], [bytes]].map { parts in
            parts.compactMap(\.self).joined(separator: ", ")
        }
        for text in candidates {
            let words = [share, text].compactMap(\.self).joined(separator: " ")
            guard words.count <= room else { continue }
            let barWidth = min(Self.barWidthMax, room - words.count - 3)
            guard let share, let done = progress.fractionCompleted, barWidth >= Self.barWidthMin else { return words }
            return "\(share) \(Self.bar(done, barWidth)) \(text)"
        }
        return String((share ?? bytes).prefix(room))
    }

    private static func percent(of fraction: Double) -> String {
        // 100 % is only shown for the last byte.
        let number = fraction < 1 ? min(99, Int(max(0, fraction) * 100)) : 100
        return String(repeating: " ", count: number < 10 ? 2 : number < 100 ? 1 : 0) + "\(number) %"
    }

    private static func bar(_ fraction: Double, _ width: Int) -> String {
        let done = Int(max(0, min(1, fraction)) * Double(width))
        let head = done < width ? ">" : ""
        let tail = String(repeating: " ", count: width - done - head.count)
        return "[\(String(repeating: "=", count: done))\(head)\(tail)]"
    }

    private static func bytes(of progress: CallProgress) -> String {
        let done = ByteCount.text(of: progress.bytesDone)
        guard let total = progress.bytesTotal else { return done }
        let whole = ByteCount.text(of: total)
        let (doneWords, wholeWords) = (done.split(separator: " "), whole.split(separator: " "))
        return doneWords.last == wholeWords.last ? "\(doneWords[0]) of \(whole)" : "\(done) of \(whole)"
    }

    private static func count(_ bytesPerSecond: Double) -> Int {
        guard bytesPerSecond > 0 else { return 0 }
        return Int(exactly: min(bytesPerSecond, 1e15).rounded()) ?? .max
    }

    /// `0:09`, `2:41`, `3:05:00`, or `more than a day`.
    private static func text(of time: Duration) -> String {
        guard time < .seconds(86_400) else { return "more than a day" }
        let seconds = Int(time.components.seconds) + (time.components.attoseconds > 0 ? 1 : 0)
        let (hours, minutes) = (seconds / 3600, seconds / 60 % 60)
        let end = (seconds % 60 < 10 ? "0" : "") + "\(seconds % 60)"
        guard hours > 0 else { return "\(minutes):\(end)" }
        return "\(hours):\(minutes < 10 ? "0" : "")\(minutes):\(end)"
    }
}
