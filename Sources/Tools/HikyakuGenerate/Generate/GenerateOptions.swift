package import HikyakuOpenAPI

/// The options of one run of `generate`.
package struct GenerateOptions: Sendable {
    package var document = ""
    /// Empty if nothing is written.
    package var output = ""
    /// The folder of the models; empty if it is the same.
    package var modelsOutput = ""
    package var generator = GeneratorOptions()
    package var overlays: [String] = []
    package var allowsURLs = false
    /// How many files are written; `nil` for as many as are good to read.
    package var fileCount: Int?
    /// Whether nothing is written.
    package var isDryRun = false
    /// Whether the output is only compared with what would be written.
    package var isCheck = false
    package var isQuiet = false
    package var isVerbose = false

    private static let names = [
        "output", "name", "filter", "access", "type-map", "rename", "config", "config-folder", "overlay", "base-url",
        "files", "models-module", "models-output", "closed-enums", "synthesized-equality",
    ]
    private static let flags = ["dry-run", "check", "quiet", "verbose", "allow-urls", "check-scopes", "fake"]
    private static let filesMax = 1_000

    /// Reads the words after the command's name.
    ///
    /// - Throws: A usage failure.
    static func words(_ words: [String], of command: String) throws(CommandFailure) -> OptionReader {
        try OptionReader(words, of: command, options: names, flags: flags)
    }

    /// Takes options from a configuration, if there is one, and then those of the command line.
    ///
    /// - Throws: A usage failure for invalid words, and a failure for an invalid configuration.
    init(_ read: OptionReader, config: String?, command: String) throws(CommandFailure) {
        if read.operands.count > 1 { throw .usage("\(read.operands[1]) is an unexpected argument", command: command) }
        (isDryRun, isCheck) = (read.flags.contains("dry-run"), read.flags.contains("check"))
        (isQuiet, isVerbose) = (read.flags.contains("quiet"), read.flags.contains("verbose"))
        if let config { try readConfig(config) }
        allowsURLs = generator.files.allowsURLs || read.flags.contains("allow-urls")
        overlays = try generator.files.overlays + read.values(of: "overlay")
        try readGenerator(read, command)
        document = try Self.document(read, generator.files, config, command)
        output = try read.value(of: "output") ?? generator.files.output ?? ""
        guard !output.isEmpty || isDryRun else {
            let place = config.map { ", and \($0) has no 'output'" } ?? ""
            throw .usage("--output is missing: the folder to write to\(place)", command: command)
        }
        try readModels(read, command)
        if let text = try read.value(of: "files") {
            guard let count = Int(text), (1...Self.filesMax).contains(count) else {
                throw .usage("--files takes a number from 1 to \(Self.filesMax), not \(text)", command: command)
            }
            fileCount = count
        }
    }

    private static func document(
        _ read: OptionReader,
        _ files: GeneratorOptions.Files,
        _ config: String?,
        _ command: String,
    ) throws(CommandFailure) -> String {
        if let document = read.operands.first ?? files.document { return document }
        guard let config else {
            let example = "'\(command) openapi.yaml --output Sources/API'"
            throw .usage("the document is missing: \(example)", command: command)
        }
        if let document = ConfigSearch.document(beside: config) { return document }
        throw CommandFailure("\(config) has no 'document', and there is no openapi.yaml or openapi.json beside it")
    }

    /// Where models go to, if not beside the requests.
    private mutating func readModels(_ read: OptionReader, _ command: String) throws(CommandFailure) {
        if let module = try read.value(of: "models-module") { generator.modelsModule = module }
        modelsOutput = try read.value(of: "models-output") ?? generator.files.modelsOutput ?? ""
        guard let module = generator.modelsModule else {
            if modelsOutput.isEmpty { return }
            throw .usage("--models-output needs --models-module, the module of that folder", command: command)
        }
        guard Code.isModule(module) else {
            throw .usage("--models-module takes the name of a module, not \(module)", command: command)
        }
        if modelsOutput.isEmpty { throw .usage("--models-module needs --models-output", command: command) }
        guard generator.access != .internal else {
            throw .usage("the models of \(module) can't be internal: add --access package or public", command: command)
        }
        // Each folder is searched for files that are generated no more.
        let (one, other) = (OutputFolder.absolute(output), OutputFolder.absolute(modelsOutput))
        if one.hasPrefix(other) || other.hasPrefix(one) {
            throw .usage("--output and --models-output must not be inside each other", command: command)
        }
    }

    private mutating func readConfig(_ path: String) throws(CommandFailure) {
        let problems = generator.read(config: path)
        guard problems.isEmpty else {
            let reasons = problems.map(\.description).joined(separator: "\n")
            throw CommandFailure(TerminalText(lines: reasons), status: .usage)
        }
    }

    private mutating func readGenerator(_ read: OptionReader, _ command: String) throws(CommandFailure) {
        if let name = try read.value(of: "name") { generator.name = name }
        if let url = try read.value(of: "base-url") {
            guard GeneratorOptions.isBaseURL(url) else {
                throw .usage("--base-url takes a URL of http or https, not \(url)", command: command)
            }
            generator.baseURL = url
        }
        if let access = try read.value(of: "access", as: GeneratorOptions.Access.self) { generator.access = access }
        for text in try read.values(of: "filter") {
            guard let filter = GeneratorOptions.Filter(text) else {
                let kinds = GeneratorOptions.Filter.Kind.allCases.map(\.rawValue)
                let question = CommandFailure.question(about: text.prefix { $0 != ":" }, known: kinds)
                let message: TerminalText =
                    "--filter takes tag:NAME, path:/PATH or operation:ID, not \(text)\(question)"
                throw .usage(message, command: command)
            }
            generator.filters.append(filter)
        }
        for pair in try Self.pairs(read.values(of: "type-map"), "type-map", command) {
            guard let type = Code(type: pair.1) else {
                throw .usage("--type-map takes a type of Swift, not \(pair.1)", command: command)
            }
            generator.typeMap[pair.0] = type
        }
        for pair in try Self.pairs(read.values(of: "rename"), "rename", command) {
            guard SwiftName.isName(pair.1) else {
                throw .usage("--rename takes a name of Swift, not \(pair.1)", command: command)
            }
            generator.renames[pair.0] = pair.1
        }
        generator.makesFake = generator.makesFake || read.flags.contains("fake")
        generator.checksScopes = generator.checksScopes || read.flags.contains("check-scopes")
        generator.closedEnums.formUnion(try Self.list(read.values(of: "closed-enums")))
        generator.synthesizedEquality.formUnion(try Self.list(read.values(of: "synthesized-equality")))
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
