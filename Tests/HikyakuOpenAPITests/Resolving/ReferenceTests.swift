#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("References")
struct ReferenceTests {
    private static let head = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\n"

    @Test func keepsReferencesOfSchemasByKeys() throws {
        let (document, result) = try readSchemas(
            """
            Node: {type: object, properties: {next: {$ref: '#/components/schemas/Node'}, other: {$ref: '#/components/schemas/O'}}}
            O: {type: array, items: {$ref: '#/components/schemas/Node'}}
            """
        )
        #expect(result.diagnostics == [])
        #expect(document.schemas.map(\.name) == ["Node", "O"])
        #expect(try document.schema("Node").property("next").reference == SchemaKey("#/components/schemas/Node"))
        #expect(try document.schema("O").items?.reference == SchemaKey("#/components/schemas/Node"))
    }

    @Test func undoesPercentAndTildeEscapes() throws {
        let (document, result) = try readSchemas(
            """
            'a b/c~d{é}': {type: integer}
            R: {type: object, properties: {x: {$ref: '#/components/schemas/a%20b~1c~0d%7B%C3%A9%7D'}, y: {$ref: '#/components/schemas/a b~1c~0d{é}'}}}
            """
        )
        #expect(result.diagnostics == [])
        let schema = try document.schema("R")
        let key = try #require(try schema.property("x").reference)
        #expect(document[key]?.name == "a b/c~d{é}")
        #expect(try schema.property("y").reference == key)
    }

    @Test func splitsPointersByBytes() throws {
        let (document, result) = try readSchemas(
            """
            "\u{301}x": {type: integer}
            "\u{200D}": {type: string}
            R: {properties: {a: {$ref: "#/components/schemas/\u{301}x"}, b: {$ref: "#/components/schemas/\u{200D}"}}}
            """
        )
        #expect(result.diagnostics == [])
        #expect(document.schemas.count == 3)
        #expect(document.schemas.allSatisfy { $0.isComponent })
    }

    @Test func namesSchemasInsideOfOthers() throws {
        let (document, _) = try readSchemas(
            """
            A: {type: object, properties: {b: {type: array, items: {type: object, properties: {c: {type: string}}}}}}
            R: {type: object, properties: {x: {$ref: '#/components/schemas/A/properties/b/items'}}}
            """
        )
        let named = try #require(document.schemas.last)
        #expect(named.key == SchemaKey("#/components/schemas/A/properties/b/items"))
        #expect(named.name == "b")
        #expect(named.outerNames == ["A"])
        #expect(!named.isComponent)
        #expect(named.schema.properties.map(\.name) == ["c"])
    }

    @Test func followsPointersThroughReferences() throws {
        let (document, result) = try readSchemas(
            """
            A: {$ref: '#/components/schemas/B'}
            B: {type: object, properties: {c: {type: integer}}}
            R: {type: object, properties: {x: {$ref: '#/components/schemas/A/properties/c'}}}
            """
        )
        #expect(result.diagnostics == [])
        #expect(try document.schema("A").reference == SchemaKey("#/components/schemas/B"))
        #expect(try document.schema("R").property("x").reference == SchemaKey("#/components/schemas/B/properties/c"))
    }

    @Test func findsAnchors() throws {
        let (document, result) = try readSchemas(
            """
            A: {$anchor: here, type: integer}
            B: {$dynamicAnchor: there, type: string}
            R: {type: object, properties: {x: {$ref: '#here'}, y: {$dynamicRef: '#there'}}}
            """
        )
        #expect(result.diagnostics == [])
        #expect(try document.schema("R").property("x").reference == SchemaKey("#/components/schemas/A"))
        #expect(try document.schema("R").property("y").reference == SchemaKey("#/components/schemas/B"))
    }

    @Test func diagnosesDanglingReferences() throws {
        let (document, result) = try readSchemas(
            """
            R:
              type: object
              properties:
                a: {$ref: '#/components/schemas/None'}
                b: {$ref: 'none.yaml#/X'}
                c: {$ref: 7}
                d: {$ref: '#components/schemas/R'}
                e: {$ref: '#/info/title'}
            """
        )
        #expect(
            result.summary == [
                "warning danglingReference 9:12", "warning danglingReference 10:12", "warning unexpectedType 11:19",
                "warning invalidReference 12:12", "warning unexpectedTarget 13:12",
            ]
        )
        let schema = try document.schema("R")
        for name in ["a", "b", "c", "e"] { #expect(try schema.property(name).isUnrestricted) }
        #expect(try schema.property("d").reference == SchemaKey("#/components/schemas/R"))
    }

