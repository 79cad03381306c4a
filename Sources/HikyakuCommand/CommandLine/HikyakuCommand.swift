import Foundation

/// The program `hikyaku`, with a command for each tool.
@main
enum HikyakuCommand {
    static let version = "0.1.0"

    static func main() async {
        do {
            try await run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("hikyaku: \(error.message)\n".utf8))
            exit(error.status.rawValue)
        }
    }

    /// Runs the command that the arguments name.
    static func run(_ words: [String]) async throws(CommandFailure) {
        switch words.first {
        case "--help", "-h": try show(Usage.program + "\n")
        case "--version": try show("hikyaku \(version)\n")
        case "catalogue": try CatalogueCommand.run(Array(words.dropFirst()))
        case "download": try await DownloadCommand.run(Array(words.dropFirst()))
        case "generate": try GenerateCommand.run(Array(words.dropFirst()))
        case nil: throw .usage("a command is missing", command: nil)
        case let word?:
            let kind = word.hasPrefix("-") ? "option" : "command"
            throw .usage("there is no \(kind) \(word)", command: nil)
        }
    }

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
          catalogue    list every request type of a package in a page
          download     download a file, and go on where an earlier download ended
          generate     generate models and requests of an OpenAPI document

        Options:
          -h, --help   show this text; after a command, its own help
          --version    show the version

        Exit status: 0 for success, 1 for a failure, 2 for an invalid command
        line, 130 for an interrupted download.
        """

    static let catalogue = """
        Lists every request type of a package: method, path, query, access, response,
        failure, comment, file and line. The package is built in a separate folder,
        since only the compiler knows these facts; none of the package's code is run.

        Usage: hikyaku catalogue [OPTIONS]

        Options:
          --package DIR        the package's folder (default: the current one)
          --target NAME        list only this target; may be repeated
                               (default: all except tests, plugins and macros)
          --format FORMAT      html, markdown or json (default: the extension of
                               the output file, otherwise html)
          --output FILE        write to this file, only after success
                               (default: standard output)
          --scratch-path DIR   where to build (default: .build/hikyaku-catalogue in
                               the package's folder); kept, so that the next
                               build is faster
          -h, --help           show this text
        """

    static let generate = """
        Generates models and requests of an OpenAPI document (2.0 to 3.2, in YAML or
        JSON), with all files that it refers to.

        Usage: hikyaku generate [OPTIONS] DOCUMENT --output DIR

        Options:
          --output DIR         the folder to write to; files there that were not
                               generated are kept
          --name NAME          the API's name (default: the document's title)
          --filter FILTER      only tag:NAME, path:/PATH or operation:ID, with the
                               models that these need; may be repeated
          --access ACCESS      internal (default), package or public
          --type-map F=TYPE    the Swift type of a format or schema; may be repeated
          --rename OLD=NEW     another name for a schema, a property (Pet.user_name)
                               or an operation; may be repeated
          --closed-enums NAME  a set of values that doesn't grow, as an enum; 'all' for
                               every one; may be repeated
          --synthesized-equality NAME
                               a type whose == and hash the compiler synthesizes, or
                               'all': faster comparisons, slower builds
          --base-url URL       what a server without a host is below
          --overlay FILE       apply an overlay (1.0) first; may be repeated
          --config FILE        read these options from a file in YAML or JSON
          --dry-run            write nothing
          --check              write nothing, and fail if the output is stale
          --verbose            show all diagnostics, notes as well
          --quiet              show errors only
          -h, --help           show this text
        """

    static let download = """
        Downloads a file. It gets its name when it is complete and on the disk, and
        replaces an older file then. If the download is cut, it goes on by itself. If
        it is interrupted, or fails, what was received is kept beside the file, and the
        same command downloads the rest.

        Usage: hikyaku download [OPTIONS] URL

        Options:
          --output FILE        the file (default: the last part of the URL's path, in
                               the current folder)
          --sha256 HEX         fail unless the file has this digest; with another one,
                               nothing is kept
          --header FIELD       add a field, as 'Name: value'; may be repeated
          --quiet              show errors only
          -h, --help           show this text

        A terminal shows a bar; elsewhere, there is a line every ten seconds.
        """
}

/// Why a command failed, as a text for people.
struct CommandFailure: Error, Equatable, Sendable {
    /// The exit status.
    enum Status: Int32, Sendable {
        /// The command failed.
        case failure = 1
        /// The command line is invalid.
        case usage = 2
        /// The user has ended the command, as shells say it for SIGINT.
        case interrupted = 130
    }

    let status: Status
    /// What happened, and what to do next, in one or more lines.
    let message: String

    init(_ message: String, status: Status = .failure) {
        self.status = status
        self.message = message
    }

    /// Runs work, and adds a text that says what failed to its error.
    static func explaining<Value>(_ text: String, _ work: () throws -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure("\(text): \(error.localizedDescription)") }
    }

    /// A failure for an invalid command line.
    ///
    /// - Parameters:
    ///   - message: What is invalid.
    ///   - command: The command whose help is named; `nil` for the program.
    /// - Returns: The failure, with where to find help.
    static func usage(_ message: String, command: String?) -> Self {
        let help = command.map { "hikyaku \($0) --help" } ?? "hikyaku --help"
        return Self("\(message)\n'\(help)' lists the commands and options.", status: .usage)
    }
}
