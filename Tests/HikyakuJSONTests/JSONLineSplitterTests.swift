import Foundation
import TestSupport
import Testing

@_spi(Benchmarks) @testable import HikyakuJSON

@Suite struct JSONLineSplitterTests {
    /// What came of a stream, in words: `3@17 {"a":1}`, and for errors `tooLong 3@17`.
    private static func words(
        _ pieces: [Data],
        lineBytesMax: Int = 1 << 20,
        allowsByteOrderMark: Bool = false,
    ) -> [String] {
        var splitter = JSONLineSplitter(lineBytesMax: lineBytesMax, allowsByteOrderMark: allowsByteOrderMark)
        var words: [String] = []
        func take(_ step: (inout JSONLineSplitter) throws(JSONLineError) -> JSONLineSplitter.Line?) {
            while true {
                do throws(JSONLineError) {
                    guard let line = try step(&splitter) else { return }
                    #expect(line.bytes.startIndex == 0)
                    words.append("\(line.number)@\(line.byteOffset) \(String(decoding: line.bytes, as: UTF8.self))")
                } catch {
                    words.append("\(error.reason.rawValue) \(error.line)@\(error.byteOffset)")
                }
            }
        }
        for piece in pieces {
            splitter.feed(piece)
            take { splitter throws(JSONLineError) in try splitter.next() }
        }
        take { splitter throws(JSONLineError) in try splitter.finish() }
        take { splitter throws(JSONLineError) in try splitter.finish() }
        return words
    }

    private static func words(_ text: String, lineBytesMax: Int = 1 << 20) -> [String] {
        words([Data(text.utf8)], lineBytesMax: lineBytesMax)
    }

