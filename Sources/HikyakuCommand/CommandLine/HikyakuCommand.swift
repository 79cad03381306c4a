import Foundation
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// The program `hikyaku`, with a command for each tool.
@main
enum HikyakuCommand {
    static let version = "0.1.0"

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            Console.tell(error, after: "hikyaku")
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
        case "--help", "-h": try show(Usage.program + "\n")
        case "--version": try show("hikyaku \(version)\n")
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

    /// Writes to standard output.
    ///
    /// - Throws: ``CommandFailure`` if it can't be written, for example to a full disk.
    static func show(_ text: String) throws(CommandFailure) {
        try CommandFailure.explaining("standard output can't be written") {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        }
    }
}

/// What `--help` prints.
enum Usage {
    static let program = """
        Tools around Hikyaku, the package for calling web APIs.

        Usage: hikyaku COMMAND [OPTIONS]

        Commands:
        \(commands)
          help         show this text; before or after a command, its own help

        Options:
          -h, --help   the same as the command help
          --version    show the version

        Exit status: 0 for success, 1 for a failure, 2 for an invalid command
        line, 130 for an interrupted download.
        """

    private static var commands: String {
        HikyakuCommand.commands.map { command in
            "  \(command.name.padding(toLength: 13, withPad: " ", startingAt: 0))\(command.summary)"
        }.joined(separator: "\n")
    }

    static let catalogue = """
        Lists every request type of a package: method, path, query, access, response,
        failure, comment, file and line. Names that are probably misspelled, such as
        'typealias Acces', functions and properties without an effect, and bodies of
        GET are reported on standard error. The package is built in a separate folder,
        since only the compiler knows these facts; of its code, only the manifest,
        macros and plugins are run, as in each build.

        Usage: hikyaku catalogue [OPTIONS]

        Options:
          --package DIR        the package's folder (default: the current one)
          --target NAME        list only this target; may be repeated
                               (default: all except tests, plugins and macros)
          --format FORMAT      html, markdown or json (default: the extension of
                               the output file, otherwise html)
          --output FILE        write to this file, only after success
                               (default: standard output)
          --source-url URL     link each request to its source by this URL, in which
                               {path} is replaced by the file's path in the package,
                               and {line} by the line; for example
                               https://host/shop/blob/main/{path}#L{line}
                               (default: the file itself, if the page is written
                               below the package's folder or the current one)
          --scratch-path DIR   where to build (default: .build/hikyaku-catalogue in
                               the package's folder); kept, so that the next
                               build is faster
          --strict             exit with status 1 if there is a warning, after the
                               page is written; for CI
          -h, --help           show this text
        """

    static let download = """
        Downloads a file. It gets its name when it is complete and on the disk. If the
        download is cut, it goes on by itself. If it is interrupted, or fails, what was
        received is kept beside the file, and the same command downloads the rest.

        Usage: hikyaku download [OPTIONS] URL

        Options:
          --output FILE        the file (default: the last part of the URL's path, in
                               the current folder, unless it begins with a dot); a
                               device or a pipe, such as /dev/stdout, is written into
                               and not resumed
          --force              replace a file that is there already, and was not begun
                               by an earlier download of the same URL
          --sha256 HEX         fail unless the file has this digest; with another one,
                               nothing is kept
          --header FIELD       add a field, as 'Name: value'; may be repeated
          --quiet              show errors only
          -h, --help           show this text

        A terminal shows a bar; elsewhere, there is a line every ten seconds.
        """
}

extension CommandFailure {
    /// Runs work, and adds a text that says what failed to its error.
    static func explaining<Value>(_ text: String, _ work: () throws -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure("\(text): \(error.localizedDescription)") }
    }
}
