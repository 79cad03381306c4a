#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("Merged parts of allOf")
struct MergeTests {
    private func merged(_ schemas: String) throws -> (schema: Schema, document: APIDocument, result: ReadingResult) {
        let (document, result) = try readSchemas(schemas)
        return (document.merged(try document.schema("R")), document, result)
    }

    @Test func joinsPropertiesInOrder() throws {
        let (schema, _, result) = try merged(
            """
            Base: {type: object, description: Base, required: [id], properties: {id: {type: integer}, name: {type: string}}}
            R:
              description: Own
              allOf:
              - $ref: '#/components/schemas/Base'
              - {type: object, properties: {extra: {type: boolean}}, required: [name]}
              properties: {last: {type: string}}
              required: [extra]
            """
        )
        #expect(result.diagnostics == [])
        #expect(schema.properties.map(\.name) == ["id", "name", "extra", "last"])
        #expect(schema.properties.map(\.isRequired) == [true, true, true, false])
        #expect(schema.description == "Own")
        #expect(schema.types == .object)
        #expect(schema.allOf.isEmpty && schema.furtherRequired.isEmpty)
        #expect(schema.origin.pointer == "#/components/schemas/R")
    }

    @Test func mergesNestedParts() throws {
        let (schema, _, _) = try merged(
            """
            A: {allOf: [{$ref: '#/components/schemas/B'}, {properties: {a: {type: string}}}]}
            B: {allOf: [{properties: {b: {type: string}}}, {allOf: [{properties: {c: {}}}, {properties: {d: {}}}]}]}
            R: {allOf: [{$ref: '#/components/schemas/A'}, {properties: {r: {type: string}}}]}
            """
        )
        #expect(schema.properties.map(\.name) == ["b", "c", "d", "a", "r"])
    }

    @Test func oneReferenceAloneIsAReference() throws {
        let (document, _) = try readSchemas(
            """
            A: {type: object}
            R: {type: object, description: Own, allOf: [{$ref: '#/components/schemas/A'}]}
            S: {allOf: [{type: string, format: uuid}], nullable: true, title: T}
            T: {allOf: [{$ref: '#/components/schemas/A'}], required: [a]}
            """
        )
        #expect(try document.schema("R").reference == SchemaKey("#/components/schemas/A"))
        #expect(try document.schema("R").description == "Own")
        #expect(try document.schema("S").types == [.string, .null])
        #expect(try document.schema("S").format == "uuid")
        #expect(try document.schema("T").allOf.count == 1)
        #expect(document.merged(try document.schema("T")).furtherRequired == ["a"])
    }

    @Test func combinesTheSamePropertyOfSeveralParts() throws {
        let (schema, document, result) = try merged(
            """
            X: {type: object, properties: {x: {type: string}}}
            R:
              allOf:
              - properties: {a: {type: string, description: First}, d: {type: string}, b: {$ref: '#/components/schemas/X'}, c: {type: number}}
              - properties: {a: {enum: [x, y]}, d: {maxLength: 9}, b: {$ref: '#/components/schemas/X'}, c: {description: Only}}
              - properties: {b: {type: object, properties: {y: {type: string}}}, c: {type: integer}}
            """
        )
        #expect(result.diagnostics == [])
        let first = document.merged(try schema.property("a"))
        #expect(first.values?.count == 2 && first.types == .string && first.description == "First")
        #expect(document.merged(try schema.property("d")).constraints?.lengthMax == 9)
        let second = try schema.property("b")
        #expect(second.allOf.count == 2)
        #expect(second.origin.pointer == "#/components/schemas/R/properties/b")
        #expect(document.merged(second).properties.map(\.name) == ["x", "y"])
        #expect(document.merged(try schema.property("c")).types == .integer)
    }

    @Test func diagnosesContradictions() throws {
        let (schema, document, result) = try merged(
            """
            R:
              allOf:
              - {type: object, properties: {a: {type: string}, b: {type: string, format: uri}, c: {enum: [x]}}}
              - {properties: {a: {type: integer}, b: {format: uuid, type: string}, c: {enum: [y]}}}
            S: {allOf: [{type: string}, {type: object}]}
            """
        )
        #expect(result.diagnostics.map(\.code) == Array(repeating: .conflictingParts, count: 4))
        #expect(result.diagnostics.map(\.line) == [9, 9, 9, 10])
        #expect(document.merged(try schema.property("a")).types == .string)
        #expect(document.merged(try schema.property("b")).format == "uri")
        #expect(document.merged(try document.schema("S")).types == .string)
    }

    @Test func endsWithSchemasThatContainThemselves() throws {
        let (schema, document, _) = try merged(
            """
            A: {allOf: [{$ref: '#/components/schemas/R'}, {properties: {a: {type: string}}}]}
            R: {allOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/R'}, {properties: {r: {type: string}}}]}
            """
        )
        #expect(schema.properties.map(\.name).contains("r"))
        #expect(document.merged(try document.schema("A")).properties.map(\.name).contains("a"))
    }

    @Test(.timeLimit(.minutes(1)))
    func endsWithManySchemasThatContainEachOther() throws {
        let parts = (0..<12).map { "{$ref: '#/components/schemas/A\($0)'}" }.joined(separator: ", ")
        let schemas = (0..<12).map { "A\($0): {allOf: [\(parts), {properties: {a\($0): {type: string}}}]}" }
        let (document, _) = try readSchemas(schemas.joined(separator: "\n"))
        #expect(document.merged(try document.schema("A0")).properties.count > 5)
    }

    @Test func carriesAlternativesOver() throws {
        let (schema, _, _) = try merged(
            """
            U: {oneOf: [{type: object, properties: {a: {type: string}}}, {type: object, properties: {b: {type: string}}}]}
            V: {anyOf: [{properties: {c: {type: string}}}, {properties: {d: {type: string}}}]}
            R: {allOf: [{$ref: '#/components/schemas/U'}, {$ref: '#/components/schemas/V'}], properties: {r: {type: string}}}
            """
        )
        #expect(schema.oneOf.count == 2)
        #expect(schema.allOf.count == 1)
        #expect(schema.allOf.first?.anyOf.count == 2)
        #expect(schema.properties.map(\.name) == ["r"])
    }

    @Test func leavesTheDiscriminatorToTheBase() throws {
        let (schema, document, _) = try merged(
            """
            Base: {type: object, discriminator: {propertyName: kind}, properties: {kind: {type: string}}}
            R: {allOf: [{$ref: '#/components/schemas/Base'}, {properties: {r: {type: string}}}]}
            """
        )
        #expect(schema.discriminator == nil)
        #expect(try document.schema("Base").discriminator?.propertyName == "kind")
    }

    @Test func joinsNullability() throws {
        let (document, _) = try readSchemas(
            """
            N: {type: [object, 'null'], properties: {a: {}}}
            R: {allOf: [{$ref: '#/components/schemas/N'}, {type: object, properties: {b: {}}}]}
            S: {type: [object, 'null'], allOf: [{$ref: '#/components/schemas/R'}, {properties: {c: {}}}]}
            """
        )
        #expect(document.merged(try document.schema("R")).types == .object)
        #expect(document.merged(try document.schema("S")).types == [.object, .null])
    }
}
#endif
