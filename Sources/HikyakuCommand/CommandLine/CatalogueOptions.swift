/// What `hikyaku catalogue` was asked for.
struct CatalogueOptions: Equatable, Sendable {
    enum Format: String, Sendable, CaseIterable {
        case html, markdown, json

        /// The format that a file's name asks for by its end.
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
    /// Empty: all.
    var targets: [String] = []
    var format = Format.html
    /// `nil`: standard output.
    var output: String?
    /// `nil`: a folder in that of the package.
    var scratchPath: String?
    var showsHelp = false

    private static let command = "catalogue"

    private static let specification = [
        OptionSpecification("package", takesValue: true),
        OptionSpecification("target", takesValue: true),
        OptionSpecification("format", takesValue: true),
        OptionSpecification("output", takesValue: true),
        OptionSpecification("scratch-path", takesValue: true),
        OptionSpecification("help", letter: "h"),
    ]

    /// Reads the words behind `catalogue`.
    ///
    /// - Throws: A usage failure for words that make no sense.
    init(_ words: [String]) throws(CommandFailure) {
        let read = try OptionReader(command: Self.command, options: Self.specification).read(words)
        if read.contains("help") {
            showsHelp = true
            return
        }
        if let operand = read.operands.first {
            throw .usage("\(operand) is one word too many; a folder is given by --package", command: Self.command)
        }
        package = try Self.value("package", of: read) ?? "."
        targets = read.values(of: "target")
        for target in targets { try Self.refuseEmpty(target, of: "target") }
        scratchPath = try Self.value("scratch-path", of: read)
        output = try Self.value("output", of: read)
        if output == "-" { output = nil }
        format = try Self.format(try Self.value("format", of: read), output: output)
    }

    private static func value(_ name: String, of read: ReadOptions) throws(CommandFailure) -> String? {
        let value = try read.value(of: name, command: command)
        if let value { try refuseEmpty(value, of: name) }
        return value
    }

    /// An empty value comes from an empty variable of a shell, mostly; taken as it is, it would mean something else.
    private static func refuseEmpty(_ value: String, of name: String) throws(CommandFailure) {
        if value.isEmpty { throw .usage("--\(name) is given an empty value", command: command) }
    }

    private static func format(_ name: String?, output: String?) throws(CommandFailure) -> Format {
        guard let name else { return output.flatMap(Format.init(fileName:)) ?? .html }
        guard let format = Format(rawValue: name) else {
            let known = Format.allCases.map(\.rawValue).joined(separator: ", ")
            throw .usage("--format takes \(known), not \(name)", command: command)
        }
        return format
    }
}
