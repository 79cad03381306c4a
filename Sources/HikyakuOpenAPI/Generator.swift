/// Generates Swift of a document.
package struct Generator {
    /// What was generated.
    package struct Result: Sendable {
        package var files: [GeneratedFile]
        package var name: String
        package var counts: Counts
        /// In the order of the document.
        package var diagnostics: [Diagnostic]
    }

    /// How much was generated.
    package struct Counts: Sendable, Hashable {
        package var types = 0
        package var properties = 0
        package var requests = 0
        package var parameters = 0
        package var lines = 0
    }

    private let options: GeneratorOptions

    package init(options: GeneratorOptions = GeneratorOptions()) {
        self.options = options
    }

    package func generate(_ document: APIDocument) -> Result {
        let findings = Findings(countMax: 10_000)
        findings.files = document.files
        let plan = Planner(document, options, findings).plan()
        let origin = Documentation.line("\(document.info.title) \(document.info.version)") ?? "an OpenAPI document."
        let files = FileRenderer(plan, options, origin: origin).files()
        var counts = Counts()
        counts.types = plan.types.count
        for type in plan.types {
            if case .object(let properties, _) = type.kind { counts.properties += properties.count }
            if case .tuple(let tuple) = type.kind { counts.properties += tuple.elements.count }
        }
        let requests = plan.groups.flatMap(\.requests)
        counts.requests = requests.count
        for request in requests {
            switch request.body?.kind {
            case .form(let fields), .multipart(let fields): counts.properties += fields.count
            default: break
            }
        }
        counts.parameters = requests.reduce(0) { $0 + $1.parameters.count { $0.place != .body } }
        counts.lines = files.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
        return Result(files: files, name: plan.name, counts: counts, diagnostics: findings.sorted())
    }
}