    @Test func guessesWhatReferencesMean() throws {
        let (document, result) = try readSchemas(
            """
            A: {$defs: {Inner: {type: integer}}, properties: {a: {$ref: '#/$defs/Inner'}}}
            R: {properties: {a: {$ref: '#/definitions/A'}, b: {$ref: A}, c: {$ref: B}, d: {$ref: '#/$defs/A'}}}
            """
        )
        let inner = SchemaKey("#/components/schemas/A/$defs/Inner")
        #expect(try document.schema("A").property("a").reference == inner)
        let schema = try document.schema("R")
        for name in ["a", "b", "d"] {
            #expect(try schema.property(name).reference == SchemaKey("#/components/schemas/A"))
        }
        #expect(try schema.property("c").isUnrestricted)
        #expect(
            result.diagnostics.map(\.code) == [
                .invalidReference, .invalidReference, .invalidReference, .danglingReference, .invalidReference,
            ]
        )
    }

    @Test func resolvesInsideOfSchemasWithIDs() throws {
        let (document, result) = try readSchemas(
            "A: {$id: a, $defs: {Inner: {type: integer}}, properties: {a: {$ref: '#/$defs/Inner'}}}"
        )
        #expect(result.diagnostics == [])
        let inner = SchemaKey("#/components/schemas/A/$defs/Inner")
        #expect(try document.schema("A").property("a").reference == inner)
    }

    @Test func keepsStatusesOfDanglingResponses() throws {
        let text = Self.head + "paths: {/a: {get: {responses: {'418': {$ref: '#/components/responses/None'}}}}}"
        let result = read(text)
        #expect(result.diagnostics.map(\.code) == [.danglingReference])
        let response = try #require(result.document?.operations.first?.responses.first)
        #expect(response.status == .code(418) && response.contents.isEmpty)
    }

    @Test func endsCyclesOfReferences() throws {
        let (document, result) = try readSchemas(
            """
            A: {$ref: '#/components/schemas/B'}
            B: {$ref: '#/components/schemas/A'}
            C: {$ref: '#/components/schemas/C'}
            D: {$ref: '#/components/schemas/D/properties/x'}
            R: {type: object, properties: {a: {$ref: '#/components/schemas/A'}}}
            """
        )
        #expect(result.diagnostics(.referenceCycle).count >= 3)
        for name in ["A", "B", "C"] { #expect(try document.schema(name).reference == nil) }
        #expect(try document.schema("R").property("a").reference == SchemaKey("#/components/schemas/A"))
    }

    @Test func readsOtherFilesOnce() throws {
        let files = [
            "models/pet.yaml":
                "type: object\nproperties: {owner: {$ref: '../shared/all.yml#/Owner'}, self: {$ref: pet.yaml}}\n",
            "shared/all.yml":
                "Owner: {type: object, properties: {pet: {$ref: ../models/pet.yaml}, own: {$ref: '#/Other'}}}\nOther: {$ref: ../models/a%20b.json#/x}\n",
            "models/a b.json": #"{"x": {"type": "integer"}}"#,
        ]
        let text =
            Self.head + "paths: {/a: {get: {responses: {'200': {description: '', content: {application/json: {schema: "
            + "{$ref: ./models/pet.yaml}}}}}}}}"
        let result = read(text, files: files)
        let document = try #require(result.document)
        #expect(result.diagnostics == [])
        #expect(document.files == ["api.yaml", "models/pet.yaml", "shared/all.yml", "models/a b.json"])
        #expect(
            document.schemas.map(\.key.text) == ["models/a b.json#/x", "models/pet.yaml#", "shared/all.yml#/Owner"]
        )
        #expect(document.schemas.map(\.name) == ["x", "pet", "Owner"])
        #expect(document.schemas.map(\.outerNames) == [["a b", "models"], ["models"], ["all", "shared"]])
        let owner = try #require(document[SchemaKey("shared/all.yml#/Owner")]).schema
        #expect(try owner.property("own").reference == SchemaKey("models/a b.json#/x"))
        #expect(owner.origin.position == SourcePosition(file: 2, line: 1, column: 8))
    }

    @Test func componentsGiveTheirNamesToFiles() throws {
        let text =
            Self.head + "paths: {}\ncomponents: {schemas: {Animal: {$ref: pet.yaml}, R: {items: {$ref: pet.yaml}}}}\n"
        let result = read(text, files: ["pet.yaml": "type: object"])
        let document = try #require(result.document)
        #expect(document.schemas.map(\.name) == ["Animal", "R"])
        #expect(document.schemas.map(\.key.text) == ["pet.yaml#", "#/components/schemas/R"])
        #expect(try document.schema("R").items?.reference == SchemaKey("pet.yaml#"))
    }

    @Test func filesMayReferBackToTheDocument() throws {
        let text = Self.head + "paths: {}\ncomponents: {schemas: {A: {type: string}, R: {items: {$ref: x/b.yaml}}}}\n"
        let result = read(text, files: ["x/b.yaml": "items: {$ref: '../api.yaml#/components/schemas/A'}"])
        let document = try #require(result.document)
        #expect(result.diagnostics == [])
        #expect(document[SchemaKey("x/b.yaml#")]?.schema.items?.reference == SchemaKey("#/components/schemas/A"))
    }

    @Test func loadsURLsOnlyIfAllowed() throws {
        let text =
            Self.head + "paths: {}\ncomponents: {schemas: {R: {items: {$ref: 'https://example.com/a/b.yaml#/X'}}}}\n"
        let refused = read(text)
        #expect(refused.diagnostics.map(\.code) == [.urlReference])
        #expect(try #require(refused.document).schema("R").items?.isUnrestricted == true)
        let loaded = read(
            text,
            urls: [
                "https://example.com/a/b.yaml": "X: {items: {$ref: '../c.yaml#/Y'}}",
                "https://example.com/c.yaml": "Y: {type: integer}",
            ],
        )
        #expect(loaded.diagnostics == [])
        #expect(try #require(loaded.document)[SchemaKey("https://example.com/c.yaml#/Y")]?.schema.types == .integer)
    }

    @Test func followsReferencesOfEveryPiece() throws {
        let files = [
            "item.yaml": """
            parameters: [{$ref: '#/shared'}]
            shared: {name: q, in: query, schema: {type: string}}
            get: {$ref: 'op.yaml'}
            """,
            "op.yaml": """
            operationId: go
            description: {$ref: 'texts.yaml#/hello'}
            parameters: {$ref: 'more.yaml#/parameters'}
            requestBody: {$ref: 'more.yaml#/body'}
            responses: {$ref: 'more.yaml#/responses'}
            """,
            "texts.yaml": "hello: Hello!",
            "more.yaml": """
            parameters: [{name: id, in: header, schema: {type: integer}}]
            body: {content: {$ref: '#/content'}}
            content: {application/json: {schema: {type: string}, examples: {a: {$ref: '#/example'}}}}
            example: {summary: One, value: x}
            responses: {'200': {$ref: '#/ok'}}
            ok: {description: Fine, headers: {X-A: {$ref: '#/header'}}, content: {$ref: '#/content'}}
            header: {schema: {type: integer}}
            """,
        ]
        let result = read(Self.head + "paths: {/a: {$ref: item.yaml}}", files: files)
        let document = try #require(result.document)
        #expect(result.diagnostics(.danglingReference) == [])
        let operation = try document.operation("GET", "/a")
        #expect(operation.id == "go")
        #expect(operation.description == "Hello!")
        #expect(operation.parameters.map(\.name) == ["q", "id"])
        #expect(operation.requestBody?.contents.first?.examples.first?.value.short == "\"x\"")
        #expect(operation.responses.first?.headers.map(\.name) == ["X-A"])
        #expect(operation.responses.first?.contents.first?.schema?.types == .string)
    }

    @Test func limitsTheNumberOfFiles() throws {
        var limits = ReadingLimits()
        limits.filesMax = 2
        let text =
            Self.head + "paths: {}\ncomponents: {schemas: {A: {items: {$ref: a.yaml}}, B: {items: {$ref: b.yaml}}}}\n"
        let result = read(text, files: ["a.yaml": "type: string", "b.yaml": "type: string"], limits: limits)
        #expect(result.diagnostics.map(\.code) == [.limitExceeded])
    }
}

