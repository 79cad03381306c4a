// What getopt_long leaves behind are global variables of C, which the compiler has to take on trust: nobody else in the
// program touches them, and the lock lets one reader at a time.
#if canImport(Darwin)
@preconcurrency import Darwin
#else
@preconcurrency import CGetopt
import Glibc
#endif

/// Sorts the words of a command line into options and operands, by `getopt_long`.
struct OptionReader: Sendable {
    /// The command that the words belong to, for messages; `nil`: the program's own.
    let command: String?
    let options: [OptionSpecification]

    /// Reads the words behind the command's name.
    ///
    /// Long names may be cut short as far as they stay unique, and behind `--` everything is an operand. Operands may
    /// stand among options where the system's library sorts them; elsewhere everything behind the first is one.
    ///
    /// - Throws: A usage failure that names the word.
    func read(_ words: [String]) throws(CommandFailure) -> ReadOptions {
        // A zero byte would end a word of C's early; the system doesn't let one through either.
        guard !words.contains(where: { $0.utf8.contains(0) }) else {
            throw .usage("a word holds a zero byte", command: command)
        }
        return try OptionLock.withLock { readLocked(words) }.get()
    }

    private func readLocked(_ words: [String]) -> Result<ReadOptions, CommandFailure> {
        // getopt_long sorts the words in their list, so what is freed is remembered apart.
        let texts: [UnsafeMutablePointer<CChar>?] = (["hikyaku"] + words).map { strdup($0) }
        let names: [UnsafeMutablePointer<CChar>?] = options.map { strdup($0.name) }
        defer { for text in texts + names { free(text) } }

        // What getopt_long returns for an option is its place in the list, above every letter.
        var table = options.enumerated().map { index, option in
            tableEntry(names[index], takesValue: option.takesValue, code: Int32(index) + Self.firstCode)
        }
        table.append(tableEntry(nil, takesValue: false, code: 0))

        var sorted = texts + [nil]
        return sorted.withUnsafeMutableBufferPointer { sorted in
            table.withUnsafeBufferPointer { read(sorted, Int32(texts.count), by: $0) }
        }
    }

    private func read(
        _ words: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>,
        _ count: Int32,
        by table: UnsafeBufferPointer<option>,
    ) -> Result<ReadOptions, CommandFailure> {
        opterr = 0
        Self.rewind()
        var read = ReadOptions()
        while true {
            // There is a word at least, so there is an address.
            let code = words.baseAddress.map { getopt_long(count, $0, letters, table.baseAddress, nil) } ?? -1
            if code == -1 { break }
            guard let option = option(for: code) else { return .failure(complaint(code, about: words)) }
            let value = option.takesValue ? optarg.map { String(cString: $0) } : nil
            read.occurrences.append(.init(name: option.name, value: value))
        }
        read.operands = words[Int(optind)..<Int(count)].compactMap { $0.map { String(cString: $0) } }
        return .success(read)
    }

    /// Above every code that a letter can have.
    private static let firstCode: Int32 = 1_000

    /// The letters as getopt takes them; the colon in front asks for `:` where a value is missing.
    private var letters: String {
        options.reduce(into: ":") { letters, option in
            guard let letter = option.letter else { return }
            letters += option.takesValue ? "\(letter):" : "\(letter)"
        }
    }

    private func option(for code: Int32) -> OptionSpecification? {
        if code >= Self.firstCode { return options[Int(code - Self.firstCode)] }
        return options.first { $0.letter?.asciiValue.map(Int32.init) == code }
    }

    private func complaint(
        _ code: Int32,
        about words: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>,
    ) -> CommandFailure {
        let index = Int(optind) - 1
        let word = words.indices.contains(index) ? words[index].map { String(cString: $0) } ?? "" : ""
        if code == Int32(UInt8(ascii: ":")) { return .usage("\(word) needs a value", command: command) }
        // A letter inside of several is named by itself; a long name is not.
        if !word.hasPrefix("--"), let byte = UInt8(exactly: optopt), byte > 32, byte < 127 {
            return .usage("there is no option -\(Character(UnicodeScalar(byte)))", command: command)
        }
        let name = word.prefix { $0 != "=" }
        let isKnown = options.contains { "--\($0.name)" == name }
        return .usage(isKnown ? "\(name) takes no value" : "there is no option \(name)", command: command)
    }

    /// Begins at the first word, whatever was read before.
    private static func rewind() {
        #if canImport(Darwin)
        optind = 1
        optreset = 1
        #else
        optind = 0
        #endif
    }
}

/// An entry of getopt_long's table.
private func tableEntry(_ name: UnsafeMutablePointer<CChar>?, takesValue: Bool, code: Int32) -> option {
    option(name: name, has_arg: takesValue ? required_argument : no_argument, flag: nil, val: code)
}

/// An option that a command understands.
struct OptionSpecification: Sendable {
    /// The name behind the two dashes.
    let name: String
    /// The letter behind a single dash, if it has one.
    let letter: Character?
    let takesValue: Bool

    init(_ name: String, letter: Character? = nil, takesValue: Bool = false) {
        self.name = name
        self.letter = letter
        self.takesValue = takesValue
    }
}

/// What a command line said.
struct ReadOptions: Equatable, Sendable {
    struct Occurrence: Equatable, Sendable {
        let name: String
        let value: String?
    }

    /// The options in the order in which they were given, by their long names.
    var occurrences: [Occurrence] = []
    /// The words that belong to no option.
    var operands: [String] = []

    func contains(_ name: String) -> Bool {
        occurrences.contains { $0.name == name }
    }

    /// Every value of an option that may be repeated.
    func values(of name: String) -> [String] {
        occurrences.filter { $0.name == name }.compactMap(\.value)
    }

    /// The value of an option that is given once or not at all.
    ///
    /// - Throws: A usage failure where it is given twice.
    func value(of name: String, command: String) throws(CommandFailure) -> String? {
        let values = values(of: name)
        guard values.count < 2 else { throw .usage("--\(name) is given twice", command: command) }
        return values.first
    }
}
