import HikyakuGenerate
import HikyakuOpenAPI

/// The options of `hikyaku catalogue`.
struct CatalogueOptions: Equatable, Sendable {
    enum Format: String, Sendable, CaseIterable {
        case html, markdown, json

        /// The format for a file name's extension.
        init?(fileName: String) {
            switch fileName.split(separator: ".").last?.lowercased() {
            case "html", "htm": self = .html
            case "md", "markdown": self = .markdown
            case "json": self = .json
            default: return nil
            }
        }
    }

    var package = "."
    /// The targets to list; all if it is empty.
    var targets: [String] = []
    var format = Format.html
    /// The output file; `nil` for standard output.
    var output: String?
    /// The links to sources; `nil` for links to the files.
    var sourceLinks: SourceLinks?
    /// The folder for the build; `nil` for one inside the package's folder.
    var scratchPath: String?
    /// Whether the command fails if there is a warning.
    var isStrict = false
    var showsHelp = false

    /// Reads the words after `catalogue`.
    ///
    /// - Throws: A usage failure for invalid words.
    init(_ words: [String]) throws(CommandFailure) {
        let command = "hikyaku catalogue"
        let names = ["package", "target", "format", "output", "source-url", "scratch-path"]
        let read = try OptionReader(words, of: command, options: names, flags: ["strict"])
        showsHelp = read.hasHelp
        guard !showsHelp else { return }
        if let operand = read.operands.first {
            throw .usage("\(operand) is an unexpected argument; use --package for a folder", command: command)
        }
        package = try read.value(of: "package") ?? "."
        targets = try read.values(of: "target")
        isStrict = read.flags.contains("strict")
        scratchPath = try read.value(of: "scratch-path")
        output = try read.value(of: "output")
        if output == "-" { output = nil }
        format = try read.value(of: "format", as: Format.self) ?? output.flatMap(Format.init(fileName:)) ?? .html
        guard let template = try read.value(of: "source-url") else { return }
        do throws(SourceLinks.Invalid) {
            sourceLinks = try SourceLinks(template: template)
        } catch {
            throw .usage("--source-url \(error.reason)", command: command)
        }
    }
}
