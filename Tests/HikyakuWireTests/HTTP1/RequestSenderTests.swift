#if os(Linux)
import FoundationEssentials
import HikyakuBase
import HikyakuHTTP
import TestSupport
import Testing

@testable import HikyakuWire

@Suite struct RequestSenderTests {
    private func head(
        _ text: String,
        _ method: HTTPMethod = .get,
        _ headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
    ) throws -> RequestHead {
        let url = try #require(URL(string: text))
        let request = HTTPRequest(method: method, url: url, headers: headers, body: body)
        return try RequestHead(request, RequestURL(request.urlText), room: 0)
    }

    private func text(_ head: RequestHead) -> String { String(decoding: head.bytes, as: UTF8.self) }

    @Test(arguments: [
        ("http://a.example", "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
        ("http://a.example?x", "GET /?x HTTP/1.1\r\nHost: a.example\r\n\r\n"),
        ("http://a.example:80/b#c", "GET /b HTTP/1.1\r\nHost: a.example\r\n\r\n"),
        ("https://a.example:443/", "GET / HTTP/1.1\r\nHost: a.example\r\n\r\n"),
        ("https://a.example:80/", "GET / HTTP/1.1\r\nHost: a.example:80\r\n\r\n"),
        ("http://[::1]:8080/a?b=/#/", "GET /a?b=/ HTTP/1.1\r\nHost: [::1]:8080\r\n\r\n"),
    ])
    func theTargetAndTheHostAreThoseOfTheURL(_ url: String, _ expected: String) throws {
        #expect(text(try head(url)) == expected)
    }

    @Test func theFramingIsThatOfTheBody() throws {
        #expect(text(try head("http://a/", .post)).hasSuffix("\r\nContent-Length: 0\r\n\r\n"))
        #expect(text(try head("http://a/", .delete)) == "DELETE / HTTP/1.1\r\nHost: a\r\n\r\n")
        #expect(text(try head("http://a/", .get, body: "abc")).hasSuffix("\r\nContent-Length: 3\r\n\r\n"))
        let stream = HTTPBody(AsyncStream<Data> { $0.finish() })
        #expect(text(try head("http://a/", .put, body: stream)).hasSuffix("\r\nTransfer-Encoding: chunked\r\n\r\n"))
        let own = try head("http://a/", .put, ["content-length": "3", "Host": "b"], body: "abc")
        #expect(text(own) == "PUT / HTTP/1.1\r\ncontent-length: 3\r\nHost: b\r\n\r\n")
    }

    @Test func aRequestCanSayThatItsConnectionEnds() throws {
        #expect(try head("http://a/", .get, ["Connection": "x, Close"]).closesConnection)
        #expect(try !head("http://a/", .get, ["Connection": "keep-alive"]).closesConnection)
    }

    @Test(arguments: [0, 5, RequestSender.smallBodyBytesMax, RequestSender.smallBodyBytesMax + 1], [1, 7, 100_000])
    func aRequestIsWrittenForAProxyThatForwardsIt(_ count: Int, _ once: Int) throws {
        let body = HTTPBody(String(repeating: "\nx-b:", count: count / 5) + String(repeating: "z", count: count % 5))
        let head = try head("http://a:81/b?c#d", .put, ["X-B": "c d e"], body: body)
        var sender = RequestSender(head, body: body.bytes ?? Data(), upload: nil)
        sender.forward(to: "http://a:81/b?c", authorization: "Basic x")
        let expected =
            "PUT http://a:81/b?c HTTP/1.1\r\nProxy-Authorization: Basic x\r\nHost: a:81\r\nX-B: c d e\r\n"
            + "Content-Length: \(count)\r\n\r\n" + String(decoding: body.bytes ?? Data(), as: UTF8.self)
        #expect(String(decoding: sent(&sender, at: once), as: UTF8.self) == expected)
        #expect(sender.bodyBytesSent == count)
        let isRestarted = sender.restart()
        #expect(isRestarted && String(decoding: sent(&sender, at: 4096), as: UTF8.self) == expected)
    }

    /// Only a field counts, not what a body or a value says.
    @Test(arguments: [
        ("PROXY-authorization", true), ("X-Proxy-Authorization", false), ("Proxy-Authorization2", false),
    ])
    func ownCredentialsForAProxyAreNotOverridden(_ name: String, _ isOwn: Bool) throws {
        let body = HTTPBody("\nproxy-authorization: x")
        let head = try head("http://a/", .put, [HTTPHeaderName(name): "own"], body: body)
        var sender = RequestSender(head, body: body.bytes ?? Data(), upload: nil)
        sender.forward(to: "http://a/", authorization: "given")
        let text = String(decoding: sent(&sender, at: 4096), as: UTF8.self)
        #expect(text.contains("\(name): own\r\n"))
        #expect(text.contains("Proxy-Authorization: given\r\n") != isOwn)
    }

    /// Sends with a socket that takes `once` bytes at a time, and is full after each.
    private func sent(_ sender: inout RequestSender, at once: Int) -> [UInt8] {
        var out: [UInt8] = []
        while !sender.isSent {
            var isFull = false
            let progress = sender.advance(readsStream: true) { bytes in
                guard !isFull else { return .blocked }
                isFull = true
                out += bytes.prefix(once)
                return .bytes(min(once, bytes.count))
            }
            guard progress == .blocked || progress == .sent else { break }
        }
        return out
    }

    @Test(arguments: [1, 3, 1000, .max])
    func aRequestIsSentAsTheSocketTakesIt(_ once: Int) throws {
        for count in [0, 5, 40_000] {
            let body = Data(repeating: 0x62, count: count)
            let head = try head("http://a/", .put, body: HTTPBody(body))
            let expected = head.bytes + Array(body)
            var sender = RequestSender(head, body: body, upload: nil)
            for _ in 0..<2 {
                #expect(sent(&sender, at: once) == expected)
                #expect(sender.bodyBytesSent == count && sender.isSent)
                #expect(sender.restart() == true)
                #expect(!sender.hasBegun && !sender.isSent)
            }
        }
    }

    // MARK: - Expectations

    /// Whatever the size: a small body goes out apart from its head too.
    @Test(arguments: [1, RequestSender.smallBodyBytesMax, 100_000], [1, 7, 1_000_000])
    func aBodyIsHeldBackUntilTheServerAgrees(_ count: Int, _ once: Int) throws {
        let body = Data(repeating: 0x62, count: count)
        let head = try head("http://a/", .put, ["Expect": "100-continue"], body: HTTPBody(body))
        let expected = head.bytes
        var sender = RequestSender(head, body: body, upload: nil)
        for _ in 0..<2 {
            #expect(sent(&sender, at: once) == expected)
            #expect(sender.isHeld && !sender.isSent && sender.bodyBytesSent == 0)
            var hasWritten = false
            let progress = sender.advance(readsStream: true) {
                hasWritten = true
                return .bytes($0.count)
            }
            #expect(progress == .held && !hasWritten)
            sender.goAhead()
            #expect(sent(&sender, at: once) == Array(body) && sender.isSent)
            // Over another connection, it is held back again.
            #expect(sender.restart() == true)
        }
        // The server may agree before the head is out.
        sender.goAhead()
        #expect(sent(&sender, at: once) == expected + Array(body))
    }

    // MARK: - Turns

    /// A connection that takes everything must not keep others waiting: each turn has a bound.
    @Test(arguments: [16 * 1024, 64 * 1024])
    func aLongRequestYieldsToOthers(_ once: Int) throws {
        let body = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 / 1000) })
        let head = try head("http://a/", .put, body: HTTPBody(body))
        let expected = head.bytes + Array(body)
        var sender = RequestSender(head, body: body, upload: nil)
        var out: [UInt8] = []
        var turns: [Int] = []
        repeat {
            let begin = out.count
            let progress = sender.advance(readsStream: true) { bytes in
                out += bytes.prefix(once)
                return .bytes(min(once, bytes.count))
            }
            turns.append(out.count - begin)
            #expect(progress == (out.count < expected.count ? .more : .sent))
        } while !sender.isSent && turns.count < 10
        #expect(out == expected && sender.isSent && sender.bodyBytesSent == body.count)
        #expect(turns.count == 3)
        #expect(turns.dropLast().allSatisfy { RequestSender.turnBytesMax..<RequestSender.turnBytesMax + once ~= $0 })
    }

    /// A connection that takes a whole body at once has its turn over, and then the request is complete.
    @Test func aBodyThatIsWrittenAtOnceIsCompleteAfterItsTurn() throws {
        let body = Data(count: 2 << 20)
        var sender = RequestSender(try head("http://a/", .put, body: HTTPBody(body)), body: body, upload: nil)
        let turns = (0..<2).map { _ in sender.advance(readsStream: true) { .bytes($0.count) } }
        #expect(turns == [.more, .sent])
        #expect(sender.bodyBytesSent == body.count)
    }

    @Test func aQuickStreamYieldsToOthers() async throws {
        let count = 4 << 20
        let body = HTTPBody(TestSource([.piece(Data(count: count))]), count: count)
        let upload = UploadStream(body)
        defer { upload.stop() }
        upload.start {}
        var sender = RequestSender(try head("http://a/", .put, body: body), body: Data(), upload: upload)
        var turnCount = 0
        let isSent = try await holds {
            let begin = sender.bytesSent
            let progress = sender.advance(readsStream: true) { .bytes($0.count) }
            if progress == .more { turnCount += 1 }
            // One piece more than the bound at most.
            #expect(sender.bytesSent - begin < RequestSender.turnBytesMax + 600 * 1024)
            return progress == .sent
        }
        #expect(isSent && sender.bodyBytesSent == count)
        #expect(turnCount >= 2)
    }

    // MARK: - Pieces of a stream

    /// How large the pieces are in which a stream goes out; `starved` gets their number when the source has nothing.
    private func pieceSizes(
        _ source: TestSource,
        _ count: Int?,
        starved: (Int) -> Void = { _ in },
    ) async throws -> [Int] {
        let body = HTTPBody(source, count: count)
        let upload = UploadStream(body)
        defer { upload.stop() }
        upload.start {}
        let head = try head("http://a/", .put, body: body)
        let headCount = head.bytes.count
        var sender = RequestSender(head, body: Data(), upload: upload)
        var sizes: [Int] = []
        let isSent = try await holds {
            let progress = sender.advance(readsStream: true) { bytes in
                sizes.append(bytes.count)
                return .bytes(bytes.count)
            }
            if progress == .starved { starved(sizes.count - 1) }
            return progress == .sent
        }
        try #require(isSent)
        try #require(sizes.removeFirst() == headCount)
        return sizes
    }

    /// What a chunk of `count` bytes takes, with its size and two line breaks.
    private func chunk(_ count: Int) -> Int { String(count, radix: 16).utf8.count + 2 + count + 2 }

    /// The more its source has, the more of it is read at once, up to a bound.
    @Test func thePiecesOfAQuickStreamGrowUpToABound() async throws {
        let (kib, count) = (1024, 4 << 20)
        let source = TestSource([.piece(Data(count: count))])
        let sizes = [64 * kib, 128 * kib, 256 * kib] + Array(repeating: 512 * kib, count: 7) + [64 * kib]
        #expect(try await pieceSizes(source, count) == sizes)
        #expect(try await pieceSizes(source, nil) == sizes.map { chunk($0) } + [5])
    }

    /// Each piece is sent as it comes, and takes no more room than the first.
    @Test func thePiecesOfASlowStreamDoNotGrow() async throws {
        let (kib, count) = (1024, 16)
        let sentCount = Lock(0)
        let source = TestSource { number in
            if number == count * 2 { return .piece(Data(count: 300 * kib)) }
            guard number < count * 2 else { return nil }
            guard !number.isMultiple(of: 2) else { return .piece(Data(count: 10 * kib)) }
            return .wait { while sentCount.withLock(\.self) <= number / 2 { await Task.yield() } }
        }
        let sizes = try await pieceSizes(source, nil) { count in sentCount.withLock { $0 = count } }
        let small = Array(repeating: chunk(10 * kib), count: count)
        #expect(sizes == small + [64, 128, 108].map { chunk($0 * kib) } + [5])
    }

    /// A piece of a size that is worth it goes out from where it is, however the socket takes it.
    @Test(arguments: [64 * 1024, 65_537, 512 * 1024], [1000, 65_536, 1 << 20])
    func largePiecesAreSentAsTheyCame(_ size: Int, _ once: Int) async throws {
        let pieces = (0..<5).map { (index: Int) in Data(repeating: UInt8(index + 1), count: index == 2 ? 100 : size) }
        let starts = Set(pieces.map { $0.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } })
        let body = HTTPBody(TestSource(pieces.map { .piece($0) }), count: 4 * size + 100)
        let upload = UploadStream(body)
        defer { upload.stop() }
        upload.start {}
        let head = try head("http://a/", .put, body: body)
        let headCount = head.bytes.count
        var sender = RequestSender(head, body: Data(), upload: upload)
        var (received, uncopied) = (Data(), 0)
        let isSent = try await holds {
            let progress = sender.advance(readsStream: true) { bytes in
                if starts.contains(Int(bitPattern: bytes.baseAddress)) { uncopied += 1 }
                received += bytes.prefix(once)
                return .bytes(min(once, bytes.count))
            }
            return progress == .sent
        }
        try #require(isSent)
        #expect(received.dropFirst(headCount) == Data(pieces.joined()))
        #expect(sender.bodyBytesSent == 4 * size + 100)
        #expect(uncopied == 4)
    }

    @Test func aFaultIsReported() throws {
        var sender = RequestSender(try head("http://a/"), body: Data(), upload: nil)
        let progress = sender.advance(readsStream: true) { _ in .failed(IOFault(systemError: 32)) }
        #expect(progress == .failed(IOFault(systemError: 32)))
        #expect(!sender.hasBegun)
    }
}
#endif
