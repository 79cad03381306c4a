import Testing

@testable import HikyakuCommand

struct PathTemplateTests {
    @Test(arguments: [
        ([ConstValue.literal("/items/"), .runtime, .literal("")], "/items/{…}"),
        ([.runtime], "{…}"),
        ([.literal("/a"), .literal("/b"), .runtime, .runtime], "/a/b{…}{…}"),
        ([.literal("/"), .call(type: "Swift.String", name: "lowercased", arguments: [])], "/{…}"),
        ([], ""),
    ])
    func leavesGaps(segments: [ConstValue], text: String) {
        #expect(PathTemplate(segments).text(naming: nil) == text)
    }

    @Test(arguments: [
        ([SourceExpression.Segment.text("/items/"), .value("id")], "/items/{…}/{…}"),
        ([.text("/items/"), .value("self.item.id"), .text("/"), .value("page")], "/items/{item.id}/{page}"),
        ([.text("/items/"), .value("secret: token"), .text("/"), .value("secret:page")], "/items/{token}/{page}"),
        ([.text("/items/"), .value("id.lowercased()"), .text("/"), .value("a + b")], "/items/{…}/{…}"),
        ([.text("/other/"), .value("id"), .text("/"), .value("page")], "/items/{…}/{…}"),
        ([.text("/items/"), .value("id"), .text("/")], "/items/{…}/{…}"),
        ([.value("id"), .text("/items/"), .value("page")], "/items/{…}/{…}"),
    ])
    func usesTheSourceOnlyIfItMatchesTheCompiler(source: [SourceExpression.Segment], text: String) {
        let template = PathTemplate([.literal("/items/"), .runtime, .literal("/"), .runtime, .literal("")])
        #expect(template.text(naming: source) == text)
    }
}