@Suite("Paths of files and pointers")
struct FilePathTests {
    @Test(arguments: [
        ("b.yaml", "a.yaml", "b.yaml"), ("./b.yaml", "x/a.yaml", "x/b.yaml"), ("../b.yaml", "x/y/a.yaml", "x/b.yaml"),
        ("../../b.yaml", "x/a.yaml", "../b.yaml"), ("/b.yaml", "x/a.yaml", "/b.yaml"), ("b%20c.yaml", "a", "b c.yaml"),
        ("https://e.com/x", "a", "https://e.com/x"), ("b", "https://e.com/x/y", "https://e.com/x/b"),
        ("/b", "https://e.com/x/y", "https://e.com/b"), ("../b", "https://e.com/x/y/z", "https://e.com/x/b"),
        ("b", "https://e.com", "https://e.com/b"), ("100%", "a", "100%"),
    ])
    func resolvesPaths(reference: String, base: String, expected: String) {
        #expect(FilePath.resolved(reference, from: base) == expected)
    }

    @Test(arguments: [("a/b~c", "a~1b~0c"), ("~1", "~01"), ("", ""), ("é", "é")])
    func escapesTokens(token: String, escaped: String) {
        #expect(Pointer.escaped(token) == escaped)
        #expect(Pointer.unescaped(escaped) == token)
    }

    @Test func keepsInvalidEscapes() {
        #expect(Pointer.unescaped("a~2b~") == "a~2b~")
        #expect(Pointer.unescaped("~~1") == "~/")
        #expect(Pointer.tokens("/a//b~1c/") == ["a", "", "b/c", ""])
        #expect(Pointer.tokens("") == [])
    }
}
#endif
