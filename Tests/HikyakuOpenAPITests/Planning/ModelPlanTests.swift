#if YAML
import Testing

@testable import HikyakuOpenAPI

/// What schemas become, where it depends on options or on what requests do with them.
@Suite struct ModelPlanTests {
    private func generate(
        _ schemas: String,
        paths: String = "{}",
        options: GeneratorOptions = GeneratorOptions(),
    ) throws -> (text: String, diagnostics: [Diagnostic]) {
        let indented = schemas.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers: [{url: 'https://a.example'}]
            paths: \(paths)
            components:
              schemas:
            \(indented)
            """
        let result = Generator(options: options).generate(try #require(read(text).document))
        return (result.files.map(\.text).joined(separator: "\n"), result.diagnostics)
    }

    // MARK: Options

    private static let sets = """
        Side: {type: string, enum: [left, top-left, default]}
        Level: {type: integer, enum: [1, -1]}
        Box: {properties: {side: {type: string, enum: [a], default: b}}}
        """

    @Test func setsAreOpenByDefault() throws {
        let text = try generate(Self.sets).text
        #expect(text.contains("struct Side: OpenValue"))
        #expect(text.contains(#"side: try reader.member("side", or: BoxSide(rawValue: "b"))"#))
    }

    @Test func oneSetIsClosedByItsName() throws {
        var options = GeneratorOptions()
        options.closedEnums = ["Side"]
        let text = try generate(Self.sets, options: options).text
        #expect(
            text.contains(
                "enum Side: String, ClosedValue {\n    case left\n    case topLeft = \"top-left\"\n    case `default`\n}"
            )
        )
        #expect(text.contains("struct Level: OpenValue") && text.contains("struct BoxSide: OpenValue"))
    }

    @Test func allSetsAreClosed() throws {
        var options = GeneratorOptions()
        options.closedEnums = ["all"]
        let (text, diagnostics) = try generate(Self.sets, options: options)
        #expect(text.contains("enum Level: Int, ClosedValue {\n    case value1 = 1\n    case minus1 = -1\n}"))
        // No case can be made of another value.
        #expect(text.contains(#"side: try reader.member("side")"#))
        #expect(diagnostics.contains { $0.message == "the default of 'side' is a string, not one of the values" })
    }

    @Test func theCompilerComparesWhatIsChosen() throws {
        var options = GeneratorOptions()
        options.synthesizedEquality = ["Box"]
        let schemas = "Box: {properties: {a: {type: string}}}\nOther: {properties: {a: {type: string}}}"
        let text = try generate(schemas, options: options).text
        #expect(text.contains("struct Box: JSONCodable, Hashable {") && text.contains("struct Other: JSONModel {"))
    }

    @Test func aNameThatNothingHasIsDiagnosed() throws {
        var options = GeneratorOptions()
        (options.closedEnums, options.synthesizedEquality) = (["Box", "None"], ["Side"])
        let found = try generate(Self.sets, options: options).diagnostics.filter { $0.code == .unusedOption }
        #expect(found.count == 3)
    }

    @Test func optionsAreReadFromAFile() {
        var options = GeneratorOptions()
        let problems = options.read(config: "hikyaku.yaml") { _ in
            Array("closedEnums: [Side, Level]\nsynthesizedEquality: all".utf8)
        }
        #expect(problems.isEmpty)
        #expect(options.closedEnums == ["Side", "Level"] && options.synthesizedEquality == ["all"])
    }

    // MARK: Requests

    private static func paths(_ method: String, _ path: String) -> String {
        let content = "{content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}"
        return "{'\(path)': {\(method): {requestBody: \(content), responses: {'204': {description: a}}}}}"
    }

    @Test(arguments: [
        ("post", "/boxes", true), ("put", "/boxes/{id}", true), ("patch", "/boxes", false),
        ("post", "/boxes/{id}", false),
    ])
    func onlyWhatCreatesSendsDefaults(_ method: String, _ path: String, _ isSent: Bool) throws {
        let text = try generate(
            "Box: {properties: {count: {type: integer, default: 20}}}",
            paths: Self.paths(method, path),
        ).text
        #expect(text.contains("    var count: Int = 20\n") == isSent)
        #expect(text.contains("    var count: Int?\n") != isSent)
    }

    @Test func membersThatAreOnlyReadAreLeftOutOfRequestsAlone() throws {
        let box = "Box: {required: [id], properties: {id: {type: integer, readOnly: true}}}"
        let created = try generate(box, paths: Self.paths("post", "/boxes")).text
        #expect(created.contains("var id: Int?") && created.contains(#"writer.readOnlyMember("id", id)"#))
        let read = try generate(box).text
        #expect(read.contains("var id: Int\n") && read.contains(#"writer.member("id", id)"#))
    }

    // MARK: Unions

    @Test func theOrderOfTheDocumentDoesNotMatter() throws {
        let parts = [
            "{$ref: '#/components/schemas/A'}", "{$ref: '#/components/schemas/B'}", "{type: string}", "{type: integer}",
        ]
        func readings(_ parts: [String]) throws -> String {
            let schemas = """
                U: {oneOf: [\(parts.joined(separator: ", "))]}
                A: {properties: {a: {type: string}, c: {type: string}}}
                B: {properties: {b: {type: string}, c: {type: string}}}
                """
            let text = try generate(schemas).text
            let start = try #require(text.range(of: "enum U: JSONModel"))
            let lines = text[start.upperBound...].split(separator: "\n")
            return lines.drop { !$0.contains("init(from") }.prefix { !$0.contains("func write") }.joined(
                separator: "\n"
            )
        }
        #expect(try readings(parts) == readings(parts.reversed()))
    }

    @Test func aChoiceOfItselfIsDiagnosed() throws {
        let (text, diagnostics) = try generate(
            """
            A: {oneOf: [{$ref: '#/components/schemas/B'}, {type: string}]}
            B: {oneOf: [{$ref: '#/components/schemas/A'}, {type: integer}]}
            """
        )
        #expect(!text.contains("case a(A)") && !text.contains("case b(B)"))
        #expect(diagnostics.filter { $0.message.contains("is the choice itself") }.count == 2)
    }

    @Test func alternativesOfRequiredMembersAreNoTypes() throws {
        let text = try generate(
            "Box: {properties: {a: {type: string}, b: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}"
        ).text
        #expect(text.contains("struct Box: JSONModel {\n    var a: String?\n    var b: String?\n"))
    }

    // MARK: Names

    @Test(arguments: [
        "await", "default", "self", "Self", "init", "hashValue", "rawValue", "Type", "", "🎉", "+1", "1st",
    ])
    func anyTextIsAProperty(_ key: String) throws {
        let text = try generate("Box: {required: ['\(key)'], properties: {'\(key)': {type: string}}}").text
        let (name, label) = (SwiftName.quoted(SwiftName.member(key)), SwiftName.label(SwiftName.member(key)))
        #expect(text.contains("    var \(name): String\n"))
        #expect(text.contains("        self.init(\(label): try reader.member(\"\(key)\"))\n"))
    }
}
#endif
