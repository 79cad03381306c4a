import Testing

@testable import HikyakuOpenAPI

/// With the names of an earlier run, nothing that is added to a document renames anything.
@Suite struct NameHistoryTests {
    private func plan(
        _ document: Document,
        _ history: NameHistory?,
        _ change: (inout GeneratorOptions) -> Void = { _ in },
    )
        throws -> Plan
    {
        var options = GeneratorOptions()
        options.history = history
        change(&options)
        return Planner(try document.read(), options, Findings(countMax: 100)).plan()
    }

    private static let old = Document(
        schemas: """
            user-profile: {type: object, properties: {Add: {type: string}, kind: {type: string, enum: [Cat, dog]}}}
            PetAPI: {type: object, properties: {name: {type: string}}}
            Map: {properties: {a: {type: string}}, additionalProperties: {type: string}}
            Key: {oneOf: [{type: string, format: uuid}, {type: array, items: {type: string}}]}
            Vague: {anyOf: [{required: [id], properties: {id: {type: string}, b: {type: string, enum: [x]}}}, {type: integer}]}
            Either: {oneOf: [{type: object, title: One, required: [a], properties: {a: {type: string}}}, {type: string}]}
            Fault: {type: object, properties: {fault: {type: string}}}
            Other: {type: object, properties: {other: {type: string}}}
            """,
        paths: """
            /users:
              get:
                operationId: list_users
                tags: [users]
                parameters:
                - {name: page, in: query, schema: {type: integer}}
                - {name: order, in: query, schema: {type: string, enum: [up, down]}}
                responses:
                  '200': {description: ok, content: {application/json: {schema: {properties: {kept: {type: string}}}}}}
                  '400': {description: bad, content: {application/json: {schema: {$ref: '#/components/schemas/Fault'}}}}
                  '500': {description: bad, content: {application/json: {schema: {$ref: '#/components/schemas/Other'}}}}
            """,
    )

