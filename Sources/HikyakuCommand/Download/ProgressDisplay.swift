import Foundation
import Hikyaku

/// Shows the progress of a call on standard error.
struct ProgressDisplay {
    private let isTerminal: Bool
    private var pacer: ProgressPacer
    private var latest: CallProgress?

    init() {
        isTerminal = isatty(STDERR_FILENO) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
        pacer = ProgressPacer(isTerminal: isTerminal)
    }

    /// Takes the newest progress.
    mutating func show(_ progress: CallProgress, at now: ContinuousClock.Instant) {
        latest = progress
        if pacer.isDue(at: now) { draw(progress) }
    }

    /// Draws the last progress, and leaves it on the terminal.
    func end() {
        guard isTerminal, let latest else { return }
        draw(latest)
        write("\n")
    }

    private func draw(_ progress: CallProgress) {
        let line = ProgressBar(width: isTerminal ? Self.columns : 80).line(for: progress)
        // The line is drawn over the last one, whose rest is erased.
        write(isTerminal ? "\r\(line)\u{1B}[K" : "\(line)\n")
    }

    private func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }

    /// The columns of the terminal, which its user may change at any time.
    private static var columns: Int {
        var size = winsize()
        let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }
}
