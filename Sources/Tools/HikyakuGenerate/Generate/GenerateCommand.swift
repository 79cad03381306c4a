package import HikyakuOpenAPI

/// `generate`, as a command of a program and as the tool of plugins.
package struct GenerateCommand: Sendable {
    /// What its user types: `hikyaku generate`.
    package let name: String
    /// Loads documents by their URLs; `nil` for a program that has no client for it.
    private let urlLoader: ReadingOptions.Loader?

    /// Where configurations are looked for, for the help.
    let searchedFolders: String

    package init(
        name: String,
        searchedFolders: String = "the current folder",
        urlLoader: ReadingOptions.Loader? = nil,
    ) {
        (self.name, self.searchedFolders, self.urlLoader) = (name, searchedFolders, urlLoader)
    }

    /// Generates Swift of the documents that the arguments or configurations name.
    ///
    /// - Throws: ``CommandFailure``; the other documents are generated nevertheless.
    package func run(_ words: [String]) throws(CommandFailure) {
        let read = try GenerateOptions.words(words, of: name)
        if read.hasHelp { return try Console.show(help + "\n") }
        let configs = try configs(read)
        guard configs.count > 1 else {
            return try run(GenerateOptions(read, config: configs.first, command: name))
        }
        for option in ["output", "name"] where try read.value(of: option) != nil {
            let found = configs.joined(separator: ", ")
            throw .usage("--\(option) is for one document; choose one by --config: \(found)", command: name)
        }
        try runAll(configs, read)
    }

    private func runAll(_ configs: [String], _ read: OptionReader) throws(CommandFailure) {
        var failures: [CommandFailure] = []
        for config in configs {
            do throws(CommandFailure) {
                try run(GenerateOptions(read, config: config, command: name))
            } catch {
                failures.append(error)
            }
        }
        guard let first = failures.first else { return }
        let reasons = failures.map(\.message).joined(separator: "\n")
        throw CommandFailure(TerminalText(lines: reasons), status: first.status)
    }

    /// The configurations to run: that of the command line, or those that are found if no document is named.
    private func configs(_ read: OptionReader) throws(CommandFailure) -> [String] {
        if let config = try read.value(of: "config") { return [config] }
        guard read.operands.isEmpty else { return [] }
        let folders = try read.values(of: "config-folder")
        let found = ConfigSearch.configs(in: folders.isEmpty ? [""] : folders)
        if found.isEmpty {
            let example = "'\(name) openapi.yaml --output Sources/API'"
            throw .usage("there is no document and no hikyaku.yaml: \(example)", command: name)
        }
        let output = try read.value(of: "output")
        return found.count > 1 && output == nil ? try withOutput(found) : found
    }

    /// Leaves out the configurations that are for the plugin of builds, which chooses the output itself.
    private func withOutput(_ found: [String]) throws(CommandFailure) -> [String] {
        let (some, none): ([String], [String]) = found.reduce(into: ([], [])) { lists, config in
            var options = GeneratorOptions()
            let problems = options.read(config: config)
            if problems.isEmpty, options.files.output == nil { lists.1.append(config) } else { lists.0.append(config) }
        }
        for config in none { Console.report("\(config) has no 'output', and is left out\n") }
        guard some.isEmpty else { return some }
        throw CommandFailure("no configuration has an 'output'")
    }

    private func run(_ options: GenerateOptions) throws(CommandFailure) {
        var options = options
        // A build writes into a folder of its own, which is not kept.
        if !options.output.isEmpty, options.fileCount == nil {
            options.generator.history = try OutputFolder(options.output).names()
        }
        let progress = GenerateProgress(isShown: !options.isQuiet && StatusLine.isTerminal)
        defer { progress.end() }
        let read = APIDocument.read(path: options.document, options: reading(options, progress))
        guard let document = read.document else {
            let reasons = read.diagnostics.map(\.description).joined(separator: "\n")
            throw CommandFailure(reasons.isEmpty ? "\(options.document) can't be read" : TerminalText(lines: reasons))
        }
        // What is left of a file that was read in part would replace all that was generated before.
        let faults = read.diagnostics.filter { $0.severity == .error }
        guard faults.isEmpty else {
            let reasons = faults.map(\.description).joined(separator: "\n")
            throw CommandFailure("\(lines: reasons)\nnothing was written")
        }
        var result = Generator(options: options.generator).generate(document) { progress.show($0) }
        // It would replace what was generated before.
        if !options.generator.filters.isEmpty, result.counts.requests == 0 {
            throw CommandFailure("no operation of \(options.document) fits the filter; nothing was written")
        }
        if let count = options.fileCount {
            result.merge(to: count, name: "HikyakuAPI")
        }
        let parts = Self.parts(result, options)
        let partChanges = parts.map { $0.folder.changes(for: $0.files) }
        if !options.isDryRun, !options.isCheck {
            for ((folder, files), changes) in zip(parts, partChanges) {
                try folder.write(files, changes) { progress.showWriting($0, of: $1) }
            }
        }
        progress.end()
        let changes = OutputFolder.Changes(partChanges)
        let summary = GenerateSummary(read: read, result: result, changes: changes, options: options)
        Console.report(TerminalText(lines: options.isQuiet ? summary.errors : summary.text))
        if options.isCheck, !changes.isEmpty {
            throw CommandFailure(
                """
                \(options.output) is stale: run '\(name)' again, without --check
                \(changes.lines(max: GenerateSummary.shownMax).map { TerminalText(line: $0) }.joined())
                """
            )
        }
    }

    /// The folders with their files, if anything is written: models may have a folder of their own.
    private static func parts(
        _ result: Generator.Result,
        _ options: GenerateOptions,
    ) -> [(folder: OutputFolder, files: [GeneratedFile])] {
        guard !options.output.isEmpty else { return [] }
        let folder = OutputFolder(options.output)
        guard options.fileCount == nil else { return [(folder, result.files)] }
        let names = [result.history.file]
        guard !options.modelsOutput.isEmpty else { return [(folder, result.files + names)] }
        return [
            (folder, result.files.filter { !$0.isOfModels } + names),
            (OutputFolder(options.modelsOutput), result.files.filter(\.isOfModels)),
        ]
    }

    private func reading(_ options: GenerateOptions, _ progress: GenerateProgress) -> ReadingOptions {
        var reading = ReadingOptions()
        reading.overlays = options.overlays
        reading.willRead = { progress.showReading($0) }
        guard let urlLoader else {
            reading.urlRefusal = "'\(name)' loads no URLs; use 'hikyaku generate --allow-urls', or save the document"
            return reading
        }
        reading.urlRefusal = "URLs are only loaded with --allow-urls"
        if options.allowsURLs { reading.urlLoader = urlLoader }
        return reading
    }
}
