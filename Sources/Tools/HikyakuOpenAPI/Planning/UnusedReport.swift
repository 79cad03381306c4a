/// Notes what a document has that generated code doesn't: a note for each kind, with the first place.
struct UnusedReport {
    private let document: APIDocument
    private let options: GeneratorOptions
    private let findings: Findings
    /// The keys of the options' names and types that something was called by.
    private let usedOptions: Set<String>

    init(_ document: APIDocument, _ options: GeneratorOptions, _ findings: Findings, used: Set<String>) {
        (self.document, self.options, self.findings, usedOptions) = (document, options, findings, used)
    }

    func report() {
        reportOptions()
        document.unused.report(to: findings)
        for format in document.formats {
            guard !Self.knownFormats.contains(format.name), options.typeMap[format.name] == nil else { continue }
            findings.add(
                .note,
                .notGenerated,
                at: format.position,
                "the format \(format.name.quoted) has no type of its own",
                action: "values are of the plain type; use --type-map",
            )
        }
    }

    /// Warns of options that nothing in the document is called by.
    private func reportOptions() {
        func warn(_ message: String, _ action: String) {
            findings.warn(.unusedOption, at: SourcePosition(), message, action: action)
        }
        let filters = options.filters.filter { filter in !document.operations.contains(where: filter.includes) }
        for filter in filters {
            let text = "\(filter.kind.rawValue):\(filter.value)"
            warn("no operation fits the filter \(text.quoted)", "no request is generated for it")
        }
        // What filters leave out may have names in a configuration that several runs share.
        var known = usedOptions
        if !options.filters.isEmpty {
            known.formUnion(document.schemas.map(\.name) + document.operations.compactMap(\.id))
            known.formUnion(document.formats.map(\.name))
        }
        for text in options.renames.keys.sorted() where !known.contains(text) {
            if !options.filters.isEmpty, let dot = text.firstIndex(of: "."), known.contains(String(text[..<dot])) {
                continue
            }
            warn("no type, property or operation is called \(text.quoted)", "its new name is ignored")
        }
        for text in options.typeMap.keys.sorted() where !known.contains(text) {
            warn("no schema and no format is called \(text.quoted)", "its type is ignored")
        }
    }

    private static let knownFormats: Set<String> = [
        "date-time", "date", "uuid", "uri", "url", "byte", "binary", "password", "decimal", "int32", "int64", "uint64",
        "integer",
        "float", "double",
    ]
}
