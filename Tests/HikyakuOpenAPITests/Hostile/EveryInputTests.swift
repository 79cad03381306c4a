#if YAML
import HikyakuBase
import TestSupport
import Testing

@testable import HikyakuOpenAPI

/// Nothing that a sample, a cURL line, an overlay, a configuration or another file says becomes code.
@Suite(.timeLimit(.minutes(Effort.isFull ? 300 : 60)))
struct EveryInputTests {
    /// Each access, for models that the compiler makes readable and for those that read themselves.
    private static let ways = GeneratorOptions.Access.allCases.flatMap { access in [(access, false), (access, true)] }

    // MARK: Samples

    private static let sample = """
        [{"id": 1, "user_name": "ada", "class": null, "created_at": "2026-01-01T00:00:00Z", "day": "2026-01-01",
          "uuid": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "url": "https://a.example/b", "kind": "open",
          "tags": ["a", "b"], "pair": ["a", 1], "choice": 1, "counts": {"2026-01-01": 1, "2026-01-02": 2},
          "owner": {"login": "ada", "owner": {"login": "b"}}, "items": [{"size": 1.5}], "empty": {}, "state": "on"},
         {"id": 2, "kind": "shut", "choice": "x", "owner": null, "state": "on", "day": "2026-01-02"},
         {"id": 3, "kind": "open", "choice": {"a b": true}, "state": "off"}, {"id": 4, "kind": "open", "state": "on"}]
        """

