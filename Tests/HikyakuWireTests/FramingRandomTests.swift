#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuMockServer
import TestSupport
import Testing

@testable import HikyakuWire

/// Responses that are cut and changed at random: whatever is made of them, no other body than theirs is a success.
@Suite(.timeLimit(.minutes(5)))
struct FramingRandomTests {
    private static let seed = testSeed()

    private static let sound = [
        "HTTP/1.1 200 OK\r\nContent-Length: 26\r\nX-A: 1\r\n\r\nabcdefghijklmnopqrstuvwxyz",
        "HTTP/1.1 200 OK\r\nContent-Length: 3, 3\r\ncontent-length: 3\r\n\r\nabc",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n1a;x=y\r\nabcdefghijklmnopqrstuvwxyz\r\n0\r\n\r\n",
        "HTTP/1.1 200 OK\r\nX-F: a\r\n b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n000\r\nX-T: 1\r\n\r\n",
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody",
        "HTTP/1.1 204 No Content\r\nX-A: 1\r\n\r\n", "HTTP/1.0 200 OK\r\nX-A: 1\r\n\r\nto the end",
    ].map { Array($0.utf8) }

    // MARK: - Without sockets

    @Test func whatIsReadDoesNotDependOnHowItIsCut() async {
        var generator = SeededGenerator(seed: Self.seed)
        var successCount = 0
        for number in 0..<Effort.rounds(4000) {
            // The threads that run tests are few.
            if number.isMultiple(of: 100) { await Task.yield() }
            let bytes = Self.changed(Self.sound[number % Self.sound.count], &generator)
            let whole = Reading(bytes, pieces: { Int.max })
            let pieces = Reading(bytes, pieces: { Int.random(in: 1...9, using: &generator) })
            if whole != pieces { Issue.record("seed \(Self.seed), number \(number)") }
            guard let body = whole.body else { continue }
            successCount += 1
            if !Self.isPlausible(body, of: bytes, whole) { Issue.record("seed \(Self.seed), number \(number)") }
        }
        #expect(successCount > Effort.rounds(200), "seed \(Self.seed)")
    }

    @Test func noPartOfAResponseIsTheWhole() {
        for bytes in Self.sound where !bytes.starts(with: "HTTP/1.0".utf8) {
            #expect(Reading(bytes, pieces: { Int.max }).body != nil)
            for count in 0..<bytes.count {
                #expect(Reading(Array(bytes[..<count]), pieces: { Int.max }).body == nil)
            }
        }
    }

    /// By another way than the parser's: the body must be written somewhere behind the head in the form in which it
    /// would have been sent.
    private static func isPlausible(_ body: [UInt8], of bytes: [UInt8], _ reading: Reading) -> Bool {
        let rest = bytes[reading.headBytes...]
        guard reading.isChunked else { return rest.starts(with: body) }
        var left = rest
        var decoded: [UInt8] = []
        while let lineEnd = left.firstRange(of: Array("\r\n".utf8)) {
            let digits = left[..<lineEnd.lowerBound].prefix { $0 != UInt8(ascii: ";") && $0 != 0x20 && $0 != 0x09 }
            guard let size = Int(String(decoding: digits, as: UTF8.self), radix: 16) else { return false }
            left = left[lineEnd.upperBound...]
            guard size > 0 else { return decoded == body && left.contains(0x0A) }
            guard left.count >= size + 2 else { return false }
            decoded += left.prefix(size)
            left = left.dropFirst(size + 2)
        }
        return false
    }

    // MARK: - Over the wire

    @Test func theTransportAndTheReaderNeverDisagreeAboutASuccess() async throws {
        // Each request has its own answer, so that one that is lost on the way can't move those of all others.
        let answer = Lock(MockAnswer.raw([.close]))
        let server = try MockServer { _ in answer.withLock { $0 } }
        defer { server.stop() }
        let transport = WireTransport()
        var lost: [String] = []
        var generator = SeededGenerator(seed: Self.seed &+ 1)
        var successCount = 0
        for number in 0..<600 {
            let bytes = Self.changed(Self.sound[number % Self.sound.count], &generator)
            let pieceBytes = number.isMultiple(of: 3) ? Int.random(in: 1...20, using: &generator) : Int.max
            answer.withLock { $0 = .raw([.write(bytes, pieceBytes: pieceBytes), .close]) }
            let url = try #require(URL(string: "\(server.baseURL)/\(number)"))
            let expected = Reading(bytes, pieces: { Int.max })
            do {
                let response = try await transport.get(url)
                let body = Array(try await response.body.collect())
                successCount += 1
                #expect(body == expected.body, "seed \(Self.seed), number \(number)")
            } catch let error as TransportError {
                #expect(error.reason.phase == .transport || error.reason.phase == .limit)
                if server.requests.last?.path != "/\(number)" { lost.append("\(number): \(error)") }
            }
        }
        // What comes late, behind a response that is whole, is read as the answer to the next request, and fails that.
        #expect(lost.count < 30, "\(lost)")
        #expect(100...500 ~= successCount)
    }
}

extension FramingRandomTests {
    /// What the reader makes of bytes that come in pieces, and then end.
    fileprivate struct Reading: Equatable {
        private(set) var body: [UInt8]?
        private(set) var headBytes = 0
        private(set) var isChunked = false

        init(_ bytes: [UInt8], pieces: () -> Int) {
            var reader = ResponseReader(isForHead: false)
            var read: [UInt8] = []
            var start = 0
            bytes.withUnsafeBytes { bytes in
                while start < bytes.count {
                    let piece = UnsafeRawBufferPointer(rebasing: bytes[start...].prefix(pieces()))
                    var position = 0
                    steps: while true {
                        switch try? reader.next(in: piece, from: &position) {
                        case .head:
                            guard (try? reader.head.headers()) != nil else { return }
                            (headBytes, isChunked) = (start + position, reader.framing.isChunked)
                        case .body(let slice): read += slice
                        case .more: break steps
                        case .end:
                            if (try? reader.trailers()) != nil { body = read }
                            return
                        case nil: return
                        }
                    }
                    start += piece.count
                }
                if reader.problemAtEnd(isProven: true) == nil { body = read }
            }
        }
    }

    private static func changed(_ bytes: [UInt8], _ generator: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<Int.random(in: 0...3, using: &generator) {
            guard let place = bytes.indices.randomElement(using: &generator) else { break }
            switch Int.random(in: 0..<6, using: &generator) {
            case 0: bytes[place] = .random(in: 0...255, using: &generator)
            case 1: bytes[place] = Array("0123456789abcdef\r\n\t :;,-+x\0".utf8).randomElement(using: &generator) ?? 0
            case 2: bytes.remove(at: place)
            case 3: bytes.insert(bytes.randomElement(using: &generator) ?? 0, at: place)
            case 4: bytes.removeSubrange(place...)
            default: bytes.insert(contentsOf: bytes[place...].prefix(20), at: place)
            }
        }
        return bytes
    }
}
#endif
