#if YAML
import Foundation
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// What a document says never gets out of the literals, comments and names of generated code.
@Suite struct HostileDocumentTests {
    private static let hostile = #"\\(exit(1)) \" */ ` \u202E \n import Evil {"#

    private func files(_ text: String) -> [GeneratedFile] {
        guard let document = read(text).document else { return [] }
        return Generator().generate(document).files
    }

    @Test func textsAreQuoted() {
        let text = """
            openapi: 3.1.0
            info: {title: "\(Self.hostile)", version: "\(Self.hostile)", description: "\(Self.hostile)"}
            servers: [{url: "https://a.example/\(Self.hostile)", description: "\(Self.hostile)"}]
            tags: [{name: "\(Self.hostile)", description: "\(Self.hostile)"}]
            paths:
              "/a/\(Self.hostile)/{\(Self.hostile)}":
                get:
                  operationId: "\(Self.hostile)"
                  tags: ["\(Self.hostile)"]
                  summary: "\(Self.hostile)"
                  parameters: [{name: "\(Self.hostile)", in: query, description: "\(Self.hostile)", schema: {type: string}}]
                  requestBody: {content: {"text/\(Self.hostile)": {}}}
                  responses: {'200': {description: ok}}
            components:
              schemas:
                "\(Self.hostile)": {type: object, properties: {"\(Self.hostile)": {enum: ["\(Self.hostile)"]}}}
            """
        let files = files(text)
        #expect(!files.isEmpty)
        for file in files {
            #expect(!file.path.contains(".."))
            for line in file.text.split(separator: "\n") {
                let code = line.trimmingCharacters(in: .whitespaces)
                #expect(!code.hasPrefix("import Evil"), "\(line)")
                // An interpolation of the document would follow a single backslash.
                #expect(code.hasPrefix("//") || !line.contains(#/[^\\](\\\\)*\\\(exit/#), "\(line)")
                #expect(!line.unicodeScalars.contains("\u{202E}"), "\(line)")
            }
        }
    }

    /// The code without comments and the content of literals, which may have braces of the document.
    private static func withoutTexts(_ code: String) -> String {
        let lines = code.split(separator: "\n").filter { !$0.trimmingCharacters(in: .whitespaces).hasPrefix("//") }
        // A name in an interpolation is a literal inside of a literal.
        return lines.joined(separator: "\n").replacing(#/\.matrix\("([^"\\]|\\.)*"/#, with: "")
            .replacing(#/"([^"\\]|\\.)*"/#, with: "")
    }

    @Test func anyDocumentIsGenerated() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        let text = try String(contentsOf: folder.appending(path: "Documents/features-3.1.yaml"), encoding: .utf8)
        let lines = text.split(separator: "\n").map(String.init)
        for _ in 0..<300 {
            var changed = lines
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let (one, other) = (
                    Int.random(in: 0..<changed.count, using: &random), lines.randomElement(using: &random) ?? "",
                )
                switch Int.random(in: 0..<4, using: &random) {
                case 0: changed.remove(at: one)
                case 1: changed[one] = other
                case 2: changed[one] = changed[one].replacing("string", with: "object")
                default:
                    changed[one] = changed[one].replacing(
                        "Circle",
                        with: ["Node", "Shape", "Tree", "Base"].randomElement(using: &random) ?? "",
                    )
                }
            }
            for file in files(changed.joined(separator: "\n")) {
                let code = Self.withoutTexts(file.text)
                #expect(code.count { $0 == "{" } == code.count { $0 == "}" }, "seed \(seed): \(file.path)")
            }
        }
    }
}
#endif
