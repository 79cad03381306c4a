import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku request`.
enum RequestProgram {
    /// Writes the request of the cURL line in the arguments.
    static func run(_ words: [String]) async throws(CommandFailure) {
        let options = try RequestOptions(words)
        if options.showsHelp { return try StandardOutput.write(help + "\n") }
        try await DeepStack.run { () throws(CommandFailure) in try run(options) }
    }

    private static func run(_ options: RequestOptions) throws(CommandFailure) {
        try options.output.check()
        var line = options.line
        if line == .standardInput { line = .text(try text(of: SampleReading.file("-"))) }
        var responses: [SampleFile] = []
        for path in options.responses { responses.append(try SampleReading.file(path)) }
        let inference = RequestInference(options.choices) { path in
            try? SampleReading.bodyFile(path)
        }
        let result = try CommandFailure.inferring { () throws(InferenceFailure) in
            switch line {
            case .text(let text): try inference.request(line: text, responses: responses)
            case .words(let words): try inference.request(words: words, responses: responses)
            case .standardInput: throw InferenceFailure("standard input can't be read")
            }
        }
        try options.output.write(result.text)
        if !options.isQuiet { Console.report(summary(of: result, options)) }
    }

    private static func text(of file: SampleFile) throws(CommandFailure) -> String {
        guard file.bytes.count <= 1 << 20 else { throw CommandFailure("a cURL line of more than 1 MiB is not read") }
        return String(decoding: file.bytes, as: UTF8.self)
    }

    /// What is not in the code, and how it is sent.
    static func summary(of result: RequestInference.Result, _ options: RequestOptions) -> TerminalText {
        var lines = result.diagnostics.map {
            TerminalText(line: $0.text(of: "hikyaku request", reading: options.responses))
        }
        if let provider = result.provider {
            lines.append("The credential of the line is not in the code. Authorize a client instead:")
            lines.append(
                "    let authorized = APIClient().authorized(by: \(provider.text), for: .\(result.environment))"
            )
        }
        if let path = options.output.path { lines.append("\(path): the request \(result.name).") }
        return lines.map { "\($0)\n" as TerminalText }.joined(separator: "")
    }

    static let help = """
        Makes a request, and the models of its body and response, of a cURL line, as one
        would write them by hand. Nothing is sent. Standard output gets the code.

        Usage: hikyaku request [OPTIONS] 'curl …'
               hikyaku request [OPTIONS] [--] curl …
               pbpaste | hikyaku request [OPTIONS] -

        The line may be that of documentation, or of a browser's "Copy as cURL" (for
        bash). Its words, or those of standard input, are never run or expanded.
          - the origin, with a beginning such as /api/v2, becomes an environment
          - numbers, UUIDs and codes in the path become properties, and so do the items
            of the query, unknown header fields, and the fields of a form
          - a body in JSON, in the line or in a file that it names, becomes a model
          - an Authorization field, -u, or a key makes the request Authorized
        The code has names of the line, but no values except media types and versions:
        no credential, cookie or parameter. Options that a request has no place for are
        listed, with what to use instead.

        Options:
          --name NAME          the request's name (default: from method and path)
          --response FILE      a sample of the response, or - for standard input; its
                               model is inferred as by 'hikyaku model'; may be repeated
          --response-name NAME the name of the response's model (default: from the path)
          --environment NAME   an environment that your code has, such as shop for
                               APIEnvironment.shop, in place of a new one
        \(SharedOptions.help)

        Example:
          hikyaku request 'curl https://qiita.com/api/v2/items?page=1' --name Articles
        """
}
