#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("Schemas")
struct SchemaTests {
    @Test func readsTypesOf31() throws {
        let (document, result) = try readSchemas(
            """
            A: {type: [string, 'null'], format: date-time}
            B: {type: [integer, string, null]}
            C: {type: 'null'}
            D: true
            E: false
            F: {}
            G: {type: array, items: {type: number}, minItems: 1, uniqueItems: true}
            """
        )
        #expect(result.diagnostics == [])
        #expect(try document.schema("A").types == [.string, .null])
        #expect(try document.schema("A").format == "date-time")
        #expect(try document.schema("B").types == [.integer, .string, .null])
        #expect(try document.schema("C").types == .null)
        #expect(try document.schema("D").boolean == true)
        #expect(try document.schema("E").boolean == false)
        #expect(try document.schema("F").isUnrestricted)
        #expect(try document.schema("G").items?.types == .number)
        #expect(try document.schema("G").constraints?.itemsMin == 1)
        #expect(try document.schema("G").constraints?.hasUniqueItems == true)
    }

    @Test func readsNullableOf30() throws {
        let (document, result) = try readSchemas(
            """
            A: {type: string, nullable: true}
            B: {nullable: true, allOf: [{$ref: '#/components/schemas/A'}]}
            C: {type: string, x-nullable: true}
            D: {type: string, enum: [a, null]}
            E: {nullable: true, oneOf: [{type: string}, {type: integer}]}
            F: {type: object, properties: {a: {$ref: '#/components/schemas/A', nullable: true, description: Own}}}
            """,
            version: "3.0.3",
        )
        #expect(result.diagnostics == [])
        #expect(try document.schema("A").types == [.string, .null])
        #expect(try document.schema("B").reference == SchemaKey("#/components/schemas/A"))
        #expect(try document.schema("B").isNullable)
        #expect(try document.schema("C").types == [.string, .null])
        #expect(try document.schema("D").types == [.string, .null])
        #expect(try document.schema("D").values?.map(\.value.short) == ["\"a\""])
        #expect(try document.schema("E").isNullable)
        let property = try document.schema("F").property("a")
        #expect(property.isNullable && !property.hasSiblings && property.description == "Own")
        #expect(property.reference == SchemaKey("#/components/schemas/A"))
    }

    @Test(
        arguments: [
            ("[{type: string}, {type: 'null'}]", SchemaTypes([.string, .null])),
            ("[{type: 'null'}, {type: string, format: uri}]", [.string, .null]),
            ("[{enum: [null]}, {type: integer}]", [.integer, .null]),
            ("[{const: null}, {type: array, items: {}}]", [.array, .null]),
        ] as [(String, SchemaTypes)]
    )
    func turnsAlternativesOfNullIntoOptionals(parts: String, expected: SchemaTypes) throws {
        for keyword in ["anyOf", "oneOf"] {
            let (document, _) = try readSchemas("A: {\(keyword): \(parts), description: Text}")
            let schema = try document.schema("A")
            #expect(schema.types == expected)
            #expect(schema.anyOf.isEmpty && schema.oneOf.isEmpty)
            #expect(schema.description == "Text")
        }
    }

    @Test func keepsFurtherAlternativesBesideNull() throws {
        let (document, _) = try readSchemas(
            """
            A: {anyOf: [{type: string}, {type: integer}, {type: 'null'}]}
            B: {anyOf: [{$ref: '#/components/schemas/A'}, {type: 'null'}]}
            """
        )
        let schema = try document.schema("A")
        #expect(schema.anyOf.map(\.types) == [.string, .integer])
        #expect(schema.isNullable)
        #expect(try document.schema("B").reference == SchemaKey("#/components/schemas/A"))
        #expect(try document.schema("B").isNullable)
    }

    @Test func readsObjects() throws {
        let (document, result) = try readSchemas(
            """
            A:
              type: object
              required: [b, z, b]
              properties: {b: {type: string, readOnly: true}, a: {type: integer, writeOnly: true, deprecated: true}}
              additionalProperties: false
            B: {type: object, additionalProperties: {type: integer}, minProperties: 1, maxProperties: 9}
            C: {type: object, additionalProperties: true}
            D: {additionalProperties: {}}
            E: {patternProperties: {'^x-': {type: string}}, propertyNames: {pattern: '^[a-z]+$'}}
            F: {type: object, unevaluatedProperties: false}
            """
        )
        #expect(result.diagnostics == [])
        let schema = try document.schema("A")
        #expect(schema.properties.map(\.name) == ["b", "a"])
        #expect(schema.properties.map(\.isRequired) == [true, false])
        #expect(schema.furtherRequired == ["z"])
        #expect(try schema.property("b").isReadOnly)
        let second = try schema.property("a")
        #expect(second.isWriteOnly && second.isDeprecated)
        #expect(schema.additionalProperties.short == "nothing")
        #expect(try document.schema("B").additionalProperties.short == "an integer")
        #expect(try document.schema("B").constraints?.propertiesMax == 9)
        #expect(try document.schema("C").additionalProperties.short == "anything")
        #expect(try document.schema("D").additionalProperties.short == "anything")
        #expect(try document.schema("E").patternProperties.map(\.pattern) == ["^x-"])
        #expect(try document.schema("E").types == .object)
        #expect(try document.schema("F").unevaluatedProperties.short == "nothing")
    }

