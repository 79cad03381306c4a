import Foundation
import Hikyaku
import HikyakuGenerate
import HikyakuOpenAPI

/// Shows the progress of a call on standard error.
struct ProgressDisplay {
    private let isTerminal: Bool
    private var line = StatusLine()
    private var pacer: ProgressPacer
    private var latest: CallProgress?

    init() {
        isTerminal = StatusLine.isTerminal
        pacer = ProgressPacer(isTerminal: isTerminal)
    }

    /// Takes the newest progress.
    mutating func show(_ progress: CallProgress, at now: ContinuousClock.Instant) {
        latest = progress
        if pacer.isDue(at: now) { draw(progress) }
    }

    /// Draws the last progress, and leaves it on the terminal.
    mutating func end() {
        guard isTerminal, let latest else { return }
        draw(latest)
        Console.report(line.keeping())
    }

    private mutating func draw(_ progress: CallProgress) {
        let text = ProgressBar(width: isTerminal ? StatusLine.columns : 80).line(for: progress)
        Console.report(isTerminal ? line.drawing(text) : "\(text)\n")
    }
}
