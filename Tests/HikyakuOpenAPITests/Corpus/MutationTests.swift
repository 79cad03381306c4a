#if YAML
import TestSupport
import Testing

@testable import HikyakuOpenAPI

@Suite("Random changes of documents")
struct MutationTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: T, version: '1'}
        servers: [{url: 'https://{a}.example', variables: {a: {default: x}}}]
        security: [{key: []}]
        paths:
          /a/{id}:
            parameters: [{name: id, in: path, required: true, schema: {type: integer, format: int64}}]
            post:
              tags: [a]
              operationId: go
              requestBody: {content: {multipart/form-data: {schema: {$ref: '#/components/schemas/A'}, encoding: {a: {contentType: x/y}}}}}
              responses: {'200': {description: "é\\u00e9", headers: {h: {schema: {type: string}}}, content: {application/json: {schema: {$ref: '#/components/schemas/B'}, example: &e {a: [1, 2]}}}}}
              callbacks: {c: {'{$url}': {post: {responses: {default: {$ref: '#/components/responses/R'}}}}}}
        components:
          responses: {R: {description: '', content: {text/event-stream: {itemSchema: {$ref: '#/components/schemas/U'}}}}}
          securitySchemes: {key: {type: apiKey, in: header, name: k}}
          schemas:
            A: {type: object, required: [a], properties: {a: {type: [string, 'null'], enum: [x, y]}, b: {$ref: '#/components/schemas/A'}}}
            B: {allOf: [{$ref: '#/components/schemas/A'}, {type: object, properties: {c: {type: array, items: {const: 1}}}}], default: *e}
            U: {oneOf: [{$ref: '#/components/schemas/A'}, {$ref: '#/components/schemas/B'}, {type: 'null'}], discriminator: {propertyName: a, mapping: {x: A}}}
        """

    private static let pieces = [
        "$ref", "'#/components/schemas/A'", "null", "[", "]", "{", "}", ": ", "- ", "\t", "&e ", "*e", "<<: *e", "\"",
        "'",
        "\\uD83D", "1.0e3", "true", "type", "allOf", "properties", "\n", "#", "!!str ", "? ", "|\n",
        "#/paths/~1a~1{id}/post", "\u{0}",
        "{$ref: '#/components/schemas/U'}", "{$ref: '#/paths'}", "\u{FEFF}", "enum: []", "items: ", "../", "%", "~1",
        "---\n",
    ]

    @Test func neverTrap() {
        let seed = testSeed()
        print("seed of the changes of documents: \(seed)")
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(1_500) {
            let bytes = mutated(Array(Self.document.utf8), using: &generator)
            let result = read(String(decoding: bytes, as: UTF8.self))
            #expect(result.document != nil || !result.diagnostics.isEmpty)
            for named in result.document?.schemas ?? [] { _ = result.document?.merged(named.schema) }
            _ = readTree(bytes, path: "a.json")
        }
    }

    @Test func neverTrapInJSON() throws {
        var generator = SeededGenerator(seed: testSeed())
        let json =
            ##"{"openapi":"3.0.0","info":{},"paths":{"/a":{"get":{"responses":{"200":{"$ref":"#/x"}}}}},"x":{"content":{"a/b":{"schema":{"type":"string","enum":["\ud83d\ude00",1.5e3,null]}}}}}"##
        for _ in 0..<Effort.rounds(1_500) {
            let bytes = mutated(Array(json.utf8), using: &generator)
            _ = read(String(decoding: bytes, as: UTF8.self))
        }
    }

    @Test func neverTrapInPaths() {
        var generator = SeededGenerator(seed: testSeed())
        let path = "$..a['b',\"c\"][?@.x == 'y' && !(@.z < 1.5 || $.q[0])][1:2:-1,*]"
        let root = readTree("{a: {b: [1, {x: y}], c: {x: y, z: 1}}, q: [0]}").node
        for _ in 0..<Effort.rounds(2_000) {
            let text = String(decoding: mutated(Array(path.utf8), using: &generator), as: UTF8.self)
            if let path = try? JSONPath(text), let root { _ = path.locations(in: root, countMax: 10_000) }
        }
    }

    /// The bytes with some of them changed, removed, repeated, or replaced by pieces of other documents.
    private func mutated(_ bytes: [UInt8], using generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            let start = Int.random(in: 0..<bytes.count, using: &generator)
            let end = min(bytes.count, start + Int.random(in: 0...20, using: &generator))
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: bytes[start] = UInt8.random(in: 0...255, using: &generator)
            case 1: bytes.removeSubrange(start..<end)
            case 2:
                bytes.insert(contentsOf: bytes[start..<end], at: Int.random(in: 0...bytes.count, using: &generator))
            case 3: bytes.removeSubrange(start...)
            default:
                let piece = Self.pieces.randomElement(using: &generator) ?? ""
                bytes.replaceSubrange(start..<min(end, start + 3), with: Array(piece.utf8))
            }
        }
        return bytes
    }
}
#endif