    @Test(arguments: [
        ("", []), ("\n", []), ("\r\n \t\n\n", []), (" \t\r", []), ("1", ["1@0 1"]), ("1\n", ["1@0 1"]),
        ("1\n2", ["1@0 1", "2@2 2"]), ("1\r\n2\r\n", ["1@0 1", "2@3 2"]), ("1\r", ["1@0 1"]),
        ("\n\n1\n \n2", ["3@2 1", "5@6 2"]), (" 1 \n", ["1@0  1 "]), ("1\r\r\n", ["1@0 1\r"]),
        // A LF inside of a text is none: it is escaped.
        (#"{"a":"\n"}"# + "\n[]", [#"1@0 {"a":"\n"}"#, "2@11 []"]), ("1\u{B}2\u{2028}3", ["1@0 1\u{B}2\u{2028}3"]),
    ])
    func linesEndWithLineFeeds(text: String, words: [String]) {
        #expect(Self.words(text) == words)
    }

    private static let sample = Data(
        "\u{FEFF}{\"a\":1}\r\n\r\n \n[1,2,3,4,5,6,7,8,9,10,11,12]\n\"é😀\"\r\n{\"long\":\"0123456789012345678901234\"}\n7"
            .utf8
    )

    private static let sampleWords = [
        "1@3 {\"a\":1}", "tooLong 4@16", "5@45 \"é😀\"", "tooLong 6@55", "7@92 7",
    ]

    @Test func itDoesNotMatterWhereAStreamIsSplit() {
        let sample = Self.sample
        var wrong: [String] = []
        for first in 0...sample.count {
            for second in first...sample.count {
                let pieces = [sample[..<first], sample[first..<second], sample[second...]]
                let words = Self.words(pieces, lineBytesMax: 27, allowsByteOrderMark: true)
                if words != Self.sampleWords { wrong.append("split at \(first) and \(second): \(words)") }
            }
        }
        #expect(wrong.prefix(3) == [])
        #expect(Self.words(sample.map { Data([$0]) }, lineBytesMax: 27, allowsByteOrderMark: true) == Self.sampleWords)
    }

    @Test func generatedStreamsAreTheSameInAnyPieces() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let parts = ["\n", "\r\n", "\r", "{\"a\":1}", "0123456789", " ", "é", "", "\u{FEFF}", "\n\n"]
        for round in 0..<500 {
            let count = Int.random(in: 0...40, using: &random)
            let text = (0..<count).map { _ in parts.randomElement(using: &random) ?? "" }.joined()
            var rest = Data(text.utf8)
            var pieces: [Data] = []
            while !rest.isEmpty {
                let length = Int.random(in: 0...min(rest.count, 12), using: &random)
                pieces.append(rest.prefix(length))
                rest = rest.dropFirst(length)
            }
            let limit = Int.random(in: 0...30, using: &random)
            #expect(
                Self.words(pieces, lineBytesMax: limit) == Self.words(text, lineBytesMax: limit),
                "\(seed), \(round)",
            )
        }
    }

    @Test func theLinesAreTheBytesBetweenLineEnds() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<300 {
            let lines = (0..<20).map { _ in String(repeating: "x", count: Int.random(in: 0...30, using: &random)) }
            let expected = lines.enumerated().filter { !$0.element.isEmpty }.map { "\($0.offset + 1) \($0.element)" }
            let words = Self.words(lines.joined(separator: "\n")).map { $0.replacing(/@\d+/, with: "") }
            #expect(words == expected, "seed \(seed)")
        }
    }

    @Test func aLineIsNoLongerThanAllowed() {
        #expect(Self.words("1234\n12345\n1234", lineBytesMax: 4) == ["1@0 1234", "tooLong 2@5", "3@11 1234"])
        #expect(Self.words("1234\n12345", lineBytesMax: 4) == ["1@0 1234", "tooLong 2@5"])
        #expect(Self.words("1234\r\n", lineBytesMax: 4) == ["tooLong 1@0"])
        #expect(Self.words("\n1", lineBytesMax: 0) == ["tooLong 2@1"])
        #expect(Self.words("1", lineBytesMax: -1) == ["tooLong 1@0"])
    }

    @Test func aLineAboveTheLimitIsReportedBeforeItsEnd() throws {
        var splitter = JSONLineSplitter(lineBytesMax: 10)
        splitter.feed(Data("{\"a\":".utf8))
        #expect(try splitter.next() == nil)
        splitter.feed(Data("123456".utf8))
        let error = #expect(throws: JSONLineError.self) { _ = try splitter.next() }
        #expect(error?.reason == .tooLong)
        // Nothing of it is kept any more, however long it is.
        for _ in 0..<100 {
            splitter.feed(Data(repeating: 0x31, count: 1000))
            #expect(try splitter.next() == nil)
        }
        splitter.feed(Data("}\n7\n".utf8))
        #expect(try splitter.next()?.bytes == Data("7".utf8))
    }

    @Test func aByteOrderMarkIsRejectedUnlessAllowed() {
        let stream = Data("\u{FEFF}1\n\u{FEFF}2".utf8)
        #expect(Self.words([stream]) == ["byteOrderMark 1@0", "2@5 \u{FEFF}2"])
        #expect(Self.words([stream], allowsByteOrderMark: true) == ["1@3 1", "2@5 \u{FEFF}2"])
        #expect(Self.words([Data("\u{FEFF}\r\n1".utf8)], allowsByteOrderMark: true) == ["2@5 1"])
        #expect(Self.words([Data([0xEF, 0xBB])]).count == 1)
    }

    @Test func piecesMayBeFedBeforeTheLastIsEmpty() throws {
        var splitter = JSONLineSplitter()
        splitter.feed(Data("1\n2".utf8))
        #expect(try splitter.next()?.number == 1)
        splitter.feed(Data("3\n4\n".utf8))
        splitter.feed(Data("5".utf8))
        #expect(try splitter.next() == .init(number: 2, byteOffset: 2, bytes: Data("23".utf8)))
        #expect(try splitter.finish() == .init(number: 3, byteOffset: 5, bytes: Data("4".utf8)))
        #expect(try splitter.finish() == .init(number: 4, byteOffset: 7, bytes: Data("5".utf8)))
        #expect(try splitter.finish() == nil)
    }
}
