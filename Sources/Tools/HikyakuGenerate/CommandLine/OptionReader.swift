import HikyakuOpenAPI

/// The words of a command line as options and operands.
///
/// A long name may be abbreviated while it is unique. After `--`, all words are operands.
package struct OptionReader {
    /// Whether `--help` or `-h`, which every command has, is among the words.
    package private(set) var hasHelp = false
    /// The words that belong to no option.
    package private(set) var operands: [String] = []
    /// The options without a value that are among the words.
    package private(set) var flags: Set<String> = []
    private var values: [String: [String]] = [:]
    private let command: String

    /// Reads the words after a command's name.
    ///
    /// - Parameters:
    ///   - words: The words.
    ///   - command: The program and its command as they are typed, for messages.
    ///   - names: The long names of the options that take a value.
    ///   - flags: The long names of the options without one, besides `help`.
    /// - Throws: A usage failure that names the word.
    package init(
        _ words: [String],
        of command: String,
        options names: [String],
        flags: [String] = [],
    ) throws(CommandFailure) {
        self.command = command
        // The system would cut a path there, and use another file than the one that is named.
        let hasNUL = words.contains { $0.utf8.contains(0) }
        guard !hasNUL else { throw .usage("a word has a NUL", command: command) }
        var rest = words[...]
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                break
            } else if word.utf8.starts(with: "--".utf8) {
                try readLong(word, names, flags + ["help"], &rest)
            } else if word.utf8.first == UInt8(ascii: "-"), word.utf8.count > 1 {
                let unknown = word.unicodeScalars.dropFirst().first { $0 != "h" }
                if let unknown { throw Self.unknownLetter(unknown, in: word, names + flags + ["help"], command) }
                hasHelp = true
            } else {
                operands.append(word)
            }
        }
    }

    /// Reads `--name`, `--name value` or `--name=value`.
    private mutating func readLong(
        _ word: String,
        _ names: [String],
        _ known: [String],
        _ rest: inout ArraySlice<String>,
    ) throws(CommandFailure) {
        let written = word.utf8.dropFirst(2).prefix { $0 != UInt8(ascii: "=") }
        let value = word.utf8[written.endIndex...].isEmpty ? nil : word.utf8[written.endIndex...].dropFirst()
        let candidates = (names + known).filter { $0.utf8.starts(with: written) }
        let exact = candidates.first { $0.utf8.count == written.count }
        guard let name = exact ?? candidates.first, exact != nil || candidates.count == 1 else {
            throw Self.unknownName(
                Substring(written),
                candidates: written.isEmpty ? [] : candidates,
                names + known,
                command,
            )
        }
        if known.contains(name) {
            if value != nil { throw .usage("--\(name) takes no value", command: command) }
            if name == "help" { hasHelp = true } else { flags.insert(name) }
        } else if let value = value.map({ String(Substring($0)) }) ?? rest.popFirst() {
            values[name, default: []].append(value)
        } else {
            throw .usage("\(word) needs a value", command: command)
        }
    }

    private static func unknownName(
        _ name: Substring,
        candidates: [String],
        _ known: [String],
        _ command: String,
    ) -> CommandFailure {
        if candidates.count > 1 {
            let all = candidates.map { "--\($0)" }.joined(separator: ", ")
            return .usage("--\(name) is the beginning of several options: \(all)", command: command)
        }
        let question = CommandFailure.question(about: name, known: known, prefix: "--")
        return .usage("there is no option --\(name)\(question)", command: command)
    }

    /// A long name after a single dash is read as letters.
    private static func unknownLetter(
        _ letter: Unicode.Scalar,
        in word: String,
        _ known: [String],
        _ command: String,
    ) -> CommandFailure {
        let name = word.utf8.dropFirst().prefix { $0 != UInt8(ascii: "=") }
        let question =
            name.count > 2 ? CommandFailure.question(about: Substring(name), known: known, prefix: "--") : ""
        let written = question.isEmpty ? "-\(letter)" : "-\(Substring(name))"
        return .usage("there is no option \(written)\(question)", command: command)
    }

    /// Every value of an option that may be repeated.
    ///
    /// - Throws: A usage failure for an empty value: usually a shell's variable is empty by mistake.
    package func values(of name: String) throws(CommandFailure) -> [String] {
        let values = values[name] ?? []
        if values.contains("") { throw .usage("--\(name) has an empty value", command: command) }
        return values
    }

    /// The value of an option that is given once or not at all.
    ///
    /// - Throws: A usage failure if it is given twice, or empty.
    package func value(of name: String) throws(CommandFailure) -> String? {
        let values = try values(of: name)
        guard values.count < 2 else { throw .usage("--\(name) is used twice", command: command) }
        return values.first
    }

    /// The value of an option that takes one of a few words.
    ///
    /// - Throws: A usage failure for any other word, which lists the words.
    package func value<Choice: RawRepresentable & CaseIterable>(
        of name: String,
        as type: Choice.Type,
    ) throws(CommandFailure) -> Choice? where Choice.RawValue == String {
        guard let word = try value(of: name) else { return nil }
        if let choice = Choice(rawValue: word) { return choice }
        let known = Choice.allCases.map(\.rawValue)
        let all = known.dropLast().joined(separator: ", ") + " or " + (known.last ?? "")
        let question = CommandFailure.question(about: word, known: known)
        throw .usage("--\(name) takes \(all), not \(word)\(question)", command: command)
    }
}
