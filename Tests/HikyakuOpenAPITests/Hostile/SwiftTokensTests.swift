#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

/// That the tokenizer of these tests divides source as the compiler does.
@Suite(.timeLimit(.minutes(Effort.isFull ? 300 : 5)))
struct SwiftTokensTests {
    private static let marker = "func marker() {}"

    /// Sources with a declaration that is code or text, and how the compiler reads them: the test runs it.
    private static let snippets: [String] = [
        "// a\n@", "/// a\r@", "// a\r\n@", "// a @", "// a\u{B}@", "// a\u{C}@", "// a\u{85}@", "// a\u{2028}@",
        "// a\u{2029}@", "// a \\\n@", "// /*\n@", "/\u{301}/ @", "// \u{1B}\n@", "// \u{202E}\n@",
        "/* a */ @", "/* /* */ @ */", "/* /* */ */ @", "/* @", "/* // */ @", "*/ @", "/* *\u{301}/ @ */", "/* \r @ */",
        "let a = 1 +// \n 2\n@", "let a = 1 +/* */ 2\n@", "let a = 1 + // @\n 2",
        "let s = \"a\"*//b\n@", "let s = \"a\"*/**/\n@", "let s = \"a\"+*/\n@", "let s = \"a\"*/+\n@",
        "let s = \"a\"\n@", "let s = \"@\"", "let s = \"a\n@", "let s = \"a\\\"\n@", "let s = \"\\\\\"\n@",
        "let s = \"\\\"; @ //\"", "let s = \"a\"; @ //\"", "let s = \"a\"\u{301}; @ //\"", "let s = \"\u{301}a\"\n@",
        "let s = \"\\\u{301}(1)\"\n@", "let s = \"a\r@\"", "let s = \"a\u{2028}@\"", "let s = \"a\u{85}@\"",
        "let s = \"a\u{B}@\"", "let s = \"a\u{1B}\"\n@", "let s = \"a\u{7F}\"\n@", "let s = \"a\t\"\n@",
        "let s = \"\\q\"\n@", "let s = \"\\u{1F600}\\u{0}\"\n@", "let s = \"\\u{110000}\"\n@",
        "let s = \"\\u{D800}\"\n@",
        "let s = \"\\u{}\"\n@", "let s = \"\\u{000000041}\"\n@", "let s = \"\\u{+41}\"\n@",
        "let s = \"\\({ @ }())\"", "let s = \"\\(1\"\n@", "let s = \"\\(1 +\n 2)\"\n@", "let s = \"\\(1 /* ) */)\"\n@",
        "let s = \"\\(1 // )\n)\"\n@", "let s = \"\\(\"a\\(1)b\")\"\n@", "let s = \"\\(\")\")\"\n@",
        "let s = \"\\(\"@\")\"",
        "let s = \"\\(\"\"\"\na\n\"\"\")\"\n@", "let s = \"\\(\"\\(\"\\(1)\")\")@\"",
        "let s = #\"a\"b\"#\n@", "let s = #\"a\\\"#\n@", "let s = #\"\\({ @ }())\"#", "let s = #\"\\#({ @ }())\"#",
        "let s = #\"\\#(\"a\")\"#\n@", "let s = ##\"a\"#b\"##\n@", "let s = ##\"a\"# @ \"##", "let s = #\"a\" @",
        "let s = #\"\"\"#\n@", "let s = #\"\"\"\n\"\"\"\n@\n\"\"\"#", "let s = #\"\"\"\n\"\"\"#\n@",
        "let s = #\"\\#q\"#\n@",
        "let s = \"\"\"\na\n\"\"\"\n@", "let s = \"\"\"\n@\n\"\"\"", "let s = \"\"\"\r@\r\"\"\"",
        "let s = \"\"\"\na\"\"\"\n@",
        "let s = \"\"\"a\n\"\"\"\n@", "let s = \"\"\"\na\\\nb\n\"\"\"\n@", "let s = \"\"\"\n\"a\" \"\" b\n\"\"\"\n@",
        "let s = \"\"\"\n\\({ @ }())\n\"\"\"", "let s = \"\"\"\n\\({\n@\n}())\n\"\"\"",
        "let s = \"\"\"\n\\\"\"\"\n@\n\"\"\"",
        "let s = \"\"\"\n\"\"\"\"\n\"\"\"\n@",
        "let `class` = 1\n@", "let `a\nb` = 1\n@", "let `` = 1\n@", "let `a\u{2028}b` = 1\n@", "let `a\\b` = 1\n@",
        "let a = 0xBADC0DE, b = 1.5e-3, c = 0b1_0\n@", "let a = 0xG\n@", "let a = 1abc\n@", "let a = 1.e\n@",
        "let é = 1\n@", "let 🎨 = 1\n@", "let a\u{FE0F} = 1\n@", "let a = 1;\u{85}@", "let a = 1;\u{2028}@",
        "let a = 1;\u{B}@", "let a = 1;\u{1A}@", "let a = [1)\n@", "func f() {\n@", "func f() { @ }", "}\n@",
        "let a = \\String.count\n@",
    ].map { $0.replacing("@", with: marker) }