    /// What is added, to schemas, paths, or by a replacement.
    @Test(arguments: [
        Addition("a schema that is called as an older one in Swift", schema: "UserProfile: {type: string, enum: [a]}"),
        Addition("a schema that is called as an inline one", schema: "UserProfileKind: {type: string, enum: [a]}"),
        Addition(
            "a property that is called as an older one in Swift",
            replacing: "{Add:",
            "{add: {type: integer}, Add:",
        ),
        Addition("a value that is called as an older one in Swift", replacing: "[Cat, dog]", "[cat, Dog, Cat, dog]"),
        Addition(
            "a case with the same title",
            replacing: "oneOf: [",
            "oneOf: [{type: object, title: one, properties: {b: {type: string}}}, ",
        ),
        Addition(
            "a case of another format",
            replacing: "Key: {oneOf: [",
            "Key: {oneOf: [{type: string, format: date}, ",
        ),
        Addition(
            "a case with the same first required member",
            replacing: "Vague: {anyOf: [",
            "Vague: {anyOf: [{required: [id], properties: {id: {type: string}, a: {type: string, enum: [y]}}}, ",
        ),
        Addition(
            "a case with fewer members",
            replacing: "Vague: {anyOf: [",
            "Vague: {anyOf: [{required: [id], properties: {id: {type: string}}}, ",
        ),
        Addition(
            "a member of a case that has no title",
            replacing: "{id: {type: string}, b:",
            "{id: {type: string}, added: {type: string, enum: [z]}, b:",
        ),
        Addition(
            "a member of a case that has no title, and another case",
            replacing: "Vague: {anyOf: [{required: [id], properties: {id: {type: string}, b:",
            "Vague: {anyOf: [{required: [id], properties: {id: {type: string}}}, {required: [id], properties: {id: {type: string}, added: {type: string}, b:",
        ),
        Addition(
            "a property that is called as that of a map's members",
            replacing: "Map: {properties: {",
            "Map: {properties: {additionalProperties: {type: string}, ",
        ),
        Addition("a schema that is called as a request", schema: "ListUsers: {type: string, enum: [a]}"),
        Addition("a schema that is called as a failure", schema: "FaultOrOther: {type: string, enum: [a]}"),
        Addition(
            "a tag whose namespace is called as a model",
            path: "/pets: {get: {tags: [pet], responses: {'200': {description: ok}}}}",
        ),
        Addition(
            "a parameter of the same name",
            replacing: "- {name: page, in: query, schema: {type: integer}}",
            "- {name: page, in: header, schema: {type: integer}}\n    - {name: page, in: query, schema: {type: integer}}",
        ),
        Addition(
            "a parameter before an inline type",
            replacing: "- {name: page, in: query",
            "- {name: sort, in: query, schema: {type: string, enum: [x]}}\n    - {name: page, in: query",
        ),
        Addition(
            "an operation of the same name",
            path: "/all: {get: {operationId: ListUsers, tags: [users], responses: {'200': {description: ok}}}}",
        ),
        Addition(
            "an operation with another error",
            path:
                "/all: {get: {operationId: all, tags: [users], responses: {'400': {description: bad, content: {application/json: {schema: {$ref: '#/components/schemas/Fault'}}}}}}}",
        ),
        Addition(
            "an operation in front whose inline models have the same names",
            path: """
                /a/users:
                  get:
                    operationId: ListUsers
                    tags: [users]
                    parameters: [{name: order, in: query, schema: {type: string, enum: [left]}}]
                    responses: {'200': {description: ok, content: {application/json: {schema: {properties: {b: {type: string}}}}}}}
                """,
        ),
        Addition("another title", replacing: "title: Test", "title: A New Title"),
    ])
    fileprivate func anAdditionRenamesNothing(_ addition: Addition) throws {
        let before = try plan(Self.old, nil)
        let after = try plan(Self.old.adding(addition), before.history)
        let (old, new) = (Self.names(before), Self.names(after))
        #expect(old.isSubset(of: new), "\(old.subtracting(new).sorted())")
        #expect(new.count > old.count || addition.replacement.contains("Title"))
        let again = try plan(Self.old.adding(addition), after.history)
        #expect(Self.names(again) == new)
        #expect(again.history == after.history)
    }

