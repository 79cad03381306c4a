#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

struct ChunkedBodyTests {
    /// What a parser makes of bytes that come in these pieces.
    struct Outcome: Equatable {
        var body: [UInt8] = []
        var isComplete = false
        /// How many bytes of the last piece lie behind the end.
        var excess = 0
        var problem: FailureReason?

        init(_ pieces: [ArraySlice<UInt8>], trailerBytesMax: Int = 100, trailersMax: Int = 3) {
            var parser = ChunkedBody(trailerBytesMax: trailerBytesMax, trailersMax: trailersMax)
            for piece in pieces {
                guard problem == nil else { return }
                piece.withUnsafeBytes { read($0, &parser) }
            }
            isComplete = problem == nil && parser.isComplete
        }

        private mutating func read(_ bytes: UnsafeRawBufferPointer, _ parser: inout ChunkedBody) {
            var position = 0
            do throws(TransportError) {
                while true {
                    switch try parser.next(in: bytes, from: &position) {
                    case .body(let slice): body += slice
                    case .more: return
                    case .end:
                        excess += bytes.count - position
                        return
                    }
                }
            } catch {
                problem = error.reason
            }
        }
    }

    private func outcome(_ text: String) -> Outcome { Outcome([Array(text.utf8)[...]]) }

    @Test(arguments: [
        ("0\r\n\r\n", ""), ("5\r\nhello\r\n0\r\n\r\n", "hello"), ("1\r\na\r\n2\r\nbc\r\n000\r\n\r\n", "abc"),
        ("A\r\n0123456789\r\na\r\n0123456789\r\n0\r\n\r\n", "01234567890123456789"),
        ("0000000000000002\r\nhi\r\n0\r\n\r\n", "hi"), ("2 \t\r\nhi\r\n0 ;x\r\n\r\n", "hi"),
        ("2;a;b=\"c d\";\t\r\nhi\r\n0\r\n\r\n", "hi"), ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"),
        ("2\r\nhi\r\n0\r\nX-A: 1\r\nX-B:\tü\r\n\r\n", "hi"),
    ])
    func whatIsSoundIsReadWhereverItIsCut(_ text: String, _ body: String) async {
        let bytes = Array(text.utf8)
        let expected = outcome(text)
        #expect(expected.isComplete && expected.body == Array(body.utf8) && expected.problem == nil)
        for first in 0...bytes.count {
            // The threads that run tests are few.
            await Task.yield()
            for second in first...bytes.count {
                #expect(Outcome([bytes[..<first], bytes[first..<second], bytes[second...]]) == expected)
            }
        }
        #expect(Outcome(bytes.indices.map { bytes[$0...$0] }) == expected)
        // A part of it alone is not the whole.
        for count in 0..<bytes.count {
            let part = Outcome([bytes[..<count]])
            #expect(!part.isComplete && part.problem == nil && expected.body.starts(with: part.body))
        }
    }

    @Test(arguments: [
        "\r\n", "x\r\n", "g\r\n", " 1\r\na\r\n", "+1\r\na", "-1\r\na", "0x1\r\na", "1x\r\na", "1,\r\n", "1 1\r\na",
        "1\na", "1\ra",
        ";a\r\n", "1;a\nb\r\n", "1;a\0\r\n", "1;a\rb\r\n", "1;a\u{7F}\r\n", "1\r\nab\r\n", "1\r\na\n0\r\n\r\n",
        "1\r\na\rb", "1\r\nab\n0\r\n\r\n",
        "1\r\na0\r\n\r\n", "8000000000000000\r\n", "FFFFFFFFFFFFFFFF\r\n", "10000000000000000\r\n",
        "00000000000000001\r\na\r\n0\r\n\r\n", "0\r\n\n", "0\r\n\rX", "0\r\nX\r\n\r\n", "0\r\n: x\r\n\r\n",
        "0\r\n X: x\r\n\r\n", "0\r\nX: a\rb\r\n\r\n", "0\r\nX: a\0\r\n\r\n", "0\r\nX: a\n\r\n",
    ])
    func invalidChunksAreRejectedHoweverTheyAreSplit(_ text: String) {
        let bytes = Array(text.utf8)
        #expect(outcome(text).problem == .malformedChunk)
        for cut in 0...bytes.count {
            #expect(Outcome([bytes[..<cut], bytes[cut...]]).problem == .malformedChunk)
        }
    }

    @Test func theLargestSizeIsReadAndItsEndAwaited() {
        let outcome = outcome("7FFFFFFFFFFFFFFF\r\nabc")
        #expect(outcome.problem == nil && outcome.body == Array("abc".utf8) && !outcome.isComplete)
        #expect(self.outcome("1;\(String(repeating: "a", count: 4095))\r\na\r\n0\r\n\r\n").isComplete)
    }

    @Test func whatFollowsTheEndIsNotTheBodys() {
        let bytes = Array("2\r\nhi\r\n0\r\n\r\n5\r\nhello\r\n0\r\n\r\n".utf8)
        for cut in 0...12 {
            let outcome = Outcome([bytes[..<cut], bytes[cut...]])
            #expect(outcome.isComplete && outcome.body == Array("hi".utf8) && outcome.excess == bytes.count - 12)
        }
    }

    @Test(arguments: [
        "1;\(String(repeating: "a", count: 4096))\r\na\r\n0\r\n\r\n",
        "1\(String(repeating: " ", count: 4097))\r\na\r\n0\r\n\r\n",
        String(repeating: "1;\(String(repeating: "a", count: 4000))\r\na\r\n", count: 17) + "0\r\n\r\n",
    ])
    func extensionsHaveBounds(_ text: String) {
        #expect(outcome(text).problem == .headersTooLarge)
    }

    @Test func extensionsMayHaveAsManyBytesAsTheBody() {
        let chunk =
            "1000;signature=\(String(repeating: "a", count: 4000))\r\n\(String(repeating: "b", count: 4096))\r\n"
        #expect(outcome(String(repeating: chunk, count: 100) + "0\r\n\r\n").isComplete)
    }

    @Test func trailersAreKept() {
        var parser = ChunkedBody(trailerBytesMax: 100, trailersMax: 3)
        for byte in "1;x\r\na\r\n0\r\nA: 1\r\nB:  2 \r\n\r\n".utf8 {
            var position = 0
            _ = try? withUnsafeBytes(of: byte) { try parser.next(in: $0, from: &position) }
        }
        #expect(parser.isComplete)
        #expect(String(decoding: parser.trailers, as: UTF8.self) == "A: 1\r\nB:  2 \r\n")
    }

    @Test func trailersHaveBounds() {
        let three = Array("0\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n".utf8)[...]
        #expect(Outcome([three], trailerBytesMax: 19).isComplete)
        #expect(Outcome([three], trailerBytesMax: 18).problem == .headersTooLarge)
        #expect(Outcome([three], trailersMax: 2).problem == .headersTooLarge)
    }
}
#endif
