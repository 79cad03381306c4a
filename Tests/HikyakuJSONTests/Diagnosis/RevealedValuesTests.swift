import Foundation
import HikyakuJSON
import Testing

/// What a decoder's diagnosis shows of values, masked and whole.
@Suite struct RevealedValuesTests {
    private struct Event: Codable, JSONModel {
        var since: Date?
        var size: Int8?

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            since = try reader.member("since")
            size = try reader.member("size")
            try reader.endObject()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.endObject()
        }
    }

    private static func text(
        _ document: String,
        revealing: Bool,
        _ change: (inout HikyakuJSONDecoder) -> Void,
    ) -> String? {
        var decoder = HikyakuJSONDecoder()
        decoder.revealsValues = revealing
        change(&decoder)
        let diagnosis = #expect(throws: DecodingDiagnosis.self) {
            try decoder.decode([Event].self, from: Data(document.utf8))
        }
        return diagnosis?.description
    }

    private static let documents: [(document: String, masked: String, whole: String)] = [
        (
            #"[{"since":"2026-02-30T10:00"}]"#,
            #"at /0/since: expected a date in ISO 8601 with an offset, found a string masked as "9999-99-99A99:99" (line 1, column 11, byte 10), "#
                + #"in `[{"since":"9999-99-99A99:99"}]` (values masked)"#,
            #"at /0/since: expected a date in ISO 8601 with an offset, found the string "2026-02-30T10:00" (line 1, column 11, byte 10), "#
                + #"in `[{"since":"2026-02-30T10:00"}]`; the error says: expected a date in ISO 8601 with an offset, found another string"#,
        ),
        (
            #"[{"size":300}]"#,
            "at /0/size: expected Int8, found a number that is out of range (-128...127) (line 1, column 10, byte 9), "
                + #"in `[{"size":999}]` (values masked)"#,
            "at /0/size: expected Int8, found the number 300, which is out of range (-128...127) (line 1, column 10, "
                + #"byte 9), in `[{"size":300}]`; the error says: the number is beyond the range of Int8"#,
        ),
        (
            #"[{"note":"hunter2"} 1]"#,
            #"in the body as a whole: expected a comma or "]", found a digit (line 1, column 21, byte 20), "#
                + #"in `[{"note":"aaaaaa9"} 9]` (values masked)"#,
            #"in the body as a whole: expected a comma or "]", found "1" (line 1, column 21, byte 20), "#
                + #"in `[{"note":"hunter2"} 1]`"#,
        ),
    ]

    @Test(arguments: documents)
    func valuesAreMaskedByDefaultAndShownOnRequest(document: String, masked: String, whole: String) {
        #expect(Self.text(document, revealing: false) { _ in } == masked)
        #expect(Self.text(document, revealing: true) { _ in } == whole)
        #expect(Self.text(document, revealing: false) { $0.leniency = .trailingCommas } == masked)
        #expect(Self.text(document, revealing: true) { $0.leniency = .trailingCommas } == whole)
    }

    @Test func allThatFailAreShownTheSameWay() {
        let document = #"[{"size":"ab"},{"size":"c1"}]"#
        let masked = Self.text(document, revealing: false) { $0.collectsFailures = true }
        #expect(masked?.hasSuffix(#"; and 1 more: at /1/size: expected Int8, found a string masked as "a9""#) == true)
        let whole = Self.text(document, revealing: true) { $0.collectsFailures = true }
        #expect(whole?.hasSuffix(#"; and 1 more: at /1/size: expected Int8, found the string "c1""#) == true)
    }

    /// What is not a document at all for a lenient decoder is found before decoding begins.
    @Test func aLenientDocumentThatIsNoneIsShownTheSameWay() {
        let document = #"["hunter2" "x",]"#
        let masked = Self.text(document, revealing: false) { $0.leniency = .trailingCommas }
        #expect(masked?.contains("in `[\"aaaaaa9\"") == true && masked?.contains("hunter2") == false)
        #expect(
            Self.text(document, revealing: true) { $0.leniency = .trailingCommas }?.contains("in `[\"hunter2\"") == true
        )
    }

    @Test func driftStaysWithoutValues() throws {
        let notes = DriftNotes()
        var decoder = HikyakuJSONDecoder.noting(notes)
        decoder.revealsValues = true
        #expect(try decoder.decode(LossyArray<Int>.self, from: Data(#"["hunter2"]"#.utf8)).isEmpty)
        #expect(notes.drifts.first?.reason?.contains(#"found a string masked as "aaaaaa9""#) == true)
    }
}
