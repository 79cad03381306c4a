/// Makes a request, and the models of its body and response, of a cURL line.
package struct RequestInference {
    /// Swift in one file, and what was found.
    package struct Result: Sendable {
        package var text: String
        /// The name of the request.
        package var name: String
        package var environment: String
        /// How the client is authorized: `.bearer(token)`; `nil` if the line has no credential.
        package var provider: Code?
        package var diagnostics: [Diagnostic]
    }

    /// What the user chose.
    package struct Choices: Sendable {
        /// The name of the request; `nil` for one of its method and path.
        package var name: String?
        /// The name of the response's model; `nil` for one of its path.
        package var responseName: String?
        /// The name of an environment that the code has already, and that is not declared again.
        package var environment: String?
        package var generator = GeneratorOptions()
        /// Whether the models read and write themselves.
        package var isDirect = false
        package var limits = ReadingLimits()

        package init() {}
    }

    private let choices: Choices
    private let loader: (String) -> [UInt8]?

    /// Prepares to make a request.
    ///
    /// - Parameters:
    ///   - choices: Names, access and the like.
    ///   - loader: Loads the files that the line's body is made of; `nil` if one can't be loaded.
    package init(_ choices: Choices = Choices(), loader: @escaping (String) -> [UInt8]? = { _ in nil }) {
        (self.choices, self.loader) = (choices, loader)
    }

    /// Makes the request of a line as it is typed into a shell.
    ///
    /// - Throws: ``InferenceFailure``, which shows no value of the line.
    package func request(
        line text: String,
        responses: [SampleFile] = [],
    ) throws(InferenceFailure) -> Result {
        let shell = try ShellWords(text)
        let notes = shell.notes.map { CurlLine.Note(message: $0, action: "") }
        return try request(words: shell.words, notes, responses)
    }

    /// Makes the request of words that a shell has made of a line.
    package func request(
        words: [String],
        responses: [SampleFile] = [],
    ) throws(InferenceFailure) -> Result {
        try request(words: words, [], responses)
    }

    private func request(
        words: [String],
        _ notes: [CurlLine.Note],
        _ responses: [SampleFile],
    ) throws(InferenceFailure) -> Result {
        let line = try CurlLine(words)
        var parts = try CurlOperation(line, choices, loader)
        try parts.addBody()
        try parts.addResponse(responses)
        var document = APIDocument(version: .v3_1, info: APIDocument.Info(title: parts.name, version: ""))
        document.files = parts.findings.files
        document.servers = [parts.server]
        document.operations = [parts.operation]
        document.setSchemas(parts.schemas)
        let planning = Findings(countMax: 100)
        planning.files = parts.findings.files
        var options = parts.generatorOptions
        options.pages = [RequestPlan.id(of: parts.operation): PageRule(.none)]
        var plan = Planner(document, options, planning).plan()
        var notes = notes
        if let environment = choices.environment {
            for index in plan.environments.indices {
                let url = plan.environments[index].urlText
                let message = "the base URL of .\(environment) must be \(url)"
                notes.append(CurlLine.Note(message: message, action: "the request has the rest of the path"))
                plan.environments[index].name = environment
            }
        }
        let environment = plan.environments.first?.name ?? ""
        for group in plan.groups.indices {
            for index in plan.groups[group].requests.indices {
                parts.finish(&plan.groups[group].requests[index], environment)
            }
        }
        var renderer = SingleFileRenderer(plan, options, firstTypes: parts.firstTypes, isDirect: choices.isDirect)
        renderer.declaresEnvironment = choices.environment == nil
        let all = notes + line.notes + parts.notes
        let ofLine = all.map {
            let message = TerminalText(line: $0.message).text
            return Diagnostic(.warning, .notGenerated, file: "", line: 0, column: 0, message, action: $0.action)
        }
        return Result(
            text: renderer.code().text,
            name: parts.name,
            environment: environment,
            provider: parts.provider,
            diagnostics: ofLine + parts.findings.sorted() + planning.sorted().filter(\.isOfOptions),
        )
    }
}
