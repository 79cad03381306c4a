#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("OpenAPI 2.0")
struct SwaggerTests {
    private func document(_ text: String) throws -> (document: APIDocument, result: ReadingResult) {
        let result = read("swagger: '2.0'\ninfo: {title: T, version: 1.0}\n" + text)
        return (try #require(result.document), result)
    }

    @Test func readsDefinitionsAndParameters() throws {
        let (document, result) = try document(
            """
            host: api.example.com
            basePath: /v1
            schemes: [https, http]
            parameters: {limit: {name: limit, in: query, type: integer, format: int32, default: 10, maximum: 100}}
            paths:
              /pets/{id}:
                parameters: [{name: id, in: path, required: true, type: string, pattern: '^a'}]
                get:
                  parameters:
                  - {$ref: '#/parameters/limit'}
                  - {name: tags, in: query, type: array, items: {type: string}, collectionFormat: multi}
                  - {name: ids, in: query, type: array, items: {type: integer}}
                  - {name: old, in: query, type: array, items: {type: integer}, collectionFormat: pipes}
                  - {name: X-A, in: header, type: boolean, description: D, required: true}
                  responses:
                    200: {description: '', schema: {$ref: '#/definitions/Pet'}, headers: {X-B: {type: integer}}}
                    default: {$ref: '#/responses/Error'}
            responses: {Error: {description: Bad, schema: {type: object}}}
            definitions:
              Pet: {type: object, discriminator: kind, required: [kind], properties: {kind: {type: string}}}
              Cat: {allOf: [{$ref: '#/definitions/Pet'}, {type: object, properties: {lives: {type: [integer, 'null']}}}]}
            """
        )
        #expect(result.diagnostics.map(\.severity) == [.note])
        #expect(document.version == .v2_0 && document.info.version == "1.0")
        #expect(document.servers.map(\.url) == ["https://api.example.com/v1", "http://api.example.com/v1"])
        let get = try document.operation("GET", "/pets/{id}")
        #expect(get.parameters.map(\.name) == ["id", "limit", "tags", "ids", "old", "X-A"])
        #expect(get.parameters.map(\.style) == [.simple, .form, .form, .form, .pipeDelimited, .simple])
        #expect(get.parameters.map(\.isExploded) == [false, false, true, false, false, false])
        #expect(get.parameters[0].schema.constraints?.pattern == "^a")
        #expect(get.parameters[1].schema.defaultValue?.short == "10")
        #expect(get.parameters[2].schema.items?.types == .string)
        #expect(get.parameters[5].isRequired && get.parameters[5].description == "D")
        #expect(get.parameters[5].schema.description == nil)
        #expect(get.responses.map(\.status) == [.code(200), .default])
        #expect(get.responses[0].contents.map(\.name.text) == ["application/json"])
        #expect(get.responses[0].contents[0].schema?.reference == SchemaKey("#/definitions/Pet"))
        #expect(get.responses[0].headers[0].schema.types == .integer)
        #expect(get.responses[1].componentName == "Error")
        let pet = try #require(document[SchemaKey("#/definitions/Pet")])
        #expect(pet.isComponent && pet.schema.discriminator?.propertyName == "kind")
        #expect(document.subtypes(of: pet.key).map(\.name) == ["Cat"])
    }

    @Test func readsBodiesAndForms() throws {
        let (document, result) = try document(
            """
            consumes: [application/json]
            produces: [application/json, application/xml]
            paths:
              /a:
                post:
                  consumes: [application/json, text/plain]
                  produces: [text/csv]
                  parameters: [{name: body, in: body, required: true, schema: {type: string}}]
                  responses: {'200': {description: '', schema: {type: string}, examples: {text/csv: 'a,b'}}}
              /b:
                post:
                  parameters:
                  - {name: a, in: formData, type: string, required: true, description: A}
                  - {name: b, in: formData, type: array, items: {type: integer}, collectionFormat: multi}
                  responses: {'204': {description: ''}}
              /c:
                put:
                  parameters: [{name: f, in: formData, type: file}, {name: n, in: formData, type: string}]
                  responses: {'200': {description: '', schema: {type: file}}}
            """
        )
        #expect(result.diagnostics == [])
        let body = try #require(try document.operation("POST", "/a").requestBody)
        #expect(body.isRequired && body.contents.map(\.name.kind) == [.json, .text])
        let response = try #require(try document.operation("POST", "/a").responses.first)
        #expect(response.contents.map(\.name.text) == ["text/csv"])
        #expect(response.contents.first?.examples.map(\.value.short) == ["\"a,b\""])
        let form = try #require(try document.operation("POST", "/b").requestBody)
        #expect(form.isRequired && form.contents.map(\.name.kind) == [.form])
        let schema = try #require(form.contents.first?.schema)
        #expect(schema.properties.map(\.name) == ["a", "b"] && schema.properties.map(\.isRequired) == [true, false])
        #expect(try schema.property("a").description == "A")
        #expect(form.contents.first?.encodings.map(\.isExploded) == [true])
        let file = try #require(try document.operation("PUT", "/c").requestBody?.contents.first)
        #expect(file.name.kind == .multipart)
        #expect(try file.schema?.property("f").format == "binary")
        let download = try document.operation("PUT", "/c").responses.first?.contents
        #expect(download?.map(\.name.text) == ["*/*"])
        #expect(download?.first?.schema?.format == "binary")
        #expect(result.counts.parameters == 5)
    }

    @Test func readsSecurity() throws {
        let (document, result) = try document(
            """
            securityDefinitions:
              basic: {type: basic}
              key: {type: apiKey, in: header, name: X-Key}
              oauth: {type: oauth2, flow: accessCode, authorizationUrl: 'https://a', tokenUrl: 'https://t', scopes: {read: Reads}}
            security: [{key: []}]
            paths:
              /a:
                get: {security: [{oauth: [read]}, {}], responses: {'204': {description: ''}}}
                put: {responses: {'204': {description: ''}}}
                delete: {security: null, responses: {'204': {description: ''}}}
                post: {security: [], responses: {'204': {description: ''}}}
            """
        )
        #expect(result.diagnostics == [])
        #expect(document.securitySchemes.map(\.name) == ["basic", "key", "oauth"])
        guard case .oauth2(let flows) = try #require(document.securitySchemes.last).kind else {
            Issue.record("it is another scheme")
            return
        }
        #expect(flows.map(\.kind) == [.authorizationCode] && flows.first?.scopes.first?.name == "read")
        let get = try document.operation("GET", "/a").security
        #expect(get.map(\.requirements) == [[SecurityRequirement(scheme: "oauth", scopes: ["read"])], []])
        #expect(try document.operation("PUT", "/a").security.first?.requirements.first?.scheme == "key")
        #expect(try document.operation("DELETE", "/a").security.first?.requirements.first?.scheme == "key")
        #expect(try document.operation("POST", "/a").security.isEmpty)
    }

