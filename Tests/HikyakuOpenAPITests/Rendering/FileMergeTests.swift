import Testing

@testable import HikyakuOpenAPI

@Suite struct FileMergeTests {
    private static let foundation: Code = "#if canImport(FoundationEssentials)\nimport FoundationEssentials\n#endif\n\n"

    private func file(
        _ path: String,
        imports: [Code] = ["Hikyaku"],
        head: Code = "",
        _ body: Code,
    ) -> GeneratedFile {
        let imports = imports.map { "import \($0)\n" as Code }.joined()
        return GeneratedFile(path: path, code: "// Generated.\n\n\(imports)\n\(head)\(body)\n")
    }

    @Test func filesHaveOneHead() {
        let files = [
            file("B.swift", imports: ["Hikyaku", "Money"], "/// One.\nstruct One {\n\n}"),
            file("A.swift", head: Self.foundation, "struct Two {}"),
        ]
        let merged = FileMerge(name: "API", count: 1).merged(files)
        #expect(
            merged == [
                GeneratedFile(
                    path: "API+1.swift",
                    code: """
                        // Generated.

                        import Hikyaku
                        import Money

                        \(Self.foundation)/// One.
                        struct One {

                        }

                        struct Two {}

                        """,
                )
            ]
        )
    }

    @Test func theirNumberIsFixed() {
        let files = (0..<10).map { file("\($0).swift", "struct S\($0) {}") }
        let merge = FileMerge(name: "API", count: 3)
        let merged = merge.merged(files)
        #expect(merged.map(\.path) == merge.paths)
        #expect(merge.paths == ["API+1.swift", "API+2.swift", "API+3.swift"])
        #expect(merged.map { $0.text.split(separator: "\n").count { $0.hasPrefix("struct") } } == [3, 4, 3])
        #expect(merged.allSatisfy { $0.text.hasPrefix("// Generated.\n\nimport Hikyaku\n\nstruct") })
    }

    @Test func thoseThatAreNotNeededAreEmpty() {
        let merged = FileMerge(name: "API", count: 3).merged([file("A.swift", "struct A {}")])
        #expect(merged.filter { $0.text == "// Generated.\n" }.count == 2)
        #expect(FileMerge(name: "API", count: 2).merged([]).count == 2)
    }

    @Test func whatIsNotSwiftIsLeftOut() {
        let names = GeneratedFile(path: "names.json", text: "{}")
        #expect(FileMerge(name: "API", count: 1).merged([names]).map(\.text) == ["\n"])
    }
}
