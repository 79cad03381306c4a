import Foundation

/// The program `hikyaku`: tools around the package, each a command of its own.
@main
enum HikyakuCommand {
    static let version = "0.1.0"

    static func main() {
        do {
            try run(Array(CommandLine.arguments.dropFirst()))
        } catch {
            try? FileHandle.standardError.write(contentsOf: Data("hikyaku: \(error.message)\n".utf8))
            exit(error.status.rawValue)
        }
    }

    /// Does what the words behind the program's name ask for.
    static func run(_ words: [String]) throws(CommandFailure) {
        switch words.first {
        case "--help", "-h": try show(Usage.program + "\n")
        case "--version": try show("hikyaku \(version)\n")
        case "catalogue": try CatalogueCommand.run(Array(words.dropFirst()))
        case nil: throw .usage("a command is missing", command: nil)
        case let word?:
            let kind = word.hasPrefix("-") ? "option" : "command"
            throw .usage("there is no \(kind) \(word)", command: nil)
        }
    }

    /// Writes to standard output.
    ///
    /// - Throws: ``CommandFailure`` when it can't be written, to a full disk say.
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

        Options:
          -h, --help   show this text; behind a command, that command's
          --version    show the version

        Exit status: 0 when all went well, 1 when something failed, 2 for a
        command line that makes no sense.
        """

    static let catalogue = """
        Lists every request type of a package: method, path, query, access, response,
        failure, comment, file and line. The package is built for it, in a folder of
        its own, since only the compiler knows these; nothing of it is run.

        Usage: hikyaku catalogue [OPTIONS]

        Options:
          --package DIR        the package's folder (default: the current one)
          --target NAME        list this target alone; may be repeated
                               (default: all but tests, plugins and macros)
          --format FORMAT      html, markdown or json (default: by the end of the
                               output's name, else html)
          --output FILE        write there, and only when all is well
                               (default: standard output)
          --scratch-path DIR   where to build (default: .build/hikyaku-catalogue in
                               the package's folder); kept, so that the next time
                               takes less
          -h, --help           show this text
        """
}

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

    init(_ message: String, status: Status = .failure) {
        self.status = status
        self.message = message
    }

    /// Does work of the system's, and throws its error behind a text that says what failed.
    static func explaining<Value>(_ text: String, _ work: () throws -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure("\(text): \(error.localizedDescription)") }
    }

    /// Words on the command line that make no sense.
    ///
    /// - Parameters:
    ///   - message: What is wrong with them.
    ///   - command: The command whose help tells how to do it right; `nil`: that of the program.
    /// - Returns: The failure, with where to find help.
    static func usage(_ message: String, command: String?) -> Self {
        let help = command.map { "hikyaku \($0) --help" } ?? "hikyaku --help"
        return Self("\(message)\n'\(help)' tells what there is.", status: .usage)
    }
}
