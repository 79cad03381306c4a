#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("Facts of documents")
struct DocumentTests {
    @Test(
        arguments: [
            ("openapi: 3.0.4", APIDocument.Version.v3_0, 0), ("openapi: 3.1.1", .v3_1, 0),
            ("openapi: '3.2.0'", .v3_2, 0),
            ("openapi: 3.0", .v3_0, 0), ("swagger: 2.0", .v2_0, 0), ("openapi: 4.0.0", .v3_2, 1),
            ("swagger: '1.2'", .v2_0, 1),
            ("definitions: {}", .v2_0, 1), ("components: {}", .v3_1, 1), ("openapi: 2.0", .v2_0, 0),
        ] as [(String, APIDocument.Version, Int)]
    )
    func findsTheVersion(text: String, version: APIDocument.Version, findings: Int) throws {
        let result = read(text + "\ninfo: {title: T, version: '1'}\npaths: {}")
        #expect(try #require(result.document).version == version)
        #expect(result.diagnostics.count == findings)
    }

    @Test(arguments: ["", "# only this", "---", "a", "[1]", "7", "openapi: [", "{", "null"])
    func diagnosesWhatIsNotADocument(text: String) {
        let result = read(text)
        #expect(result.document == nil || result.diagnostics.contains { $0.severity == .error })
        #expect(!result.diagnostics.isEmpty)
    }