    @Test func readsTuples() throws {
        let (document, result) = try readSchemas(
            """
            A: {type: array, prefixItems: [{type: string}, {type: integer}], items: false}
            B: {prefixItems: [{type: string}], items: {type: integer}}
            C: {type: array, items: [{type: string}], additionalItems: false}
            """
        )
        #expect(result.diagnostics.map(\.severity) == [.note])
        #expect(try document.schema("A").prefixItems.map(\.types) == [.string, .integer])
        #expect(try !document.schema("A").allowsFurtherItems)
        #expect(try document.schema("B").types == .array)
        #expect(try document.schema("B").items?.types == .integer)
        #expect(try document.schema("C").prefixItems.count == 1)
        #expect(try !document.schema("C").allowsFurtherItems)
    }

    @Test func readsEnumerationsWithNames() throws {
        let (document, result) = try readSchemas(
            """
            A: {type: integer, enum: [1, 2], x-enum-varnames: [one, two], x-enum-descriptions: {'2': Second}}
            B: {enum: [a, b, a]}
            C: {type: string, enum: [1, true, x, 1.0, '1']}
            D: {oneOf: [{const: a, title: First, description: The first}, {const: b}]}
            E: {anyOf: [{type: string}, {type: string, enum: [a, b]}]}
            F: {const: 5}
            G: {type: integer, enum: ['1', '2']}
            H: {type: string, enum: []}
            """
        )
        #expect(result.diagnostics.allSatisfy { $0.severity == .note })
        let named = try #require(try document.schema("A").values)
        #expect(named.map(\.name) == ["one", "two"])
        #expect(named.map(\.description) == [nil, "Second"])
        #expect(try document.schema("B").types == .string)
        #expect(try document.schema("B").values?.count == 2)
        #expect(try document.schema("C").values?.map(\.value.short) == ["\"1\"", "\"true\"", "\"x\"", "\"1.0\""])
        let alternatives = try document.schema("D")
        #expect(alternatives.types == .string && alternatives.oneOf.isEmpty)
        #expect(alternatives.values?.map(\.name) == ["First", nil])
        #expect(alternatives.values?.first?.description == "The first")
        #expect(try document.schema("E").values?.count == 2)
        #expect(try document.schema("E").anyOf.isEmpty)
        #expect(try document.schema("F").types == .integer)
        #expect(try document.schema("F").constant?.short == "5")
        #expect(try document.schema("G").values?.map(\.value.short) == ["1", "2"])
        #expect(try document.schema("H").values?.isEmpty == true)
    }

    @Test func readsDiscriminators() throws {
        let (document, result) = try readSchemas(
            """
            Pet:
              oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
              discriminator:
                propertyName: kind
                mapping: {cat: '#/components/schemas/Cat', dog: Dog, bird: Bird, fish: '#/components/schemas/Fish'}
            Cat: {type: object, properties: {kind: {type: string}}}
            Dog: {allOf: [{$ref: '#/components/schemas/Cat'}, {type: object, properties: {kind: {type: string}}}]}
            """
        )
        let discriminator = try #require(try document.schema("Pet").discriminator)
        #expect(discriminator.propertyName == "kind")
        #expect(discriminator.mapping.map(\.value) == ["cat", "dog"])
        #expect(discriminator.mapping.map(\.key.text) == ["#/components/schemas/Cat", "#/components/schemas/Dog"])
        #expect(result.diagnostics.map(\.code) == [.invalidDiscriminator, .danglingReference])
        #expect(document.subtypes(of: SchemaKey("#/components/schemas/Cat")).map(\.name) == ["Dog"])
    }

    @Test func readsAnnotationsAndExtensions() throws {
        let (document, result) = try readSchemas(
            """
            A:
              title: T
              description: D
              default: [1]
              example: 1
              examples: [2, {a: 3}]
              deprecated: true
              type: string
              contentMediaType: application/json
              contentEncoding: base64
              contentSchema: {type: integer}
              x-own: {a: 1}
              xml: {name: a}
              externalDocs: {url: x}
              $comment: c
              unknownWord: 1
            """
        )
        let schema = try document.schema("A")
        #expect(schema.title == "T" && schema.description == "D" && schema.isDeprecated)
        #expect(schema.defaultValue?.short == "[1]")
        #expect(schema.examples.map(\.short) == ["1", "2", "{a: 3}"])
        #expect(schema.contentMediaType == "application/json" && schema.contentEncoding == "base64")
        #expect(schema.contentSchema?.types == .integer)
        #expect(schema.extensions.map(\.key) == ["x-own"])
        #expect(result.summary == ["note ignoredMember 21:7"])
    }

