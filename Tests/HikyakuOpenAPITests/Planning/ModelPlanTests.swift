#if YAML
import Foundation
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

    // MARK: Choices

    private static let parts = ["A", "B", "C", "D"].map {
        "\($0): {required: [\($0.lowercased())], properties: {\($0.lowercased()): {type: string}}}"
    }.joined(separator: "\n")

    private static func choice(_ names: String...) -> String {
        "[" + names.map { "{$ref: '#/components/schemas/\($0)'}" }.joined(separator: ", ") + "]"
    }

    @Test(arguments: [
        "{allOf: [{oneOf: \(choice("A", "B"))}, {oneOf: \(choice("C", "D"))}]}",
        "{allOf: [{anyOf: \(choice("A", "B"))}], oneOf: \(choice("C", "D"))}",
        "{oneOf: \(choice("A", "B")), anyOf: \(choice("C", "D"))}",
    ])
    func choicesThatAllApplyAreNested(_ schema: String) throws {
        let text = try generate(Self.parts + "\nX: " + schema).text
        // Which one is the outer choice depends on how the document nests them.
        let types = ["XAC", "XAD", "XBC", "XBD"].filter { text.contains("struct \($0): JSONModel {") }
        let others = ["XCA", "XDA", "XCB", "XDB"].filter { text.contains("struct \($0): JSONModel {") }
        #expect(types.count + others.count == 4, "\(text)")
        let members =
            text.ranges(of: "    var a: String\n    var c: String").count
            + text.ranges(of: "    var c: String\n    var a: String").count
        #expect(members == 1, "\(text)")
    }

    @Test func tooManyCombinationsAreAnyValue() throws {
        let choice =
            "{oneOf: [" + (0..<9).map { "{properties: {a\($0): {type: string}}}" }.joined(separator: ", ") + "]}"
        let found = try generate(
            "X: {allOf: [\(choice), \(choice)]}\nY: {properties: {x: {$ref: '#/components/schemas/X'}}}"
        )
        #expect(found.text.contains("var x: JSONValue?"))
        #expect(found.diagnostics.contains { $0.message == "choices that all apply have more than 64 combinations" })
    }

    @Test(.timeLimit(.minutes(1))) func aChoiceBesideItselfEnds() throws {
        let own = "{$ref: '#/components/schemas/X'}"
        let text = try generate(
            "\(Self.parts)\nX: {allOf: [{oneOf: [\(own), {$ref: '#/components/schemas/A'}]}, {oneOf: [\(own), {$ref: '#/components/schemas/B'}]}]}"
        ).text
        #expect(text.split(separator: "\n").count < 3000)
    }

    @Test(arguments: ["additionalProperties", "patternProperties"])
    func aChoiceHasFurtherMembers(_ keyword: String) throws {
        let value = keyword == "patternProperties" ? "{'^x': {type: integer}}" : "{type: integer}"
        let schema = "X: {oneOf: [{$ref: '#/components/schemas/A'}, {type: string}], \(keyword): \(value)}"
        let text = try generate(Self.parts + "\n" + schema).text
        #expect(
            text.contains(
                "struct XA: JSONModel {\n    var a: String\n    var additionalProperties: [String: Int] = [:]"
            )
        )
        #expect(text.contains("case text(String)"))
    }

    @Test func anOnlyAlternativeIsAPart() throws {
        let text = try generate("\(Self.parts)\nX: {properties: {x: {type: string}}, oneOf: \(Self.choice("A"))}").text
        #expect(text.contains("struct X: JSONModel {\n    var a: String\n    var x: String?\n}"))
    }

    @Test(arguments: [
        ("", "case \"Plain\": self = .plain(try reader.read())"),
        (", mapping: {p: '#/components/schemas/Plain'}", "case \"p\": self = .plain(try reader.read())"),
    ])
    func aSubtypeMayAddNothing(_ mapping: String, _ expected: String) throws {
        let base =
            "Base: {required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind\(mapping)}}"
        let (text, diagnostics) = try generate(base + "\nPlain: {allOf: [{$ref: '#/components/schemas/Base'}]}")
        #expect(
            text.contains("struct Plain: JSONModel {\n    var kind: String\n}") && text.contains(expected),
            "\(text)",
        )
        #expect(diagnostics.isEmpty)
    }

    @Test func anotherNameOfABaseIsNotASubtype() throws {
        let base = """
            Base: {required: [kind], properties: {kind: {type: string}}, discriminator: \
            {propertyName: kind, mapping: {c: '#/components/schemas/Circle'}}}
            Circle: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {r: {type: number}}}]}
            Other: {allOf: [{$ref: '#/components/schemas/Base'}]}
            Maybe: {allOf: [{$ref: '#/components/schemas/Base'}], nullable: true}
            Use: {properties: {other: {$ref: '#/components/schemas/Other'}, maybe: {$ref: '#/components/schemas/Maybe'}}}
            """
        let text = try generate(base).text
        #expect(text.contains("    var other: AnyBase?\n    var maybe: AnyBase?"), "\(text)")
    }

    @Test(arguments: [(60, true), (20, false)])
    func aLargeChoiceIsStoredElsewhere(_ count: Int, _ isIndirect: Bool) throws {
        let members = (0..<count).map { "a\($0): {type: string}" }.joined(separator: ", ")
        let schemas = ["A", "B"].map { "\($0): {required: [a0], properties: {\(members)}}" }
        let text = try generate((schemas + ["X: {oneOf: \(Self.choice("A", "B"))}"]).joined(separator: "\n")).text
        #expect(text.contains("indirect enum X: JSONModel {") == isIndirect)
    }

    @Test(.timeLimit(.minutes(1))) func sizesOfTypesHaveALimit() throws {
        var schemas = ["T0: {properties: {a: {type: string}}}"]
        for index in 1..<60 {
            let members = (0..<9).map { "a\($0): {$ref: '#/components/schemas/T\(index - 1)'}" }.joined(separator: ", ")
            schemas.append("T\(index): {properties: {\(members)}}")
        }
        let choice = Self.choice("T59", "T58")
        #expect(
            try generate((schemas + ["X: {oneOf: \(choice)}"]).joined(separator: "\n")).text.contains("indirect enum X")
        )
    }

    // MARK: Names of alternatives

    @Test(arguments: [
        ("[{type: string, format: uuid}, {type: string, format: uri}]", ["uuid(UUID)", "url(URL)"]),
        ("[{type: string, format: date}, {type: string, format: date-time}]", ["day(CalendarDate)", "date(Date)"]),
        ("[{type: string, format: byte}, {type: integer}]", ["data(Data)", "integer(Int)"]),
        (
            "[{type: array, title: array, items: {type: integer}}, {type: array, title: array, items: {type: array, items: {type: integer}}}]",
            ["integers([Int])", "listsOfIntegers([[Int]])"],
        ),
        (
            "[{required: [id], properties: {id: {type: string}, b: {type: string}}}, {required: [id], properties: {id: {type: string}}}]",
            ["withID(XWithID)", "withIDAndB(XWithIDAndB)"],
        ),
        (
            "[{properties: {a: {type: string, enum: [x]}}}, {properties: {a: {type: string, enum: [y, z]}}}]",
            ["withA(XWithA)", "withAYZ(XWithAYZ)"],
        ),
        (
            "[{title: T, properties: {a: {type: string}, b: {type: string}}}, {title: T, properties: {a: {type: string}}}]",
            ["t(XT)", "tWithB(XTWithB)"],
        ),
    ])
    func anAlternativeIsCalledByWhatItIs(_ alternatives: String, _ expected: [String]) throws {
        for order in [alternatives, reversed(alternatives)] {
            let text = try generate("X: {oneOf: \(order)}").text
            for name in expected { #expect(text.contains("    case \(name)\n"), "\(text)") }
        }
    }

    /// Two alternatives in the other order.
    private func reversed(_ alternatives: String) -> String {
        var (depth, parts) = (0, [""])
        for character in alternatives.dropFirst().dropLast() {
            if character == "{" { depth += 1 }
            if character == "}" { depth -= 1 }
            if character == ",", depth == 0 { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return "[" + parts.reversed().joined(separator: ", ") + "]"
    }

    @Test func aValueOfSeveralTypesHasTheMembersOfEach() throws {
        let text = try generate(
            "X: {type: [object, array, string], items: {type: integer}, properties: {q: {type: string}}}"
        ).text
        for name in ["text(String)", "integers([Int])", "withQ(XWithQ)"] {
            #expect(text.contains("case \(name)"), "\(text)")
        }
    }

    @Test func whatMayHaveAnyMembersIsTriedByThose() throws {
        let text = try generate(
            """
            X:
              oneOf:
              - {title: one, properties: {a: {type: string}, b: {type: string}}}
              - {title: two, properties: {a: {type: string}, c: {type: string}}}
              - {title: three, properties: {b: {type: string}, c: {type: string}}}
            """
        ).text
        let conditions = text.split(separator: "\n").filter { $0.contains("readIfPossible") }.map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        #expect(conditions.first == "if reader.hasMember(\"a\", \"b\"), let value: XOne = reader.readIfPossible() {")
        #expect(conditions.count == 6, "\(conditions)")
    }

    // MARK: Members

    @Test(arguments: [
        (
            "X: {required: [a, b], properties: {a: {type: string}}}",
            "members are required that are not properties: 'b'",
        ),
        ("X: {properties: {a: false}}", "the schema of the property 'a' allows no value"),
        ("X: {properties: {a: {const: x, default: y}}}", "the default 'y' is none of the values"),
    ])
    func whatIsNotAPropertyIsNoted(_ schema: String, _ message: String) throws {
        let found = try generate(schema).diagnostics.filter { $0.message == message }
        #expect(found.map(\.severity) == [.note] && found.allSatisfy { $0.line > 0 })
    }

    @Test func secretsOfRequestsAreNotShown() throws {
        let path = """
            {"/a/{key}": {post: {operationId: a, parameters: [
              {name: key, in: path, required: true, schema: {type: string, format: password}},
              {name: X-Key, in: header, required: true, schema: {type: string, format: password}},
              {name: code, in: query, schema: {type: string, format: password}}],
              requestBody: {content: {multipart/form-data: {schema: {properties: {pin: {type: string, format: password}}}}}},
              responses: {'204': {description: a}}}}}
            """
        let text = try generate("X: {type: string}", paths: path.replacing("\n", with: " ")).text
        for line in [
            "var key: Secret<String>\n", "var xKey: Secret<String>\n", "var code: Secret<String>?\n",
            "var path: RequestPath { \"/a/\\(secret: key)\" }", "[\"code\": code?.reveal()]",
            "headers[\"X-Key\"] = xKey.reveal()", ".value(\"pin\", value.reveal())",
        ] {
            #expect(text.contains(line), "\(line) in \(text)")
        }
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

    @Test func optionsThatNothingIsCalledByAreDiagnosed() throws {
        var options = GeneratorOptions()
        options.renames = ["Side": "Edge", "Box.side": "edge", "Box.none": "a", "None": "b"]
        options.typeMap = ["none": "String", "Level": "Int"]
        let found = try generate(Self.sets, options: options).diagnostics.filter { $0.code == .unusedOption }
        #expect(
            found.map(\.message) == [
                "no type, property or operation is called 'Box.none'",
                "no type, property or operation is called 'None'",
                "no schema and no format is called 'none'",
            ]
        )
    }

    @Test func aFilterWithoutOperationsAndATakenNameAreDiagnosed() throws {
        var options = GeneratorOptions()
        options.filters = try ["path:/a", "tag:none"].map { try #require(GeneratorOptions.Filter($0)) }
        options.renames = ["Side": "Box", "None": "a"]
        let use = "{$ref: '#/components/schemas/Box'}"
        let paths =
            "{/a: {post: {requestBody: {content: {application/json: {schema: {properties: {b: \(use), s: {$ref: '#/components/schemas/Side'}}}}}}, responses: {'204': {description: a}}}}}"
        let found = try generate(Self.sets, paths: paths, options: options).diagnostics.filter {
            $0.code == .unusedOption
        }
        #expect(
            Set(found.map(\.message)) == [
                "no operation fits the filter 'tag:none'", "no type, property or operation is called 'None'",
                "the chosen name 'Box' is that of another type",
            ]
        )
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

    @Test func alternativesOfRequiredMembersAreNotTypes() throws {
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
