import Hikyaku

/// The arguments of the program.
nonisolated struct Arguments: Sendable {
    enum Command: Sendable, Equatable {
        case tour
        case items(page: Int, perPage: Int, search: String?)
        case item(id: String)
        case me
        case help
    }

    enum Environment: String, Sendable {
        case embedded, production
    }

    var command = Command.tour
    var environment = Environment.embedded
    var logging: LoggingLevel?
    /// The token of `--token`, else that of `QIITA_TOKEN`.
    var token: String?

    /// Reads the words after the program's name.
    ///
    /// - Throws: ``UsageError`` for invalid arguments.
    init(_ words: [String], variables: [String: String]) throws(UsageError) {
        var words = try Words(words)
        if words.options["--help"] != nil {
            command = .help
            return
        }
        if let name = words.take("--environment") {
            environment = try Self.choice(
                name,
                of: "--environment",
                ["embedded": .embedded, "production": .production],
            )
        }
        if let name = words.take("--log") {
            logging = try Self.choice(name, of: "--log", ["line": .line, "headers": .headers, "bodies": .bodies])
        }
        token = words.take("--token") ?? variables["QIITA_TOKEN"]
        command = try Self.command(&words)
        try words.rejectRest()
    }

    private static func command(_ words: inout Words) throws(UsageError) -> Command {
        switch words.takeOperand() ?? "tour" {
        case "tour": return .tour
        case "me": return .me
        case "items":
            let page = try number(words.take("--page"), of: "--page") ?? 1
            let perPage = try number(words.take("--per-page"), of: "--per-page") ?? 20
            return .items(page: page, perPage: perPage, search: words.take("--query"))
        case "item":
            guard let id = words.takeOperand() else { throw UsageError("item needs the ID of an item") }
            return .item(id: id)
        case let other: throw UsageError("there is no command \(other)")
        }
    }

    private static func number(_ text: String?, of option: String) throws(UsageError) -> Int? {
        guard let text else { return nil }
        guard let number = Int(text), 1...100 ~= number else {
            throw UsageError("\(option) takes a number from 1 to 100, not \(text)")
        }
        return number
    }

    private static func choice<Value>(
        _ name: String,
        of option: String,
        _ values: KeyValuePairs<String, Value>,
    ) throws(UsageError) -> Value {
        guard let value = values.first(where: { $0.key == name })?.value else {
            throw UsageError("\(option) takes \(values.map(\.key).joined(separator: ", ")), not \(name)")
        }
        return value
    }
}

/// The command line is invalid.
nonisolated struct UsageError: Error, Sendable {
    let message: String

    init(_ message: String) {
        self.message = message
    }
}
