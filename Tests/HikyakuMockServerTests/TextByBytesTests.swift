import HikyakuHTTP
import Testing

@testable import HikyakuMockServer

/// What a client gets wrong by a mark must not look right here.
@Suite struct TextByBytesTests {
    @Test(arguments: ["\u{301}", "\u{200D}", "\u{FE0F}", "\u{903}", "\u{338}"])
    func routesEndAtTheirSlashes(_ mark: String) {
        let encoded = mark.utf8.map { "%" + String($0, radix: 16, uppercase: true) }.joined()
        let target = RequestTarget("/a/\(encoded)b")
        #expect(RoutePattern("/a/\(mark)b").match(target.segments) == [:])
        #expect(RoutePattern("/a/:\(mark)").match(target.segments)?.keys.first?.hasSameBytes(as: mark) == true)
        #expect(RoutePattern("\(mark)").match(RequestTarget("/\(encoded)").segments) == [:])
        let query = MockQuery(encoded: "a=\(mark)&\(mark)b=1")
        #expect(query.map { Array($0.name.utf8) } == [Array("a".utf8), Array("\(mark)b".utf8)])
        #expect(query["a"]?.hasSameBytes(as: mark) == true)
    }

    @Test func textsOfOtherBytesDoNotFit() {
        #expect(RoutePattern("/\u{15B}").match(RequestTarget("/s%CC%81").segments) == nil)
        #expect(RoutePattern("/\u{15B}") != RoutePattern("/s\u{301}"))
        let query = MockQuery(encoded: "s%CC%81=1")
        #expect(query["\u{15B}"] == nil && query.values(for: "s\u{301}") == ["1"])
        #expect(query != ["\u{15B}": "1"] && query == ["s\u{301}": "1"])
    }

    @Test(arguments: ["chun\u{212A}ed", "chunked\u{301}", "chunked,\u{301}"])
    func aTransferCodingIsReadByBytes(_ coding: String) throws {
        var parser = RequestParser(bodyBytesMax: 100)
        parser.receive(Array("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: \(coding)\r\n\r\n0\r\n\r\n".utf8)[...])
        #expect(throws: RequestDefect(status: 501, "chunked is the only supported transfer coding")) {
            while try parser.next() != nil {}
        }
    }

    @Test func aConnectionStaysOpenOrNotByBytes() {
        let headers: HTTPHeaders = ["Connection": "x,\u{301}, \u{212A}eep-alive,close"]
        #expect(!headers.hasToken("keep-alive", in: "Connection") && headers.hasToken("close", in: "Connection"))
    }
}
