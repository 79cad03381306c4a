import Foundation
import Testing

@testable import HikyakuCommand

struct ConstTypeTests {
    private func value(_ json: String) throws -> ConstValue {
        try JSONDecoder().decode(ConstValue.self, from: Data(json.utf8))
    }

    @Test(arguments: [
        (#"{"valueKind": "RawLiteral", "value": "/items"}"#, ConstValue.literal("/items")),
        (#"{"valueKind": "NilLiteral"}"#, .nilLiteral),
        (#"{"valueKind": "Array", "value": [{"valueKind": "Runtime"}]}"#, .runtime),
        (
            #"""
            {"valueKind": "InterpolatedStringLiteral",
             "value": {"segments": [{"valueKind": "RawLiteral", "value": "/"}, {"valueKind": "Runtime"}]}}
            """#,
            .interpolation([.literal("/"), .runtime]),
        ),
        (
            #"""
            {"valueKind": "Dictionary",
             "value": [{"key": {"valueKind": "RawLiteral", "value": "a"}, "value": {"valueKind": "Runtime"}}]}
            """#,
            .dictionary([.init(key: .literal("a"), value: .runtime)]),
        ),
        (
            #"{"valueKind": "MemberReference", "value": {"baseType": "App.A", "memberLabel": "b"}}"#,
            .member(type: "App.A", name: "b"),
        ),
        (
            #"""
            {"valueKind": "InitCall", "value": {"type": "App.A",
             "arguments": [{"label": "b", "type": "Swift.String", "valueKind": "RawLiteral", "value": "c"}]}}
            """#,
            .call(type: "App.A", name: nil, arguments: [.init(label: "b", value: .literal("c"))]),
        ),
        (
            #"{"valueKind": "StaticFunctionCall", "value": {"type": "A", "memberLabel": "b", "arguments": []}}"#,
            .call(type: "A", name: "b", arguments: []),
        ),
        (#"{"valueKind": "Runtime"}"#, .runtime),
        (#"{"valueKind": "Enum", "value": {"name": "a"}}"#, .runtime),
        (#"{"valueKind": "SomethingNew", "value": 1}"#, .runtime),
    ])
    func readsValues(json: String, value: ConstValue) throws {
        #expect(try self.value(json) == value)
    }

    @Test(arguments: ["{}", #"{"valueKind": "RawLiteral"}"#, #"{"valueKind": "Dictionary", "value": {}}"#, "[]", ""])
    func rejectsInvalidValues(json: String) {
        #expect(throws: DecodingError.self) { try value(json) }
    }

    @Test
    func readsNothingOutOfAnEmptyFile() throws {
        #expect(try ConstType.list(from: Data()).isEmpty)
        #expect(try ConstType.list(from: Data("[]".utf8)).isEmpty)
    }

    @Test
    func mergesWhatFilesSayOfOneType() {
        let path = ConstProperty.sample("path", "Hikyaku.RequestPath", .literal("/"))
        let query = ConstProperty.sample("query", "Hikyaku.RequestQuery", .dictionary([]))
        let merged = ConstType.merged([
            .sample("App.A", properties: [path]), .sample("App.B", properties: [path]),
            .sample("App.A", properties: [path, query]),
        ])
        #expect(merged == [.sample("App.A", properties: [path, query]), .sample("App.B", properties: [path])])
    }

    @Test
    func mergesWhatOnlyTheFileOfTheTypeKnows() {
        var extended = ConstType.sample()
        extended.conformances = []
        var declared = ConstType.sample()
        declared.associatedTypes = [.init(name: "Response", type: "Swift.Int")]
        #expect(ConstType.merged([extended, declared]) == [declared])
    }

    @Test(arguments: [
        ("let path: RequestPath = \"/\"" as String?, ConstValue.literal("/")),
        ("public static var path: RequestPath = \"/\"", .literal("/")),
        ("let first = \"/\", path: RequestPath = \"/a\"", .runtime),
        ("    path: RequestPath = \"/a\"", .runtime),
        ("let pathway: RequestPath = \"/\"", .runtime),
        ("", .runtime),
        (nil, .runtime),
    ])
    func doubtsTheValueOfASecondBinding(line: String?, value: ConstValue) {
        let type = ConstType.sample(properties: [
            .sample("path", "Hikyaku.RequestPath", .literal("/"), isComputed: false)
        ])
        let checked = type.checked(SourceFiles { _ in line }).properties
        #expect(checked.map(\.value) == [value])
        #expect(checked.map(\.isConstant) == [line?.hasPrefix("let path:") == true])
    }

    @Test
    func doubtsNoGetter() {
        let type = ConstType.sample(properties: [.sample("path", "Hikyaku.RequestPath", .literal("/"))])
        #expect(type.checked(SourceFiles { _ in nil }) == type)
    }
}
