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
        do {
            try FileHandle.standardOutput.write(contentsOf: Data(text.utf8))
        } catch {
            throw CommandFailure("standard output can't be written: \(error.localizedDescription)")
        }
    }
}
