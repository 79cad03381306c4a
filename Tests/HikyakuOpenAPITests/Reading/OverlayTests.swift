#if YAML
import Testing

@testable import HikyakuOpenAPI

@Suite("Overlays")
struct OverlayTests {
    private static let document = """
        openapi: 3.1.0
        info: {title: Test, version: '1'}
        paths:
          /pets:
            get: {operationId: a, tags: [one], x-old: 1, parameters: [{name: x, in: query}, {name: y, in: header}]}
            post: {operationId: b, x-internal: true}
          /users:
            get: {operationId: c, x-internal: false}
        list: [10, 20, 30, 40]
        """

    private func selected(_ path: String) throws -> [String] {
        let root = try #require(readTree(Self.document).node)
        let locations = try #require(try JSONPath(path).locations(in: root))
        return locations.map { location in
            location.reduce(root) { node, index in
                node.array.map { $0[index] } ?? node.object.map { $0[index].value } ?? node
            }.short
        }
    }

    @Test(arguments: [
        ("$.info.title", ["\"Test\""]),
        ("$['info']['version']", ["\"1\""]),
        ("$.list[1]", ["20"]),
        ("$.list[-1]", ["40"]),
        ("$.list[9]", []),
        ("$.list[1:3]", ["20", "30"]),
        ("$.list[::2]", ["10", "30"]),
        ("$.list[::-2]", ["20", "40"]),
        ("$.list[0,2]", ["10", "30"]),
        ("$.list[?@ > 15 && @ <= 30]", ["20", "30"]),
        ("$.list[?(@ == 10 || !(@ < 40))]", ["10", "40"]),
        ("$.paths.*.get.operationId", ["\"a\"", "\"c\""]),
        ("$.paths['/pets', \"/users\"].get.operationId", ["\"a\"", "\"c\""]),
        ("$..operationId", ["\"a\"", "\"b\"", "\"c\""]),
        ("$.paths[*][?@.x-internal].operationId", ["\"b\"", "\"c\""]),
        ("$.paths[*][?(@['x-internal'] == true)].operationId", ["\"b\""]),
        ("$.paths.*.*[?(@.in == 'header')]", []),
        ("$.paths.*.*.parameters[?@.in != 'header'].name", ["\"x\""]),
        ("$..parameters[?@.name == $.paths['/pets'].get.parameters[1].name].in", ["\"header\""]),
        ("$.paths['/pets'].get.tags..*", ["\"one\""]),
    ])
    func selectsByPaths(path: String, expected: [String]) throws {
        #expect(try selected(path) == expected)
    }

    @Test(arguments: [
        "", "info", "$.", "$[", "$['a", "$[?]", "$[?length(@) > 1]", "$.a b", "$[1 2]", "$[?@.a ==]", "$..", "$[?1]",
        "$.a.match('x')", "$" + String(repeating: "[?@", count: 100), "$[?" + String(repeating: "!", count: 100),
    ])
    func rejectsOtherPaths(path: String) {
        #expect(throws: JSONPath.Fault.self) { try JSONPath(path) }
    }

    private func applied(_ actions: String) throws -> (document: APIDocument, codes: [Diagnostic.Code]) {
        let overlay = "overlay: 1.0.0\ninfo: {title: Changes, version: '1'}\nactions:\n" + actions
        let document = Self.document.split(separator: "\n").filter { !$0.hasPrefix("list") }.joined(separator: "\n")
        let result = read(document, files: ["o.yaml": overlay], overlays: ["o.yaml"])
        let codes = result.diagnostics.filter { $0.file == "o.yaml" && $0.severity > .note }.map(\.code)
        return (try #require(result.document), codes)
    }

    @Test func updatesObjectsAndArrays() throws {
        let (document, codes) = try applied(
            """
            - target: $.info
              update: {title: New, description: Text}
            - target: $.paths['/pets'].get
              update: {summary: Pets, tags: [two], x-old: {a: 1}}
            - target: $.paths['/pets'].get.tags
              update: three
            - target: $.paths
              update:
                /new: {get: {operationId: d}}
            """
        )
        #expect(codes == [])
        #expect(document.info.title == "New")
        #expect(document.info.description == "Text")
        let operation = try document.operation("GET", "/pets")
        #expect(operation.summary == "Pets")
        #expect(operation.tags == ["one", "two", "three"])
        #expect(operation.extensions.map(\.value.short) == ["{a: 1}"])
        #expect(document.operations.map(\.id) == ["a", "b", "c", "d"])
    }

    @Test func removesSelectedValues() throws {
        let (document, codes) = try applied(
            """
            - {target: '$.paths.*[?@.x-internal == true]', remove: true}
            - {target: '$..parameters[*]', remove: true}
            - {target: '$.paths[''/users'']', update: {get: null}, remove: true}
            """
        )
        #expect(codes == [])
        #expect(document.operations.map(\.id) == ["a"])
        #expect(try document.operation("GET", "/pets").parameters.isEmpty)
    }

    @Test func diagnosesWhatHasNoEffect() throws {
        let (_, codes) = try applied(
            """
            - {target: $.nothing, remove: true}
            - {target: '$.info[?count(@)]', remove: true}
            - {update: {}}
            - {target: $.info}
            - 1
            """
        )
        #expect(codes == [.unmatchedPath, .unsupportedPath, .invalidOverlay, .invalidOverlay, .invalidOverlay])
    }

    @Test func diagnosesMissingOverlays() {
        let result = read(Self.document, overlays: ["none.yaml"])
        #expect(result.document != nil)
        #expect(result.diagnostics(.unreadableFile).map(\.file) == ["none.yaml"])
    }

    @Test func limitsWhatPathsVisit() throws {
        var text = "a"
        for _ in 0..<60 { text = "[\(text), {b: [1, 2, 3]}]" }
        let root = try #require(readTree(text).node)
        #expect(try JSONPath("$..*..*..*..*..*").locations(in: root, countMax: 10_000) == nil)
    }
}
#endif
