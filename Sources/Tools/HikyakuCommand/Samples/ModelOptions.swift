import HikyakuGenerate
import HikyakuOpenAPI

/// The options of `hikyaku model`.
struct ModelOptions: Sendable {
    /// The paths of the samples; `-` for standard input.
    var samples: [String] = []
    /// The name of the model.
    var name = ""
    var generator = GeneratorOptions()
    /// Whether models read themselves.
    var isDirect = false
    var output = SwiftOutput()
    var isQuiet = false
    var showsHelp = false

    private static let command = "hikyaku model"

    /// Reads the words after `model`.
    ///
    /// - Throws: A usage failure for invalid words.
    init(_ words: [String]) throws(CommandFailure) {
        let read = try OptionReader(
            words,
            of: Self.command,
            options: ["name", "output"] + SharedOptions.names,
            flags: ["direct", "force", "quiet"],
        )
        showsHelp = read.hasHelp
        guard !showsHelp else { return }
        samples = read.operands
        guard let first = samples.first else {
            throw Self.usage("a sample is missing: 'hikyaku model item.json --name Item'; '-' is standard input")
        }
        if samples.count(where: { $0 == "-" }) > 1 { throw Self.usage("standard input can be read only once") }
        if let name = try read.value(of: "name") {
            guard ModelInference.isName(name) else { throw Self.usage("\(Self.reason(name))") }
            self.name = name
        } else {
            name = try Self.name(from: first)
        }
        generator = try SharedOptions.generator(read, command: Self.command)
        isDirect = read.flags.contains("direct")
        isQuiet = read.flags.contains("quiet")
        output = try SwiftOutput(read)
    }

    private static func usage(_ message: TerminalText) -> CommandFailure { .usage(message, command: command) }

    private static func reason(_ name: String) -> String {
        "--name takes the name of a type of Swift that begins with a capital and is none of Swift's or Hikyaku's own, "
            + "such as Item; not \(name)"
    }

    /// `items.json` becomes `Item`.
    private static func name(from path: String) throws(CommandFailure) -> String {
        let file = path.split(separator: "/").last ?? ""
        let stem = file.split(separator: ".").first.map(String.init) ?? ""
        let name = ModelInference.name(from: stem)
        guard path != "-", stem.first?.isLetter == true, ModelInference.isName(name) else {
            throw usage("--name is missing: the name of the model, such as --name Item")
        }
        return name
    }
}

/// The options that `model` and `request` share with `generate`, in the same words.
enum SharedOptions {
    static let names = ["access", "type-map", "rename", "closed-enums"]

    /// The options of both commands that make code of samples, as their help shows them.
    static let help = """
          --output FILE        write to this file (default: standard output)
          --force              replace FILE if it exists
          --access ACCESS      internal (default), package or public
          --type-map F=TYPE    the Swift type of a format (date-time, date, uuid, uri,
                               int64, uint64, decimal) or of a model; may be repeated
          --rename OLD=NEW     another name for a model or a property (Item.user_name);
                               may be repeated
          --closed-enums NAME  a set of values that doesn't grow, as an enum; 'all' for
                               every one; may be repeated
          --direct             models that read and write themselves, as 'hikyaku
                               generate' makes them: faster, and longer
          --quiet              show errors only
          -h, --help           show this text
        """

    /// - Throws: A usage failure for an invalid value.
    static func generator(_ read: OptionReader, command: String) throws(CommandFailure) -> GeneratorOptions {
        var options = GeneratorOptions()
        if let text = try read.value(of: "access") {
            guard let access = GeneratorOptions.Access(rawValue: text) else {
                throw .usage("--access takes internal, package or public, not \(text)", command: command)
            }
            options.access = access
        }
        for (format, text) in try pairs("type-map", read, command) {
            guard let type = Code(type: text) else {
                throw .usage("--type-map takes a type of Swift, not \(text)", command: command)
            }
            options.typeMap[format] = type
        }
        for (old, new) in try pairs("rename", read, command) {
            guard SwiftName.isName(new) else {
                throw .usage("--rename takes a name of Swift, not \(new)", command: command)
            }
            options.renames[old] = new
        }
        let closed = try read.values(of: "closed-enums")
        options.closedEnums.formUnion(closed.flatMap { $0.split(separator: ",").map(String.init) })
        return options
    }

    private static func pairs(
        _ name: String,
        _ read: OptionReader,
        _ command: String,
    ) throws(CommandFailure) -> [(String, String)] {
        var pairs: [(String, String)] = []
        for text in try read.values(of: name).flatMap({ $0.split(separator: ",").map(String.init) }) {
            let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw .usage("--\(name) takes NAME=NAME, not \(text)", command: command) }
            pairs.append((parts[0], parts[1]))
        }
        return pairs
    }
}
