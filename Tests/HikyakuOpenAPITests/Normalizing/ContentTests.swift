#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("Bodies, responses and media types")
struct ContentTests {
    private func operation(_ facts: String) throws -> (operation: APIOperation, result: ReadingResult) {
        let lines = facts.split(separator: "\n").map { "      " + $0 }.joined(separator: "\n")
        let result = read("openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths:\n  /a:\n    post:\n" + lines)
        return (try #require(result.document?.operations.first), result)
    }

    @Test(arguments: [
        ("application/json", MediaTypeName.Kind.json), ("application/vnd.github+json; charset=utf-8", .json),
        ("application/problem+json", .json), ("text/json", .json), ("Application/JSON", .json),
        ("application/x-www-form-urlencoded", .form), ("multipart/form-data", .multipart),
        ("multipart/mixed", .multipart),
        ("text/plain", .text), ("text/html", .text), ("application/yaml", .text), ("application/xml", .xml),
        ("application/atom+xml", .xml), ("text/event-stream", .eventStream), ("application/jsonl", .jsonLines),
        ("application/x-ndjson", .jsonLines), ("application/json-seq", .binary), ("*/*", .any),
        ("application/octet-stream", .binary), ("image/*", .binary), ("image/svg+xml", .binary),
        ("application/pdf", .binary),
    ])
    func knowsKindsOfMediaTypes(text: String, kind: MediaTypeName.Kind) {
        let name = MediaTypeName(text)
        #expect(name.kind == kind)
        #expect(name.isValid)
        #expect(name.text == text)
    }

    @Test(arguments: ["json", "", "application/", "/json", "a/b/c", "application json", "a b/c d/é"])
    func knowsInvalidMediaTypes(text: String) {
        #expect(!MediaTypeName(text).isValid)
    }

    @Test func readsSeveralMediaTypes() throws {
        let (operation, result) = try operation(
            """
            requestBody:
              required: true
              description: D
              content:
                application/json: {schema: {type: object}, example: {a: 1}}
                multipart/form-data:
                  schema: {type: object, properties: {file: {type: string, format: binary}, tags: {type: array, items: {}}}}
                  encoding:
                    file: {contentType: 'image/png, image/jpeg', headers: {X-A: {schema: {type: integer}}}}
                    tags: {style: form, explode: false, allowReserved: true}
                application/octet-stream: {}
                json: {schema: {type: string}}
            responses: {'200': {description: ''}}
            """
        )
        let body = try #require(operation.requestBody)
        #expect(body.isRequired && body.description == "D")
        #expect(body.contents.map(\.name.kind) == [.json, .multipart, .binary, .json])
        #expect(body.contents[0].examples.map(\.value.short) == ["{a: 1}"])
        #expect(body.contents[1].encodings.map(\.property) == ["file", "tags"])
        #expect(body.contents[1].encodings[0].contentTypes == ["image/png", "image/jpeg"])
        #expect(body.contents[1].encodings[0].headers.map(\.name) == ["X-A"])
        #expect(body.contents[1].encodings[1].style == .form && body.contents[1].encodings[1].isExploded == false)
        #expect(body.contents[1].encodings[1].allowsReserved)
        #expect(body.contents[2].schema == nil)
        #expect(
            result.summary == ["warning invalidMediaType 18:11"] || result.diagnostics(.invalidMediaType).count == 1
        )
    }

    @Test func readsResponses() throws {
        let (operation, result) = try operation(
            """
            responses:
              '200':
                description: Fine
                headers:
                  X-Rate: {description: R, required: true, schema: {type: integer}}
                  X-Bare: {description: No schema}
                  Content-Type: {schema: {type: string}}
                content:
                  application/json: {schema: {type: array, items: {type: string}}, examples: {one: {summary: S, value: [a]}, two: {externalValue: x}}}
              4XX: {description: Bad}
              default: {description: Other, content: {text/plain: {schema: {type: string}}}}
              x-own: 1
            """
        )
        #expect(operation.responses.map(\.status) == [.code(200), .range(4), .default])
        let first = try #require(operation.responses.first)
        #expect(first.headers.map(\.name) == ["X-Rate", "X-Bare"])
        #expect(first.headers.map(\.schema.types) == [.integer, .string])
        #expect(first.headers.first?.isRequired == true)
        #expect(first.contents.first?.examples.map(\.name) == ["one"])
        #expect(first.contents.first?.examples.first?.value.short == "[\"a\"]")
        #expect(operation.responses[1].contents.isEmpty)
        #expect(result.diagnostics.map(\.code) == [.missingSchema])
    }

    @Test func readsWhatOtherVersionsHave() throws {
        let (operation, result) = try operation(
            """
            parameters: [{name: body, in: body, required: true, schema: {type: string}}]
            responses: {'200': {description: '', schema: {type: integer}}}
            """
        )
        #expect(operation.requestBody?.contents.first?.schema?.types == .string)
        #expect(operation.responses.first?.contents.first?.schema?.types == .integer)
        #expect(result.diagnostics.map(\.code) == [.ignoredMember, .ignoredMember])
        let text = """
            swagger: '2.0'
            info: {title: T, version: '1'}
            paths: {/a: {get: {responses: {'200': {description: '', content: {text/plain: {schema: {type: string}}}}}}}}
            """
        let old = read(text)
        let content = try #require(old.document?.operations.first?.responses.first?.contents.first)
        #expect(content.name.kind == .text && content.schema?.types == .string)
        #expect(old.diagnostics.map(\.code) == [.ignoredMember])
    }

    @Test func readsWhatIsWrittenInTheWrongWay() throws {
        let (operation, result) = try operation(
            """
            requestBody: {content: []}
            responses: {'200': {content: {application/json: 7}, headers: [1]}, '201': [], '202': {$ref: 5}}
            tags: one
            security: {a: []}
            deprecated: 'true'
            parameters: {name: a}
            """
        )
        #expect(operation.tags == ["one"])
        #expect(operation.isDeprecated)
        #expect(operation.requestBody?.contents.isEmpty == true)
        #expect(result.diagnostics.count > 8)
        #expect(result.diagnostics.allSatisfy { $0.line > 0 && !$0.action.isEmpty && !$0.message.isEmpty })
    }
}
#endif
