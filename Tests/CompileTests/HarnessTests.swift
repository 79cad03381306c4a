import Testing

/// That the harness itself can fail.
struct HarnessTests {
    private let source = """
        import Hikyaku
        client.send(Me())  // error: is unavailable
        // note: use another
        let value = 1
        """

    @Test
    func acceptsWhatTheMarkersSay() {
        let diagnostics = Diagnostic.parse(
            """
            /tmp/a/S.swift:2:8: error: 'send' is unavailable: no
            client.send(Me())
                   ^~~~
            /tmp/b/Other.swift:9:1: note: use another one
            """
        )
        #expect(Snippet(name: "S.swift", source: source).differences(from: diagnostics).isEmpty)
    }

    enum WrongAnswer: String, CaseIterable {
        case otherLine = "S.swift:3:8: error: 'send' is unavailable: no\nS.swift:1:1: note: use another"
        case otherFile = "T.swift:2:8: error: 'send' is unavailable: no\nT.swift:1:1: note: use another"
        case otherKind = "S.swift:2:8: warning: 'send' is unavailable: no\nS.swift:1:1: note: use another"
        case otherText = "S.swift:2:8: error: something else\nS.swift:1:1: note: use another"
        case otherNote = "S.swift:2:8: error: 'send' is unavailable: no\nS.swift:1:1: note: use this"
        case noteWithoutError = "S.swift:2:8: note: use another"
        case silence = ""
    }

    @Test(arguments: WrongAnswer.allCases)
    func rejectsAnyOtherDiagnostic(answer: WrongAnswer) {
        let diagnostics = Diagnostic.parse(answer.rawValue)
        #expect(!Snippet(name: "S.swift", source: source).differences(from: diagnostics).isEmpty)
    }

    @Test(arguments: ["S.swift:4:5: warning: unused", "S.swift:4:5: error: no", "error: bad option"])
    func rejectsADiagnosticWithoutAMarker(addition: String) {
        let output = "S.swift:2:8: error: 'send' is unavailable: no\nS.swift:1:1: note: use another\n" + addition
        let differences = Snippet(name: "S.swift", source: source).differences(from: Diagnostic.parse(output))
        #expect(differences.count == 1)
    }

    @Test
    func joinsTheBlocksOfADocument() {
        let document = """
            # Title
            ```swift
            let a = 1
            ```
            ```sh
            swift build
            ```
            ```swift
            // swift-tools-version: 6.2
            ```
            <!-- standalone -->
            ```swift
            let b = 2
            ```

            ```swift
            print(a)
            ```
            """
        let programs = MarkdownProgram.programs(in: document, name: "README.md").map(\.source)
        let common = """
            #sourceLocation(file: "README.md", line: 3)
            let a = 1
            #sourceLocation()
            #sourceLocation(file: "README.md", line: 17)
            print(a)
            #sourceLocation()

            """
        let alone = "#sourceLocation(file: \"README.md\", line: 13)\nlet b = 2\n#sourceLocation()\n"
        let manifest = """
            #sourceLocation(file: "README.md", line: 9)
            // swift-tools-version: 6.2
            #sourceLocation()

            """
        #expect(programs == [common, manifest, alone])
    }

    @Test
    func documentsNameTheFilesOfTheirBlocks() {
        let document = """
            <!-- program: Tests/A/c.swift -->
            <!-- file: Examples/A/a.swift -->
            ```swift
            let a = 1
            ```
            <!-- standalone -->
            <!-- file: Examples/A/b.swift -->
            ```swift
            let b = 2
            ```
            ```swift
            print(a)
            ```
            """
        let files = MarkdownProgram.files(in: document)
        #expect(files.map(\.path) == ["Examples/A/a.swift", "Examples/A/b.swift", "Tests/A/c.swift"])
        #expect(files.map(\.line) == [4, 9, 4])
        #expect(files.map(\.code) == ["let a = 1", "let b = 2", "let a = 1\n\nprint(a)"])
        let programs = MarkdownProgram.programs(in: document, name: "a.md").map(\.source)
        #expect(programs.count == 1)
        #expect(programs.first?.contains("let a = 1") == true && programs.first?.contains("let b") == false)
    }

    /// Types become private ones of the file, statements a function, and a condition of the source stays one.
    @Test
    func makesAFileOfABlockInADocComment() {
        let source = """
            #if os(Linux)
            struct Some {
                /// A function.
                ///
                /// ```swift
                /// @MainActor
                /// final class Model {
                ///     let a = 1
                /// }
                /// let b = Model()
                ///
                /// switch b.a {
                /// case 1: break
                /// default: break
                /// }
                /// extension Int: Named {}
                /// ```
                /// ```json
                /// {}
                /// ```
                func some() {}
            }
            #endif
            """
        let examples = DocumentationExample.examples(in: source, file: "S.swift")
        let expected = """
            import A
            @testable import Names
            #if os(Linux)
            #sourceLocation(file: "S.swift", line: 6)
            @MainActor
            private final class Model {
                let a = 1
            }
            #sourceLocation()
            #sourceLocation(file: "S.swift", line: 16)
            extension Int: Named {}
            #sourceLocation()
            @MainActor private func example() async throws {
            #sourceLocation(file: "S.swift", line: 10)
            let b = Model()

            switch b.a {
            case 1: break
            default: break
            }
            #sourceLocation()
            _ = b
            }
            #endif

            """
        #expect(examples.map { $0.program(importing: ["A"], testable: "Names") } == [expected])
    }

    @Test(arguments: [
        ("Run `scripts/test --filter A`.", nil), ("```sh\nscripts/lint --self-test # words\n```", nil),
        ("```sh\nswift run hikyaku-cli generate a.yaml --output b\n```", nil),
        ("Run `scripts/tests`.", "there is no"), ("`scripts/lint --fix`", "there is no option --fix"),
        ("```sh\nhikyaku generate --outptu b\n```", "there is no option --outptu"),
    ])
    func findsACommandThatIsNotThere(document: String, problem: String?) throws {
        let commands = ShellCommand.commands(in: document)
        #expect(commands.count == 1)
        let found = try commands.first?.problem(in: Compiler.repository)
        #expect(found?.hasPrefix(problem ?? "-") == problem.map { _ in true })
    }

    @Test
    func findsPublicTypesAndTheirExamples() {
        let source = """
            /// A.
            ///
            /// ```swift
            /// A()
            /// ```
            @available(macOS 15, iOS 18, *)
            @MainActor public final class A {
                /// One.
                public enum One { case two }
                struct Two {}
            }
            extension B.C {
                public struct D<E> {
                    /// ```swift
                    /// D()
                    /// ```
                    public init() {}
                }
            }
            @_spi(Some) public struct F {}
            package struct G {}
            public protocol H {
            }
            extension Some where Self == H {
                /// ```swift
                /// .h
                /// ```
                public static var h: H { H() }
            }
            """
        let types = PublicType.types(in: [("S.swift", source)])
        #expect(types.map(\.name) == ["A", "A.One", "B.C.D", "H"])
        #expect(types.map(\.hasExample) == [true, false, true, false])
        #expect(types.map(\.line) == [7, 9, 13, 22])
    }
}
