#if YAML
import Testing

@testable import HikyakuOpenAPI

/// Pieces of documents that are valid, and hardly meant so.
@Suite struct PlanEdgeTests {
    private func generate(
        _ schemas: String,
        paths: String = "{}",
        more: String = "",
    ) throws -> (text: String, notes: [String]) {
        let indented = schemas.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n")
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: \(paths)
            \(more)
            components:
              schemas:
            \(indented)
            """
        let read = read(text)
        let result = Generator().generate(try #require(read.document))
        let notes = (read.diagnostics + result.diagnostics).map(\.message)
        return (result.files.map(\.text).joined(separator: "\n"), notes)
    }

    /// Twelve choices that refer to each other have more paths than can be followed.
    @Test(.timeLimit(.minutes(1))) func choicesMayReferToEachOther() throws {
        let numbers = 0..<12
        let schemas = numbers.map { number in
            let others = numbers.filter { $0 != number }.map { "{$ref: '#/components/schemas/U\($0)'}" }
            let own = "{type: object, title: K\(number), required: [k], properties: {k: {const: k\(number)}}}"
            return "U\(number): {oneOf: [\((others + [own]).joined(separator: ", "))]}"
        }
        let text = try generate(schemas.joined(separator: "\n")).text
        #expect(text.contains("indirect enum U0: JSONModel") || text.contains("enum U0: JSONModel"))
    }

    @Test func aBoxAndOtherMembersHaveNamesThatAreFree() throws {
        let text = try generate(
            """
            Box: {properties: {child: {$ref: '#/components/schemas/Box'}, boxedChild: {type: string}, \
            additionalProperties: {type: string}, otherAdditionalProperties: {type: string}}, \
            additionalProperties: {type: integer}}
            """
        ).text
        #expect(text.contains("private var boxedChildValue: Boxed<Box>?\n    var boxedChild: String?"))
        #expect(text.contains("var otherOtherAdditionalProperties: [String: Int]"))
    }

    @Test func listsOfAnythingAreTriedLast() throws {
        let list = "{type: array, items: {}}"
        let text = try generate("List: {anyOf: [\(list), {type: array, items: {type: integer}}]}").text
        let integers = try #require(text.firstRange(of: "let value: [Int] = "))
        let anything = try #require(text.firstRange(of: "let value: [JSONValue] = "))
        #expect(integers.lowerBound < anything.lowerBound)
    }

    @Test func signsThatCannotBeSeenAreNotPartOfNames() throws {
        let name = SwiftName.member("a\u{200D}b")
        #expect(name.unicodeScalars.allSatisfy { !$0.isInvisible })
    }

    @Test func anyMediaTypeWithASchemaOfJSONIsJSON() throws {
        let box = "{'*/*': {schema: {$ref: '#/components/schemas/Box'}}}"
        let (text, notes) = try generate(
            "Box: {properties: {a: {type: string}}}",
            paths: """
                {/a: {post: {requestBody: {required: true, content: \(box)}, responses: {'200': {description: a, \
                content: \(box)}, '404': {description: b, content: \(box)}}}}, /b: {get: {responses: {'200': {description: \
                a, content: {'*/*': {schema: {type: string}}}}}}}}
                """,
        )
        #expect(text.contains("typealias Response = Box") && text.contains(".json(box)"))
        #expect(text.contains("extension Box: ServiceFailure"))
        #expect(text.contains("typealias Definition = StreamedResponse"))
        #expect(notes.contains("'*/*' has a schema that only JSON can write"))
    }

    @Test func whatPayloadsLeaveOutIsNoted() throws {
        let operation = """
            {post: {parameters: [{name: X-Sig, in: header, schema: {type: string}}], requestBody: {content: \
            {application/json: {schema: {type: object, properties: {a: {type: string}}}}, text/plain: {}}}, responses: \
            {'200': {description: a, content: {application/json: {schema: {type: object}}}}}}}
            """
        let notes = try generate("A: {type: string}", more: "webhooks: {ping: \(operation)}").notes
        #expect(notes.contains("'ping' has parameters") && notes.contains("'ping' is answered with a body"))
        #expect(notes.contains("'ping' may have several media types"))
    }

    @Test(arguments: [
        ("header", "X Y", "'X Y' can't be the name of a header field"),
        ("cookie", "a;b", "'a;b' can't be the name of a cookie"),
        ("header", "Content-Length", "the transport writes the field 'Content-Length'"),
    ])
    func namesThatCannotBeSentAreLeftOut(_ place: String, _ name: String, _ message: String) throws {
        let parameter = "{name: '\(name)', in: \(place), schema: {type: string}}"
        let (text, notes) = try generate(
            "A: {type: string}",
            paths: "{/a: {get: {parameters: [\(parameter)], responses: {'204': {description: a}}}}}",
        )
        #expect(notes.contains(message))
        #expect(!text.contains("\"\(name)\""))
    }

    @Test func furtherFieldsOfAFormAreDiagnosed() throws {
        let form = "{properties: {a: {type: string}}, additionalProperties: {type: string}}"
        let notes = try generate(
            "A: {type: string}",
            paths: """
                {/a: {post: {requestBody: {content: {application/x-www-form-urlencoded: {schema: \(form)}}}, responses: \
                {'204': {description: a}}}}}
                """,
        ).notes
        #expect(notes.contains("the form has further fields of any name"))
    }

    @Test func aChangeSendsNoDefaultOfARequiredMember() throws {
        let content = "{content: {application/json: {schema: {$ref: '#/components/schemas/Box'}}}}"
        let box = "Box: {required: [a, k], properties: {a: {type: string, default: z}, k: {const: x}}}"
        let text = try generate(
            box,
            paths: "{/a: {patch: {requestBody: \(content), responses: {'204': {description: a}}}}}",
        ).text
        #expect(text.contains("    var a: String\n") && text.contains("    var k: BoxK = .x\n"))
    }

    @Test func namesOfRequestsThemselvesAreParameters() throws {
        let body = "{content: {application/json: {schema: {type: object, additionalProperties: {type: string}}}}}"
        let parameters =
            "{name: path, in: path, required: true, schema: {type: string}}, {name: content, in: query, schema: {type: string}}"
        let text = try generate(
            "A: {type: string}",
            paths:
                "{'/a/{path}': {post: {parameters: [\(parameters)], requestBody: \(body), responses: {'204': {description: a}}}}}",
        ).text
        for name in ["pathParameter: String", "contentParameter: String?", "contentBody: [String: String]?"] {
            #expect(text.contains("        var \(name)\n"))
        }
    }

    @Test func valuesWithoutAFormAreCalledWhatTheyAre() throws {
        let lists = "{type: array, items: {type: array, items: {type: integer}}}"
        let notes = try generate(
            "A: {properties: {a: {type: string}}}",
            paths: """
                {/a: {post: {parameters: [{name: p, in: query, schema: \(lists)}], requestBody: {content: \
                {application/x-www-form-urlencoded: {schema: {properties: {f: \(lists), g: {type: array, items: \
                {$ref: '#/components/schemas/A'}}, h: {type: string}}}, encoding: {h: {allowReserved: true}}}}}, responses: \
                {'204': {description: a}}}}}
                """,
        ).notes
        for note in [
            "the parameter 'p' is a list of lists, for which OpenAPI has no form",
            "the field 'f' is a list of lists without a style", "the field 'g' is a list of objects without a style",
            "the field 'h' allows reserved characters",
        ] {
            #expect(notes.contains(note), "\(notes)")
        }
    }

    // MARK: Paths

    @Test(arguments: [
        ("/{b}?acl&type=2", #"var path: RequestPath { "/\(b)" }"#, #"["acl": "", "type": "2"]"#),
        ("/x?id={b}-1", #"var path: RequestPath { "/x" }"#, #"["id": "\(b)-1"]"#),
        ("/{b}#Target=A", #"var path: RequestPath { "/\(b)" }"#, "b: String"),
        ("/100%/{b}", #"var path: RequestPath { "/100%25/\(b)" }"#, "b: String"),
        ("/a%20b/{b}", #"var path: RequestPath { "/a%20b/\(b)" }"#, "b: String"),
    ])
    func aPathMayHaveAQueryAndAFragment(_ path: String, _ expected: String, _ more: String) throws {
        let parameter = "{name: b, in: path, required: true, schema: {type: string}}"
        let text = try generate(
            "A: {type: string}",
            paths: "{'\(path)': {get: {parameters: [\(parameter)], responses: {'204': {description: a}}}}}",
        ).text
        #expect(text.contains(expected) && text.contains(more), "\(text)")
    }

    // MARK: Bodies

    private func body(_ contents: String, _ schemas: String = "P: {properties: {a: {type: string}}}") throws -> String {
        try generate(
            schemas,
            paths: """
                {/a: {post: {operationId: a, requestBody: {required: true, content: {\(contents)}}, responses: \
                {'204': {description: a}}}}}
                """,
        ).text
    }

    @Test func patchesAndTextsOfSeveralKindsAreDifferent() throws {
        let schema = "{schema: {$ref: '#/components/schemas/P'}}"
        let patches = try body(
            "application/json-patch+json: \(schema), application/merge-patch+json: \(schema), application/json: \(schema)"
        )
        for name in ["jsonPatch(P)", "mergePatch(P)", "json(P)"] {
            #expect(patches.contains("case \(name)"), "\(patches)")
        }
        let texts = try body("text/csv: {}, text/plain: {}")
        #expect(texts.contains("case csv(String)") && texts.contains("case text(String)"))
    }

    @Test func parametersOfJSONAreSent() throws {
        let text = try body("application/json; version=2: {schema: {$ref: '#/components/schemas/P'}}")
        #expect(text.contains(#".json(p, type: "application/json; version=2")"#), "\(text)")
        let charset = try body("application/json; charset=utf-8: {schema: {$ref: '#/components/schemas/P'}}")
        #expect(charset.contains("{ .json(p) }"))
    }

    @Test(arguments: [
        ("image/*", "var contentType: String\n"), ("'*/*'", #"contentType: String = "application/octet-stream""#),
    ])
    func theCallerGivesTheTypeOfBytes(_ type: String, _ expected: String) throws {
        let text = try body("\(type): {}")
        #expect(text.contains(expected) && text.contains(".stream(content, type: contentType)"), "\(text)")
    }

    @Test func aFurtherMediaTypeRenamesNoModel() throws {
        let json = "application/json: {schema: {properties: {a: {type: string}}}}"
        for contents in [json, "\(json), text/plain: {}"] {
            #expect(try body(contents).contains("struct ABody: JSONModel"))
        }
    }

    // MARK: Others

    @Test func aRequiredParameterThatMayBeNullHasAValue() throws {
        let schema = "{anyOf: [{type: string}, {type: 'null'}]}"
        let text = try generate(
            "A: {type: string}",
            paths:
                "{/a: {get: {parameters: [{name: q, in: query, required: true, schema: \(schema)}], responses: {'204': {description: a}}}}}",
        ).text
        #expect(text.contains("        var q: String\n"))
    }

    @Test func anAlternativeThatAnotherOneReadsIsLeftOut() throws {
        let text = try generate("X: {oneOf: [{type: string, enum: [auto]}, {type: integer}, {type: string}, false]}")
            .text
        #expect(text.contains("case auto(XAuto)") && text.contains("case integer(Int)"))
        #expect(!text.contains("(String)") && !text.contains("case object"))
        let numbers = try generate(
            "X: {anyOf: [{type: integer, format: int32}, {type: boolean}, {type: integer, format: int64}]}"
        )
        #expect(numbers.text.contains("case integer(Int64)") && !numbers.text.contains("(Int)"))
    }

    @Test func aDiscriminatorWithoutAPropertyIsWritten() throws {
        let text = try generate(
            """
            Shape: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}], discriminator: \
            {propertyName: kind, mapping: {a: '#/components/schemas/A'}}}
            A: {required: [r], properties: {r: {type: number}}}
            B: {required: [kind], properties: {kind: {type: string}}}
            """
        ).text
        #expect(text.contains(#"case .a(let value): try writer.write(value, tagged: "kind", "a")"#), "\(text)")
        #expect(text.contains("case .b(let value): try writer.write(value)\n"))
    }

    @Test(arguments: ["Data API", "The Date API", "URL", "HTTPMethod", "Any", "Void"])
    func anAPIHidesNoTypeOfSwift(_ title: String) throws {
        let document = try #require(read("openapi: 3.1.0\ninfo: {title: \(title), version: '1'}\npaths: {}").document)
        #expect(Generator().generate(document).name.hasSuffix("API"))
    }

    @Test func whatIsWrittenWithoutContentIsSaid() throws {
        let (text, notes) = try generate(
            "X: {type: string, properties: {a: {type: string}}}\nY: {properties: {x: {$ref: '#/components/schemas/X'}}}",
            paths: "{/a: {get: {responses: {'200': {description: a}, '204': null}}, post: null}, /b: null}",
        )
        #expect(text.contains("var x: String?"))
        for note in [
            "the response '204' is empty", "the operation 'post' is empty", "the path '/b' is empty",
            "a value that is a string has 1 properties",
        ] {
            #expect(notes.contains(note), "\(notes)")
        }
    }

    @Test func aChainOfPartsThatIsTooLongIsDiagnosed() throws {
        let chain = (0..<70).map {
            "C\($0): {allOf: [{$ref: '#/components/schemas/C\($0 + 1)'}, {properties: {a\($0): {type: string}}}]}"
        }
        let notes = try generate((chain + ["C70: {properties: {z: {type: string}}}"]).joined(separator: "\n")).notes
        #expect(notes.contains("the parts of 'allOf' are too many, or contain themselves"))
    }

    @Test func anUnknownSchemeStillNeedsAuthorization() throws {
        let text = try generate(
            "A: {type: string}",
            paths: "{/a: {get: {security: [{typo: []}], responses: {'204': {description: a}}}}}",
        ).text
        #expect(text.contains("typealias Access = Authorized"))
    }
}
#endif
