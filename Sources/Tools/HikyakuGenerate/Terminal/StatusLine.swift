package import HikyakuOpenAPI

#if canImport(Glibc)
import Glibc
#elseif canImport(Musl)
import Musl
#else
import Darwin
#endif

/// The last line of a terminal, which is drawn again and again: each function returns what to write for it.
package struct StatusLine: Sendable {
    private var isDrawn = false

    package init() {}

    /// Whether standard error is a terminal on which a line can be drawn again.
    package static var isTerminal: Bool {
        guard isatty(STDERR_FILENO) == 1 else { return false }
        return unsafe getenv("TERM").map { unsafe String(cString: $0) } != "dumb"
    }

    /// The columns of the terminal, which its user may change at any time.
    package static var columns: Int {
        var size = winsize()
        let isKnown = unsafe ioctl(STDERR_FILENO, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0
        return isKnown ? Int(size.ws_col) : 80
    }

    /// Draws a text over the last one, whose rest is erased; what is wider than the terminal is cut.
    package mutating func drawing(_ text: String, width: Int = Self.columns) -> TerminalText {
        isDrawn = true
        let line = TerminalText(line: text).text.prefix(max(0, width - 1))
        return "\r\(line)\u{1B}[K"
    }

    /// Leaves the line on the terminal.
    package mutating func keeping() -> TerminalText {
        defer { isDrawn = false }
        return isDrawn ? "\n" : ""
    }

    /// Removes the line from the terminal.
    package mutating func erasing() -> TerminalText {
        defer { isDrawn = false }
        return isDrawn ? "\r\u{1B}[K" : ""
    }
}

/// When a progress is written.
///
/// A terminal has one line, which is drawn again at most ten times a second. Anything else, such as a log, gets a line
/// every ten seconds.
package struct ProgressPacer: Sendable {
    private let interval: Duration
    private var last: ContinuousClock.Instant?

    package init(isTerminal: Bool) {
        interval = isTerminal ? .milliseconds(100) : .seconds(10)
    }

    /// Whether to write now; the first progress only begins to count.
    package mutating func isDue(at now: ContinuousClock.Instant) -> Bool {
        guard let last else {
            self.last = now
            return false
        }
        guard last.duration(to: now) >= interval else { return false }
        self.last = now
        return true
    }
}
