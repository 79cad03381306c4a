/// Notes what a document has that generated code doesn't: a note for each kind, with the first place.
struct UnusedReport {
    private let document: APIDocument
    private let options: GeneratorOptions
    private let findings: Findings

    init(_ document: APIDocument, _ options: GeneratorOptions, _ findings: Findings) {
        (self.document, self.options, self.findings) = (document, options, findings)
    }

    func report() {
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

    private static let knownFormats: Set<String> = [
        "date-time", "date", "uuid", "uri", "url", "byte", "binary", "password", "decimal", "int32", "int64", "uint64",
        "integer",
        "float", "double",
    ]
}
