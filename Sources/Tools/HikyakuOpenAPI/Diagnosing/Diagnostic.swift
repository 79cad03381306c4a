/// Something that is wrong with a document, and what was done about it.
package struct Diagnostic: Sendable, Hashable {
    /// How much a finding matters.
    package enum Severity: Int, Sendable, Comparable {
        /// The result is as the author of the document meant it.
        case note
        /// A part of the document was changed or left out.
        case warning
        /// A part of the document could not be read at all.
        case error

        package static func < (one: Self, other: Self) -> Bool { one.rawValue < other.rawValue }
    }

    package var severity: Severity
    /// What kind of finding it is, for tests and for summaries that count by kind.
    package var code: Code
    /// The path of the file, as it was given or as a reference wrote it, relative to the first document's folder; empty
    /// if there is none.
    package var file: String
    /// The line from 1; 0 if only the file is known.
    package var line: Int
    /// The column from 1; 0 if only the file is known.
    package var column: Int
    /// What is wrong.
    package var message: String
    /// What was done about it: "it is read as text".
    package var action: String
    /// In how many places it is, of which it names the first.
    package var places = 1

    package init(
        _ severity: Severity,
        _ code: Code,
        file: String,
        line: Int,
        column: Int,
        _ message: String,
        action: String,
    ) {
        self.severity = severity
        self.code = code
        self.file = file
        self.line = line
        self.column = column
        self.message = message
        self.action = action
    }
}

extension Diagnostic {
    /// The kinds of findings.
    package enum Code: String, Sendable, Hashable, CaseIterable {
        // Reading
        case unreadableFile, invalidSyntax, limitExceeded, duplicateKey, invalidAlias, furtherDocument, unusualKey
        case invalidText
        // Resolving
        case danglingReference, referenceCycle, invalidReference, urlReference, unexpectedTarget
        // Overlays
        case invalidOverlay, unsupportedPath, unmatchedPath
        // Normalizing
        case unknownVersion, missingMember, unexpectedType, unknownValue, invalidNumber, invalidMediaType
        case undeclaredPathParameter, unusedPathParameter, duplicateParameter, duplicateOperationID
        case invalidPath, invalidStatus, invalidServer, missingSchema, invalidRequired, invalidConstraint
        case conflictingParts, invalidDiscriminator, invalidSecurity, unsupportedKeyword, ignoredMember, unusedComponent
        // Planning
        case notGenerated, unusedOption, recognizedPages
    }
}

extension Diagnostic: CustomStringConvertible {
    /// One line in the form of a compiler's diagnostics.
    package var description: String {
        let place = line > 0 ? "\(file):\(line):\(column): " : file.isEmpty ? "" : "\(file): "
        return TerminalText(line: "\(place)\(severity): \(message)\(action.isEmpty ? "" : "; \(action)")").text
    }
}
