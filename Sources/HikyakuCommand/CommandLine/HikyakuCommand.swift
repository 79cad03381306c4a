import Foundation
import HikyakuGenerate

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
        case "generate": try await GenerateProgram.run(Array(words.dropFirst()))
        case nil: throw .usage("a command is missing", command: "hikyaku")
        case let word?:
            let kind = word.hasPrefix("-") ? "option" : "command"
            throw .usage("there is no \(kind) \(word)", command: "hikyaku")
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

extension CommandFailure {
    /// Runs work, and adds a text that says what failed to its error.
    static func explaining<Value>(_ text: String, _ work: () throws -> Value) throws(CommandFailure) -> Value {
        do { return try work() } catch { throw CommandFailure("\(text): \(error.localizedDescription)") }
    }
}
