import Foundation
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// The program `hikyaku`, with a command for each tool.
@main
enum HikyakuCommand {
    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Console.report(error, after: "hikyaku")
            exit(error.status.rawValue)
        }
    }

    /// A command of the program.
    struct Command: Sendable {
        let name: String
        /// What it does, in a line of the program's help.
        let summary: String
        /// Runs it with the words after its name.
        let run: @Sendable ([String]) async throws(CommandFailure) -> Void
    }

    /// The commands, in the order of the help.
    static let commands = [
        Command(
            name: "catalogue",
            summary: "list every request type of a package in a page",
            run: CatalogueCommand.run,
        ),
        Command(
            name: "download",
            summary: "download a file, and go on where an earlier download ended",
            run: DownloadCommand.run,
        ),
        Command(
            name: "generate",
            summary: "generate models and requests of an OpenAPI document",
            run: GenerateProgram.run,
        ),
        Command(
            name: "model",
            summary: "make models of samples in JSON",
            run: ModelProgram.run,
        ),
        Command(
            name: "request",
            summary: "make a request of a cURL line",
            run: RequestProgram.run,
        ),
    ]

    /// Runs the command that the arguments name.
    static func run(_ words: [String]) async throws(CommandFailure) {
        let words = try Self.words(forHelpIn: words)
        guard let word = words.first else { throw .usage("a command is missing", command: "hikyaku") }
        if let command = commands.first(where: { $0.name == word }) {
            return try await command.run(Array(words.dropFirst()))
        }
        switch word {
        case "--help", "-h": try StandardOutput.write(usage + "\n")
        case "--version": try StandardOutput.write("hikyaku \(ProgramVersion.text)\n")
        default: throw unknown(word)
        }
    }

    /// The words with the option `--help` in place of the command `help`.
    ///
    /// The command is typed before or after another one: `help model`, `model help`. A file with this name can be given
    /// as `./help`.
    static func words(forHelpIn words: [String]) throws(CommandFailure) -> [String] {
        let option = "--help"
        guard words.first == help else { return words.dropFirst() == [help] ? [words[0], option] : words }
        guard words.count < 3 else {
            throw .usage("\(words[2]) is an unexpected argument: help takes one command", command: "hikyaku")
        }
        if words.last == "--version" {
            throw .usage("--version is an unexpected option: help takes the name of a command", command: "hikyaku")
        }
        let command = words.dropFirst().filter { ![help, option, "-h"].contains($0) }
        return command + [option]
    }

    private static let help = "help"

    /// The failure for a word that is neither a command nor an option of the program.
    ///
    /// An option may be meant by a command's name, as in `hikyaku version`, and the other way round.
    private static func unknown(_ word: String) -> CommandFailure {
        let isOption = word.utf8.first == UInt8(ascii: "-")
        let (names, options) = (commands.map(\.name) + [help], ["--help", "--version"])
        let known = (isOption ? options + names : names + options).map { (bare($0), $0) }
        let meant = Spelling.suggestion(for: bare(word), among: known.map(\.0))
        let question = known.first { $0.0 == meant }.map { ": did you mean \($0.1)?" } ?? ""
        return .usage("there is no \(isOption ? "option" : "command") \(word)\(question)", command: "hikyaku")
    }

    private static func bare(_ word: String) -> String { String(Substring(word.utf8.drop { $0 == UInt8(ascii: "-") })) }
}

extension HikyakuCommand {
    /// What `--help` prints.
    static let usage = """
        Tools around Hikyaku, the package for calling web APIs.

        Usage: hikyaku COMMAND [OPTIONS]

        Commands:
        \(commandLines)
          help         show this text; before or after a command, its own help

        Options:
          -h, --help   the same as the command help
          --version    show the version

        Exit status: 0 for success, 1 for a failure, 2 for an invalid command
        line, 130 for an interrupted download.
        """

    private static var commandLines: String {
        commands.map { command in
            "  \(command.name.padding(toLength: 13, withPad: " ", startingAt: 0))\(command.summary)"
        }.joined(separator: "\n")
    }
}
