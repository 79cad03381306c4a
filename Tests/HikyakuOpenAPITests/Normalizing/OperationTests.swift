#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("Operations")
struct OperationTests {
    private func document(
        _ paths: String,
        version: String = "3.1.0",
    ) throws -> (document: APIDocument, result: ReadingResult) {
        let result = read("openapi: \(version)\ninfo: {title: T, version: '1'}\n" + paths)
        return (try #require(result.document), result)
    }

    @Test func readsPathsMethodsAndFacts() throws {
        let (document, result) = try document(
            """
            tags: [{name: b, description: Bees}]
            servers: [{url: 'https://a.example'}]
            paths:
              x-note: 1
              /pets/{id}.{format}:
                summary: Shared
                servers: [{url: 'https://b.example'}]
                parameters:
                - {name: id, in: path, required: true, schema: {type: integer}}
                - {name: format, in: path, required: true, schema: {type: string}}
                - {name: q, in: query, schema: {type: string}}
                get:
                  operationId: get
                  tags: [a, b]
                  description: Text
                  deprecated: true
                  x-own: 1
                  parameters: [{name: q, in: query, required: true, schema: {type: integer}}]
                  responses: {'204': {description: Nothing}}
                delete: {summary: Own, servers: [{url: 'https://c.example'}], responses: {default: {description: ''}}}
            """
        )
        #expect(result.diagnostics == [])
        let get = try document.operation("GET", "/pets/{id}.{format}")
        #expect(get.path.parts == [.literal("/pets/"), .variable("id"), .literal("."), .variable("format")])
        #expect(get.id == "get" && get.tags == ["a", "b"] && get.isDeprecated)
        #expect(get.summary == "Shared" && get.description == "Text")
        #expect(get.parameters.map(\.name) == ["id", "format", "q"])
        #expect(get.parameters.last?.isRequired == true && get.parameters.last?.schema.types == .integer)
        #expect(get.servers.map(\.url) == ["https://b.example"])
        #expect(get.extensions.map(\.key) == ["x-own"])
        #expect(get.pointer == "#/paths/~1pets~1{id}.{format}/get")
        #expect(get.position.line == 15)
        #expect(try document.operation("DELETE", "/pets/{id}.{format}").servers.map(\.url) == ["https://c.example"])
        #expect(document.tags.map(\.name) == ["b", "a"])
        #expect(document.tags.map(\.isDeclared) == [true, false])
        #expect(result.counts.operations == 2 && result.counts.parameters == 4)
    }

    @Test func readsMethodsOf32() throws {
        let (document, result) = try document(
            """
            tags: [{name: a, summary: A, parent: b, kind: nav}, {name: b}]
            paths:
              /a:
                query: {responses: {'200': {description: ''}}}
                additionalOperations: {PURGE: {responses: {'200': {description: ''}}}}
              /b:
                get:
                  parameters: [{name: all, in: querystring, content: {application/json: {schema: {type: object}}}}]
                  responses: {'200': {description: '', content: {text/event-stream: {itemSchema: {type: object}}}}}
            """,
            version: "3.2.0",
        )
        #expect(result.diagnostics == [])
        #expect(document.operations.map(\.method) == ["QUERY", "PURGE", "GET"])
        #expect(document.tags.first?.parent == "b" && document.tags.first?.kind == "nav")
        let get = try document.operation("GET", "/b")
        #expect(get.parameters.first?.location == .querystring)
        #expect(get.parameters.first?.schema.types == .object)
        let content = try #require(get.responses.first?.contents.first)
        // One after another: the optimizer of Swift 6.3.1 stops at all three in one expression.
        #expect(content.name.kind == .eventStream)
        #expect(content.itemSchema?.types == .object)
        #expect(content.schema == nil)
    }

    @Test(
        arguments: [
            ("in: path, required: true", Parameter.Style.simple, false),
            ("in: path, style: label, required: true", .label, false),
            ("in: path, style: matrix, explode: true, required: true", .matrix, true), ("in: query", .form, true),
            ("in: query, explode: false", .form, false), ("in: query, style: spaceDelimited", .spaceDelimited, false),
            ("in: query, style: pipeDelimited, explode: false", .pipeDelimited, false),
            ("in: query, style: deepObject, explode: true", .deepObject, true), ("in: header", .simple, false),
            ("in: header, explode: true", .simple, true), ("in: cookie", .form, true),
            ("in: cookie, style: cookie", .cookie, true),
        ] as [(String, Parameter.Style, Bool)]
    )
    func readsStyles(facts: String, style: Parameter.Style, isExploded: Bool) throws {
        let (document, result) = try document(
            "paths: {'/{p}': {get: {parameters: [{name: p, schema: {type: array, items: {}}, \(facts)}], responses: {default: {description: ''}}}}}"
        )
        let parameter = try #require(document.operations.first?.parameters.first)
        #expect(parameter.style == style && parameter.isExploded == isExploded)
        #expect(result.diagnostics.filter { $0.code != .undeclaredPathParameter } == [])
    }

    @Test func diagnosesBadParameters() throws {
        let (document, result) = try document(
            """
            paths:
              /a/{b}/{c}:
                get:
                  parameters:
                  - {name: b, in: path, schema: {type: string}}
                  - {name: d, in: path, required: true, schema: {type: string}}
                  - {name: e, in: query, style: matrix, schema: {type: string}}
                  - {name: f, in: nowhere, schema: {type: string}}
                  - {name: g, in: Query, schema: {type: string}}
                  - {in: query, schema: {type: string}}
                  - {name: h, in: query}
                  - {name: h, in: query, schema: {type: string}}
                  - {name: i, in: query, type: integer}
                  - {name: Accept, in: header, schema: {type: string}}
                  - 7
                  - {$ref: '#/components/parameters/none'}
                  - {name: j, in: query, content: {application/json: {schema: {}}, text/plain: {}}}
                  responses: {default: {description: ''}}
            """
        )
        let parameters = try document.operation("GET", "/a/{b}/{c}").parameters
        #expect(parameters.map(\.name) == ["b", "e", "g", "h", "i", "j", "c"])
        #expect(parameters.map(\.isRequired) == [true, false, false, false, false, false, true])
        #expect(parameters.map(\.isImplied) == [false, false, false, false, false, false, true])
        #expect(parameters[1].style == .form)
        #expect(parameters[3].schema.types == .string && parameters[4].schema.types == .integer)
        #expect(
            Set(result.diagnostics.map(\.code)) == [
                .invalidRequired, .unusedPathParameter, .unknownValue, .missingMember, .missingSchema,
                .duplicateParameter,
                .ignoredMember, .unexpectedType, .danglingReference, .invalidMediaType, .undeclaredPathParameter,
            ]
        )
        #expect(result.diagnostics.allSatisfy { $0.line > 0 })
    }

