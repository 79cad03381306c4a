#if YAML
import Testing

@testable import HikyakuOpenAPI

/// How parameters and fields are written, for the styles of OpenAPI.
@Suite struct StyleTests {
    /// Generates one operation with members in the flow style of YAML.
    private func generate(
        _ operation: String,
        path: String = "/a",
        method: String = "get",
        version: String = "3.1.0",
    ) throws -> (text: String, diagnostics: [Diagnostic]) {
        let text = """
            openapi: \(version)
            info: {title: Test, version: '1'}
            servers: [{url: 'https://a.example'}]
            paths:
              "\(path)":
                \(method): {operationId: a, responses: {'204': {description: ok}}, \(operation)}
            components:
              schemas:
                Point: {type: object, required: [x], properties: {x: {type: integer}}}
            """
        let result = Generator().generate(try #require(read(text).document))
        return (result.files.map(\.text).joined(), result.diagnostics)
    }

    private func parameter(_ members: String, path: String = "/a") throws -> String {
        try generate("parameters: [{name: v, \(members)}]", path: path).text
    }

    @Test(arguments: [
        ("schema: {type: integer}", #""/a/\(v)""#),
        ("schema: {type: boolean}", #""/a/\(v, .simple())""#),
        ("explode: true, schema: {type: array, items: {type: string}}", #""/a/\(v, .simple())""#),
        ("schema: {$ref: '#/components/schemas/Point'}", #""/a/\(.encoded(v), .simple())""#),
        ("style: label, schema: {type: integer}", #""/a/\(v, .label())""#),
        ("style: label, explode: true, schema: {type: integer}", #""/a/\(v, .label())""#),
        ("style: matrix, schema: {type: string}", #""/a/\(v, .matrix("v"))""#),
        ("style: matrix, explode: true, schema: {type: array}", #""/a/\(.encoded(v), .matrix("v", exploded: true))""#),
        ("content: {application/json: {schema: {type: array}}}", #""/a/\(.json(v), .simple())""#),
    ])
    func aPathHasEachStyle(_ members: String, _ expected: String) throws {
        let text = try parameter("in: path, required: true, \(members)", path: "/a/{v}")
        #expect(text.contains("var path: RequestPath { \(expected) }"), "\(text)")
    }

    @Test(arguments: [
        (
            "style: spaceDelimited, explode: false, schema: {type: array, items: {type: string}}",
            ".list(v, .spaceSeparated)",
        ),
        (
            "allowReserved: true, explode: false, schema: {type: array, items: {type: string}}",
            ".allowingReserved(.list(v, .commaSeparated))",
        ),
        ("schema: {$ref: '#/components/schemas/Point'}", ".encoded(v, .exploded)"),
        ("style: deepObject, schema: {$ref: '#/components/schemas/Point'}", ".encoded(v)"),
        (
            "style: pipeDelimited, explode: false, schema: {$ref: '#/components/schemas/Point'}",
            ".encoded(v, .pipeSeparated)",
        ),
        ("schema: {type: object, additionalProperties: {type: string}}", ".encoded(v, .exploded)"),
        ("schema: {}", ".encoded(v, .exploded)"),
        ("required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Point'}}}", ".json(v)"),
    ])
    func aQueryHasEachStyle(_ members: String, _ expected: String) throws {
        let text = try parameter("in: query, \(members)")
        #expect(text.contains("var query: RequestQuery { [\"v\": \(expected)] }"), "\(text)")
    }

    @Test func aWholeQueryIsTheMembersOfAModel() throws {
        let content = "{application/x-www-form-urlencoded: {schema: {$ref: '#/components/schemas/Point'}}}"
        let text = try generate("parameters: [{name: v, in: querystring, content: \(content)}]", version: "3.2.0").text
        #expect(text.contains(".encoded(v, .exploded)") && text.contains("var v: Point?"))
    }

    @Test func anotherMediaTypeOfJSONIsSent() throws {
        let body = "{content: {application/merge-patch+json: {schema: {$ref: '#/components/schemas/Point'}}}}"
        let value = #"point.map { .json($0, type: "application/merge-patch+json") }"#
        #expect(try generate("requestBody: \(body)", method: "put").text.contains(value))
        let required = try generate("requestBody: {required: true, \(body.dropFirst())", method: "put").text
        #expect(required.contains(#".json(point, type: "application/merge-patch+json")"#))
    }

    @Test func aFormOfAMapIsItsMembers() throws {
        let schema = "{type: object, additionalProperties: {type: string}}"
        let body = "{required: true, content: {application/x-www-form-urlencoded: {schema: \(schema)}}}"
        let text = try generate("requestBody: \(body)", method: "post").text
        #expect(text.contains("var body: RequestBody? { .form(RequestQuery(encoding: content)) }"), "\(text)")
    }

    /// Without its permission, the client rejects it.
    @Test(arguments: [
        ("application/json: {schema: {type: object}}", "{ content.map { .json($0).allowedWithGet() } }"),
        (
            "application/x-www-form-urlencoded: {schema: {type: object, properties: {v: {type: string}}}}",
            #"{ .form(["v": v]).allowedWithGet() }"#,
        ),
        (
            "multipart/form-data: {schema: {type: object, properties: {v: {type: string}}}}",
            "return .multipart(parts).allowedWithGet()",
        ),
        (
            "application/json: {schema: {type: object}}, text/plain: {schema: {type: string}}",
            ".text(value, type: \"text/plain\").allowedWithGet()",
        ),
    ])
    func aBodyWithGetIsAllowed(_ content: String, _ expected: String) throws {
        let text = try generate("requestBody: {content: {\(content)}}").text
        #expect(text.contains(expected), "\(text)")
        #expect(try !generate("requestBody: {content: {\(content)}}", method: "put").text.contains("allowedWithGet"))
        let head = try generate("requestBody: {content: {\(content)}}", method: "head")
        #expect(!head.text.contains("var body"), "\(head.text)")
        #expect(head.diagnostics.contains { $0.message == "HEAD has no body" && $0.line > 0 }, "\(head.diagnostics)")
    }

    @Test(arguments: [
        ("in: path, required: true, allowReserved: true, schema: {type: string}", "they are percent-encoded"),
        ("in: query, schema: {type: array, items: {type: object}}", "each is written with the parameter's name"),
        ("in: query, allowEmptyValue: true, schema: {type: integer}", "it is left out then"),
        ("in: query, content: {application/xml: {}}", "it is a text that the caller encodes"),
    ])
    func whatCannotBeWrittenIsDiagnosed(_ members: String, _ action: String) throws {
        let found = try generate("parameters: [{name: v, \(members)}]", path: "/a/{v}").diagnostics
        #expect(found.contains { $0.action == action && $0.line > 0 }, "\(found)")
    }

    @Test(arguments: [
        ("encoding: {v: {headers: {X-A: {schema: {type: string}}}}, w: {contentType: text/csv}}", "it is ignored"),
        ("encoding: {v: {contentType: 'image/png, image/jpeg'}}", "it is sent without one"),
    ])
    func anEncodingWithoutEffectIsDiagnosed(_ encoding: String, _ action: String) throws {
        let media = "{schema: {type: object, properties: {v: {type: string}}}, \(encoding)}"
        let found = try generate("requestBody: {content: {multipart/form-data: \(media)}}").diagnostics
        #expect(found.contains { $0.action == action && $0.line > 0 }, "\(found)")
    }
}
#endif