    @Test func diagnosesMissingFiles() {
        let result = APIDocument.read(path: "/no/such/file.yaml")
        #expect(result.document == nil)
        #expect(
            result.diagnostics.map(\.description) == [
                "/no/such/file.yaml: error: the file can't be read: there is no such file"
            ]
        )
        let folder = APIDocument.read(path: "/")
        #expect(folder.diagnostics.map(\.description) == ["/: error: the file can't be read: it is a folder"])
    }

    @Test func readsInfo() throws {
        let result = read(
            """
            openapi: 3.1.0
            info: {title: T, version: 2024-01-01, summary: S, description: D, termsOfService: U, license: {name: MIT}, x-a: 1}
            paths: {}
            x-b: 2
            odd: 1
            """
        )
        let document = try #require(result.document)
        #expect(document.info.title == "T" && document.info.version == "2024-01-01" && document.info.summary == "S")
        #expect(document.info.description == "D" && document.info.licenseName == "MIT")
        #expect(document.info.extensions.map(\.key) == ["x-a"] && document.extensions.map(\.key) == ["x-b"])
        #expect(result.summary == ["note ignoredMember 5:1"])
    }

    @Test func readsServersWithVariables() throws {
        let result = read(
            """
            openapi: 3.2.0
            info: {title: T, version: '1'}
            servers:
            - url: https://{region}.example.com:{port}/{base}
              name: main
              description: D
              variables:
                port: {default: 443, enum: [443, 8443]}
                region: {default: xx, enum: [eu, us], description: R}
                other: {default: a}
            - {url: /v1}
            - {description: No URL}
            paths: {}
            """
        )
        let servers = try #require(result.document).servers
        #expect(servers.map(\.url) == ["https://{region}.example.com:{port}/{base}", "/v1"])
        #expect(servers[0].name == "main" && servers[0].description == "D")
        #expect(servers[0].variables.map(\.name) == ["region", "port", "base"])
        #expect(servers[0].variables.map(\.defaultValue) == ["xx", "443", ""])
        #expect(servers[0].variables.map(\.values) == [["eu", "us"], ["443", "8443"], []])
        #expect(result.diagnostics.map(\.code) == Array(repeating: .invalidServer, count: 4))
    }

    @Test func readsSecuritySchemes() throws {
        let result = read(
            """
            openapi: 3.1.0
            info: {title: T, version: '1'}
            paths:
              /a: {get: {security: [{bearer: [], key: []}, {none: []}, {'#/components/securitySchemes/oidc': [a]}], responses: {'204': {description: ''}}}}
            components:
              securitySchemes:
                bearer: {type: http, scheme: Bearer, bearerFormat: JWT, description: D}
                key: {type: apiKey, in: cookie, name: sid}
                oauth:
                  type: oauth2
                  flows:
                    clientCredentials: {tokenUrl: t, refreshUrl: r, scopes: {a: A, b: B}}
                    deviceAuthorization: {tokenUrl: t, deviceAuthorizationUrl: d, scopes: {}}
                    unknown: {}
                oidc: {type: openIdConnect, openIdConnectUrl: u}
                tls: {type: mutualTLS, deprecated: true}
                odd: {type: magic}
                bad: {type: apiKey, in: body, name: x}
            """
        )
        let document = try #require(result.document)
        let kinds = document.securitySchemes.map { scheme in
            switch scheme.kind {
            case .apiKey(let location, let name): "key \(location) \(name)"
            case .http(let scheme, let format): "http \(scheme) \(format ?? "")"
            case .oauth2(let flows):
                "oauth " + flows.map { "\($0.kind) \($0.scopes.map(\.name))" }.joined(separator: " ")
            case .openIDConnect(let url): "oidc \(url)"
            case .mutualTLS: "tls"
            case .unknown(let type): "unknown \(type)"
            }
        }
        #expect(
            kinds == [
                "http bearer JWT", "key cookie sid", #"oauth clientCredentials ["a", "b"] deviceAuthorization []"#,
                "oidc u", "tls", "unknown magic", "key header x",
            ]
        )
        let security = try document.operation("GET", "/a").security
        #expect(security.map { $0.requirements.map(\.scheme) } == [["bearer", "key"], ["oidc"]])
        #expect(result.diagnostics.map(\.code) == Array(repeating: .invalidSecurity, count: 4))
    }

    @Test func readsStrangeNames() throws {
        let result = read(
            """
            openapi: 3.0.1
            info: {title: "N\\u0000", version: 1}
            tags: [{name: ''}, {name: "😀"}, +1]
            paths:
              /: {get: {tags: ['', '-1'], operationId: '+1', responses: {default: {$ref: '#/components/responses/~0%20'}}}}
            components:
              responses: {'~ ': {description: r, headers: {'': {schema: {type: string}}}}}
              schemas:
                self: {properties: {self: {$ref: '#/components/schemas/self'}, Type: {}, '': {}, +1: {}, -1: {}, add: {}, Add: {}}}
                Type: {properties: {$ref: {type: string}, items: {type: string}, required: {type: array}}}
                '': {type: object, additionalProperties: {$ref: '#/components/schemas/'}}
            """
        )
        let document = try #require(result.document)
        #expect(result.diagnostics == [])
        #expect(document.tags.map(\.name) == ["", "😀", "+1", "-1"])
        #expect(document.schemas.map(\.name) == ["self", "Type", ""])
        #expect(try document.schema("self").properties.map(\.name) == ["self", "Type", "", "+1", "-1", "add", "Add"])
        #expect(try document.schema("Type").properties.map(\.name) == ["$ref", "items", "required"])
        #expect(try document.schema("").additionalProperties.short == "any value")
        #expect(document.operations.first?.responses.first?.componentName == "~ ")
    }

    @Test func countsDiagnosticsBeyondTheLimit() throws {
        var limits = ReadingLimits()
        limits.diagnosticsMax = 3
        let schemas = (0..<10).map { "    A\($0): {type: odd\($0)}" }.joined(separator: "\n")
        let result = read(
            "openapi: 3.1.0\ninfo: {title: T, version: '1'}\ncomponents:\n  schemas:\n" + schemas,
            limits: limits,
        )
        #expect(result.diagnostics.count == 3)
        #expect(result.furtherDiagnostics == 7)
    }

    @Test func sortsDiagnosticsByPlace() throws {
        let (_, result) = try readSchemas(
            "A: {type: odd, properties: {b: 1}}\nB: {$ref: '#/none'}\nC: {allOf: [{type: string}, {type: object}]}"
        )
        let places = result.diagnostics.map { [$0.line, $0.column] }
        #expect(places == places.sorted { $0.lexicographicallyPrecedes($1) })
        #expect(places.count == 4)
    }

    @Test func quotesTextsForMessages() {
        #expect("a\nb\u{0}".quoted == "'a\\u{A}b\\u{0}'")
        #expect(String(repeating: "x", count: 100).quoted == "'" + String(repeating: "x", count: 80) + "…'")
    }
}
#endif
