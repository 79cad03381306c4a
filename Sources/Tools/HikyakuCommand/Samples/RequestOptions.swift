import HikyakuGenerate
import HikyakuOpenAPI

/// The options of `hikyaku request`.
struct RequestOptions: Sendable {
    /// Where the cURL line is.
    enum Line: Equatable, Sendable {
        /// One text, as it is typed into a shell.
        case text(String)
        /// Words that a shell has made of it.
        case words([String])
        case standardInput
    }

    var line = Line.words([])
    /// The paths of samples of the response; `-` for standard input.
    var responses: [String] = []
    var choices = RequestInference.Choices()
    var output = SwiftOutput()
    var isQuiet = false
    var showsHelp = false

    private static let command = "hikyaku request"
    private static let flags = ["direct", "force", "quiet"]

    /// Reads the words after `request`.
    ///
    /// - Throws: A usage failure for invalid words, which shows none of the line's.
    init(_ words: [String]) throws(CommandFailure) {
        let start = Self.lineStart(in: words)
        let read = try OptionReader(
            Array(words[..<(start ?? words.endIndex)]),
            of: Self.command,
            options: ["name", "response", "response-name", "environment", "output"] + SharedOptions.names,
            flags: Self.flags,
        )
        showsHelp = read.hasHelp
        guard !showsHelp else { return }
        line = try Self.line(read.operands + (start.map { Array(words[$0...]) } ?? []))
        responses = try read.values(of: "response")
        if responses.contains("-"), line == .standardInput || responses.count(where: { $0 == "-" }) > 1 {
            throw Self.usage("standard input can be read only once")
        }
        choices.name = try Self.typeName("name", read)
        choices.responseName = try Self.typeName("response-name", read)
        choices.environment = try Self.environment(read)
        choices.generator = try SharedOptions.generator(read, command: Self.command)
        choices.isDirect = read.flags.contains("direct")
        isQuiet = read.flags.contains("quiet")
        output = try SwiftOutput(read)
    }

    /// The index of `curl` where its line isn't quoted, so that what follows are not options of this program.
    private static func lineStart(in words: [String]) -> Int? {
        for (index, word) in words.enumerated() {
            if word == "--" { return nil }
            guard word == "curl" else { continue }
            let before = index == 0 ? "" : words[index - 1]
            let isValue =
                before.hasPrefix("--") && !before.contains("=") && !flags.contains(String(before.dropFirst(2)))
            if !isValue { return index }
        }
        return nil
    }

    private static func line(_ operands: [String]) throws(CommandFailure) -> Line {
        guard let first = operands.first else {
            throw usage("a cURL line is missing: 'hikyaku request 'curl https://…''; '-' is standard input")
        }
        guard operands.count == 1 else { return .words(operands) }
        return first == "-" ? .standardInput : .text(first)
    }

    private static func typeName(_ option: String, _ read: OptionReader) throws(CommandFailure) -> String? {
        guard let name = try read.value(of: option) else { return nil }
        guard ModelInference.isName(name) else {
            throw usage(
                """
                --\(option) takes the name of a type of Swift that begins with a capital and is none of Swift's or \
                Hikyaku's own, such as GetItems; not \(name)
                """
            )
        }
        return name
    }

    private static func environment(_ read: OptionReader) throws(CommandFailure) -> String? {
        guard let name = try read.value(of: "environment") else { return nil }
        guard SwiftName.isName(name), !["_", "self", "init", "Type", "Self", "Protocol"].contains(name) else {
            throw usage("--environment takes the name of a member of APIEnvironment, such as shop; not \(name)")
        }
        return name
    }

    private static func usage(_ message: TerminalText) -> CommandFailure { .usage(message, command: command) }
}
