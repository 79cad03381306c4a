import Foundation
import TestSupport
import Testing

@testable import HikyakuCommand

/// What pages and warnings show of a package's texts has no control characters and nothing that can't be seen.
struct HostilePageTests {
    private static let payloads =
        ShownText.payloads + Payload.all.filter { $0.text.utf8.count < 2_000 }
        + [
            ("heading", "a\n# PWNED"), ("tag", "</code><script>PWNED</script>"), ("attribute", "\" onclick=\"PWNED"),
            ("link", "](javascript:PWNED)"), ("image", "![a](https://e.example/PWNED)"),
            ("table", "a | b\n--- | ---\nc"),
            ("fence", "```\nPWNED"), ("entity", "&#10;&#60;script&#62;"), ("mark", "<\u{301}script>PWNED"),
            ("address", "[a](https://e.example/\u{1B}\u{202E}a)"),
        ].map { Payload(name: $0, text: $1) }

    /// A catalogue whose texts are all one, or one of them.
    private static func catalogue(_ text: String, at place: Int) -> Catalogue {
        func at(_ number: Int, _ usual: String) -> String { place == number ? text : usual }
        func value(_ number: Int, _ usual: String) -> CatalogueValue {
            CatalogueValue(value: at(number, usual), origin: .declared)
        }
        let request = CatalogueRequest(
            name: at(0, "Items"),
            documentation: at(1, "A page."),
            file: at(2, "Sources/Items.swift"),
            line: 1,
            method: value(3, "GET"),
            path: value(4, "/items"),
            query: CatalogueKeys(keys: [at(5, "page")], isComplete: true, origin: .declared),
            parameters: CatalogueKeys(keys: [at(6, "size")], isComplete: true, origin: .declared),
            body: value(7, "json"),
            environment: CatalogueEnvironment(name: at(8, "shop"), baseURL: at(9, "https://a"), origin: .declared),
            access: at(10, "Public"),
            response: at(11, "[Item]"),
            failure: at(12, "ProblemDetails"),
        )
        let documentation = at(13, "The shop.\n\n- `a`: [b](https://c.example)\n\n```\nd\n```")
        let chapter = Catalogue.Chapter(
            module: at(14, "App"),
            path: [at(15, "Shop")],
            documentation: documentation,
            requests: [request],
        )
        return Catalogue(package: at(16, "Shop"), chapters: [chapter])
    }

    private static let places = 0..<17

    @Test(arguments: [CatalogueOptions.Format.html, .markdown])
    func noTextReachesAPageRaw(format: CatalogueOptions.Format) throws {
        var found: [String] = []
        for place in Self.places {
            for payload in Self.payloads {
                let page = try CatalogueCommand.page(of: Self.catalogue("a" + payload.text, at: place), format)
                // Pages keep the joiners that emoji and many scripts need.
                let shown = page.unicodeScalars.filter { !(0x200C...0x200D ~= $0.value || 0xFE00...0xFE0F ~= $0.value) }
                var faults = ShownText.faults(of: String(shown))
                faults += format == .html ? Self.faults(ofHTML: page) : Self.faults(ofMarkdown: page)
                found += faults.map { "place \(place), \(payload.name): \($0)" }
            }
        }
        if !found.isEmpty { Issue.record("\(ShownText.report(found))") }
    }

    private static func faults(ofHTML page: String) -> [String] {
        var faults: [String] = []
        if page.utf8.split(separator: UInt8(ascii: "<")).count(where: { $0.starts(with: "script".utf8) }) != 1 {
            faults.append("a script")
        }
        for piece in ["onclick=\"PWNED", "href=\"javascript", "<\u{301}script"] where page.contains(piece) {
            faults.append(piece)
        }
        return faults
    }

    private static func faults(ofMarkdown page: String) -> [String] {
        let lines = page.utf8.split(separator: 0x0A).map { Substring($0) }
        var (faults, isCode): ([String], Bool) = ([], false)
        for line in lines {
            if line.hasPrefix("```") { isCode.toggle() }
            // Only what begins a line is a heading.
            if !isCode, line.hasPrefix("#"), line.drop(while: { $0 == "#" || $0 == " " }).hasPrefix("PWNED") {
                faults.append("a heading: \(line)")
            }
            if !isCode, line.contains("(javascript:"), !line.contains("\\]("), !line.contains("`") {
                faults.append("a link: \(line)")
            }
        }
        return faults
    }

    @Test func noWarningReachesTheTerminalRaw() {
        var found: [String] = []
        for payload in ShownText.payloads {
            for place in 0..<4 {
                func at(_ number: Int) -> String { place == number ? "a" + payload.text : "a" }
                let name = MisspelledName(
                    kind: .property,
                    name: at(0),
                    meant: at(1),
                    type: at(2),
                    file: at(3),
                    line: 1,
                )
                found += ShownText.faults(of: name.warning).map { "place \(place), \(payload.name): \($0)" }
            }
        }
        if !found.isEmpty { Issue.record("\(ShownText.report(found))") }
    }
}
