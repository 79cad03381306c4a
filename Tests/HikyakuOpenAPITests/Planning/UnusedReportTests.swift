#if YAML
import Testing

@testable import HikyakuOpenAPI

/// What has no effect on generated code is diagnosed, with its place and with what was done.
@Suite struct UnusedReportTests {
    private func generate(_ text: String, options: GeneratorOptions = GeneratorOptions()) throws -> Generator.Result {
        let whole = """
            openapi: 3.2.0
            info: {title: Test, version: '1'}
            servers: [{url: 'https://a.example'}]

            """
        return Generator(options: options).generate(try #require(read(whole + text).document))
    }

    private func schema(_ text: String) throws -> [Diagnostic] {
        try generate("components: {schemas: {A: {type: object, properties: {a: \(text)}}}}").diagnostics
    }

    @Test(arguments: [
        ("{type: string, default: b}", "a schema has a default"),
        ("{type: string, example: b}", "a schema has an example"),
        ("{type: integer, minimum: 1}", "a schema limits values by 'minimum'"),
        ("{type: string, pattern: b}", "a schema limits values by 'pattern'"),
        ("{type: string, xml: {name: b}}", "a schema says how it is written in XML"),
        ("{type: string, externalDocs: {url: b}}", "there is documentation elsewhere"),
        ("{type: object, propertyNames: {maxLength: 2}}", "'propertyNames' has no counterpart in a type"),
        ("{type: object, dependentRequired: {a: [b]}}", "'dependentRequired' has no counterpart in a type"),
        ("{type: string, contentMediaType: text/html}", "'contentMediaType' has no counterpart in a type"),
        ("{type: string, format: email}", "the format 'email' has no type of its own"),
        (
            "{type: array, prefixItems: [{}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}, {}]}",
            "a tuple has 13 elements of their own",
        ),
        ("{type: boolean, enum: [true]}", "the allowed values (1) are neither all texts nor all integers"),
        ("{type: object, additionalProperties: false}", "'additionalProperties' is false"),
        ("{type: string, x-order: 1}", "the extension 'x-order'"),
        (
            "{type: object, anyOf: [{required: [a]}, {required: [b]}]}",
            "alternatives only say which members are required (here and in 1 more places)",
        ),
    ])
    func aKeywordWithoutEffectIsDiagnosed(_ text: String, _ message: String) throws {
        let found = try #require(try schema(text).first { $0.message == message })
        #expect(found.file == "api.yaml" && found.line == 4 && found.column > 1 && !found.action.isEmpty)
    }

    @Test func aKindIsDiagnosedOnce() throws {
        let found = try schema("{type: integer, default: 1}, b: {type: integer, default: 2}, c: {default: 3}")
        #expect(found.map(\.message) == ["a schema has a default (here and in 2 more places)"])
    }

    @Test func whatIsGeneratedIsNotDiagnosed() throws {
        let properties = "{type: string, enum: [a], x-enum-varnames: [b]}, b: {type: string, format: date-time}"
        #expect(try schema(properties).isEmpty)
        var options = GeneratorOptions()
        options.typeMap = ["email": "Email"]
        let text = "components: {schemas: {A: {type: object, properties: {a: {type: string, format: email}}}}}"
        #expect(try generate(text, options: options).diagnostics.isEmpty)
    }

    @Test(arguments: [
        ("'200': {description: a, links: {b: {operationId: c}}}", "the response has the link 'b' to c"),
        ("'302': {description: a}", "the response is neither a success nor an error"),
        ("'200': {description: a, headers: {Link: {schema: {type: string}}}}", "a response has the field 'Link'"),
        (
            "'200': {description: a}, '400': {description: a, headers: {A: {schema: {type: string}}}}",
            "the response, which is not a success, has the fields A",
        ),
        (
            "'200': {description: a, headers: {A: {schema: {type: object, properties: {b: {}}}}}}",
            "the field 'A' is not a text, number, date, enumeration or list of these",
        ),
        (
            "'200': {description: a}, '304': {description: b}",
            "there is a response 304, and no parameter that makes a request conditional",
        ),
        (
            "'204': {description: a}, '400': {description: b, content: {application/json: {schema: {}}}}",
            "an error may be anything",
        ),
        (
            "'200': {description: a, content: {application/json: {}, application/xml: {}}}",
            "the response may also be application/xml",
        ),
        (
            "'200': {description: a}, '400': {description: a, content: {text/plain: {}}}",
            "an error has no JSON with a schema",
        ),
        ("'200': {description: a, content: {application/json: {example: 1}}}", "there is an example"),
    ])
    func aPartOfAResponseWithoutEffectIsDiagnosed(_ responses: String, _ message: String) throws {
        let found = try generate("paths: {/a: {get: {responses: {\(responses)}}}}").diagnostics
        #expect(found.contains { $0.message == message && $0.line == 4 && !$0.action.isEmpty }, "\(found)")
    }

    @Test(arguments: [
        ("tags: [a, b]", "an operation has several tags"),
        ("security: [{c: []}, {d: []}]", "there are several ways to authorize an operation"),
        ("security: [{c: [], d: []}]", "an operation needs several authorizations at once"),
        ("requestBody: {content: {application/xml: {}}}", "the body is application/xml"),
        ("x-hikyaku-pages: link", "'/a' is declared as pages, but its response has no list of items"),
        ("x-hikyaku-pages: [a]", "'x-hikyaku-pages' is neither link, none nor an object of texts"),
        ("requestBody: {content: {application/json: {}, text/xml: {}}}", "the body may also be text/xml"),
    ])
    func aPartOfAnOperationWithoutEffectIsDiagnosed(_ members: String, _ message: String) throws {
        let text = """
            paths: {/a: {post: {responses: {'204': {description: a}}, \(members)}}}
            components: {securitySchemes: {c: {type: http, scheme: basic}, d: {type: http, scheme: bearer}}}
            """
        let found = try generate(text).diagnostics
        #expect(found.contains { $0.message == message && $0.line == 4 && !$0.action.isEmpty }, "\(found)")
    }

    @Test func factsAboutTheDocumentAreDiagnosed() throws {
        let text = """
            tags: [{name: a, parent: b, externalDocs: {url: c}}]
            externalDocs: {url: d}
            webhooks: {e: {post: {requestBody: {content: {text/plain: {}}}}}}
            """
        let found = try generate(text).diagnostics.map(\.message)
        #expect(found.contains("a tag has 'parent'"))
        #expect(found.contains("there is documentation elsewhere (here and in 1 more places)"))
        #expect(found.contains("'e', which the service sends, has no body in JSON"))
    }

    @Test func aResponseMayLackWhatTheServiceNeverSends() throws {
        let text = """
            paths:
              /a:
                post:
                  requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
                  responses: {'200': {description: a, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}}
              /b:
                post:
                  requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Sign'}}}}
                  responses: {'204': {description: a}}
            components:
              schemas:
                User: {type: object, required: [code], properties: {code: {type: string, writeOnly: true}}}
                Sign: {type: object, required: [word], properties: {word: {type: string, writeOnly: true}}}
            """
        let code = try generate(text).files.map(\.text).joined()
        #expect(code.contains("var code: String?") && code.contains("var word: String\n"))
    }
}
#endif
