import Foundation
import HikyakuOpenAPI

/// A row about a request, the same in HTML and Markdown.
struct RequestRow: Equatable, Sendable {
    let name: String
    /// The values, each shown as code.
    let values: [String]
    /// A note after the values.
    let note: String?
    /// The address that the values link to.
    var link: String?
}

extension CatalogueRequest {
    /// The rows, without those that have no content.
    func rows(_ links: SourceLinks) -> [RequestRow] {
        var rows = [
            RequestRow(name: "Response", values: [response], note: nil),
            RequestRow(name: "Failure", values: [failure], note: nil),
            RequestRow(name: "Access", values: [access], note: nil),
        ]
        rows += [authorizationRow, row("Query", query), row("Parameters", parameters), bodyRow].compactMap { $0 }
        rows.append(environmentRow)
        let address = links.address(of: file, line: line)
        rows.append(RequestRow(name: "Source", values: ["\(file):\(line)"], note: nil, link: address))
        return rows
    }

    /// Whether it needs a credential, if that isn't what the level of access says.
    private var authorizationRow: RequestRow? {
        requiresAuthorization.map { required in
            let word = required.value.map { $0 == "true" ? "required" : "not required" }
            let origin = required.origin.note.map { ", \($0)" } ?? (word == nil ? ", computed" : "")
            return RequestRow(
                name: "Authorization",
                values: word.map { [$0] } ?? [],
                note: "by requiresAuthorization\(origin)",
            )
        }
    }

    private func row(_ name: String, _ keys: CatalogueKeys) -> RequestRow? {
        if keys.keys.isEmpty, keys.isComplete, keys.origin != .initial { return nil }
        let more = keys.isComplete || keys.keys.isEmpty ? keys.origin.note : "and computed ones"
        let values = keys.keys.isEmpty && keys.isComplete ? ["none"] : keys.keys
        return RequestRow(name: name, values: values, note: more)
    }

    private var bodyRow: RequestRow? {
        if body.value == "none", body.origin != .initial { return nil }
        return RequestRow(name: "Body", values: body.value.map { [$0] } ?? [], note: body.origin.note)
    }

    private var environmentRow: RequestRow {
        let values = [environment.name.map { ".\($0)" }, environment.baseURL].compactMap { $0 }
        return RequestRow(name: "Environment", values: values, note: environment.origin.note)
    }
}

extension CatalogueOrigin {
    /// A note that explains the value.
    var note: String? {
        switch self {
        case .declared, .inherited, .default: nil
        case .initial: "unless an instance has another"
        case .stored: "stored in each instance"
        case .computed: "computed"
        }
    }
}

extension CatalogueValue {
    /// The value, or the reason why it is unknown in angle quotation marks.
    var text: String { value ?? "‹\(origin.note ?? "computed")›" }
}

extension Catalogue {
    /// The chapters with their headings: the namespace's name, with the module's if there are several modules, or the
    /// module's name alone for requests at the top level.
    var titledChapters: [(title: String, chapter: Chapter)] {
        let hasSeveralModules = Set(chapters.map(\.module)).count > 1
        return chapters.map { chapter in
            let names = hasSeveralModules || chapter.path.isEmpty ? [chapter.module] + chapter.path : chapter.path
            return (names.joined(separator: "."), chapter)
        }
    }

    /// "1 request", "2 requests".
    var countText: String { requestCount == 1 ? "1 request" : "\(requestCount) requests" }
}

/// A catalogue in JSON, for programs.
enum JSONPage {
    /// The catalogue with sorted keys, so that equal catalogues have equal texts.
    static func text(of catalogue: Catalogue) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        let text = String(decoding: try encoder.encode(catalogue), as: UTF8.self)
        // The encoder escapes only the controls of ASCII, and those are the line feeds between members.
        return text.unicodeScalars.reduce(into: "") { shown, scalar in
            let isShown = !scalar.isInvisible || scalar == "\n"
            if isShown { shown.unicodeScalars.append(scalar) } else { shown += scalar.escapedInJSON }
        } + "\n"
    }
}
