import HikyakuOpenAPI

/// The options of `hikyaku generate`.
struct GenerateOptions: Sendable {
    var document = ""
    var output = ""
    var generator = GeneratorOptions()
    var overlays: [String] = []
    /// Whether nothing is written.
    var isDryRun = false
    /// Whether the output is only compared with what would be written.
    var isCheck = false
    var isQuiet = false
    var isVerbose = false
    var showsHelp = false

    /// Reads the words after `generate`.
    ///
    /// - Throws: A usage failure for invalid words, and a failure for an invalid configuration.
    init(_ words: [String]) throws(CommandFailure) {
        let command = "generate"
        let names = [
            "output", "name", "filter", "access", "type-map", "rename", "config", "overlay", "base-url", "closed-enums",
            "synthesized-equality",
        ]
        let read = try OptionReader(
            words,
            of: command,
            options: names,
            flags: ["dry-run", "check", "quiet", "verbose"],
        )
        showsHelp = read.hasHelp
        guard !showsHelp else { return }
        guard let document = read.operands.first else {
            throw .usage(
                "the document is missing: 'hikyaku generate openapi.yaml --output Sources/API'",
                command: command,
            )
        }
        if read.operands.count > 1 { throw .usage("\(read.operands[1]) is an unexpected argument", command: command) }
        self.document = document
        (isDryRun, isCheck) = (read.flags.contains("dry-run"), read.flags.contains("check"))
        (isQuiet, isVerbose) = (read.flags.contains("quiet"), read.flags.contains("verbose"))
        overlays = try read.values(of: "overlay")
        if let config = try read.value(of: "config") { try readConfig(config) }
        try readGenerator(read, command)
        guard let output = try read.value(of: "output") else {
            guard isDryRun else { throw .usage("--output is missing: the folder to write to", command: command) }
            return
        }
        self.output = output
    }

    private mutating func readConfig(_ path: String) throws(CommandFailure) {
        let problems = generator.read(config: path)
        guard problems.isEmpty else {
            throw CommandFailure(problems.map(\.description).joined(separator: "\n"))
        }
    }

    private mutating func readGenerator(_ read: OptionReader, _ command: String) throws(CommandFailure) {
        if let name = try read.value(of: "name") { generator.name = name }
        if let url = try read.value(of: "base-url") { generator.baseURL = url }
        if let name = try read.value(of: "access") {
            guard let access = GeneratorOptions.Access(rawValue: name) else {
                throw .usage("--access takes internal, package or public, not \(name)", command: command)
            }
            generator.access = access
        }
        for text in try read.values(of: "filter") {
            guard let filter = GeneratorOptions.Filter(text) else {
                throw .usage("--filter takes tag:NAME, path:/PATH or operation:ID, not \(text)", command: command)
            }
            generator.filters.append(filter)
        }
        generator.closedEnums.formUnion(try Self.list(read.values(of: "closed-enums")))
        generator.synthesizedEquality.formUnion(try Self.list(read.values(of: "synthesized-equality")))
        for pair in try Self.pairs(read.values(of: "type-map"), "type-map", command) {
            generator.typeMap[pair.0] = pair.1
        }
        for pair in try Self.pairs(read.values(of: "rename"), "rename", command) { generator.renames[pair.0] = pair.1 }
    }

    private static func list(_ texts: [String]) -> [String] {
        texts.flatMap { $0.split(separator: ",").map(String.init) }
    }

    private static func pairs(
        _ texts: [String],
        _ option: String,
        _ command: String,
    ) throws(CommandFailure) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for text in texts.flatMap({ $0.split(separator: ",").map(String.init) }) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw .usage("--\(option) takes NAME=NAME, not \(text)", command: command) }
            pairs.append((parts[0], parts[1]))
        }
        return pairs
    }
}