    /// Schemes, scopes, servers and the fields of responses.
    @Test func whatIsNotATypeKeepsItsName() throws {
        func document(_ isNew: Bool) throws -> APIDocument {
            let header = "{schema: {type: string}}"
            return try #require(
                HikyakuOpenAPITests.read(
                    """
                    openapi: 3.1.0
                    info: {title: Test, version: '1'}
                    servers:
                    \(isNew ? "- {url: 'https://b.example', description: Main}" : "")
                    - {url: 'https://a.example/{r_a}', variables: {\(isNew ? "rA: {default: y}, " : "")r_a: {default: x}}}
                    - {url: 'https://c.example', description: Main}
                    paths:
                      \(isNew ? "/0: {get: {responses: {'204': {description: a, headers: {x-a: \(header)}}}}}" : "{}: {}")
                      /a: {get: {responses: {'204': {description: a, headers: {X-A: \(header)}}}}}
                    components:
                      securitySchemes:
                        \(isNew ? "keyA: {type: apiKey, in: header, name: X-B}" : "none: {type: mutualTLS}")
                        key_a: {type: apiKey, in: header, name: X-A}
                        oauth: {type: oauth2, flows: {clientCredentials: {tokenUrl: 'https://a.example', scopes: \
                    {\(isNew ? "aB: new, " : "")a_b: old}}}}
                    """
                ).document
            )
        }
        func names(_ plan: Plan) -> Set<String> {
            var names = Set(plan.environments.map { "\($0.name) \($0.url) \($0.variables.map(\.name).last ?? "")" })
            for security in plan.security {
                names.formUnion(security.provider.map { ["\($0.name) \($0.placement)"] } ?? [])
                names.formUnion(security.endpoints?.scopes.map { "\($0.name) \($0.literal)" } ?? [])
            }
            for headers in plan.headers { names.insert("\(headers.name) \(headers.fields.map(\.key))") }
            return names
        }
        var options = GeneratorOptions()
        options.history = NameHistory()
        let before = Planner(try document(false), options, Findings(countMax: 100)).plan()
        options.history = before.history
        let after = Planner(try document(true), options, Findings(countMax: 100)).plan()
        #expect(names(before).isSubset(of: names(after)), "\(names(before).subtracting(names(after)).sorted())")
        #expect(names(after).count > names(before).count)
        var read = NameHistory()
        let text = after.history.text
        #expect(read.read(path: "a.json", loader: { _ in Array(text.utf8) }).isEmpty && read == after.history)
    }

    /// Without history, most of them do: the history is what keeps the names.
    @Test func withoutHistoryAnExactNameIsTaken() throws {
        let addition = Addition("", schema: "UserProfile: {type: string, enum: [a]}")
        let new = Self.names(try plan(Self.old.adding(addition), nil))
        #expect(!new.contains("#/components/schemas/user-profile UserProfile"))
    }

    /// An inline type that further places contain is called as in the first run, even if another place is nearer.
    @Test func anInlineTypeKeepsItsNameWhenAShorterPlaceIsFound() throws {
        func document(_ operations: String) -> Document {
            Document(
                schemas: "A: {type: string}",
                paths: """
                    /pets:
                      parameters: [{name: kind, in: query, schema: {type: string, enum: [cat]}}]
                    \(operations)
                    """,
            )
        }
        let list = "  get: {operationId: listAllPets, responses: {'200': {description: ok}}}"
        let add = "  post: {operationId: add, responses: {'200': {description: ok}}}"
        let before = try plan(document(list), nil)
        #expect(Self.names(before).contains { $0.hasSuffix(" ListAllPetsKind") })
        #expect(Self.names(try plan(document(list + "\n" + add), nil)).contains { $0.hasSuffix(" AddKind") })
        let after = Self.names(try plan(document(list + "\n" + add), before.history))
        #expect(after.contains { $0.hasSuffix(" ListAllPetsKind") } && !after.contains { $0.hasSuffix(" AddKind") })
    }

    @Test func aNameThatTheUserChoosesWinsOverHistory() throws {
        let before = try plan(Self.old, nil)
        let after = try plan(Self.old, before.history) {
            $0.renames = ["user-profile": "Account", "list_users": "All"]
            $0.name = "Chosen"
        }
        let names = Self.names(after)
        #expect(names.contains("#/components/schemas/user-profile Account"))
        #expect(names.contains { $0.hasSuffix(" AccountKind") } && names.contains("UsersAPI GET /users All"))
        #expect(after.name == "Chosen")
        // The next run without a change gives the same.
        let again = try plan(Self.old, after.history) {
            $0.renames = ["user-profile": "Account", "list_users": "All"]
            $0.name = "Chosen"
        }
        #expect(Self.names(again) == names)
    }

    // MARK: The file

    @Test func theFileIsReadAsItWasWritten() throws {
        let history = try plan(Self.old, nil).history
        var read = NameHistory()
        let text = history.file.text
        #expect(read.read(path: "names.json") { _ in Array(text.utf8) } == [])
        #expect(read == history)
        #expect(text.contains(#""members": [["Add", "add"]]"#) || text.contains(#""members": ["Add"]"#))
    }

    @Test(arguments: [
        "", "[]", "{\"api\": 1}", "{\"api\": \"a b\"}", "{\"types\": {\"a\": {\"name\": \"x(\"}}}",
        "{\"types\": {\"a\": {}}}", "{\"types\": {\"a\": {\"name\": \"A\", \"members\": [1]}}}",
        "{\"requests\": {\"A\": {\"GET /\": {\"name\": \"}\"}}}}", "{\"failures\": {\"A\": \"1\"}}",
        // Keywords, which would be declarations of their own.
        "{\"api\": \"init\"}", "{\"api\": \"class\"}", "{\"types\": {\"a\": \"enum\"}}",
        "{\"failures\": {\"A\": \"self\"}}",
        "{\"requests\": {\"A\": {\"GET /\": {\"name\": \"B\", \"members\": [[\"a\", \"init\"]]}}}}",
        "{\"others\": {\"servers\": {\"a\": \"subscript\"}}}",
    ])
    func aFileThatIsBrokenIsAnError(_ text: String) {
        var history = NameHistory()
        let problems = history.read(path: "names.json") { _ in Array(text.utf8) }
        #expect(problems.contains { $0.severity == .error }, "\(text)")
        #expect(history == NameHistory())
    }

    /// Names that are no longer in the document are forgotten.
    @Test func whatIsGoneIsForgotten() throws {
        let before = try plan(Self.old, nil)
        let after = try plan(Document(schemas: "A: {type: string}", paths: ""), before.history)
        #expect(after.history.types.isEmpty && after.history.requests.isEmpty && after.history.failures.isEmpty)
    }

    // MARK: Names of a plan

    /// Everything with a name, by what it is of.
    private static func names(_ plan: Plan) -> Set<String> {
        var names: Set<String> = ["api \(plan.name)"]
        for type in plan.types {
            names.insert("\(Self.withoutIndexes(type.id)) \(type.name)")
            switch type.kind {
            case .object(let properties, let others):
                for item in properties { names.insert("\(type.name) \(item.key) \(item.name)") }
                if let others { names.insert("\(type.name) others \(others.name)") }
            case .tuple(let tuple):
                for item in tuple.elements { names.insert("\(type.name) \(item.key) \(item.name)") }
            case .values(_, let values):
                for item in values { names.insert("\(type.name) \(item.literal) \(item.name)") }
            case .union(let union):
                for item in union.cases {
                    names.insert("\(type.name) \(TypeText.text(of: item.type, plan.typeNames)) \(item.name)")
                }
            case .alias: break
            }
        }
        for group in plan.groups {
            for request in group.requests {
                names.insert("\(group.name) \(request.id) \(request.name)")
                for item in request.parameters { names.insert("\(request.id) \(item.identity) \(item.name)") }
            }
        }
        for failure in plan.failures { names.insert("failure \(failure.name)") }
        return names
    }

    private static func withoutIndexes(_ pointer: String) -> String {
        pointer.split(separator: "/").map { Int($0) == nil ? String($0) : "0" }.joined(separator: "/")
    }
}

