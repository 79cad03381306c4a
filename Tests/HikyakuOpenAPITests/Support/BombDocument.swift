import TestSupport

/// Writes small documents whose schemas stand for many others: random graphs of one shape.
struct BombDocument {
    /// How a schema is made of others.
    enum Kind: String, CaseIterable {
        case oneOf, anyOf, allOf, properties, items, additionalProperties, patternProperties, prefixItems
        case discriminator, siblings, inline, types, values
    }

    static let bytesMax = 10_240

    /// As many schemas as there may be: chains are so deep.
    var depth = 40
    /// How many parts a schema has at most.
    var width = 3
    var kinds: [Kind] = Kind.allCases
    /// How many kinds a schema has at once.
    var mixed = 2
    /// The probability that a reference leads to any schema, also to one that leads back.
    var circles = 0.0
    /// How far before it a schema refers to.
    var reach = 2
    /// The probability that a part is written in place.
    var nesting = 0.2
    /// Between how many files the schemas are divided.
    var files = 1

    /// A shape with random parameters.
    static func random(using generator: inout SeededGenerator) -> Self {
        var shape = Self()
        shape.depth = [4, 8, 16, 40, 100].randomElement(using: &generator) ?? 4
        shape.width = [1, 2, 3, 5, 12].randomElement(using: &generator) ?? 1
        shape.kinds = Array(Kind.allCases.shuffled(using: &generator).prefix(Int.random(in: 1...5, using: &generator)))
        shape.mixed = Int.random(in: 1...4, using: &generator)
        shape.circles = [0, 0, 0.05, 0.3, 1].randomElement(using: &generator) ?? 0
        shape.reach = [1, 2, 4, 30].randomElement(using: &generator) ?? 1
        shape.nesting = [0, 0.2, 0.6].randomElement(using: &generator) ?? 0
        shape.files = [1, 1, 3].randomElement(using: &generator) ?? 1
        return shape
    }

    /// The texts of the files by their names; all of them together have at most ``bytesMax`` bytes.
    func documents(using generator: inout SeededGenerator) -> [String: String] {
        var schemas = Array(repeating: "", count: files)
        var count = 800 + 200 * files
        for index in 0..<depth {
            let file = index % files
            let text = "    S\(index): \(index == 0 ? Self.leaf(0) : schema(index, 0, &generator))\n"
            count += text.utf8.count
            guard count <= Self.bytesMax else { break }
            schemas[file] += text
        }
        let head = "openapi: 3.1.0\ninfo: {title: a, version: '1'}\n" + Self.paths
        var found: [String: String] = [:]
        for (index, text) in schemas.enumerated() {
            found[Self.name(index)] = "\(index == 0 ? head : "")components:\n  schemas:\n\(text)"
        }
        return found
    }

    /// Operations that have a schema in each place.
    static let paths: String = {
        let one = "{$ref: '#/components/schemas/S0'}"
        let other = "{$ref: '#/components/schemas/S3'}"
        let last = "{$ref: '#/components/schemas/S6'}"
        return """
            paths:
              /a/{p}:
                post:
                  parameters: [{name: p, in: path, required: true, style: matrix, schema: \(other)},
                    {name: q, in: query, style: deepObject, schema: \(other)}, {name: h, in: header, schema: \(last)}]
                  requestBody: {content: {multipart/form-data: {schema: \(other)}, application/json: {schema: \(last)}}}
                  responses: {'200': {headers: {a: {schema: \(other)}}, content: {application/json: {schema: \(last)}}},
                    '400': {content: {application/json: {schema: \(one)}}}}

            """
    }()

    static func name(_ file: Int) -> String { file == 0 ? "api.yaml" : "f\(file).yaml" }

    private static func leaf(_ number: Int) -> String {
        "{type: object, required: [a\(number)], properties: {a\(number): {type: string}}}"
    }

    private func reference(_ index: Int, _ generator: inout SeededGenerator) -> String {
        var target = max(0, index - 1 - Int.random(in: 0..<reach, using: &generator))
        let isAnywhere = Double.random(in: 0..<1, using: &generator) < circles
        if isAnywhere { target = Int.random(in: 0..<depth, using: &generator) }
        let file = target % files == index % files ? "" : Self.name(target % files)
        return "$ref: '\(file)#/components/schemas/S\(target)'"
    }

    private func part(_ index: Int, _ level: Int, _ generator: inout SeededGenerator) -> String {
        if level < 2, Double.random(in: 0..<1, using: &generator) < nesting {
            return schema(index, level + 1, &generator)
        }
        let isLeaf = Int.random(in: 0..<8, using: &generator) == 0
        return isLeaf ? Self.leaf(Int.random(in: 0..<20, using: &generator)) : "{\(reference(index, &generator))}"
    }

    private func schema(_ index: Int, _ level: Int, _ generator: inout SeededGenerator) -> String {
        let kinds = kinds.shuffled(using: &generator).prefix(mixed)
        return "{" + kinds.map { member($0, index, level, &generator) }.joined(separator: ", ") + "}"
    }

    private func member(_ kind: Kind, _ index: Int, _ level: Int, _ generator: inout SeededGenerator) -> String {
        let count = Int.random(in: 1...width, using: &generator)
        func parts() -> [String] { (0..<count).map { _ in part(index, level, &generator) } }
        switch kind {
        case .oneOf, .anyOf, .allOf, .prefixItems: return "\(kind): [\(parts().joined(separator: ", "))]"
        case .properties, .patternProperties:
            let members = parts().enumerated().map { "p\($0): \($1)" }
            return "\(kind): {\(members.joined(separator: ", "))}"
        case .items, .additionalProperties: return "\(kind): \(part(index, level, &generator))"
        case .discriminator: return "discriminator: {propertyName: p0}"
        case .siblings: return reference(index, &generator)
        case .inline:
            return "propertyNames: {}, properties: {q\(index): {properties: {p0: \(part(index, level, &generator))}}}"
        case .types: return "type: [object, array, string]"
        case .values: return "enum: [\((0..<count).map { "v\($0)" }.joined(separator: ", "))]"
        }
    }
}
