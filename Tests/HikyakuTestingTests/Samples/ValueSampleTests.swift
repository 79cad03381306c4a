import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@Suite struct ValueSampleTests {
    @Test func aRedirectOfASampleIsThatOfTheService() throws {
        let from = try #require(URL(string: "https://a.example/x"))
        let to = try #require(URL(string: "https://b.example/y"))
        let hop = RedirectHop.sample(307, method: .post, from: from, nextMethod: .put, to: to)
        #expect(hop.status == 307 && hop.method == .post && hop.nextMethod == .put && hop.changesOrigin)
        #expect((hop.from, hop.to) == (from, to) && RedirectHop.sample(from: to, to: from).status == 302)
    }

    @Test func aLinkHasItsRelations() throws {
        let link = WebLink.sample(try #require(URL(string: "https://a.example/items?page=2")), relations: ["Next"])
        #expect(link.relations == ["next"] && link.url.query() == "page=2")
    }

    @Test func whatAnObserverGetsHasItsValues() {
        let change = CircuitChange.sample(
            "a",
            .open,
            callsCount: 3,
            failureRate: 0.5,
            slowRate: 0.25,
            probesAfter: .seconds(9),
        )
        #expect(change.circuit == "a" && change.state == .open && change.callsCount == 3)
        #expect((change.failureRate, change.slowRate) == (0.5, 0.25) && change.probesAfter == .seconds(9))
        let drift = ResponseDrift.sample("lossyElement", of: "Dish", at: "/*", count: 2)
        #expect(drift.kind == "lossyElement" && drift.typeName == "Dish" && drift.pointer == "/*" && drift.count == 2)
    }
}
