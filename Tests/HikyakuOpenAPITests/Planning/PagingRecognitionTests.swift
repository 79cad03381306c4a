#if YAML
import Testing

@testable import HikyakuOpenAPI

/// Which operations are lists that are read page by page.
@Suite struct PagingRecognitionTests {
    /// Generates `GET /a` with query parameters, and with the members of its response.
    private func generate(
        _ parameters: [String],
        _ schema: String,
        members: String = "",
        headers: String = "",
        options: GeneratorOptions = GeneratorOptions(),
    ) throws -> (text: String, diagnostics: [Diagnostic]) {
        let list = parameters.map { "{in: query, \($0)}" }.joined(separator: ", ")
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            servers: [{url: 'https://a.example'}]
            paths:
              /a:
                get:
                  operationId: a
                  parameters: [\(list)]
                  responses: {'200': {description: a, \(headers)content: {application/json: {schema: \(schema)}}}}
                  \(members)
            components:
              schemas: {Crate: {type: object, properties: {id: {type: string}}}}
            """
        let result = Generator(options: options).generate(try #require(read(text).document))
        return (result.files.map(\.text).joined(), result.diagnostics)
    }

    private static let page = "name: page, schema: {type: integer}"
    private static let size = "name: limit, schema: {type: integer}"
    private static let cursor = "name: cursor, schema: {type: string}"
    private static let crates = "{type: array, items: {$ref: '#/components/schemas/Crate'}}"

    private static func object(_ members: String, required: String = "items") -> String {
        "{type: object, required: [\(required)], properties: {items: \(crates), \(members)}}"
    }

    @Test(arguments: [
        ([page, size], crates, ".number(\\.page)"),
        (["name: page, schema: {type: integer, minimum: 0}", size], crates, ".number(\\.page, from: 0)"),
        ([page], object("has_more: {type: boolean}"), ".number(\\.page) { $1.value.hasMore == false }"),
        (
            [page, size], object("total_pages: {type: integer}", required: "items, total_pages"),
            ".number(\\.page) { ($0.page ?? 1) >= $1.value.totalPages }",
        ),
        (["name: skip, schema: {type: integer}", size], crates, ".offset(\\.skip)"),
        ([cursor], object("next_cursor: {type: string}"), ".cursor(\\.cursor, in: \\.nextCursor)"),
        (
            [cursor], object("next_cursor: {type: string}", required: "items, next_cursor"),
            ".cursor(\\.cursor) { $0.value.nextCursor }",
        ),
        (
            ["name: pageToken, schema: {type: string}"], object("nextPageToken: {type: string}"),
            ".cursor(\\.pageToken, in: \\.nextPageToken)",
        ),
        (
            ["name: after, schema: {type: string}"],
            object(
                "paging: {type: object, properties: {cursors: {type: object, properties: {after: {type: string}}}}}"
            ),
            ".cursor(\\.after, in: \\.paging?.cursors?.after)",
        ),
        (
            ["name: after, schema: {type: string}"],
            object("has_more: {type: boolean}, last_id: {type: string}", required: "has_more"),
            ".cursor(\\.after) { $0.value.hasMore ? $0.value.lastID : nil }",
        ),
        ([size], object("next: {type: string, format: uri}"), ".link(in: \\.next)"),
        ([size], object("next: {type: string, description: The URL of the next page}"), ".link(in: \\.next)"),
        (
            [size], object("links: {type: object, properties: {next: {type: string}}}"), ".link(in: \\.links?.next)",
        ),
    ])
    func aListIsRecognized(_ parameters: [String], _ schema: String, _ expected: String) throws {
        let found = try generate(parameters, schema)
        #expect(found.text.contains("var paging: Paging<Self> { \(expected) }"), "\(found.text)")
        #expect(found.diagnostics.contains { $0.code == .recognizedPages && $0.line == 7 })
    }

    @Test(arguments: [
        // Without another sign of pages, a number may be that of a page in a book.
        ([page], crates),
        ([size], crates),
        ([page, size], "{type: object, properties: {name: {type: string}}}"),
        ([page, size, "name: page_token, schema: {type: string}"], crates),
        ([page, size], object("next_marker: {type: string}")),
        (["name: page, schema: {type: number}", size], crates),
        ([cursor], object("next: {type: string}")),
        ([cursor], object("next_cursor: {type: integer}")),
        (["name: cursor, required: true, schema: {type: string}"], object("next_cursor: {type: string}")),
        ([], object("next: {type: string, format: uri}")),
        ([page, size], "{type: object, properties: {pageItems: {type: boolean}, items: \(crates)}}"),
        ([page, size], "{type: object, properties: {one: \(crates), other: \(crates)}}"),
        ([page, size], "{type: object, additionalProperties: true}"),
    ])
    func whatMayBeSomethingElseIsNot(_ parameters: [String], _ schema: String) throws {
        #expect(try !generate(parameters, schema).text.contains("PagedRequest"))
    }

    @Test func aLinkFieldNeedsAParameterOfPages() throws {
        let headers = "headers: {link: {schema: {type: string}}}, "
        #expect(try generate([Self.size], Self.crates, headers: headers).text.contains("Paging<Self> { .link }"))
        #expect(try !generate([], Self.crates, headers: headers).text.contains("PagedRequest"))
    }

    @Test(arguments: [
        ("x-hikyaku-pages: link", ".link"),
        ("x-hikyaku-pages: {next: more.url}", ".link(in: \\.more?.url)"),
        ("x-hikyaku-pages: {parameter: from, next: /more/from}", ".cursor(\\.from, in: \\.more?.from)"),
        ("x-hikyaku-pages: {parameter: start, kind: offset}", ".offset(\\.start)"),
        ("x-ms-pageable: {nextLinkName: nextLink, itemName: items}", ".link(in: \\.nextLink)"),
    ])
    func aListIsDeclared(_ members: String, _ expected: String) throws {
        let parameters = ["name: from, schema: {type: string}", "name: start, schema: {type: integer}"]
        let more = "{type: object, properties: {url: {type: string}, from: {type: string}}}"
        let schema = Self.object("more: \(more), nextLink: {type: string}")
        let found = try generate(parameters, schema, members: members)
        #expect(found.text.contains("Paging<Self> { \(expected) }"), "\(found.text)")
        #expect(!found.diagnostics.contains { $0.message.contains("the extension") })
    }

    @Test func aPageWithAPropertyOfTheNameOfItsItemsHasNone() throws {
        let schema = Self.object("page_items: {type: array, items: {type: string}}, next: {type: string}")
        let members = "x-hikyaku-pages: {parameter: from, next: next, items: page_items}"
        let text = try generate(["name: from, schema: {type: string}"], schema, members: members).text
        #expect(text.contains("var pageItems: [String]?") && !text.contains("ItemPage"), "\(text)")
    }

    @Test func aConfigurationGoesBeforeTheDocument() throws {
        var options = GeneratorOptions()
        let reading = options.read(config: "config.yaml") { _ in
            Array("pages: {a: none, GET /b: {parameter: p, next: n.x}}".utf8)
        }
        #expect(reading.isEmpty && options.pages["a"]?.kind == PageRule.Kind.none)
        #expect(options.pages["GET /b"]?.next == ["n", "x"] && options.pages["GET /b"]?.kind == .cursor)
        let members = "x-hikyaku-pages: link"
        #expect(try !generate([], Self.crates, members: members, options: options).text.contains("PagedRequest"))
    }

    @Test func aConfigurationThatIsNotARuleIsAnError() {
        var options = GeneratorOptions()
        let found = options.read(config: "config.yaml") { _ in Array("pages: {a: often}".utf8) }
        #expect(found.contains { $0.severity == .error })
    }

    @Test(arguments: ["{parameter: nothing}", "{parameter: cursor, next: no.where}", "{next: items}", "{items: no}"])
    func aDeclarationThatDoesNotFitIsDiagnosed(_ rule: String) throws {
        let found = try generate([Self.cursor], Self.object("n: {}"), members: "x-hikyaku-pages: \(rule)")
        #expect(!found.text.contains("PagedRequest"))
        #expect(found.diagnostics.contains { $0.message.contains("declared as pages") && $0.severity == .warning })
    }
}
#endif