    @Test func noTextOfASampleBecomesCode() async throws {
        let search = PlaceSearch("a sample", in: try JSONTree(yaml: Self.sample), sample: 60)
        let found = await search.findingsInCode(ways: Self.ways.count) { changed, attempt in
            let (access, isDirect) = Self.ways[attempt.number % Self.ways.count]
            var options = GeneratorOptions()
            options.access = access
            if attempt.number % 2 == 0 { options.closedEnums = ["all"] }
            let inference = ModelInference(name: "Sample", options: options, isDirect: isDirect)
            let file = SampleFile(path: attempt.text, bytes: changed.json)
            return (try? inference.models(of: [file])).map { CodeCheck.files($0.text) } ?? []
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    @Test func noNameOfASampleBecomesCode() {
        for text in Payload.all.map(\.text) {
            for stem in [text, "a" + text] {
                let name = ModelInference.name(from: stem)
                guard ModelInference.isName(name) else { continue }
                let file = SampleFile(path: "a.json", bytes: Array(#"{"a":{"b":1}}"#.utf8))
                let result = try? ModelInference(name: name).models(of: [file])
                #expect(CodeCheck(result?.text ?? "").faults == [], "\(stem.debugDescription)")
            }
            guard ModelInference.isName("A" + text) else { continue }
            #expect(CodeCheck("let a: A\(text)").faults == [], "\(text.debugDescription) is taken for a name")
        }
    }

    // MARK: cURL lines

    /// Words of lines: the parts of each are joined, and an object is a body in JSON.
    private static let lines = [
        #"""
        [[https://, shop.example, /, api, /, v2, /, items, "?", page, "=", "1", "&", "tags[]", "=", a, "#", part]]
        """#,
        #"[[-X], [PATCH], [https://shop.example/items/, "17"], [-H], [X-Shop-Name, ": ", a], [-d], {name: a, list: [{b: c}]}]"#,
        #"[[https://shop.example/items], [-H], ["Content-Type: ", text/csv], [--data-raw], ["a,b"], [-H], ["Accept: ", a/b]]"#,
        #"[[https://shop.example/form], [-d], [name, "=", a], [-d], [other, "=", b], [-b], [sid, "=", c], [-u], [u, ":", p]]"#,
        #"[[https://shop.example/up], [-F], [photo, "=@", a.png, ;type=, image/png, ;filename=, b], [-F], [title, "=", t]]"#,
        #"[[https://shop.example/key], [-H], ["X-Api-Key: ", secret], [-H], ["Authorization: ", Token, " ", abc]]"#,
        #"[[--json], {query: "query Items { items { id } }", variables: {first: 1}}, [https://shop.example/graphql]]"#,
        #"[[https://shop.example/search], [-G], [--data-urlencode], [q, "=", x], [-A], [agent], [--compressed], [-k]]"#,
        #"[[https://, "user:pass@", shop.example, ":8080", /, "{id}", /, "$ID"], [-T], [file.bin], [-o], [out], [--unknown-x]]"#,
    ]

    private static func words(_ tree: JSONTree) -> [String] {
        guard case .array(let words) = tree else { return [] }
        return words.map { word in
            guard case .array(let parts) = word else { return String(decoding: word.json, as: UTF8.self) }
            return parts.map { if case .string(let text) = $0 { text } else { "" } }.joined()
        }
    }

    /// What divides the words of a line or says what they are: a URL, a form, a header, cookies, a file with its type.
    private static let dividers = "/?&=#;:%,@{}+()[]|<>$-.~"

    /// What a line becomes, in a way that a number says.
    private static func code(
        _ number: Int,
        content: String = "",
        _ make: (RequestInference) throws -> RequestInference.Result,
    ) -> [CodeCheck.File] {
        var choices = RequestInference.Choices()
        (choices.generator.access, choices.isDirect) = ways[number % ways.count]
        let inference = RequestInference(choices) { _ in Array(content.utf8) }
        return (try? make(inference)).map { CodeCheck.files($0.text) } ?? []
    }

    @Test(arguments: lines)
    func noWordOfACurlLineBecomesCode(line: String) async throws {
        let search = PlaceSearch("a cURL line", in: try JSONTree(yaml: line), sample: 20)
        let found = await search.findingsInCode(ways: Self.ways.count, dividers: Self.dividers) { changed, attempt in
            let words = ["curl"] + Self.words(changed)
            let quoted = words.map { "'" + $0.replacing("'", with: #"'\''"#) + "'" }.joined(separator: " ")
            let response = SampleFile(path: "a.json", bytes: changed.json)
            return Self.code(attempt.number, content: attempt.text) {
                try $0.request(words: words, responses: [response])
            } + Self.code(attempt.number, content: attempt.text) { try $0.request(line: quoted) }
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    /// A shell divides texts into other words; these with harmless signs become the same tokens.
    @Test(arguments: lines)
    func noPartOfACurlLineBecomesCode(line: String) async throws {
        let tree = try JSONTree(yaml: line)
        let usual = Set(try ShellWords(Self.words(tree).joined(separator: " ")).words)
        let search = PlaceSearch("an unquoted cURL line", in: tree, sample: 20)
        let found = await search.findings { changed, attempt in
            let line = (["curl"] + Self.words(changed)).joined(separator: " ")
            let files = Self.code(attempt.number) { try $0.request(line: line) }
            let faults = CodeCheck(files).faults
            guard faults.isEmpty, !files.isEmpty, let words = try? ShellWords(line).words else { return faults }
            let shape = CodeShape(of: files)
            let harmless = words.map { word in
                let texts = Payload(name: "", text: word).harmlessTexts(Self.dividers)
                return usual.contains(word) ? texts.map { _ in word } : texts
            }
            let others = harmless[0].indices.map { way in
                CodeShape(of: Self.code(attempt.number) { try $0.request(words: harmless.map { $0[way] }) })
            }
            if others.contains(where: { $0.counts == shape.counts }) { return [] }
            return ["other tokens than with harmless words: \(shape.difference(to: others[1]))"]
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    // MARK: Overlays and further files

    private static let document = """
        {openapi: 3.1.0, info: {title: Shop, version: '1'}, servers: [{url: 'https://shop.example'}], paths: {
          /dishes: {get: {operationId: listDishes, tags: [dishes], parameters: [
            {name: limit, in: query, schema: {type: integer}}], responses: {'200': {description: ok, content: {
              application/json: {schema: {$ref: '#/components/schemas/Dish'}}}}}}}},
         components: {schemas: {Dish: {type: object, properties: {name: {type: string}, size: {enum: [a, b]}}}}}}
        """

    private static let overlay = """
        {overlay: 1.0.0, info: {title: Corrections, version: '1'}, extends: api.json, actions: [
          {target: '$.info', description: A title, update: {title: Other, description: A shop}},
          {target: "$.paths['/dishes'].get", update: {summary: Lists, deprecated: true, x-hikyaku-pages: none,
            responses: {'200': {headers: {X-Count: {schema: {type: integer}}}}}}},
          {target: '$.paths', update: {/users/{id}: {get: {responses: {'204': {description: ok}}}}}},
          {target: '$.components.schemas.*.properties[?@.type == ''string'']', update: {description: A text}},
          {target: '$.components', update: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}}}},
          {target: '$', update: {security: [{key: []}], tags: [{name: dishes, description: All}]}},
          {target: '$.components.schemas.Dish.properties.size', remove: true}]}
        """

    @Test func noTextOfAnOverlayBecomesCode() async throws {
        let document = try JSONTree(yaml: Self.document).json
        let search = PlaceSearch("an overlay", in: try JSONTree(yaml: Self.overlay), sample: 60)
        let found = await search.findingsInCode(ways: 3) { changed, attempt in
            let files = ["overlay.json": changed.json]
            guard let document = read(json: document, files: files, overlays: ["overlay.json"]).document else {
                return []
            }
            return CodeCheck.files(Generator(options: Self.options(attempt.number)).generate(document).files)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    private static func options(_ number: Int) -> GeneratorOptions {
        var options = GeneratorOptions()
        options.access = GeneratorOptions.Access.allCases[number % 3]
        return options
    }

    private static let parts = """
        {paths: [/dishes, dishes.json, '#', /get], schema: [dish, .json], anchor: [part.json, '#', /Dish],
         parameter: [folder/, limit.json], url: ['https://', shop.example, /a.json], response: [ok.json]}
        """

    /// Every file is there, whatever its name is.
    @Test func noNameOfAFileBecomesCode() async throws {
        let search = PlaceSearch("file names", in: try JSONTree(yaml: Self.parts), sample: 60)
        let found = await search.findingsInCode(ways: 3, dividers: "/#") { changed, attempt in
            let result = Self.readParts(changed)
            guard let document = result.document else { return [] }
            return CodeCheck.files(Generator(options: Self.options(attempt.number)).generate(document).files)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    private static func readParts(_ tree: JSONTree) -> ReadingResult {
        func reference(_ name: String) -> JSONTree {
            guard case .object(let members) = tree, let member = members.first(where: { $0.key == name }) else {
                return .object([])
            }
            return .object([.init(key: "$ref", value: .string(words(.array([member.value])).joined()))])
        }
        func object(_ members: [(String, JSONTree)]) -> JSONTree { .object(members.map { .init(key: $0, value: $1) }) }
        let content = object([("application/json", object([("schema", reference("schema"))]))])
        let responses = object([
            ("200", object([("description", .string("ok")), ("content", content)])), ("404", reference("response")),
        ])
        let operation = object([
            ("parameters", .array([reference("parameter")])), ("responses", responses),
            (
                "requestBody",
                object([("content", object([("a/b+json", object([("schema", reference("anchor"))]))]))]),
            ),
        ])
        let document = object([
            ("openapi", .string("3.1.0")),
            ("info", object([("title", .string("Shop")), ("version", .string("1"))])),
            ("paths", object([("/a", object([("post", operation)])), ("/b", reference("paths"))])),
            ("components", object([("schemas", object([("Far", reference("url"))]))])),
        ])
        var options = ReadingOptions()
        let file = #"""
            {"type": "object", "properties": {"a": {"type": "string"}}, "name": "limit", "in": "query",
             "schema": {"type": "integer"}, "description": "A part", "Dish": {"type": "string", "enum": ["a"]},
             "get": {"responses": {"204": {"description": "ok"}}}}
            """#
        options.loader = { $0 == "api.json" ? document.json : Array(file.utf8) }
        options.urlLoader = { _ in Array(file.utf8) }
        return APIDocument.read(path: "api.json", options: options)
    }

    // MARK: Configurations

    private static let config = """
        {name: Shop, access: public, baseURL: 'https://shop.example', filter: ['tag:dishes'], imports: [Money],
         types: {integer: Money.Amount, string: Text}, names: {Dish: Meal, Dish.name: title, listDishes: All},
         pages: {listDishes: {parameter: limit, items: items, more: has_more}, 'GET /dishes': link},
         closedEnums: [DishSize], synthesizedEquality: [Dish], modelsModule: SharedModels, document: api.json,
         overlays: [overlay.json], output: API, modelsOutput: Models, allowURLs: true}
        """

    @Test func noTextOfAConfigurationBecomesCode() async throws {
        let document = try #require(read(json: try JSONTree(yaml: Self.document).json).document)
        let search = PlaceSearch("a configuration", in: try JSONTree(yaml: Self.config), sample: 100)
        let found = await search.findingsInCode { changed, _ in
            var options = GeneratorOptions()
            let problems = options.read(config: "hikyaku.json") { _ in changed.json }
            // What is wrong with a configuration ends the run.
            guard problems.isEmpty else { return [] }
            return CodeCheck.files(Generator(options: options).generate(document).files)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }

    private static let renames = "{Dish: Meal, Dish.name: title, listDishes: All, DishSize: Portion, dishes: menu}"

    /// As `--rename` gives them.
    @Test func noRenameBecomesCode() async throws {
        let document = try #require(read(json: try JSONTree(yaml: Self.document).json).document)
        let search = PlaceSearch("renames", in: try JSONTree(yaml: Self.renames), sample: 100)
        let count = Lock(0)
        let found = await search.findingsInCode(ways: 3) { changed, attempt in
            guard case .object(let members) = changed else { return [] }
            var options = Self.options(attempt.number)
            for member in members {
                // What is not a name is refused when the option is read.
                guard case .string(let name) = member.value, SwiftName.isName(name) else { return [] }
                options.renames[member.key] = name
            }
            count.withLock { $0 += 1 }
            return CodeCheck.files(Generator(options: options).generate(document).files)
        }
        if !found.isEmpty { Issue.record("\(found)") }
        #expect(count.withLock(\.self) > 20, "most texts were refused, so that nothing was tried")
    }

    @Test(arguments: ["", "_", "init", "class", "Any.B", "A.B", "A B", "1", "import"])
    func whatIsNotAModuleIsRefused(text: String) {
        var options = GeneratorOptions()
        let config = JSONTree.object([.init(key: "modelsModule", value: .string(text))])
        #expect(options.read(config: "hikyaku.json") { _ in config.json }.isEmpty == false)
        #expect(options.modelsModule == nil && !Code.isModule(text))
    }

    /// What can be a type only together with what is around it.
    @Test(arguments: [
        "Int, pwned: Int", "Int,pwned:Int", "Int pwned", "Int, b", "[Int", "Int]", "Int>", "A<B", "Int?, pwned: Int?",
        "[String: Int], pwned: Int", "Int.", ".Int", "", "_", "Int: Codable", "Int??:", "A..B", "A.1", "[]", "<>",
        "[:]",
        "A<>", "Int\n", "a\u{FE0F}", "A, B", "Int:", "self", "case", "A.Type", "[String:Int,Int]",
    ])
    func whatIsNotATypeIsRefused(text: String) {
        let allowed: Set = ["A.Type"]
        #expect(Code(type: text) == nil || allowed.contains(text))
    }

    @Test(arguments: ["Int", "Money.Amount", "[String: Int]", "[Int?]", "Box<[String: A.B], C>?", "_A", "Größe"])
    func whatIsATypeIsAccepted(text: String) {
        #expect(Code(type: text) != nil)
    }

    /// Names that the generated files of an earlier run have, in a file beside them.
    @Test func noTextOfANameFileBecomesCode() async throws {
        let document = try #require(read(json: try JSONTree(yaml: Self.document).json).document)
        let names = Generator().generate(document).history.file.text
        let search = PlaceSearch("the file of names", in: try JSONTree(yaml: names), sample: 60)
        let found = await search.findingsInCode(ways: 3) { changed, attempt in
            var history = NameHistory()
            guard history.read(path: "names.json", loader: { _ in changed.json }).isEmpty else { return [] }
            var options = Self.options(attempt.number)
            options.history = history
            return CodeCheck.files(Generator(options: options).generate(document).files)
        }
        if !found.isEmpty { Issue.record("\(found)") }
    }
}
#endif
