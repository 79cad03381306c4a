import Testing

@testable import HikyakuOAuth

@Suite struct ScopeTextTests {
    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{903}"])
    func scopesEndAtSpaces(_ mark: String) {
        let scopes = Scopes.split("a \(mark)b  c")
        #expect(Set(scopes.map { Array($0.utf8) }) == Set(["a", "\(mark)b", "c"].map { Array($0.utf8) }))
    }

    @Test(arguments: ["\u{301}", "\u{200D}"])
    func theItemsOfARedirectEndAtTheirDelimiters(_ mark: String) {
        let items = FormText.items(of: "state=\(mark)a&\(mark)code=b")
        #expect(items?.map { Array($0.name.utf8) } == [Array("state".utf8), Array("\(mark)code".utf8)])
        #expect(items?.first.map { Array($0.value.utf8) } == Array("\(mark)a".utf8))
    }
}
