import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuMockServer

@Suite struct RequestParserTests {
    private static let twoRequests =
        "\r\nPOST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n4\r\nwiki\r\n0\r\nT: 1\r\n\r\n"
        + "PUT /b HTTP/1.1\r\nhost: x\r\nContent-Length: 3, 3\r\n\r\nabcGET"

    @Test(arguments: [1, 2, 3, 7, 1000])
    func readsRequestsHoweverTheyAreCut(_ pieceBytes: Int) throws {
        var parser = RequestParser(bodyBytesMax: 100)
        var seen: [String] = []
        var rest = Array(Self.twoRequests.utf8)[...]
        while !rest.isEmpty {
            parser.receive(rest.prefix(pieceBytes))
            rest = rest.dropFirst(pieceBytes)
            while let event = try parser.next() {
                switch event {
                case .head(let head): seen.append("head \(head.target)")
                case .request(let head, let body, let trailers):
                    seen.append("\(head.method) \(String(decoding: body, as: UTF8.self)) \(trailers.map(\.value))")
                }
            }
        }
        #expect(seen == ["head /a", #"POST wiki ["1"]"#, "head /b", "PUT abc []"])
        #expect(parser.pendingBytes == 3)
    }

    @Test(arguments: [
        ("GET /\r\n\r\n", 400, "the request line is not method, target and version"),
        ("G@T / HTTP/1.1\r\n\r\n", 400, "the method is not a token"),
        ("GET /飛 HTTP/1.1\r\n\r\n", 400, "the request target is empty or has characters that must be percent-encoded"),
        ("GET / HTTP/2.0\r\n\r\n", 505, "the version is neither HTTP/1.1 nor HTTP/1.0"),
        ("GET / FTP/1.1\r\n\r\n", 400, "the version is neither HTTP/1.1 nor HTTP/1.0"),
        ("GET / HTTP/1.1\n", 400, "a line ends without a carriage return"),
        ("\u{16}\u{03}\u{01}", 400, "this is not an HTTP request"),
        ("GET / HTTP/1.1\r\n\r\n", 400, "an HTTP/1.1 request must have exactly one Host field"),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, "an HTTP/1.1 request must have exactly one Host field"),
        ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400, "a header line has no colon"),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, #"the header name "Host " is not a token"#),
        ("GET / HTTP/1.1\r\nHost: a\r\n b\r\n\r\n", 400, "a header line has no colon"),
        ("GET / HTTP/1.1\r\nHost: a\rb\r\n\r\n", 400, "the value of the header Host has a control character"),
        (
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n", 400,
            "Content-Length is not a single number",
        ),
        ("GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", 400, "Content-Length is not a single number"),
        ("GET / HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", 413, "the body is larger than the limit"),
        (
            "GET / HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400,
            "Transfer-Encoding is not allowed with Content-Length or in HTTP/1.0",
        ),
        ("GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", 501, "chunked is the only supported transfer coding"),
    ])
    func namesWhatIsWrong(_ text: String, status: HTTPStatus, message: String) {
        var parser = RequestParser(bodyBytesMax: 100)
        parser.receive(text.utf8)
        #expect(throws: RequestDefect(status: status, message)) { try parser.next() }
    }

    @Test(arguments: [
        ("zz\r\n", RequestDefect("a chunk has no size")),
        ("2\r\nabc\r\n", RequestDefect("a chunk is longer than its size")),
        ("65\r\n", .bodyTooLarge),
        ("FFFFFFFFFFFFFFFFFF\r\n", .bodyTooLarge),
        ("60\r\n" + String(repeating: "x", count: 0x60) + "\r\n5\r\n", .bodyTooLarge),
    ])
    func namesWhatIsWrongWithChunks(_ text: String, defect: RequestDefect) throws {
        try expectDefect(defect, inChunks: text)
    }

    @Test func endsWhatGrowsWithoutEndInChunks() throws {
        try expectDefect(
            RequestDefect("a chunk's size line is too long"),
            inChunks: String(repeating: "1", count: 5000),
        )
        try expectDefect(.headTooLarge, inChunks: "0\r\n" + String(repeating: "a: b\r\n", count: 20_000))
    }

    private func expectDefect(_ defect: RequestDefect, inChunks text: String) throws {
        var parser = RequestParser(bodyBytesMax: 100)
        parser.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        _ = try parser.next()
        parser.receive(text.utf8)
        #expect(throws: defect) { try parser.next() }
    }

    @Test func rejectsAHeadAboveTheLimit() throws {
        var parser = RequestParser(bodyBytesMax: 100)
        parser.receive("GET / HTTP/1.1\r\nHost: a\r\nX: ".utf8)
        parser.receive([UInt8](repeating: 0x78, count: RequestParser.headBytesMax))
        #expect(throws: RequestDefect.headTooLarge) { try parser.next() }
    }

    @Test func keepsTheHeadAsItCame() throws {
        let text = "GET / HTTP/1.1\r\nhOST:  a \r\nX:\r\n\r\n"
        var parser = RequestParser(bodyBytesMax: 100)
        parser.receive(text.utf8)
        guard case .request(let head, _, _) = try parser.next() else { throw RequestDefect("no request") }
        #expect(String(decoding: head.raw, as: UTF8.self) == text)
        #expect(head.headers.map(\.value) == ["a", ""])
    }

    @Test(arguments: [
        ("HTTP/1.1", "", true), ("HTTP/1.1", "Connection: Upgrade, Close\r\n", false), ("HTTP/1.0", "", false),
        ("HTTP/1.0", "Connection: keep-alive\r\n", true),
    ])
    func knowsWhetherTheConnectionGoesOn(_ version: String, field: String, isKept: Bool) throws {
        var parser = RequestParser(bodyBytesMax: 100)
        parser.receive("GET / \(version)\r\nHost: a\r\n\(field)\r\n".utf8)
        guard case .request(let head, _, _) = try parser.next() else { throw RequestDefect("no request") }
        #expect(head.keepsConnection == isKept)
    }

    @Test func readsAValueThatIsNotUTF8ByteByByte() throws {
        let field = try RequestHead.field(line: Array("X: ".utf8) + [0xE9, 0x0D, 0x0A])
        #expect(field.value == "é")
    }

    @Test func survivesAnyBytes() {
        let seed = testSeed()
        print("seed of the parser's bytes: \(seed)")
        var generator = SeededGenerator(seed: seed)
        let words = [
            "GET / HTTP/1.1\r\n", "Host: a\r\n", "\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 3\r\n",
            "3\r\n",
            "0\r\n", "abc", "\r", "\n", ":", " ", "\u{0}", "é",
        ]
        for _ in 0..<Effort.rounds(2000) {
            var parser = RequestParser(bodyBytesMax: 100)
            var isGoingOn = true
            for _ in 0..<20 where isGoingOn {
                parser.receive(words[Int(generator.next() % UInt64(words.count))].utf8)
                do { while try parser.next() != nil {} } catch { isGoingOn = false }
            }
            #expect(parser.pendingBytes <= 400, "seed \(seed)")
        }
    }
}
