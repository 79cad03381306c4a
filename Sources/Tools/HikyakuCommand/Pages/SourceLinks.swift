import Foundation
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// The addresses of requests in their sources, as a page links to them.
struct SourceLinks: Equatable, Sendable {
    /// A template that can't be used.
    struct Invalid: Error, Equatable, Sendable {
        /// The rest of a sentence that begins with the option's name.
        let reason: String
    }

    private static let placeholders = ["path", "line"]

    /// A URL reference with placeholders; `nil` for no links.
    private let template: String?

    /// No links.
    static let none = SourceLinks(checked: nil)

    private init(checked template: String?) {
        self.template = template
    }

    /// Links by a URL of the web, in which `{path}` and `{line}` are replaced.
    ///
    /// - Throws: ``Invalid`` for a template that would lead nowhere, or out of the page's markup.
    init(template: String) throws(Invalid) {
        let forbidden = template.unicodeScalars.contains {
            $0.properties.isWhitespace || "<>\"`\\^|".unicodeScalars.contains($0)
        }
        let isControl = template.unicodeScalars.contains { $0.properties.generalCategory == .control }
        if forbidden || isControl { throw Invalid(reason: "takes a URL without spaces and any of <>\"`\\^|") }
        for word in Self.words(in: template) where !Self.placeholders.contains(word) {
            let question = CommandFailure.question(about: "{\(word)}", known: ["{path}", "{line}"])
            throw Invalid(reason: "has {path} and {line}, not {\(word)}\(question)")
        }
        guard template.contains("{path}") else {
            throw Invalid(reason: "needs {path}, which is replaced by the file's path in the package")
        }
        let filled = Self.filled(template, path: "a", line: 1)
        guard !filled.utf8.contains(where: { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "}") }),
            let url = URL(string: filled),
            ["http", "https"].contains(url.scheme?.lowercased()), url.host(percentEncoded: true)?.isEmpty == false
        else { throw Invalid(reason: "takes a URL of http or https with a host, such as https://host/{path}#L{line}") }
        self.init(checked: template)
    }

    /// Links from a page to the files of a package.
    ///
    /// A page elsewhere has none: they would contain the names of folders that only this machine has.
    ///
    /// - Parameters:
    ///   - folder: The page's folder.
    ///   - package: The package's folder, which must contain the page, unless both are below `current`.
    ///   - current: The current folder.
    init(from folder: URL, to package: URL, current: URL) {
        let (page, root) = (Self.components(folder), Self.components(package))
        let shared = zip(page, root).prefix { $0 == $1 }.count
        let here = Self.components(current)
        guard shared == root.count || page.starts(with: here) && root.starts(with: here) else {
            self.init(checked: nil)
            return
        }
        let steps = Array(repeating: "..", count: page.count - shared)
        let names = root[shared...].map { PercentCoding.encoded($0, allowing: .unreserved) }
        self.init(checked: (steps + names + ["{path}"]).joined(separator: "/") + "#L{line}")
    }

    private static func components(_ folder: URL) -> [String] {
        folder.absoluteURL.standardizedFileURL.resolvingSymlinksInPath().path(percentEncoded: false)
            .split(separator: "/").map(String.init)
    }

    /// The address of a line, as a URL reference without characters that end an attribute or a Markdown link.
    ///
    /// - Parameters:
    ///   - file: The file's path, relative to the package's folder.
    ///   - line: The line, counted from 1.
    /// - Returns: The address; `nil` if there are no links.
    func address(of file: String, line: Int) -> String? {
        template.map { template in
            let names = file.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let path = names.map { PercentCoding.encoded(String(Substring($0)), allowing: .unreserved) }
            return Self.filled(template, path: path.joined(separator: "/"), line: line)
        }
    }

    private static func filled(_ template: String, path: String, line: Int) -> String {
        // The line first: a path has no braces left, so that nothing in it is a placeholder.
        template.replacing("{line}", with: String(line)).replacing("{path}", with: path)
    }

    /// The words between braces.
    private static func words(in template: String) -> [String] {
        template.split(separator: "{", omittingEmptySubsequences: false).dropFirst().compactMap { part in
            part.firstIndex(of: "}").map { String(part[..<$0]) }
        }
    }
}
