import Foundation
import Testing

@testable import HikyakuJSON

/// Bodies that are something else as a whole.
@Suite struct BodyContentTests {
    private static func diagnosis(_ bytes: Data) throws -> DecodingDiagnosis {
        DecodingDiagnosis(try #require(JSONSyntaxError.in(bytes)), body: bytes)
    }

    @Test(arguments: [
        ("", DecodingDiagnosis.Kind.empty, "an empty body"), (" \r\n\t", .empty, "only white space"),
        ("\u{FEFF}[1]", .byteOrderMark, "a byte order mark before the document"),
        ("<html>", .html, "an HTML page of 6 bytes"), ("\n<!DOCTYPE html>x", .html, "an HTML page of 17 bytes"),
        ("\u{FEFF}<!doctype HTML>", .html, "an HTML page of 18 bytes"),
        ("<h1>502</h1>", .html, "an HTML page of 12 bytes"),
        ("<html><title></title>", .html, "an HTML page of 21 bytes"),
        ("<html><title>x", .html, "an HTML page of 14 bytes"),
        ("<?xml version=\"1.0\"?><Error/>", .xml, "XML"), ("<plist>", .xml, "XML"), ("<", .xml, "XML"),
        ("Internal Server Error", .plainText, "plain text"), ("404 Not Found", .plainText, "plain text"),
        ("nothing", .plainText, "plain text"), ("true story", .plainText, "plain text"),
        ("é?!", .plainText, "plain text"),
    ])
    func theWholeIsNamed(_ body: String, _ kind: DecodingDiagnosis.Kind, _ found: String) throws {
        let diagnosis = try Self.diagnosis(Data(body.utf8))
        #expect(diagnosis.kind == kind)
        #expect(diagnosis.description == "in the body as a whole: expected a JSON document, found \(found)")
    }

    /// The page, the title that it has, and its shape.
    private static let titles = [
        (
            "<!DOCTYPE html><html><head><TITLE lang=\"en\">\n 502 Bad\n Gateway &amp; &lt;co&gt; &x; </Title></head>",
            "502 Bad Gateway & <co> &x;", "999 Aaa Aaaaaaa & <aa> &a;",
        ),
        ("<html><title>Welcome back, Zoé 飛脚</title>", "Welcome back, Zoé 飛脚", "Aaaaaaa aaaa, Aaa aa"),
        ("<?xml version=\"1.0\"?><html><title>a\u{202E}b</title>", "a\u{FFFD}b", "a?a"),
        (
            "<html><title>\(String(repeating: "x", count: 81))</title>", String(repeating: "x", count: 80) + "…",
            String(repeating: "a", count: 40) + "…",
        ),
        // A mark behind a delimiter is not part of it.
        ("<html><title>a&lt;\u{301}b &amp;\u{200D}</title>", "a<\u{301}b &\u{FFFD}", "a<?a &?"),
    ]

    @Test(arguments: titles)
    func theTitleOfAPageIsShownByItsShape(_ body: String, _ title: String, _ shape: String) throws {
        let diagnosis = try Self.diagnosis(Data(body.utf8))
        let whole = "in the body as a whole: expected a JSON document, found an HTML page of \(body.utf8.count) bytes"
        #expect(diagnosis.kind == .html)
        #expect(diagnosis.description == "\(whole) with a title masked as \"\(shape)\"")
        #expect(!"\(diagnosis) \(diagnosis.localizedDescription)".contains(title))
        let thrown = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode([Int].self, from: Data(body.utf8))
        }
        let error = try #require(thrown?.error)
        let revealed = DecodingDiagnosis(error, body: Data(body.utf8), revealingValues: true)
        #expect(revealed.found == "an HTML page of \(body.utf8.count) bytes with the title \"\(title)\"")
    }

    @Test(
        arguments: [
            ([0xFF, 0xFE, 0x5B, 0, 0x5D, 0], "text in UTF-16 (little-endian), with a byte order mark"),
            ([0xFE, 0xFF, 0, 0x5B, 0, 0x5D], "text in UTF-16 (big-endian), with a byte order mark"),
            ([0xFF, 0xFE, 0, 0, 0x31, 0, 0, 0], "text in UTF-32 (little-endian), with a byte order mark"),
            ([0, 0, 0xFE, 0xFF, 0, 0, 0, 0x31], "text in UTF-32 (big-endian), with a byte order mark"),
            ([0x5B, 0, 0x5D, 0], "text in UTF-16 (little-endian), without a byte order mark"),
            ([0, 0x5B, 0, 0x5D], "text in UTF-16 (big-endian), without a byte order mark"),
            ([0x31, 0], "text in UTF-16 (little-endian), without a byte order mark"),
            ([0, 0x31], "text in UTF-16 (big-endian), without a byte order mark"),
            ([0x22, 0, 0xDB, 0x98, 0x22, 0], "text in UTF-16 (little-endian), without a byte order mark"),
            ([0x31, 0, 0, 0], "text in UTF-32 (little-endian), without a byte order mark"),
            ([0, 0, 0, 0x31], "text in UTF-32 (big-endian), without a byte order mark"),
        ] as [([UInt8], String)]
    )
    func charsetsOfSeveralBytesAreNamed(_ bytes: [UInt8], _ found: String) throws {
        let diagnosis = try Self.diagnosis(Data(bytes))
        #expect(diagnosis.kind == .wrongCharset)
        #expect(diagnosis.description == "in the body as a whole: expected a JSON document in UTF-8, found \(found)")
    }

    @Test func aTextInLatin1IsNamedAtItsPlace() throws {
        let bytes = try #require(#"{"name":"Müller"}"#.data(using: .isoLatin1))
        let diagnosis = try Self.diagnosis(bytes)
        #expect(diagnosis.kind == .wrongCharset)
        #expect(
            diagnosis.description
                == "at /name: expected a JSON document in UTF-8, found text in another charset, such as Latin-1 "
                + #"(line 1, column 11, byte 10), in `{"name":"A?aaaa"}` (values masked)"#
        )
    }

    @Test func packedDataIsNamed() throws {
        #expect(try Self.diagnosis(Data([0x1F, 0x8B, 8, 0])).found == "gzip data that was not decompressed")
        #expect(try Self.diagnosis(Data([1, 2, 3])).found == "a control character (U+0001)")
    }

    @Test func aDocumentOfFourGibibytesIsTooLarge() {
        let diagnosis = DecodingDiagnosis(JSONSyntaxError(.tooLarge, at: Int(UInt32.max)), body: Data([0x31]))
        #expect(
            diagnosis.description
                == "in the body as a whole: expected a document smaller than 4 GiB, found a document of 1 bytes"
        )
    }
}
