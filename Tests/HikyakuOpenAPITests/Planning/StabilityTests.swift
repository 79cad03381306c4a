import Testing

@testable import HikyakuOpenAPI

/// What is added to a document renames nothing.
@Suite struct StabilityTests {
    private func names(_ schemas: String, paths: String = "{}") throws -> Set<String> {
        let text = """
            openapi: 3.1.0
            info: {title: Test, version: '1'}
            paths: \(paths)
            components:
              schemas:
            \(schemas.split(separator: "\n").map { "    " + $0 }.joined(separator: "\n"))
            """
        let document = try #require(read(text).document)
        let plan = Planner(document, GeneratorOptions(), Findings(countMax: 100)).plan()
        var names: Set<String> = []
        for type in plan.types {
            names.insert(type.name)
            switch type.kind {
            case .object(let properties, _):
                for item in properties { names.insert("\(type.name).\(item.name)=\(item.key)") }
            case .values(_, let values):
                for item in values { names.insert("\(type.name).\(item.name)=\(item.literal)") }
            case .tuple(let tuple): for item in tuple.elements { names.insert("\(type.name).\(item.name)=\(item.key)") }
            case .union(let union): for item in union.cases { names.insert("\(type.name).\(item.name)") }
            case .alias: break
            }
        }
        for group in plan.groups {
            for request in group.requests { names.insert("\(group.name).\(request.name)=\(request.id)") }
        }
        return names
    }

    private static let old = """
        Pet: {type: object, properties: {name: {type: string}, kind: {type: string, enum: [cat, dog]}, Name: {type: string}}}
        Any: {oneOf: [{$ref: '#/components/schemas/Pet'}, {type: string}]}
        """

    @Test(arguments: [
        "Zoo: {type: object, properties: {pet: {$ref: '#/components/schemas/Pet'}}}",
        "Animal: {type: object, properties: {kind: {type: string, enum: [cat]}}}",
        "PET: {type: object, properties: {a: {type: string}}}",
        "pet: {type: string, enum: [a]}",
    ])
    func aFurtherSchemaRenamesNothing(_ schema: String) throws {
        let before = try names(Self.old)
        let after = try names(schema + "\n" + Self.old)
        #expect(before.isSubset(of: after), "\(before.subtracting(after).sorted())")
        let last = try names(Self.old + "\n" + schema)
        #expect(last == after)
    }

    @Test func aFurtherCaseAndAFurtherPropertyRenameNothing() throws {
        let before = try names(Self.old)
        let more = Self.old.replacing("[cat, dog]", with: "[bird, Dog, cat, dog, CAT]")
            .replacing("{name: {type: string}", with: "{a: {type: string}, NAME: {type: string}, name: {type: string}")
            .replacing("oneOf: [", with: "oneOf: [{type: integer}, ")
        let after = try names(more)
        #expect(before.isSubset(of: after), "\(before.subtracting(after).sorted())")
    }

    /// A schema inside of a component is found in all that contain the component's parts.
    @Test func anInlineSchemaIsNamedAfterItsOwnComponent() throws {
        let base = """
            Base: {type: object, properties: {kind: {type: string, enum: [a]}, part: {type: object, properties: {x: {type: object, properties: {y: {type: string}}}}}}}
            """
        let before = try names(base)
        #expect(before.isSuperset(of: ["BaseKind", "BasePart", "BasePartX"]))
        let after = try names("Added: {allOf: [{$ref: '#/components/schemas/Base'}]}\n" + base)
        #expect(before.isSubset(of: after), "\(before.subtracting(after).sorted())")
        #expect(!after.contains("AddedKind"))
    }

    @Test func longChainsOfTypesAreGenerated() throws {
        let chain = (0..<3000).map { number in
            "C\(number): {type: object, properties: {next: {$ref: '#/components/schemas/C\(number + 1)'}}}"
        }
        let found = try names(chain.joined(separator: "\n") + "\nC3000: {type: string}")
        #expect(found.contains("C2999.next=next") && found.count == 6000)
    }

    @Test func aFurtherOperationRenamesNothing() throws {
        let list = "/pets: {get: {operationId: listPets, tags: [pets], responses: {'200': {description: ok}}}}"
        let before = try names(Self.old, paths: "{\(list)}")
        let more = "/a: {get: {operationId: list_pets, tags: [pets], responses: {'200': {description: ok}}}}"
        let after = try names(Self.old, paths: "{\(more), \(list)}")
        #expect(before.isSubset(of: after), "\(before.subtracting(after).sorted())")
    }

    // MARK: Files

    /// The names of types by the file that has them.
    private func files(_ names: [String]) throws -> [String: Set<String>] {
        let schemas = names.map { "\($0): {properties: {a: {type: string}}}" }.joined(separator: "\n")
        let result = Generator().generate(try readSchemas(schemas).document)
        var files: [String: Set<String>] = [:]
        for file in result.files where file.isOfModels {
            let names = file.text.matches(of: #/\nstruct (\w+):/#).map { String($0.output.1) }
            files[file.path] = Set(names)
        }
        return files
    }

    @Test func aFurtherSchemaMovesTypesOfOneFileAtMost() throws {
        var state: UInt64 = 7
        func next(_ count: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % count)
        }
        let starts = ["Repository", "Repo", "Issue", "Iss", "A", "Zebra", "Ä", "User2", "user"]
        var names: [String] = (0..<400).map {
            "\(starts[next(9)])\(["", "X", "b", "1"][next(4)])\(next(100_000))T\($0)"
        }
        var before = try files(names)
        #expect(before.count > 5 && before.values.allSatisfy { $0.count <= 80 })
        #expect(before.values.reduce(0) { $0 + $1.count } == 400)
        for index in 0..<20 {
            names.append("\(starts[next(9)])\(next(100_000))More\(index)")
            let after = try files(names)
            let changed = before.filter { path, types in after[path]?.isSuperset(of: types) != true }
            #expect(changed.count <= 1)
            before = after
        }
    }

    @Test func fewTypesAreInOneFile() throws {
        #expect(try files((0..<80).map { "Sample\($0)" }).keys.sorted() == ["Test+Models.swift"])
        let files = try files((0..<81).map { "Sample\($0)" } + ["Other"])
        #expect(
            files.keys.sorted()
                == ["I-Q", "Sample-Sample7", "Sample8-Sampleh"].map { "Models/Test+Models+\($0).swift" },
            "\(files.keys)",
        )
    }
}