    /// What the compiler and the tokenizer say of a source.
    private struct Reading: Hashable, CustomStringConvertible {
        var isSwift: Bool
        var hasMarker: Bool
        var description: String { "\(isSwift ? "Swift" : "no Swift"), \(hasMarker ? "code" : "text")" }
    }

    private static func tokenized(_ source: String) -> Reading {
        let tokens = SwiftTokens(source)
        let texts = tokens.tokens.map { $0.kind == .text || $0.kind == .lineComment ? "" : tokens.text($0) }
        let hasMarker = zip(texts, texts.dropFirst()).contains { $0 == ("func", "marker") }
        return Reading(isSwift: tokens.faults.isEmpty, hasMarker: hasMarker)
    }

    /// What the compiler's parser says of each source, in one shell: a process for each would take long.
    private static func compiled(_ sources: [String]) throws -> [Reading] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (number, source) in sources.enumerated() {
            try Data(source.utf8).write(to: folder.appending(path: "\(number).swift"))
        }
        let script = """
            for n in $(seq 0 \(sources.count - 1)); do
                swiftc -frontend -swift-version 6 -dump-parse $n.swift > $n.out 2> $n.err
                echo $? > $n.status
            done
            """
        let shell = Process()
        shell.executableURL = URL(filePath: "/bin/sh")
        shell.arguments = ["-c", script]
        shell.currentDirectoryURL = folder
        try shell.run()
        shell.waitUntilExit()
        return try sources.indices.map { number in
            func content(_ kind: String) throws -> String {
                try String(contentsOf: folder.appending(path: "\(number).\(kind)"), encoding: .utf8)
            }
            let isDeclared = try content("out").contains("\"marker()\"")
            return Reading(isSwift: try content("status") == "0\n", hasMarker: isDeclared)
        }
    }

    @Test func agreesWithTheCompiler() throws {
        let compiled = try Self.compiled(Self.snippets)
        // Both kinds of each answer, or the comparison would say nothing.
        #expect(compiled.count { $0.isSwift } > 20 && compiled.count { !$0.isSwift } > 20)
        #expect(compiled.count { $0.hasMarker } > 20 && compiled.count { !$0.hasMarker } > 15)
        for (snippet, expected) in zip(Self.snippets, compiled) {
            let found = Self.tokenized(snippet)
            #expect(found.isSwift == expected.isSwift, "\(snippet.debugDescription)")
            // What follows a fault is read in one way or another.
            if expected.isSwift { #expect(found.hasMarker == expected.hasMarker, "\(snippet.debugDescription)") }
        }
    }

    private static let pieces = [
        "\"", "\"", "#", "\\", "\\(", "\\#(", ")", "//", "/*", "*/", "\"\"\"", "\n", "\r", "\r\n", "a", "\u{2028}",
        "\u{301}", "\\u{41}", "; \(marker); ", "\n\(marker)\n", "let a = ", "let a = \"", "let a = #\"", "\"#", "\t",
    ]

    /// What is accepted is read as the compiler does: a declaration that it sees is code here, too.
    @Test func agreesWithTheCompilerOnRandomSources() throws {
        let seed = testSeed()
        print("seed of the random sources: \(seed)")
        var random = SeededGenerator(seed: seed)
        let sources = (0..<80).map { _ in
            let count = Int.random(in: 1...9, using: &random)
            let text = (0..<count).map { _ in Self.pieces.randomElement(using: &random) ?? "" }.joined()
            return "let s = \"" + text + "\"\n\(Self.marker)\n"
        }
        for (source, expected) in zip(sources, try Self.compiled(sources)) {
            let found = Self.tokenized(source)
            if expected.isSwift, found.isSwift {
                #expect(found.hasMarker == expected.hasMarker, "\(source.debugDescription), seed \(seed)")
            }
            // Tokens alone don't make a program, but without them there is none.
            if expected.isSwift { #expect(found.isSwift, "\(source.debugDescription), seed \(seed)") }
        }
    }

    @Test(arguments: [
        "\0", "// \0", "\"\0\"", "let a = /x/", "let a = #/x/#", "let `a b` = 1", "<#a#>", "<<<<<<< a\n>>>>>>> b",
    ])
    func whatGeneratedCodeNeverHasIsAFault(source: String) {
        #expect(!SwiftTokens(source).faults.isEmpty)
    }

    @Test func deepNestingIsAFault() {
        let text = String(repeating: "\"\\(", count: 100_000)
        #expect(!SwiftTokens(text).faults.isEmpty)
        #expect(!SwiftTokens(String(repeating: "(", count: 100_000)).faults.isEmpty)
    }

    @Test func everyByteOfATokenIsInTheSource() {
        let source = "let a = \"b\\(c)d\" // e\n"
        let tokens = SwiftTokens(source)
        #expect(
            tokens.tokens.map(tokens.text) == ["let", "a", "=", "\"", "b", "\\(", "c", ")", "d", "\"", "// e"]
        )
    }
}
#endif