    @Test func diagnosesBadPathsAndOperations() throws {
        let (document, result) = try document(
            """
            paths:
              pets: {get: {operationId: a, responses: {'200': {description: ''}}}}
              /a{b: {GET: {operationId: a, responses: {}}}
              /q?x=1: {get: {responses: {'200': {description: ''}, 20x: {description: ''}, '2XX': {}, 2xx: {}, '999': {}, default: 7}}}
              /w: 5
              /v: {get: 6, fetch: {}, post: null}
              /u: {$ref: '#/nowhere'}
            """
        )
        #expect(document.operations.map(\.path.text) == ["/pets", "/a{b", "/q?x=1"])
        #expect(document.operations.map(\.method) == ["GET", "GET", "GET"])
        #expect(document.operations[2].responses.map(\.status) == [.code(200), .range(2), .code(999)])
        #expect(result.diagnostics(.invalidPath).count == 3)
        #expect(result.diagnostics(.duplicateOperationID).count == 1)
        #expect(result.diagnostics(.invalidStatus).count == 2)
        #expect(result.diagnostics(.unexpectedType).count == 3)
        #expect(result.diagnostics(.danglingReference).count == 1)
        #expect(result.diagnostics(.ignoredMember).map(\.message) == ["a path item has no member 'fetch'"])
    }