    @Test(arguments: [
        ("basePath: /v1", ["/v1"]), ("", []), ("host: e.com", ["https://e.com"]),
        ("host: e.com\nbasePath: v1", ["https://e.com/v1"]),
        ("host: e.com\nbasePath: /\nschemes: [http]", ["http://e.com"]),
    ])
    func makesServers(facts: String, expected: [String]) throws {
        #expect(try document(facts + "\npaths: {}").document.servers.map(\.url) == expected)
    }

    @Test func readsWhatIsWrittenInTheWrongWay() throws {
        let (document, result) = try document(
            """
            paths:
              /a:
                post:
                  parameters:
                  - {name: a, in: body}
                  - {name: b, in: body, schema: {type: string}}
                  - {name: c, in: query}
                  - {name: d, in: query, type: [string, integer], collectionFormat: odd}
                  responses: {'200': {description: '', content: {}}}
            """
        )
        let post = try document.operation("POST", "/a")
        #expect(post.requestBody?.contents.first?.schema == nil)
        #expect(post.parameters.map(\.name) == ["c", "d"])
        #expect(post.parameters.last?.schema.types == [.string, .integer])
        #expect(
            Set(result.diagnostics.map(\.code)) == [
                .missingSchema, .duplicateParameter, .unexpectedType, .unknownValue, .ignoredMember,
            ]
        )
    }
}
#endif
