import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku model`.
enum ModelProgram {
    /// Writes the models of the samples that the arguments name.
    static func run(_ words: [String]) async throws(CommandFailure) {
        let options = try ModelOptions(words)
        if options.showsHelp { return try StandardOutput.write(help + "\n") }
        try await DeepStack.run { () throws(CommandFailure) in try run(options) }
    }

    private static func run(_ options: ModelOptions) throws(CommandFailure) {
        try options.output.check()
        var files: [SampleFile] = []
        for path in options.samples { files.append(try SampleReading.file(path)) }
        let inference = ModelInference(name: options.name, options: options.generator, isDirect: options.isDirect)
        let result = try CommandFailure.inferring { () throws(InferenceFailure) in try inference.models(of: files) }
        try options.output.write(result.text)
        if !options.isQuiet { Console.report(summary(of: result, options)) }
    }

    /// What a better sample would show, and what was made.
    static func summary(of result: ModelInference.Result, _ options: ModelOptions) -> TerminalText {
        var lines = result.diagnostics.map {
            TerminalText(line: $0.text(of: "hikyaku model", reading: options.samples))
        }
        if result.type != options.name { lines.append("Each sample is a \(result.type).") }
        if let path = options.output.path {
            let (types, samples) = (Count.text(of: result.typeCount, "type"), result.sampleCount)
            lines.append("\(path): \(types), inferred from \(Count.text(of: samples, "sample")).")
        }
        return lines.map { "\($0)\n" as TerminalText }.joined(separator: "")
    }

    static let help = """
        Makes Swift models of samples in JSON, as one would write them by hand: structs
        with Swift names and the keys of the samples, and types of their own for objects
        inside. Standard output gets the code.

        Usage: hikyaku model [OPTIONS] SAMPLE… --name NAME

        A sample is a file with a document of JSON or with JSON Lines, or - for standard
        input. An array counts as many samples of its elements. The more samples, the
        better the model:
          - a key that one of them lacks, or that is null, is Optional
          - texts become Date, CalendarDate, UUID or URL if all of them are such
          - many texts with few values become a set of known values, open to others
          - values of several kinds become a choice; with no value, a JSONValue
          - objects whose keys are identifiers become dictionaries

        The code has keys of the samples, but no values except those of such sets.

        Options:
          --name NAME          the model's name (default: the first file's name)
        \(SharedOptions.help)

        Example:
          curl https://qiita.com/api/v2/items | hikyaku model - --name Article
        """
}
