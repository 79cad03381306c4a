/// Why a command ended without doing what it was asked for, as text for people.
struct CommandFailure: Error, Equatable, Sendable {
    /// What the program ends with.
    enum Status: Int32, Sendable {
        /// Something went wrong on the way.
        case failure = 1
        /// The command line makes no sense.
        case usage = 2
    }

    let status: Status
    /// What happened, and what to do next; may have several lines.
    let message: String

    init(_ message: String) {
        status = .failure
        self.message = message
    }

    private init(status: Status, message: String) {
        self.status = status
        self.message = message
    }

    /// Words on the command line that make no sense.
    ///
    /// - Parameters:
    ///   - message: What is wrong with them.
    ///   - command: The command whose help tells how to do it right; `nil`: that of the program.
    /// - Returns: The failure, with where to find help.
    static func usage(_ message: String, command: String?) -> Self {
        let help = command.map { "hikyaku \($0) --help" } ?? "hikyaku --help"
        return Self(status: .usage, message: "\(message)\n'\(help)' tells what there is.")
    }
}
