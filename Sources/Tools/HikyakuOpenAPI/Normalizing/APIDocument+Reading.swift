extension APIDocument {
    /// Reads a document of OpenAPI 2.0 to 3.2 in JSON or YAML, with all files that it refers to.
    ///
    /// It never fails because of a part of the document: what can't be read becomes a diagnostic and a schema that
    /// allows anything.
    package static func read(path: String, options: ReadingOptions = ReadingOptions()) -> ReadingResult {
        let findings = Findings(countMax: options.limits.diagnosticsMax)
        let store = FileStore(path: path, options: options, findings: findings)
        var document: APIDocument?
        var counts = DocumentCounts()
        if var root = store.readFirst() {
            apply(options.overlays, to: &root, store, findings)
            let resolver = Resolver(store: store, findings: findings)
            let normalizer = Normalizer(root: root, resolver: resolver, findings: findings)
            document = normalizer.document()
            counts = normalizer.counts
            document?.files = findings.files
        }
        return ReadingResult(
            document: document,
            diagnostics: findings.sorted(),
            furtherDiagnostics: findings.furtherCount,
            counts: counts,
        )
    }

    private static func apply(_ paths: [String], to root: inout Cursor, _ store: FileStore, _ findings: Findings) {
        let overlays = paths.compactMap { store.readOther($0) }
        var budget = Budget(Work(bytes: store.byteCount).overlaid)
        for overlay in overlays { Overlay(findings: findings).apply(overlay, to: &root.node, &budget) }
        if !paths.isEmpty { store.setFirst(root.node) }
    }

    /// A schema in which the parts of `allOf` are merged into one, references among them included.
    ///
    /// References of properties and the like are kept. A part that can't be merged (a second `oneOf`, for example)
    /// stays in ``Schema/allOf``. If parts contradict each other, the first one wins; reading the document diagnosed
    /// it. A property that several parts have is an `allOf` of theirs, to be merged in its turn.
    package func merged(_ schema: Schema) -> Schema {
        var merge = SchemaMerge(self, effortMax: workMax.merges)
        return merge.merged(schema)
    }

    /// The named schemas that have a schema among the parts of their `allOf`: the subtypes of one with a
    /// discriminator.
    package func subtypes(of key: SchemaKey) -> [NamedSchema] {
        schemas.filter { $0.schema.allOf.contains { $0.reference == key } }
    }
}
