import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct IndexTests {
    /// The kinds of the entries, one letter each, or where and why there are none.
    private func index(_ bytes: Data, depthMax: Int = 512) -> Result<String, JSONSyntaxError> {
        bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes -> Result<String, JSONSyntaxError> in
                do throws(JSONSyntaxError) {
                    let index = try IndexBuilder.index(bytes, depthMax: depthMax)
                    return .success(Self.text(of: index))
                } catch {
                    return .failure(error)
                }
            }
        }
    }

    private static func text(of index: borrowing JSONIndex) -> String {
        var text = ""
        var place = 0
        var ends: [(Int, String)] = []
        while place < index.count {
            let entry = index[place]
            switch entry.kind {
            case .array, .object:
                ends.append((index.end(of: place), entry.kind == .array ? "]" : "}"))
                text += (entry.kind == .array ? "[" : "{") + "\(entry.length)"
                place += 2
            default:
                text += "\(entry.kind)@\(entry.offset)+\(entry.length) "
                place += 1
            }
            while let last = ends.last, last.0 == place {
                text += last.1
                ends.removeLast()
            }
        }
        return text
    }

    @Test(arguments: [
        ("null", "null@0+4 "),
        (" true ", "true@1+4 "),
        ("-0", "integer@0+2 "),
        ("1.5e+3", "decimal@0+6 "),
        (#""飛脚""#, "wideString@1+6 "),
        (#""a\n\ud83d\ude00""#, "escapedString@1+15 "),
        ("[]", "[0]"),
        ("{ }", "{0}"),
        ("[ [ ] , { } , 1 ]", "[3[0]{0}integer@14+1 ]"),
        (
            #"{"a":[1,{"b":false}],"\u0063":"d"}"#,
            "{2plainKey@2+1 [2integer@6+1 {1plainKey@10+1 false@13+5 }]escapedKey@22+6 plainString@31+1 }",
        ),
    ])
    func aDocumentHasAnEntryForEachValueAndKey(_ document: String, _ entries: String) {
        #expect(index(Data(document.utf8)) == .success(entries))
    }

    @Test(arguments: [
        ("", 0, JSONSyntaxError.Kind.empty),
        (" \n", 2, .empty),
        ("\u{FEFF}1", 0, .byteOrderMark),
        ("[1,", 3, .unexpectedEnd),
        ("[1,]", 3, .noValue),
        ("{\"a\":1,}", 7, .noKey),
        ("{\"a\" 1}", 5, .noColon),
        ("[1 2]", 3, .noSeparator),
        ("[1}", 2, .noSeparator),
        ("{\"a\":1]", 6, .noSeparator),
        ("trux", 0, .badWord),
        ("tru", 3, .unexpectedEnd),
        ("01", 0, .badNumber),
        ("-", 1, .unexpectedEnd),
        ("-x", 1, .badNumber),
        ("1.x", 2, .badNumber),
        ("1e+", 3, .unexpectedEnd),
        ("\"a\nb\"", 2, .controlCharacter),
        ("\"a\\x\"", 2, .badEscape),
        ("\"\\u12G4\"", 1, .badEscape),
        ("\"\\ud800\"", 1, .loneSurrogate),
        ("\"\\udc00\\ud800\"", 1, .loneSurrogate),
        ("\"\\ud800\\u0041\"", 1, .loneSurrogate),
        ("\"abcdefgh", 9, .unexpectedEnd),
        ("\"\\", 2, .unexpectedEnd),
        ("1 2", 2, .trailingBytes),
        ("+1", 0, .noValue),
    ])
    func invalidDocumentsAreRejectedAtTheFault(_ document: String, _ offset: Int, _ kind: JSONSyntaxError.Kind) {
        #expect(index(Data(document.utf8)) == .failure(JSONSyntaxError(kind, at: offset)))
    }

    @Test(
        arguments: [
            [0xC0, 0x80], [0xE0, 0x80, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0x80], [0xE3, 0x81],
            [0xFF],
            [0xF0, 0x80, 0x80, 0x80], [0xC1, 0xBF],
        ] as [[UInt8]]
    )
    func textsAreUTF8(_ bytes: [UInt8]) {
        let document = Data([0x22, 0x61] + bytes + [0x22])
        #expect(index(document) == .failure(JSONSyntaxError(.invalidUTF8, at: 2)))
    }

    @Test func containersInsideOfEachOtherHaveALimit() {
        let depth = { (count: Int) in
            Data((String(repeating: "[", count: count) + String(repeating: "]", count: count)).utf8)
        }
        #expect(throws: Never.self) { try index(depth(512)).get() }
        #expect(index(depth(513)) == .failure(JSONSyntaxError(.tooDeep, at: 512)))
        #expect(index(depth(3), depthMax: 2) == .failure(JSONSyntaxError(.tooDeep, at: 2)))
    }

    @Test func everyTruncatedDocumentIsRejected() {
        let document = Data(#"{"a":[1.5e3,"x\u00e9\ud83d\ude00é",true,null,{"b":-0}]}"#.utf8)
        for count in 1..<document.count {
            let result = index(document.prefix(count))
            #expect(
                result == .failure(JSONSyntaxError(.unexpectedEnd, at: count)) || isCharacterCut(result),
                "\(count)",
            )
        }
    }

    /// A character that was cut isn't UTF-8, which is seen before the end.
    private func isCharacterCut(_ result: Result<String, JSONSyntaxError>) -> Bool {
        if case .failure(let error) = result { error.kind == .invalidUTF8 } else { false }
    }

    @Test(
        .enabled(if: ConformanceCorpus.isThere, "the conformance corpus isn't there"),
        arguments: ConformanceCorpus.documents("y"),
    )
    func acceptsWhatIsJSON(_ document: ConformanceCorpus.Document) {
        #expect(throws: Never.self) { try index(document.bytes).get() }
    }

    @Test(
        .enabled(if: ConformanceCorpus.isThere, "the conformance corpus isn't there"),
        arguments: ConformanceCorpus.documents("n"),
    )
    func rejectsInvalidDocuments(_ document: ConformanceCorpus.Document) {
        #expect(throws: JSONSyntaxError.self) { try index(document.bytes).get() }
    }

    @Test(.enabled(if: ConformanceCorpus.isThere, "the conformance corpus isn't there"))
    func theCorpusIsWhole() {
        #expect(ConformanceCorpus.documents("y").count == 95)
        #expect(ConformanceCorpus.documents("n").count == 188)
        #expect(ConformanceCorpus.documents("i").count == 35)
        for document in ConformanceCorpus.documents("i") { _ = index(document.bytes) }
    }
}
