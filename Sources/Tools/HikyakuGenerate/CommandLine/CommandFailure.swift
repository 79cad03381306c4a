import HikyakuBase
package import HikyakuOpenAPI

/// Why a command failed, as a text for people.
package struct CommandFailure: Error, Equatable, Sendable {
    /// The exit status.
    package enum Status: Int32, Sendable {
        /// The command failed.
        case failure = 1
        /// The command line is invalid.
        case usage = 2
        /// The user has ended the command, as shells say it for SIGINT.
        case interrupted = 130
    }

    package let status: Status
    /// What happened, and what to do next, in one or more lines.
    package let text: TerminalText
    package var message: String { text.text }

    package init(_ text: TerminalText, status: Status = .failure) {
        self.status = status
        self.text = text
    }

    /// A failure for an invalid command line.
    ///
    /// - Parameters:
    ///   - message: What is invalid.
    ///   - command: The program and its command, as they are typed, whose help is named.
    /// - Returns: The failure, with where to find help.
    package static func usage(_ message: TerminalText, command: String) -> Self {
        Self("\(message)\n'\(command) --help' lists the commands and options.", status: .usage)
    }

    /// A question that is added to a message about an unknown word.
    ///
    /// - Parameters:
    ///   - word: The word, without `prefix`.
    ///   - known: The known words, without `prefix`.
    ///   - prefix: What the words begin with where they are typed, such as `--`.
    /// - Returns: `: did you mean …?`, or an empty text if no known word is near.
    package static func question(
        about word: some StringProtocol,
        known: [String],
        prefix: String = "",
    ) -> String {
        Spelling.suggestion(for: word, among: known).map { ": did you mean \(prefix)\($0)?" } ?? ""
    }
}
