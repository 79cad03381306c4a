/// Makes the models that samples of JSON are documents of.
package struct ModelInference {
    /// Swift in one file, and what was found.
    package struct Result: Sendable {
        package var text: String
        /// The type of each sample: the model, or a list or dictionary of it.
        package var type: String
        package var sampleCount: Int
        package var typeCount: Int
        package var diagnostics: [Diagnostic]
    }

    /// The name of the model.
    private let name: String
    private let options: GeneratorOptions
    private let isDirect: Bool
    private let limits: ReadingLimits

    /// Prepares to make models.
    ///
    /// - Parameters:
    ///   - name: The name of the type that the samples are, as one of Swift.
    ///   - options: The access, chosen names and types, and sets of values that don't grow.
    ///   - isDirect: Whether the models read themselves (`JSONModel`), rather than by what the compiler synthesizes.
    ///   - limits: What the samples may have.
    package init(
        name: String,
        options: GeneratorOptions = GeneratorOptions(),
        isDirect: Bool = false,
        limits: ReadingLimits = ReadingLimits(),
    ) {
        (self.name, self.options, self.isDirect, self.limits) = (name, options, isDirect, limits)
    }

    /// Whether a text can be the name of a model: a name of Swift that is not one of Swift's own or Hikyaku's types.
    package static func isName(_ text: String) -> Bool {
        SwiftName.isName(text) && SwiftName.type(text) == text && !SwiftName.reservedTypes.contains(text)
            && !SchemaInference.hiddenTypes.contains(text)
    }

    /// The name of a model for the name of a file or of a list: `blog-posts` becomes `BlogPost`.
    package static func name(from text: String) -> String { SwiftName.type(SampleKey.singular(text)) }

    /// Makes the models.
    ///
    /// - Parameter files: Samples; an array at the top of a file counts as many samples of its elements.
    /// - Returns: The models, in one file.
    /// - Throws: ``InferenceFailure`` if a file can't be read, or if no model is needed.
    package func models(of files: [SampleFile]) throws(InferenceFailure) -> Result {
        let samples = try SampleReader(limits: limits).samples(of: files, areElements: true)
        let findings = Findings(countMax: 100)
        findings.files = files.map(\.path)
        let schemas = try InferredSchemas(of: samples, named: name, besides: [], findings)
        guard let subject = schemas.subject else { throw InferenceFailure(schemas.reason) }
        var document = APIDocument(version: .v3_1, info: APIDocument.Info(title: name, version: ""))
        document.files = findings.files
        document.setSchemas(schemas.schemas)
        var options = options
        (options.name, options.baseURL) = (name + "Samples", "https://localhost")
        options.history = schemas.names
        let planning = Findings(countMax: 100)
        planning.files = findings.files
        let plan = Planner(document, options, planning).plan()
        let renderer = SingleFileRenderer(plan, options, firstTypes: [subject.text], isDirect: isDirect)
        return Result(
            text: renderer.code().text,
            type: schemas.description(plan.typeNames),
            sampleCount: samples.count,
            typeCount: plan.types.count,
            diagnostics: findings.sorted() + planning.sorted().filter(\.isOfOptions),
        )
    }
}

/// The schemas of samples, with a model among them.
struct InferredSchemas {
    /// Components.
    private(set) var schemas: [NamedSchema]
    /// The schema of a whole sample.
    let root: Schema
    /// The key of the model that the samples are, or are lists or dictionaries of.
    ///
    /// `nil` if they have neither objects nor a choice among several kinds of values.
    let subject: SchemaKey?
    /// The kinds of what the samples are, or are lists or dictionaries of.
    private let kinds: SchemaTypes

    /// Infers the schemas.
    ///
    /// - Throws: ``InferenceFailure`` if there are too many places in them.
    init(
        of samples: [DocumentNode],
        named name: String,
        besides used: Set<String>,
        _ findings: Findings,
    ) throws(InferenceFailure) {
        let tree = SampleTree(of: samples, name: name)
        guard !tree.isFull else {
            throw InferenceFailure("the samples have too many different places for a model; use fewer or smaller ones")
        }
        var inference = SchemaInference(tree, rootName: name, besides: used, findings)
        root = inference.rootSchema()
        schemas = inference.schemas
        kinds = tree.kinds(of: tree.subject)
        subject = Self.innermost(root).reference
        let shape = tree.shape(tree.subject)
        if kinds == .object, let object = shape.object {
            describe(tree.object(object).count, "object")
        } else {
            describe(shape.count, "sample")
        }
    }

    /// What lists and dictionaries are made of.
    private static func innermost(_ schema: Schema) -> Schema {
        if let items = schema.items { return innermost(items) }
        if case .schema(let value) = schema.additionalProperties { return innermost(value) }
        return schema
    }

    /// Why the samples need no model.
    var reason: String {
        switch kinds {
        case .object: "the samples are empty objects: a sample with members shows what the model is"
        case .array: "the samples are empty arrays: a sample with elements shows what the model is"
        case []: "the samples are null: one with a value shows what the model is"
        default: "no model is needed to read \(Self.words(for: root))"
        }
    }

    /// A schema without a model, in words: `a number in a dictionary`.
    private static func words(for schema: Schema) -> String {
        if let items = schema.items { return words(for: items) + " in an array" }
        if case .schema(let value) = schema.additionalProperties { return words(for: value) + " in a dictionary" }
        return schema.types.words
    }

    /// Says in the model's comment what its Optionals are made of.
    private mutating func describe(_ count: Int, _ what: String) {
        guard let index = schemas.firstIndex(where: { $0.key == subject }) else { return }
        schemas[index].schema.description =
            count == 1
            ? "Inferred from one \(what), so that all that it has is required."
            : "Inferred from \(count) \(what)s; what is missing or null in one of them is Optional."
    }

    /// The names that the types are to have, as those of an earlier run.
    var names: NameHistory {
        var history = NameHistory()
        for schema in schemas { history.types[schema.key.text] = NameHistory.TypeEntry(name: schema.name) }
        return history
    }

    /// The type of a sample in words of Swift.
    func description(_ names: [String: String]) -> String {
        func text(_ schema: Schema) -> String {
            if let items = schema.items { return "[\(text(items))]" }
            if case .schema(let value) = schema.additionalProperties { return "[String: \(text(value))]" }
            return subject.flatMap { names[$0.text] } ?? "JSONValue"
        }
        return text(root)
    }
}

extension Diagnostic {
    /// Whether it is about an option of the command line, which samples don't know.
    var isOfOptions: Bool { code == .unusedOption }
}
