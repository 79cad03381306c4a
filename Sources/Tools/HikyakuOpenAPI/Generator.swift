/// Generates Swift of a document.
package struct Generator {
    /// What was generated.
    package struct Result: Sendable {
        package var files: [GeneratedFile]
        package var name: String
        package var counts: Counts
        /// What was done to plan it, which a document limits.
        package var work: Work
        /// The names that were given; the next run is to know them.
        package var history: NameHistory
        /// A request type with its namespace, as an example; `nil` if there is none.
        package var firstRequest: String?
        /// In the order of the document.
        package var diagnostics: [Diagnostic]

        /// Joins the files to a fixed number of them, as ``FileMerge`` does.
        package mutating func merge(to count: Int, name: String) {
            files = FileMerge(name: name, count: count).merged(files)
            counts.lines = GeneratedFile.lineCount(of: files)
        }
    }

    /// How much was generated.
    package struct Counts: Sendable, Hashable {
        package var types = 0
        package var properties = 0
        package var requests = 0
        package var parameters = 0
        /// The requests of lists that are read page by page.
        package var lists = 0
        package var lines = 0
    }

    /// What a generator does next, to show progress.
    package enum Stage: Sendable, Hashable {
        case planning(operations: Int, schemas: Int)
        case rendering(requests: Int, types: Int)
    }

    private let options: GeneratorOptions

    package init(options: GeneratorOptions = GeneratorOptions()) {
        self.options = options
    }

    /// Generates the files of a document.
    ///
    /// - Parameters:
    ///   - document: The document.
    ///   - progress: Is called when a stage begins.
    /// - Returns: The files, and what was and wasn't generated.
    package func generate(_ document: APIDocument, progress: (Stage) -> Void = { _ in }) -> Result {
        progress(.planning(operations: document.operations.count, schemas: document.schemas.count))
        let findings = Findings(countMax: 10_000)
        findings.files = document.files
        let plan = Planner(document, options, findings).plan()
        progress(.rendering(requests: plan.groups.reduce(0) { $0 + $1.requests.count }, types: plan.types.count))
        let origin = Documentation.words("\(document.info.title) \(document.info.version)")
        let files = FileRenderer(plan, options, origin: origin).files()
        var counts = Counts()
        counts.types = plan.types.count
        for type in plan.types {
            if case .object(let properties, _) = type.kind { counts.properties += properties.count }
            if case .tuple(let tuple) = type.kind { counts.properties += tuple.elements.count }
        }
        let requests = plan.groups.flatMap(\.requests)
        counts.requests = requests.count
        counts.lists = requests.count { $0.paging != nil }
        for request in requests {
            counts.properties += request.body.map(Self.fieldCount) ?? 0
        }
        counts.parameters = requests.reduce(0) { $0 + $1.parameters.count { $0.place != .body } }
        counts.lines = GeneratedFile.lineCount(of: files)
        let first = plan.groups.first.flatMap { group in group.requests.first.map { "\(group.name).\($0.name)" } }
        return Result(
            files: files,
            name: plan.name,
            counts: counts,
            work: plan.work,
            history: plan.history,
            firstRequest: first,
            diagnostics: findings.sorted(),
        )
    }

    /// The fields of a form, which are properties of its schema.
    private static func fieldCount(_ body: BodyPlan) -> Int {
        switch body.kind {
        case .form(let fields), .multipart(let fields): fields.count
        case .choice(let choices): choices.reduce(0) { $0 + fieldCount($1.body) }
        default: 0
        }
    }
}
