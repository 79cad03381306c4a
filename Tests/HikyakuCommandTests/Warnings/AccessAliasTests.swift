import Foundation
import Testing

@testable import HikyakuCommand

/// Type aliases for a level of access that are not named `Access`.
struct AccessAliasTests {
    private static let authorized = "s:13HikyakuEngine10AuthorizedO"

    private func alias(
        _ name: String,
        of owner: String = "Items",
        line: Int = 7,
        extending module: String? = nil,
        for type: String? = authorized,
    ) -> SymbolGraph.Symbol {
        .member("typealias", name, of: owner, line: line, extending: module, alias: type)
    }

    private func text(_ name: String, _ type: String = "Items") -> String {
        "App.swift:7: warning: typealias \(name) in Shop.\(type) is ignored by APIRequest: did you mean Access?"
    }

    @Test(arguments: ["AccessLevel", "Authorization", "Auth", "Level", "Acces"])
    func anAliasForALevelIsReported(name: String) {
        #expect(warnings([alias(name)]) == [text(name)])
        #expect(warnings([alias(name)], sources: ["/shop/Other.swift": "App"]).isEmpty)
    }

    @Test(arguments: [
        "s:13HikyakuEngine6PublicO", "s:13HikyakuEngine10AuthorizedO", "s:13HikyakuEngine20AuthorizedIfPossibleO",
    ])
    func everyLevelOfTheLibraryIsKnown(level: String) {
        #expect(warnings([alias("Auth", for: level)]) == [text("Auth")])
        #expect(warnings([alias("Auth", of: "Request", extending: "App", for: level)]) == [text("Auth", "Request")])
    }

    /// The list must grow with the library.
    @Test
    func theLibraryHasNoOtherLevels() throws {
        let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
            .appending(path: "Sources/Client/HikyakuEngine/Options/AccessLevel.swift").standardizedFileURL
        let levels = try String(contentsOf: file, encoding: .utf8).matches(
            of: /\npublic (?:enum|struct|class) (\w+): \w*Level/
        )
        #expect(levels.map { String($0.1) } == ["Public", "AuthorizedIfPossible", "Authorized"])
    }

    @Test
    func aLevelOfOnesOwnIsOneThatConforms() {
        let partner = SymbolGraph.Symbol.type("s:App.Partner", "Partner", kind: "enum")
        let members = [partner, alias("Auth", for: "s:App.Partner")]
        #expect(warnings(members).isEmpty)
        #expect(warnings(members, relationships: [("s:App.Partner", "s:7Hikyaku11AccessLevelP")]) == [text("Auth")])
        #expect(
            warnings(members, relationships: [("s:App.Partner", "s:L"), ("s:L", "s:7Hikyaku11AccessLevelP")])
                == [text("Auth")]
        )
        let other = SymbolGraph.Symbol(
            identifier: "s:App.Member",
            kind: "swift.typealias",
            path: ["Member"],
            documentation: [],
            location: nil,
            extendedModule: nil,
            isConstrained: false,
            alias: Self.authorized,
        )
        #expect(warnings([other, alias("Auth", for: "s:App.Member")]) == [text("Auth")])
        // An alias for itself isn't followed forever.
        #expect(warnings([alias("Auth", for: "s:App.Items.Auth7")]).isEmpty)
    }

    @Test
    func anotherAliasIsLeftAlone() {
        #expect(warnings([alias("Access")]).isEmpty)
        #expect(warnings([alias("Auth", for: "s:App.Credentials"), alias("Token", for: nil)]).isEmpty)
        #expect(warnings([alias("Auth"), alias("Access", line: 8)]).isEmpty)
        #expect(warnings([alias("Auth"), .member("enum", "Access", line: 8)]).isEmpty)
    }

    /// `typealias Access = Member` in a request, with `Member` in an extension of the service's protocol; and a
    /// protocol with `where Access == Level`.
    @Test
    func anAliasThatIsUsedIsLeftAlone() {
        let member = alias("Member", of: "Request", extending: "App")
        #expect(warnings([member]).count == 1)
        #expect(warnings([member, alias("Access", line: 8, for: "s:P.Member7")]).isEmpty)
        let level = SymbolGraph.Symbol.member("associatedtype", "Level", of: "Request", line: 3)
        #expect(warnings([alias("Level"), level]).isEmpty)
    }

    @Test(arguments: [
        (["Authorized"], "s:1"), (["Hikyaku", ".", "Authorized"], "s:3"), (["[", "Authorized", "]"], nil),
        (["() -> ", "Authorized"], nil), (["Authorized", "?"], nil), (["Set", "<", "Authorized", ">"], nil),
        (["any ", "AccessLevel"], nil),
    ])
    func thePlainNameOfATypeIsRead(type: [String], identifier: String?) throws {
        let spellings = ["typealias", " ", "Auth", " = "] + type
        let fragments = spellings.enumerated().map { index, spelling in
            let isType = index > 3 && spelling.allSatisfy(\.isLetter)
            return #"{ "spelling": "\#(spelling)"\#(isType ? #", "preciseIdentifier": "s:\#(index - 3)""# : "") }"#
        }
        let symbol = #"""
            {
              "kind": { "identifier": "swift.typealias" }, "identifier": { "precise": "s:App.Items.Auth" },
              "pathComponents": ["Items", "Auth"], "declarationFragments": [\#(fragments.joined(separator: ", "))]
            }
            """#
        let read = try JSONDecoder().decode(SymbolGraph.Symbol.self, from: Data(symbol.utf8))
        #expect(read.alias == identifier)
    }
}
