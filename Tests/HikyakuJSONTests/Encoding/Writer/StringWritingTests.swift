import Foundation
import HikyakuJSON
import TestSupport
import Testing

@Suite struct StringWritingTests {
    @Test(arguments: [
        ("", #""""#), ("a", #""a""#), ("1234567", #""1234567""#), ("12345678", #""12345678""#),
        ("a\"b", #""a\"b""#), ("a\\b", #""a\\b""#), ("/", #""/""#), ("\u{7F}", "\"\u{7F}\""),
        ("\u{0}\u{1}\u{7}\u{8}\t\n\u{B}\u{C}\r\u{E}\u{1F} ", #""\u0000\u0001\u0007\b\t\n\u000b\f\r\u000e\u001f ""#),
        ("é😀\u{2028}\u{2029}\u{FFFF}", "\"é😀\u{2028}\u{2029}\u{FFFF}\""),
        ("\"\"\"\"\"\"\"\"\"", #""\"\"\"\"\"\"\"\"\"""#),
    ])
    func onlyWhatHasToBeIsEscaped(text: String, document: String) throws {
        #expect(try written(text) == document)
    }

    @Test func anEscapeIsFoundAtEveryPlaceOfEveryLength() throws {
        for length in 1...80 {
            for place in 0..<length {
                for (character, escape) in [("\"", "\\\""), ("\\", "\\\\"), ("\n", "\\n"), ("\u{1F}", "\\u001f")] {
                    let before = String(repeating: "a", count: place)
                    let behind = String(repeating: "é", count: length - place - 1)
                    #expect(try written(before + character + behind) == "\"\(before)\(escape)\(behind)\"")
                }
            }
        }
    }

    @Test func everyByteValueIsWrittenAsFoundationWritesIt() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .withoutEscapingSlashes
        for scalar in (0...0x2FF).compactMap(Unicode.Scalar.init) {
            for text in [String(scalar), "abcdefg\(scalar)", "\(scalar)\(scalar)abcdefghij\(scalar)"] {
                #expect(try written(text) == String(decoding: encoder.encode(text), as: UTF8.self))
            }
        }
    }

    @Test func textsOfAllKindsAreReadBackAsTheSame() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let pieces = ["a", "\"", "\\", "\n", "\u{0}", "é", "😀", "日本", "/", "e\u{301}", "0123456789", "\u{FEFF}"]
        for _ in 0..<Effort.rounds(2000) {
            let length = Int.random(in: 0...60, using: &random)
            let text = (0..<length).map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
            let bytes = try HikyakuJSONEncoder().write([text])
            let read = try JSONDecoder().decode([String].self, from: bytes)
            #expect(read.map { Array($0.utf8) } == [Array(text.utf8)], "seed \(seed)")
        }
    }

    @Test func aTextThatIsASliceOfAnotherIsWrittenWithoutIt() throws {
        let text = String("before|the \"text\"|behind".split(separator: "|")[1])
        #expect(try written(text) == #""the \"text\"""#)
    }
}