/// A document of two parts.
private struct Document {
    var schemas: String
    var paths: String
    var title = "Test"

    func read() throws -> APIDocument {
        func indented(_ text: String, _ indentation: String) -> String {
            text.split(separator: "\n").map { indentation + $0 }.joined(separator: "\n")
        }
        let text = """
            openapi: 3.1.0
            info: {title: \(title), version: '1'}
            paths:
            \(indented(paths, "  "))
            components:
              schemas:
            \(indented(schemas, "    "))
            """
        return try #require(HikyakuOpenAPITests.read(text).document)
    }

    func adding(_ addition: Addition) -> Document {
        var document = self
        if let schema = addition.schema { document.schemas = schema + "\n" + schemas }
        if let path = addition.path { document.paths = path + "\n" + paths }
        if addition.replacement.hasPrefix("title: ") { document.title = String(addition.replacement.dropFirst(7)) }
        document.schemas = document.schemas.replacing(addition.text, with: addition.replacement)
        document.paths = document.paths.replacing(addition.text, with: addition.replacement)
        return document
    }
}

private struct Addition: CustomStringConvertible, Sendable {
    var description: String
    var schema: String?
    var path: String?
    var text = "nothing that is in it"
    var replacement = ""

    init(_ description: String, schema: String? = nil, path: String? = nil) {
        (self.description, self.schema, self.path) = (description, schema, path)
    }

    init(_ description: String, replacing text: String, _ replacement: String) {
        (self.description, self.text, self.replacement) = (description, text, replacement)
    }
}
