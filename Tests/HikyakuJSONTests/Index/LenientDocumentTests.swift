import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct LenientDocumentTests {
    private func strict(_ document: String, _ leniency: HikyakuJSONDecoder.Leniency) -> String {
        let lenient = LenientDocument(Data(document.utf8), leniency)
        return String(decoding: lenient.strict, as: UTF8.self)
    }

    @Test(arguments: [
        ("[1,/* a, */2] // b", "[1,        2]     "), ("/*a\n b\r\n*/1//\n", "   \n  \r\n  1  \n"),
        (#"["//","\"/*"]"#, #"["//","\"/*"]"#), ("/*飛*/1", "       1"), ("/**/1", "    1"), ("/***/1", "     1"),
        ("[1,]", "[1,]"), ("\u{FEFF}1", "\u{FEFF}1"), ("1/2", "1/2"), ("/", "/"), ("//", "  "),
        ("//\u{2028}1", "      "),
    ])
    func commentsBecomeSpaces(_ document: String, _ result: String) {
        #expect(strict(document, .comments) == result)
    }

    @Test(arguments: [
        ("[1,]", "[1 ]"), (#"{"a":[1 , ] ,}"#, #"{"a":[1   ]  }"#), ("[[],{},]", "[[],{} ]"), ("[,]", "[,]"),
        ("[1,,]", "[1,,]"), ("{,}", "{,}"), ("1,", "1,"), (#"["a,]",]"#, #"["a,]" ]"#), (#"["\",]",]"#, #"["\",]" ]"#),
        ("[1,//\n]", "[1,//\n]"), (#"{"a":,}"#, #"{"a":,}"#), ("[null,]", "[null ]"), ("]", "]"), (",]", ",]"),
    ])
    func aCommaBehindTheLastBecomesASpace(_ document: String, _ result: String) {
        #expect(strict(document, .trailingCommas) == result)
    }

    @Test func optionsAddUp() {
        let document = "\u{FEFF}[1,/*,*/]//,"
        #expect(strict(document, [.comments, .trailingCommas]) == "\u{FEFF}[1      ]   ")
        #expect(strict(document, [.comments, .trailingCommas, .byteOrderMark]) == "   [1      ]   ")
        #expect(strict(document, .byteOrderMark) == "   [1,/*,*/]//,")
        #expect(strict(document, .json5) == "   [1      ]   ")
        #expect(HikyakuJSONDecoder.Leniency.json5.isSuperset(of: [.comments, .trailingCommas, .byteOrderMark]))
    }

    @Test(arguments: [
        ("{a:1}", #"{"a":1}"#), (#"{'a"\'b':'c'}"#, #"{"a\"'b":"c"}"#), ("[+1,-.5,5.,.5]", "[ 1,-0.5,5 ,0.5]"),
        ("[5.e3,5.0]", "[5e3 ,5.0]"), ("[0x1F,-0Xff,+0x0]", "[31  ,-255 , 0  ]"), (#"'a\'b'"#, #""a'b" "#),
        ("'a\\\nb'", "\"ab\" \n"), ("\"a\\\r\nb\"", "\"ab\"  \n"),
        (#""\x41\x22\x5C\x0a\xe9""#, #""A\"\\\u000aé""# + "       "),
        (#""\v\0\a""#, #""\u000b\u0000a""#), ("\"\t\"", #""\u0009""#), ("\u{A0}1\u{B}", "  1 "),
        ("[Infinity,-Infinity,+NaN]", "[9e99999999,-9e99999999, 8e99999999]"), (#"{\u0061:1}"#, #"{"\u0061":1}"#),
        ("[8e99999999,-9e99999999]", "[8E99999999,-9E99999999]"),
        ("[8.e99999999,-9.e99999999]", "[8E99999999 ,-9E99999999 ]"), ("[9.0e99999999]", "[9.0e99999999]"),
        ("0xFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFFF", "340282366920938463463374607431768211455"),
        ("0x0000000000000000000000000000000000000000001", "1" + String(repeating: " ", count: 44)),
        // What isn't JSON5 either stays.
        ("{a b}", #"{"a" b}"#), ("[a]", "[a]"), ("'a", "\"a"), ("'a\n'", "\"a\n\""), (#"'\1\08\x4'"#, #""\1\08\x4""#),
        ("0x", "0x"), ("0x100000000000000000000000000000000", "0x100000000000000000000000000000000"),
        ("1.5.5", "1.5.5"),
        ("5.0x1", "5.0x1"), ("1e-0x5", "1e-0x5"), ("0xFFFFFFFFFFFFFFFF.5", "0xFFFFFFFFFFFFFFFF.5"), ("1e+.5", "1e+.5"),
        ("NaN5", "NaN5"), ("+", "+"), ("-+1", "-+1"), ("..5", "..5"), ("5..5", "5..5"), ("01", "01"), ("+01", " 01"),
        ("{1a:1}", "{1a:1}"), ("{😀:1}", "{😀:1}"), (#"{\u0030:1}"#, #"{\u0030:1}"#),
        (#"{\ud83d\ude00:1}"#, #"{\ud83d\ude00:1}"#),
    ])
    func json5BecomesJSON(_ document: String, _ result: String) {
        #expect(strict(document, .json5) == result)
    }

    @Test(arguments: [
        ("/*", 0, "/*"), ("1/*", 1, "1/*"), ("[1 /* *", 3, "[1 /* *"), ("/*/", 0, "/*/"),
        ("1 /* 2 * /", 2, "1 /* 2 * /"),
        ("[.5,/*a*/ 1 /* b, 'c'", 13, "[0.5,      1 /* b, 'c'"),
    ])
    func aCommentHasToEnd(_ document: String, _ place: Int, _ result: String) {
        let lenient = LenientDocument(Data(document.utf8), .json5)
        #expect(String(decoding: lenient.strict, as: UTF8.self) == result)
        let cut = JSONSyntaxError(.unexpectedEnd, at: result.utf8.count)
        #expect(lenient.meant(JSONSyntaxError(.noValue, at: place)) as? JSONSyntaxError == cut)
        let other = JSONSyntaxError(.noValue, at: place + 1)
        #expect(lenient.meant(other) as? JSONSyntaxError == other)
    }

    /// What becomes longer is what it was, byte by byte.
    @Test(arguments: [
        ("{a:1,'b':x}", [0: 0, 1: 1, 2: 1, 3: 2, 4: 2, 5: 3, 7: 5, 9: 7, 11: 9, 12: 10, 13: 11]),
        ("/*a*/[.5,x]", [0: 0, 6: 6, 7: 6, 8: 7, 9: 8, 10: 9, 11: 10, 12: 11]),
        ("['\\\n',x]", [1: 1, 2: 4, 3: 5, 4: 5, 5: 5, 6: 6, 7: 7, 8: 8]),
        ("[NaN,x]", [1: 1, 3: 3, 10: 3, 11: 4, 12: 5, 13: 6, 14: 7]),
    ])
    func eachByteHasAnOrigin(_ document: String, _ origins: [Int: Int]) {
        let lenient = LenientDocument(Data(document.utf8), .json5)
        for (place, origin) in origins { #expect(lenient.origins(of: [place]) == [origin], "\(place)") }
        let places = origins.keys.sorted()
        #expect(lenient.origins(of: places) == places.map { origins[$0] })
    }

    @Test(
        .enabled(if: ConformanceCorpus.isThere, "the conformance corpus isn't there"),
        arguments: ConformanceCorpus.documents("y"),
    )
    func aStrictDocumentStaysAsItIs(_ document: ConformanceCorpus.Document) {
        #expect(LenientDocument(document.bytes, .json5).strict == document.bytes)
    }

    @Test func anyBytesAreReadToTheirEnd() {
        let seed = testSeed()
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("{}[],:'\"\\/*+-.0x1eEINaf$_\n\r \t".utf8) + [0, 0x0B, 0xC2, 0xA0, 0xE2, 0x80, 0xA8, 0xFF]
        for number in 0..<20_000 {
            let count = Int.random(in: 0..<24, using: &generator)
            let bytes = Data((0..<count).map { _ in alphabet.randomElement(using: &generator) ?? 0 })
            var decoder = HikyakuJSONDecoder()
            decoder.leniency = HikyakuJSONDecoder.Leniency(rawValue: UInt8.random(in: 0..<16, using: &generator))
            _ = try? decoder.decode(JSONAny.self, from: bytes)
            let lenient = LenientDocument(bytes, .json5)
            let places = Array(0...lenient.strict.count)
            let origins = lenient.origins(of: places)
            #expect(origins == origins.sorted() && origins.last == count, "seed \(seed), document \(number)")
        }
    }
}
