/// What was read of a document.
package struct ReadingResult: Sendable {
    /// `nil` if the file could not be read at all; a diagnostic then says why.
    package var document: APIDocument?
    /// In the order of the files, and by line and column.
    package var diagnostics: [Diagnostic]
    /// How many diagnostics were not kept, because there were more than the limit.
    package var furtherDiagnostics = 0
    package var counts: DocumentCounts
}
