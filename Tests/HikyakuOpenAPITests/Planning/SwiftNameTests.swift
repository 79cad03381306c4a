import Foundation
import Testing

@testable import HikyakuOpenAPI

@Suite struct SwiftNameTests {
    @Test(arguments: [
        ("user_id", "userID"), ("userId", "userID"), ("photoUrls", "photoURLs"), ("HTMLUrl", "htmlURL"),
        ("created-at", "createdAt"), ("X-Rate-Limit", "xRateLimit"), ("NOT_FOUND", "notFound"), ("ok", "ok"),
        ("+1", "plus1"), ("-1", "minus1"), ("", "empty"), ("self", "selfValue"), ("2x", "value2x"), ("$ref", "ref"),
        ("🎨", "u1F3A8"), ("größe", "größe"), ("Type", "type"), ("a.b.c", "aBC"), ("IDs", "ids"),
        ("_links", "underscoreLinks"),
        ("*", "star"), (">=", "greaterEqual"), ("OpenAI", "openAI"), ("is_2fa", "is2fa"),
    ])
    func membersAreNamedAsSwiftDoes(_ text: String, _ name: String) {
        #expect(SwiftName.member(text) == name)
    }

    @Test(arguments: [
        ("pet", "Pet"), ("user-profile", "UserProfile"), ("ApiResponse", "APIResponse"), ("v1.Pod", "V1Pod"),
        ("1st", "Type1st"),
    ])
    func typesAreNamedAsSwiftDoes(_ text: String, _ name: String) {
        #expect(SwiftName.type(text) == name)
    }

    @Test func namesThatAreEqualAreDistinguishedByTheirOwnTexts() {
        func names(_ texts: [String]) -> [String: String] {
            var names = MemberNames()
            for text in texts { _ = names.take(text) }
            return Dictionary(zip(texts, names.names())) { first, _ in first }
        }
        let some = names(["add", "Add", "a-dd"])
        #expect(some["add"] == "add")
        #expect(Set(some.values).count == 3)
        // A further text, and another order, rename nothing.
        let more = names(["zebra", "a-dd", "ADD", "Add", "add"])
        for (text, name) in some { #expect(more[text] == name) }
    }

    @Test(arguments: [
        ("A text", "A text."), ("First. Second.", "First."), ("Uses e.g. this. And that", "Uses for example this."),
        ("# Title\n\nText", "Title Text."), ("**Bold** and `code`", "Bold and code."), ("Really?", "Really."),
        ("two\nlines", "two lines."),
        ("<p>Creates a <code>foo</code> object.</p><p>More.</p>", "Creates a foo object."),
        ("<a href=\"https://x.y/z\">Link</a> &lt;here&gt; &amp; there", "Link <here> & there."),
        ("See a < b or x<y", "See a < b or x<y."), ("One<br/>Two", "One."), ("<h1>Title</h1>Text", "Title."),
        ("文。", "文。"), ("a < b > c", "a < b > c."),
    ])
    func documentationIsOneSentence(_ text: String, _ line: String) {
        #expect(Documentation.line(text) == line)
    }

    @Test(arguments: ["", "  ", "---", "123"])
    func aTextWithoutWordsIsNotDocumentation(_ text: String) {
        #expect(Documentation.line(text) == nil)
    }

    @Test(arguments: [("in", "in" as Code), ("var", "var"), ("inout", "`inout`"), ("name", "name")])
    func mostKeywordsAreLabelsWithoutBackticks(_ name: String, _ label: Code) {
        #expect("\(SwiftName.label(name))" as Code == label)
    }

    /// A schema of that name would change what generated code, and that beside it, means.
    @Test func whatGeneratedCodeNamesIsReserved() throws {
        let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        var (declared, used): (Set<String>, Set<String>) = ([], [])
        for folder in ["Generated", "../Petstores/Generated", "../InferredModels"] {
            let root = tests.appending(path: folder).standardizedFileURL
            for path in try FileManager.default.subpathsOfDirectory(atPath: root.path) where path.hasSuffix(".swift") {
                let text = try String(contentsOf: root.appending(path: path), encoding: .utf8)
                    .replacing(/\/\/[^\n]*/, with: "").replacing(/"(\\.|[^"\\\n])*"/, with: "\"\"")
                let declarations = /\b(struct|enum|typealias|class|protocol|extension|case)\s+([A-Z]\w*)/
                declared.formUnion(text.matches(of: declarations).map { String($0.output.2) })
                used.formUnion(text.matches(of: /(?:^|[^.\w`])([A-Z]\w*)/).map { String($0.output.1) })
            }
        }
        #expect(used.count > 50)
        let known = SwiftName.reservedTypes.union(SwiftName.commonTypes)
        #expect(used.subtracting(declared).subtracting(known).isEmpty)
    }

    @Test(arguments: ["UInt8", "UInt64", "Int32", "TimeInterval", "Substring", "CredentialPlacement", "Paging"])
    func aSchemaWithTheNameOfAnotherTypeGetsAnother(name: String) throws {
        let head = "openapi: 3.1.0\ninfo: {title: Shop, version: '1'}\n"
        let text = head + "components: {schemas: {\(name): {oneOf: [{type: integer}]}}}"
        let files = Generator().generate(try #require(read(text).document)).files
        #expect(!files.contains { $0.text.contains("typealias \(name) ") || $0.text.contains("struct \(name)") })
    }
}
