import Foundation
import HikyakuJSON
import Testing

// Differences in calls and errors that don't depend on the document.

extension DecodingDifferenceTests {
    @Test func datesAreTextsByDefault() {
        let day = "2026-01-01 00:00:00 +0000"
        expect(Date.self, Difference(#""2026-01-01T00:00:00Z""#, day, "typeMismatch(Double) at /"))
        expect(Date.self, Difference("788918400", "typeMismatch(Date) at /", day))
        expect(Date.self, Difference("788918400", day, day)) { $0.dateDecodingStrategy = .deferredToDate }
    }

    /// There is no strategy `.formatted`, whose formatters are classes: a function does it.
    @Test func aFormatIsAFunction() {
        let day = "2026-11-21 00:00:00 +0000"
        expect(Date.self, Difference(#""2026-11-21""#, day, day)) {
            $0.dateDecodingStrategy = .custom { decoder in
                try Date(String(from: decoder), strategy: .iso8601.year().month().day())
            }
        } foundation: {
            let formatter = DateFormatter()
            formatter.locale = Locale(identifier: "en_US_POSIX")
            formatter.timeZone = .gmt
            formatter.dateFormat = "yyyy-MM-dd"
            $0.dateDecodingStrategy = .formatted(formatter)
        }
    }

    private final class Calls: @unchecked Sendable {
        // Unchecked: a decoder calls its function on the thread that decodes, and each test has calls of its own.
        var keys: [String] = []
    }

    private struct Tree: Decodable, CustomStringConvertible {
        private enum CodingKeys: String, CodingKey { case next = "NEXT" }
        let next: [Tree]?
        var description: String { "\(next ?? [])" }
    }

    /// Foundation's function is called for each key of each object, with the way to it.
    @Test func aFunctionOfKeysIsCalledOnceForEachWithTheKeyAlone() {
        let (ours, foundations) = (Calls(), Calls())
        expect(Tree.self, Difference(#"{"next":[{"next":[]},{"next":[]}]}"#, "[[], []]", "[[], []]")) {
            $0.keyDecodingStrategy = .custom { key in
                ours.keys.append(key)
                return key.uppercased()
            }
        } foundation: {
            $0.keyDecodingStrategy = .custom { path in
                foundations.keys.append(pathText(path))
                return TextKey(path[path.count - 1].stringValue.uppercased())
            }
        }
        #expect(ours.keys == ["next"])
        #expect(Set(foundations.keys) == ["/next", "/NEXT/Index 0/next", "/NEXT/Index 1/next"])
    }

    /// A type that reads itself uses the keys of the document.
    private struct Direct: JSONReadable, Decodable, CustomStringConvertible {
        private var firstName: Int?
        var description: String { "\(firstName ?? 0)" }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            firstName = try reader.member("firstName")
            try reader.endObject()
        }

        init(from decoder: any Decoder) throws {
            firstName = try decoder.container(keyedBy: TextKey.self).decodeIfPresent(
                Int.self,
                forKey: "firstName",
            )
        }
    }

    @Test func keyStrategiesAreNotForTypesThatReadThemselves() {
        for (document, ours, foundations) in [
            (#"[{"first_name":1}]"#, "[0]", "[1]"), (#"[{"firstName":1}]"#, "[1]", "[1]"),
        ] {
            expect([Direct].self, Difference(document, ours, foundations)) {
                $0.keyDecodingStrategy = .convertFromSnakeCase
            } foundation: {
                $0.keyDecodingStrategy = .convertFromSnakeCase
            }
        }
    }

    /// The last character of a text has unused bits, which must be 0 but are invisible to a reader.
    @Test func errorsOfBase64DoNotExplainTheFault() throws {
        expect(Data.self, Difference(#""QUI=""#, "2 bytes", "2 bytes"))
        expect(Data.self, Difference(#""QUJ=""#, "dataCorrupted at /", "2 bytes"))
        let error = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode(Data.self, from: Data(#""QUJ=""#.utf8))
        }
        #expect(
            error?.description
                == #"in the body as a whole: expected base64, found a string masked as "AAA=" (line 1, column 1, "#
                + #"byte 0), in `"AAA="` (values masked)"#
        )
    }

    /// What catches `DecodingError.keyNotFound` catches it no more: it is in the diagnosis.
    @Test func aDiagnosisIsThrownWithTheErrorInside() throws {
        struct Named: Decodable { let name: String }
        let document = Data("{}".utf8)
        let error = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode(Named.self, from: document)
        }
        let foundations = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Named.self, from: document)
        }
        let thrown = [error?.error, foundations].map { error in DecodingOutcome<Int> { throw try #require(error) } }
        #expect(thrown.map(\.error) == ["keyNotFound(name) at /", "keyNotFound(name) at /"])
        #expect(error?.kind == .missingKey)
    }
}
