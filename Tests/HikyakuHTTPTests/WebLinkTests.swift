import Foundation
import TestSupport
import Testing

@testable import HikyakuHTTP

/// RFC 8288, section 3 and appendix B.
@Suite struct WebLinkTests {
    private static let base = "https://a.example/v1/items?page=2"

    private func links(_ fields: String..., base: String? = base) -> WebLinks {
        var headers = HTTPHeaders()
        for field in fields { headers.append(.link, field) }
        return headers.links(relativeTo: base)
    }

    @Test func aNextPageIsFoundByItsRelation() throws {
        let links = links(
            #"<https://a.example/v1/items?page=3&q=a%2Cb>; rel="next", <https://a.example/v1/items?page=9>; rel="last""#
        )
        #expect(links.count == 2)
        #expect(links["next"]?.url.absoluteString == "https://a.example/v1/items?page=3&q=a%2Cb")
        #expect(links["LAST"]?.url.absoluteString == "https://a.example/v1/items?page=9")
        #expect(links["prev"] == nil)
    }

    @Test(arguments: [
        (#"</v1/x>; rel=next"#, "https://a.example/v1/x"),
        (#"<x?y>; rel=next"#, "https://a.example/v1/x?y"),
        (#"<?page=3>; rel=next"#, "https://a.example/v1/items?page=3"),
        (#"<../x/./y>; rel=next"#, "https://a.example/x/y"),
        (#"<//b.example/x>; rel=next"#, "https://b.example/x"),
        (#"<>; rel=next"#, "https://a.example/v1/items?page=2"),
        (#"<x#part>; rel=next"#, "https://a.example/v1/x"),
        (#"<x y?a[b]=ü>; rel=next"#, "https://a.example/v1/x%20y?a%5Bb%5D=%C3%BC"),
        (#"  <x>  ;  rel = next  "#, "https://a.example/v1/x"),
        (#"<x>; REL="Next""#, "https://a.example/v1/x"),
        (#"<x>;;rel=next;"#, "https://a.example/v1/x"),
        (#", ,<x>; rel=next,"#, "https://a.example/v1/x"),
        (#"<x>; rel="prev next""#, "https://a.example/v1/x"),
        (#"<x>; rel="  next  ""#, "https://a.example/v1/x"),
        (#"<x>; rel="next"#, "https://a.example/v1/x"),
        (#"<x>; title="a, b; rel=\"prev\"", <y>; rel=other, <z>; title="\\"; rel=next"#, "https://a.example/v1/z"),
        (#"<x>; rel=prev; rel=next, <y>; rel=next"#, "https://a.example/v1/y"),
        (#"<x>; anchor="/other"; rel=next, <y>; rel=next"#, "https://a.example/v1/y"),
        (##"<x>; anchor="#part"; rel=next, <y>; rel=next"##, "https://a.example/v1/y"),
        (#"<x>; anchor="?page=2"; rel=next"#, "https://a.example/v1/x"),
        (#"<http://[::1]:80/x>; rel=next"#, "http://[::1]:80/x"),
    ])
    func targetsAreReadByTheAlgorithmOfTheRFC(field: String, target: String) {
        #expect(links(field)["next"]?.url.absoluteString == target)
    }

    @Test(arguments: [
        "", ",", "x", "<x", "<x>", "<x>; title=next", "<x>; rel", "<x>; rel=", #"<x>; rel="""#, "x, <y>; rel=next",
        "<a\u{1}>; rel=next", "<http://[>; rel=next", #"<x>; rel="prev" "garbage", <y>; rel=next"#,
    ])
    func whatIsNotALinkIsIgnored(field: String) {
        #expect(links(field)["next"] == nil)
    }

    @Test func severalFieldsAreOneList() {
        let links = links("<x>; rel=prev", "broken", "<y>; rel=next")
        #expect(links.map(\.relations) == [["prev"], ["next"]])
    }

    @Test func relativeTargetsNeedABase() {
        #expect(links("</x>; rel=next, <https://a.example/y>; rel=next", base: nil).map(\.url.path) == ["/y"])
    }

    @Test func attributesAreRead() throws {
        let link = try #require(
            links(#"<x>; rel=next; title="old"; title*=UTF-8'de'%e2%82%ac%20neu; type="text/html"; hreflang=de"#).first
        )
        #expect(link.title == "€ neu" && link.mediaType == "text/html" && link[attribute: "hreflang"] == "de")
        #expect(link[attribute: "media"] == nil)
        let undecodable = try #require(links(#"<x>; rel=next; title="old"; title*=latin1''%E9"#).first)
        #expect(undecodable.title == "old")
    }

    @Test func aLinkOfAnotherResourceHasAContext() throws {
        let link = try #require(links(#"<x>; rel=up; anchor="/other""#).first)
        #expect(link.context?.absoluteString == "https://a.example/other")
        #expect(try #require(links("<x>; rel=up").first).context == nil)
    }

    @Test func textIsSplitByBytes() {
        // A combining mark after a delimiter would hide it from `Character`.
        #expect(links("<x>; title=\"a\u{301}\"; rel=next").count == 1)
        #expect(links("<x>;\u{301}rel=next, <y>; rel=next")["next"]?.url.path == "/v1/y")
    }

    @Test func everythingIsBounded() {
        let many = Array(repeating: "<x>; rel=next", count: 1000).joined(separator: ",")
        #expect(links(many).count == WebLinks.countMax)
        #expect(links(many, many).count == WebLinks.countMax)
        #expect(links("<x>; rel=next; title=\"\(String(repeating: "a", count: WebLinks.fieldBytesMax))\"").isEmpty)
        let attributes = (0..<100).map { "; a\($0)=1" }.joined()
        #expect(links("<x>; rel=next\(attributes)").first?[attribute: "a5"] == "1")
        #expect(links("<x>; rel=next\(attributes)").first?[attribute: "a50"] == nil)
    }

    @Test func noValueOfTheQueryIsShown() throws {
        let link = try #require(links("<x?token=hunter2>; rel=next").first)
        var dumped = ""
        dump(link, to: &dumped)
        #expect("\(link)" == "next: https://a.example/v1/x?token=…")
        #expect(!dumped.contains("hunter2"))
    }

    /// Random pieces of links in random order: nothing traps, and what is found can be written and read again.
    @Test func anyTextIsRead() {
        let pieces = [
            "<", ">", ";", ",", "\"", "\\", "=", " ", "\t", "rel", "rel=next", "anchor", "title*", "UTF-8''%e2%82%ac",
            "%",
            "https://b.example/x", "?a=b", "#", "[", "]", "é", "\u{301}", "\u{0}", "a", "//", "..", "'",
        ]
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(20_000) {
            let text = (0..<Int.random(in: 0...14, using: &random)).map { _ in pieces.randomElement(using: &random)! }
            for link in links(text.joined()) {
                let relations = link.relations.filter { !$0.utf8.contains(where: "\"\\".utf8.contains) }
                guard link.context == nil, relations.count == link.relations.count else { continue }
                let again = links("<\(link.url.absoluteString)>; rel=\"\(relations.joined(separator: " "))\"")
                #expect(
                    again.first?.url == link.url && again.first?.relations == relations,
                    "\(text.joined()), seed \(seed)",
                )
            }
        }
    }
}