    @Test func readsConstraintsAsTheyAreWritten() throws {
        let (document, result) = try readSchemas(
            """
            A: {type: number, minimum: 1.0e3, maximum: 18446744073709551615, exclusiveMinimum: true, multipleOf: 0.01}
            B: {type: number, exclusiveMaximum: 5, exclusiveMinimum: -5.50}
            C: {type: string, minLength: 1, maxLength: 1.0e2, pattern: '^\\d+$'}
            D: {type: string, minLength: -1, maxLength: x, minimum: [], maximum: '7'}
            """
        )
        let first = try #require(try document.schema("A").constraints)
        #expect(first.minimum == "1.0e3" && first.maximum == "18446744073709551615" && first.multipleOf == "0.01")
        #expect(first.isMinimumExclusive && !first.isMaximumExclusive)
        #expect(try document.schema("B").constraints?.exclusiveMaximum == "5")
        #expect(try document.schema("B").constraints?.exclusiveMinimum == "-5.50")
        let third = try #require(try document.schema("C").constraints)
        #expect(third.lengthMin == 1 && third.lengthMax == 100 && third.pattern == #"^\d+$"#)
        #expect(result.diagnostics.map(\.code) == Array(repeating: .invalidNumber, count: 4))
        #expect(try document.schema("D").constraints?.maximum == "7")
    }

    @Test(
        arguments: [
            ("int", SchemaTypes.integer, nil), ("String", .string, nil), ("float", .number, "float"),
            ("datetime", .string, "date-time"), ("long", .integer, "int64"), ("file", .string, "binary"),
            ("any", [], nil),
            ("whatever", [], nil),
        ] as [(String, SchemaTypes, String?)]
    )
    func guessesUnknownTypes(name: String, types: SchemaTypes, format: String?) throws {
        let (document, result) = try readSchemas("A: {type: \(name)}")
        #expect(try document.schema("A").types == types)
        #expect(try document.schema("A").format == format)
        #expect(result.diagnostics.map(\.code) == [.unknownValue])
    }

    @Test func readsWhatIsWrittenInTheWrongWay() throws {
        let (document, result) = try readSchemas(
            """
            A: {type: object, required: a, properties: {a: {type: string, required: true}, b: {type: string, required: false}}}
            B: 7
            C: [1]
            D: {properties: [a, b], items: 5, allOf: {type: object}, additionalProperties: 'no', required: {a: 1}}
            E: {type: {a: 1}, enum: x, format: [], description: 1.0, title: {a: 1}, deprecated: 'yes', nullable: 3}
            F:
            """
        )
        #expect(result.diagnostics.allSatisfy { $0.line > 0 && $0.column > 0 })
        #expect(try document.schema("A").properties.map(\.isRequired) == [true, false])
        #expect(try document.schema("B").isUnrestricted)
        #expect(try document.schema("C").isUnrestricted)
        #expect(try document.schema("D").additionalProperties.short == "nothing")
        #expect(try document.schema("E").values?.count == 1)
        #expect(try document.schema("E").description == "1.0")
        #expect(try document.schema("E").isDeprecated)
        #expect(try document.schema("F").isUnrestricted)
        #expect(result.diagnostics.filter { $0.severity == .warning }.count > 10)
    }

    @Test func readsSiblingsOfReferencesIn31() throws {
        let text = """
            A: {type: object, properties: {a: {type: string}}}
            B: {$ref: '#/components/schemas/A', description: Own, default: {}}
            C: {$ref: '#/components/schemas/A', properties: {b: {type: integer}}, required: [a, b]}
            """
        let (document, result) = try readSchemas(text)
        #expect(result.diagnostics == [])
        #expect(try !document.schema("B").hasSiblings)
        #expect(try document.schema("B").description == "Own")
        #expect(try document.schema("C").hasSiblings)
        let merged = document.merged(try document.schema("C"))
        #expect(merged.properties.map(\.name) == ["a", "b"])
        #expect(merged.properties.map(\.isRequired) == [true, true])
        let old = try readSchemas(text, version: "3.0.0")
        #expect(try !old.document.schema("C").hasSiblings)
        #expect(try old.document.schema("C").properties.isEmpty)
        #expect(old.result.diagnostics.map(\.code) == [.ignoredMember])
    }

    @Test func keepsOrigins() throws {
        let (document, _) = try readSchemas("A:\n  properties:\n    a/b: {type: string}")
        let schema = try document.schema("A").property("a/b")
        #expect(schema.origin.pointer == "#/components/schemas/A/properties/a~1b")
        #expect(schema.origin.position == SourcePosition(file: 0, line: 8, column: 14))
    }

    @Test func countsEachPieceOnce() throws {
        let (_, result) = try readSchemas(
            """
            A: {type: object, properties: {a: {type: string}, b: {$ref: '#/components/schemas/B'}}}
            B: {type: array, items: {oneOf: [{type: object, properties: {c: {type: string}}}, {$ref: '#/components/schemas/A'}]}}
            """
        )
        #expect(result.counts.properties == 3)
        // A, a, B, items, the first alternative, c.
        #expect(result.counts.schemas == 6)
    }
}
#endif
