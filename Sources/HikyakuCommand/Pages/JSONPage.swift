import Foundation

/// A catalogue for programs.
enum JSONPage {
    /// The catalogue with its keys sorted, so that equal catalogues are equal texts.
    static func text(of catalogue: Catalogue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return String(decoding: try encoder.encode(catalogue), as: UTF8.self) + "\n"
    }
}