    @Test func sharesWhatComponentsDeclare() throws {
        let (document, result) = try document(
            """
            paths:
              /a:
                get: {parameters: [{$ref: '#/components/parameters/P'}], requestBody: {$ref: '#/components/requestBodies/B'}, responses: {'200': {$ref: '#/components/responses/R'}, '404': {$ref: '#/components/responses/R', description: Own}}}
                put: {parameters: [{$ref: '#/components/parameters/P'}], responses: {'200': {$ref: '#/components/responses/R'}}}
            components:
              parameters: {P: {name: p, in: query, schema: {type: object, properties: {a: {type: string}}}}, Unused: {name: u, in: query, schema: {}}}
              requestBodies: {B: {required: true, content: {application/json: {schema: {type: string}}}}}
              responses: {R: {description: D, headers: {X-H: {$ref: '#/components/headers/H'}}, content: {application/json: {schema: {type: object}}}}}
              headers: {H: {required: true, schema: {type: integer}}}
            """
        )
        let get = try document.operation("GET", "/a")
        #expect(get.parameters.first?.componentName == "P")
        #expect(get.requestBody?.componentName == "B" && get.requestBody?.isRequired == true)
        #expect(get.responses.map(\.componentName) == ["R", "R"])
        #expect(get.responses.map(\.status) == [.code(200), .code(404)])
        #expect(get.responses.map(\.description) == ["D", "Own"])
        #expect(get.responses.first?.headers.first?.componentName == "H")
        let put = try document.operation("PUT", "/a")
        let pointer = get.responses.first?.contents.first?.schema?.origin.pointer
        #expect(pointer == "#/components/responses/R/content/application~1json/schema")
        #expect(put.responses.first?.contents.first?.schema?.origin.pointer == pointer)
        #expect(result.counts.parameters == 1 && result.counts.properties == 1 && result.counts.schemas == 5)
        #expect(result.summary == ["note unusedComponent 8:98"])
    }

    @Test func readsWebhooksAndCallbacks() throws {
        let (document, result) = try document(
            """
            paths:
              /a:
                post:
                  callbacks:
                    done:
                      '{$request.body#/url}':
                        post: {requestBody: {content: {application/json: {schema: {type: string}}}}, responses: {'200': {description: ''}}}
                  responses: {'202': {description: '', links: {next: {operationId: b, parameters: {id: $response.body#/id}}}}}
            webhooks:
              ping: {post: {requestBody: {content: {application/json: {schema: {type: object}}}}, responses: {'200': {description: ''}}}}
            """
        )
        #expect(result.diagnostics == [])
        let callback = try #require(document.operations.first?.callbacks.first)
        #expect(callback.name == "done" && callback.expression == "{$request.body#/url}")
        #expect(callback.operations.first?.requestBody?.contents.first?.schema?.types == .string)
        #expect(document.operations.first?.responses.first?.links.first?.operationID == "b")
        #expect(document.webhooks.map(\.name) == ["ping"])
        #expect(document.webhooks.first?.operations.first?.method == "POST")
        #expect(result.counts.operations == 1 && result.counts.payloadOperations == 2)
    }

    @Test func endsCallbacksThatContainThemselves() throws {
        let (document, _) = try document(
            """
            paths: {/a: {post: {callbacks: {c: {$ref: '#/components/callbacks/C'}}, responses: {}}}}
            components: {callbacks: {C: {x: {post: {callbacks: {c: {$ref: '#/components/callbacks/C'}}, responses: {}}}}}}
            """
        )
        #expect(document.operations.first?.callbacks.count == 1)
    }

    @Test func endsHeadersThatContainThemselves() throws {
        let (document, result) = try document(
            """
            paths: {/a: {get: {responses: {'200': {description: '', headers: {h: {$ref: '#/components/headers/H'}}}}}}}
            components: {headers: {H: {content: {multipart/x: {encoding: {a: {headers: {h: {$ref: '#/components/headers/H'}}}}}}}}}
            """
        )
        #expect(document.operations.first?.responses.first?.headers.count == 1)
        #expect(result.diagnostics(.limitExceeded).count >= 1)
    }
}
#endif
