#if YAML
import Testing

@testable import HikyakuOpenAPI

/// Servers, security and errors of a document.
@Suite struct ServiceTests {
    private func generate(
        _ text: String,
        options: GeneratorOptions = GeneratorOptions(),
    ) throws -> (text: String, diagnostics: [Diagnostic]) {
        let head = "openapi: 3.1.0\ninfo: {title: Test, version: '1'}\n"
        let result = Generator(options: options).generate(try #require(read(head + text).document))
        return (result.files.map(\.text).joined(), result.diagnostics)
    }

    // MARK: Servers

    @Test(arguments: [
        ("https://a.example/v1", "https://a.example/v1", true), ("//a.example/v1", "https://a.example/v1", true),
        ("https://{a", "https://localhost", false), ("https://a.example/{b}}", "https://localhost", false),
        ("ftp://a.example", "https://localhost", false), ("https://a b.example", "https://localhost", false),
        ("https://user@a.example", "https://localhost", false), ("https://a.example?b=c", "https://a.example", false),
        ("https://", "https://localhost", false), ("/v1", "https://localhost/v1", false),
        ("v1", "https://localhost/v1", false), ("/", "https://localhost", false),
        ("./v1", "https://localhost/v1", false), ("https://.a.example/v1", "https://localhost", false),
        ("https://a..example", "https://localhost", false), ("https://.", "https://localhost", false),
        ("https://a.example:x", "https://localhost", false), ("https://a.example.:80", "https://a.example.:80", true),
        ("https://[::1]:8080", "https://[::1]:8080", true), ("https://[::1", "https://localhost", false),
    ])
    func aServerIsAlwaysAnEnvironment(_ url: String, _ expected: String, _ isFine: Bool) throws {
        let found = try generate("servers: [{url: '\(url)'}]")
        #expect(found.text.contains("static let test: Self = \"\(expected)\""), "\(found.text)")
        #expect(found.diagnostics.allSatisfy { $0.severity == .note } == isFine)
    }

    @Test func aServerWithAQueryKeepsItsHost() throws {
        let found = try generate("servers: [{url: 'https://x.example/v1?fixed=1'}]")
        #expect(found.text.contains("\"https://x.example/v1\""), "\(found.text)")
        #expect(found.diagnostics.contains { $0.message.contains("has a query or a fragment") })
    }

    @Test func aRelativeServerIsBelowTheBaseURL() throws {
        var options = GeneratorOptions()
        options.baseURL = "https://b.example/x/"
        let found = try generate("servers: [{url: '/v1'}]", options: options)
        #expect(found.text.contains("\"https://b.example/x/v1\"") && found.diagnostics.isEmpty)
    }

    @Test func aVariableWithoutAUsableDefaultIsAText() throws {
        let variables = "{a: {enum: [x], default: y}, b: {default: ''}}"
        let found = try generate("servers: [{url: 'https://{a}.example/{b}', variables: \(variables)}]")
        #expect(found.text.contains("static func test(a: String = \"y\", b: String = \"\")"), "\(found.text)")
    }

    // MARK: Security

    @Test(arguments: [
        ("{type: http, scheme: digest}", "RequestSigner"), ("{type: mutualTLS}", "a certificate of the client"),
        ("{type: http, scheme: Bearer}", "`.bearer(token)`"),
        ("{type: http, scheme: apikey}", "static let testA: Self = .authorization(scheme: \"Apikey\")"),
        ("{type: apiKey, in: query, name: 'a\"b'}", "static let testA: Self = .query(\"a\\\"b\")"),
    ])
    func aSchemeIsWhatAnAppNeeds(_ scheme: String, _ expected: String) throws {
        let text = try generate("components: {securitySchemes: {a: \(scheme)}}").text
        #expect(text.contains(expected), "\(text)")
    }

    /// A credential that is placed by `.bearer` would go into the query.
    @Test(arguments: [
        ("Bearer", "'-'", "bearer"), ("Authorization", "value", "authorizationValue"), ("Api", "key", "apiKey"),
    ])
    func aSchemeHidesNoPlaceOfTheLibrary(title: String, scheme: String, name: String) throws {
        let head = "openapi: 3.1.0\ninfo: {title: \(title), version: '1'}\ncomponents: {securitySchemes: {"
        let document = read(head + "\(scheme): {type: apiKey, in: query, name: k}}}")
        let text = scheme.filter { $0 != "'" }
        let names = "{\"others\": {\"providers\": {\"\(text)\": \"\(name)\"}}}"
        for history in [nil, names] {
            var options = GeneratorOptions()
            if let history {
                var earlier = NameHistory()
                let problems = earlier.read(path: "a") { _ in Array(history.utf8) }
                #expect(problems.isEmpty)
                options.history = earlier
            }
            let files = Generator(options: options).generate(try #require(document.document)).files
            let text = files.map(\.text).joined()
            #expect(!text.contains("static let \(name): Self = .query"), "\(text)")
            #expect(text.contains("static let \(name)X"))
        }
    }

    @Test func anOperationSaysWhatIsNotTheUsualAuthorization() throws {
        let text = """
            security: [{a: []}]
            paths:
              /a: {get: {responses: {'204': {description: a}}}, put: {responses: {'204': {description: a}}}}
              /b: {get: {security: [{a: [], b: []}, {}], responses: {'204': {description: a}}}}
            components: {securitySchemes: {a: {type: http, scheme: basic}, b: {type: http, scheme: bearer}}}
            """
        let found = try generate(text).text
        #expect(found.contains("/// Authorized by a and b, or not at all.\n    struct GetB"), "\(found)")
        #expect(found.split(separator: "Authorized by").count == 2)
    }

    @Test func alternativesThatDifferByScopesAreOneWay() throws {
        let text = """
            security: [{o: [a]}]
            paths:
              /a: {get: {responses: {'204': {description: a}}}}
              /b: {get: {security: [{p: [a]}, {p: [b]}], responses: {'204': {description: a}}}}
            components:
              securitySchemes:
                o: {type: http, scheme: basic}
                p: {type: http, scheme: bearer}
            """
        #expect(try generate(text).text.contains("/// Authorized by p.\n    struct GetB"))
    }

    // MARK: Errors

    private func errors(_ responses: String) throws -> String {
        let text = """
            paths: {/a: {get: {responses: {'204': {description: a}, \(responses)}}}}
            components:
              schemas:
                Fault: {type: object, properties: {a: {type: string}}}
                Strict: {type: object, required: [b], properties: {b: {type: string}}}
                Texts: {type: array, items: {type: string}}
                Either: {oneOf: [{$ref: '#/components/schemas/Fault'}, {type: string}]}
                Code: {type: string, enum: [x, y]}
            """
        return try generate(text).text
    }

    private func response(_ status: String, _ schema: String, _ type: String = "application/json") -> String {
        "\(status): {description: a, content: {\(type): {schema: \(schema)}}}"
    }

    @Test(arguments: [
        ("{$ref: '#/components/schemas/Either'}", "extension Either: ServiceFailure {}"),
        ("{$ref: '#/components/schemas/Code'}", "extension Code: ServiceFailure {}"),
        ("{type: string}", "case string(String)"), ("{type: array, items: {type: integer}}", "case intList([Int])"),
        ("{type: object, additionalProperties: {type: string}}", "case stringMap([String: String])"),
    ])
    func anErrorMayBeAnything(_ schema: String, _ expected: String) throws {
        let text = try errors(response("default", schema))
        #expect(text.contains(expected) && text.contains("protocol Request: APIRequest where Failure == "), "\(text)")
    }

    @Test func whatRequiresMoreIsTriedFirst() throws {
        let text = try errors(
            response("'400'", "{$ref: '#/components/schemas/Fault'}") + ", "
                + response("'401'", "{$ref: '#/components/schemas/Strict'}")
        )
        let (first, second) = (text.ranges(of: "decode(Strict.self)"), text.ranges(of: "decode(Fault.self)"))
        #expect(try #require(first.first).lowerBound < #require(second.first).lowerBound)
    }

    @Test func whatTheStatusDeclaresIsTriedBeforeAllOthers() throws {
        let reference = "{$ref: '#/components/schemas/"
        let text = try errors(
            [
                response("'400'", reference + "Strict'}"), response("'404'", reference + "Fault'}"),
                response("'403'", reference + "Fault'}"), response("5XX", reference + "Texts'}"),
                response("default", reference + "Code'}"),
            ].joined(separator: ", ")
        )
        let conditions = text.components(separatedBy: "init?(response: BufferedResponse)").last?.split(separator: "\n")
            .filter { $0.contains("response.decode") }.map { $0.trimmingCharacters(in: .whitespaces) }
        #expect(
            conditions == [
                "if status == 400, let value = try? response.decode(Strict.self) {",
                "} else if [403, 404].contains(status), let value = try? response.decode(Fault.self) {",
                "} else if 500..<600 ~= status, let value = try? response.decode([String].self) {",
                "} else if let value = try? response.decode(Code.self) {",
                "} else if let value = try? response.decode(Strict.self) {",
                "} else if let value = try? response.decode([String].self) {",
                "} else if let value = try? response.decode(Fault.self) {",
            ]
        )
    }

    @Test(arguments: [
        ("{type: object, properties: {title: {type: string}, detail: {type: string}}}", true),
        ("{}", true),
        ("{type: object, required: [code], properties: {title: {type: string}, code: {type: integer}}}", false),
    ])
    func aProblemIsThatOfTheStandard(_ schema: String, _ isProblem: Bool) throws {
        let text = try errors(response("default", schema, "application/problem+json"))
        #expect(text.contains("where Failure == ProblemDetails {}") == isProblem, "\(text)")
    }
}
#endif
