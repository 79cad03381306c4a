import Foundation
import HikyakuJSON
import Testing

/// The files of JSONTestSuite on each way through the decoder; ``IndexTests`` looks at the index alone.
@Suite(.enabled(if: ConformanceCorpus.isThere, "the conformance corpus isn't there"))
struct DecodingConformanceTests {
    /// What differs from Foundation's on purpose.
    private static let lastWins = "y_object_duplicated_key.json"

    @Test func eachPathReadsWhatIsJSON() {
        let documents = ConformanceCorpus.documents("y")
        #expect(documents.count == 95)
        for document in documents {
            let value = DecodingPaths(document.bytes).agreed
            #expect(value != nil, "\(document.name)")
            let foundations = JSONDecoder().outcome(JSONAny.self, document.bytes).value
            #expect((value == foundations) == (document.name != Self.lastWins), "\(document.name)")
        }
    }

    @Test func eachPathRejectsInvalidDocuments() {
        let documents = ConformanceCorpus.documents("n")
        #expect(documents.count == 188)
        for document in documents {
            let diagnoses = DecodingPaths(document.bytes).diagnoses
            #expect(diagnoses?.allSatisfy { $0.description.count < 1500 } == true, "\(document.name)")
            // The one that the index found, whatever type reads it.
            #expect(diagnoses.map { $0[0] == $0[2] } == true, "\(document.name)")
        }
    }

    /// What RFC 8259 leaves to the reader.
    @Test func eachPathReadsNumbersOfAnySizeAndRejectsOtherUndefinedDocuments() {
        let documents = ConformanceCorpus.documents("i")
        #expect(documents.count == 35)
        var (read, beyondRange): ([String], [String]) = ([], [])
        for document in documents {
            let paths = DecodingPaths(document.bytes)
            if paths.agreed != nil {
                read.append(document.name)
            } else if paths.isBeyondRange {
                beyondRange.append(document.name)
            } else {
                #expect(paths.diagnoses?.allSatisfy { $0.description.count < 1500 } == true, "\(document.name)")
            }
        }
        let expected = [
            "i_number_double_huge_neg_exp.json", "i_number_real_underflow.json", "i_number_too_big_neg_int.json",
            "i_number_too_big_pos_int.json", "i_number_very_big_negative_int.json",
            "i_structure_500_nested_arrays.json",
        ]
        #expect(read == expected)
        let expectedBeyondRange = [
            "i_number_huge_exp.json", "i_number_neg_int_huge_exp.json", "i_number_pos_double_huge_exp.json",
            "i_number_real_neg_overflow.json", "i_number_real_pos_overflow.json",
        ]
        #expect(beyondRange == expectedBeyondRange)
    }

    /// What comes of documents that decoders are known to read in many ways.
    private static let transformed: [String: JSONAny] = [
        "number_-9223372036854775808.json": .array([.integer(.min)]),
        "number_-9223372036854775809.json": .array([.double(-0x1p63)]),
        "number_1.0.json": .array([.integer(1)]),
        "number_1.000000000000000005.json": .array([.double(1)]),
        "number_1000000000000000.json": .array([.integer(1_000_000_000_000_000)]),
        "number_10000000000000000999.json": .array([.natural(10_000_000_000_000_000_999)]),
        "number_1e-999.json": .array([.double(0)]),
        "number_1e6.json": .array([.integer(1_000_000)]),
        "number_9223372036854775807.json": .array([.integer(.max)]),
        "number_9223372036854775808.json": .array([.natural(1 << 63)]),
        "object_key_nfc_nfd.json": .object(["\u{E9}": .string("NFD")]),
        "object_key_nfd_nfc.json": .object(["\u{E9}": .string("NFC")]),
        "object_same_key_different_values.json": .object(["a": .integer(2)]),
        "object_same_key_same_value.json": .object(["a": .integer(1)]),
        "object_same_key_unclear_values.json": .object(["a": .integer(0)]),
        "string_with_escaped_NULL.json": .array([.string("A\0B")]),
    ]

    private static let refused: Set<String> = [
        "string_1_escaped_invalid_codepoint.json", "string_1_invalid_codepoint.json",
        "string_2_escaped_invalid_codepoints.json", "string_2_invalid_codepoints.json",
        "string_3_escaped_invalid_codepoints.json", "string_3_invalid_codepoints.json",
    ]

    @Test func documentsThatDecodersReadInManyWaysAreReadInOne() {
        let documents = ConformanceCorpus.documents("*", in: "test_transform")
        #expect(Set(documents.map(\.name)) == Self.refused.union(Self.transformed.keys))
        for document in documents {
            let paths = DecodingPaths(document.bytes)
            #expect(paths.agreed == Self.transformed[document.name], "\(document.name)")
            #expect((paths.diagnoses != nil) == Self.refused.contains(document.name), "\(document.name)")
        }
    }
}
