import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// Wrong documents give errors of the same case, type and coding path as Foundation's decoder.
@Suite struct DecodingErrorTests {
    private struct Catalog: Codable, Equatable {
        var id: Int, small: Int8, natural: UInt16, ratio: Double, float: Float, isOpen: Bool, title: String
        var note: String?
        var tags: [String], counts: [Int?], scores: [String: Double], byNumber: [Int: String]
        var kind: Kind, shape: Shape, items: [Item], best: Item?, price: Decimal, groups: [[Set<Int>]]
        var link: URL, uuid: UUID, date: Date, bytes: Data
    }

    private enum Kind: String, Codable { case book, film }

    private enum Shape: Codable, Equatable {
        case dot
        case line(length: Int, Bool?)
    }

    private struct Item: Codable, Equatable {
        var name: String
        var parts: [Item]?
        var size: Int32
    }

    private static let document = """
        {"id":1,"small":-2,"natural":3,"ratio":1.5,"float":0.25,"isOpen":true,"title":"a","note":null,"tags":["b","c"],\
        "counts":[1,null],"scores":{"d":1,"e":2.5},"byNumber":{"1":"f"},"kind":"book","shape":{"line":{"length":1,"_1":true}},\
        "items":[{"name":"g","parts":[{"name":"h","size":2}],"size":3},{"name":"i","size":4}],"best":{"name":"j","size":5},\
        "price":9.99,"groups":[[[1,2],[]],[]],"link":"https://example.com","uuid":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F",\
        "date":"2026-01-01T00:00:00Z","bytes":"aGlrecO/eWFrdQ=="}
        """

    private static var foundation: JSONDecoder {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return decoder
    }

    /// What Foundation says otherwise, each for a reason.
    private enum Difference: String, CaseIterable {
        /// Foundation does not report the position of a number that its type can't represent.
        case unfitNumbersHaveNoPath
        /// Foundation takes `null` for a value of another type where it expects a boolean, and nowhere else.
        case nullIsAMismatchForBool
        /// Foundation expects the text that a value is made of, we the value.
        case textsAreReadAsTheirValues

        func explains(_ ours: String, _ foundations: String) -> Bool {
            switch self {
            case .unfitNumbersHaveNoPath:
                ours.hasPrefix("dataCorrupted at /") && foundations == "dataCorrupted at /"
            case .nullIsAMismatchForBool:
                ours.replacing("valueNotFound(Bool)", with: "typeMismatch(Bool)") == foundations
            case .textsAreReadAsTheirValues:
                ["URL", "UUID", "Date", "Data"].contains {
                    ours != foundations && ours.replacing("(\($0))", with: "(String)") == foundations
                }
            }
        }
    }

    @Test func theDocumentIsRead() {
        let value = HikyakuJSONDecoder().outcome(Catalog.self, Self.document)
        #expect(value.value != nil)
        #expect(value == Self.foundation.outcome(Catalog.self, Self.document))
    }

    /// Changes one value of the document many times, and compares what comes of it.
    @Test func eachChangeGivesTheErrorOfFoundation() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let tree = try HikyakuJSONDecoder().undiagnosed(Data(Self.document.utf8)) { try $0.read(DocumentTree.self) }
        var errors: Set<String> = []
        let foundation = Self.foundation
        for _ in 0..<Effort.rounds(3000) {
            var changed = tree
            changed.mutate(&random)
            let document = changed.text
            let ours = HikyakuJSONDecoder().outcome(Catalog.self, document)
            let foundations = foundation.outcome(Catalog.self, document)
            if let error = ours.error { errors.insert(error) }
            guard ours != foundations else { continue }
            let isKnown = Difference.allCases.contains { $0.explains(ours.error ?? "", foundations.error ?? "") }
            #expect(isKnown, "seed \(seed): \(ours), but \(foundations): \(document)")
        }
        // Else the document and its changes say little.
        #expect(errors.count > (Effort.isFull ? 80 : 40), "seed \(seed)")
    }

    @Test(arguments: ["70000000000", "1.5", "-1e400"])
    func unfitNumbersHaveNoPath(_ number: String) {
        let document = #"[{"name":"a","size":\#(number)}]"#
        #expect(HikyakuJSONDecoder().outcome([Item].self, document) == .error("dataCorrupted at /Index 0/size"))
        #expect(JSONDecoder().outcome([Item].self, document) == .error("dataCorrupted at /"))
    }

    @Test(arguments: [
        ("1", "typeMismatch(URL) at /a", "typeMismatch(String) at /a"),
        ("null", "valueNotFound(URL) at /a", "valueNotFound(URL) at /a"),
        (#""""#, "dataCorrupted at /a", "dataCorrupted at /a"),
    ])
    func textsAreReadAsTheirValues(_ value: String, _ ours: String, _ foundations: String) {
        #expect(HikyakuJSONDecoder().outcome([String: URL].self, #"{"a":\#(value)}"#) == .error(ours))
        #expect(JSONDecoder().outcome([String: URL].self, #"{"a":\#(value)}"#) == .error(foundations))
    }

    @Test func aTypesOwnErrorsPassAsTheyAre() throws {
        struct Failure: Error, Equatable {}
        struct Own: Decodable {
            init(from decoder: any Decoder) throws { throw Failure() }
        }
        struct Refusing: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                throw DecodingError.dataCorruptedError(in: container, debugDescription: "no")
            }
        }
        struct Direct: JSONReadable, Decodable {
            init(from reader: inout JSONReader) throws { throw Failure() }
            init(from decoder: any Decoder) throws {}
        }
        let bytes = Data("[1]".utf8)
        #expect(throws: Failure()) { try HikyakuJSONDecoder().undiagnosed([Own].self, bytes) }
        #expect(throws: Failure()) { try HikyakuJSONDecoder().decode([Own].self, from: bytes) }
        #expect(throws: Failure()) { try HikyakuJSONDecoder().undiagnosed([Direct].self, bytes) }
        #expect(throws: Failure()) { try HikyakuJSONDecoder().decode([Direct?].self, from: bytes) }
        #expect(HikyakuJSONDecoder().outcome([Refusing].self, bytes).error == "dataCorrupted at /Index 0")
        #expect(throws: DecodingDiagnosis.self) { try HikyakuJSONDecoder().decode([Refusing].self, from: bytes) }
    }

    @Test func anErrorOfADirectTypeHasTheWayToIt() {
        struct Even: JSONReadable, Decodable {
            init(from reader: inout JSONReader) throws {
                if try reader.read(Int.self) % 2 == 1 {
                    throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "odd"))
                }
            }
            init(from decoder: any Decoder) throws {}
        }
        struct Outer: Decodable { let a: [String: Even] }
        #expect(HikyakuJSONDecoder().outcome(Outer.self, #"{"a":{"x":2,"y":3}}"#).error == "dataCorrupted at /a")
        #expect(
            HikyakuJSONDecoder().outcome(Outer.self, #"{"a":{"x":2,"y":"3"}}"#).error == "typeMismatch(Int) at /a/y"
        )
    }

    @Test(arguments: [
        "", " ", "[", "{", #"{"a""#, #"{"a":"#, #"{"a":1"#, "[1,]", "[1 2]", "[,1]", #"{"a":1,}"#, #"{"a" 1}"#, "{1:2}",
        "[1}", "tru",
        "nulll", "01", "1.", ".5", "+1", "1e", "--1", "0x1", "NaN", "Infinity", #"["\x"]"#, #"["\u12"]"#,
        #"["\ud800"]"#, "[\"\n\"]",
        #"[""#, "'a'", "[1]]", "[1] 2", "[1]x", "\u{FEFF}[1]", "[1,//\n2]", "/**/1",
    ])
    func whatIsNotJSONIsCorruptedDataWhateverTheType(_ document: String) {
        let decoder = HikyakuJSONDecoder()
        #expect(decoder.outcome(JSONAny.self, document).error == "dataCorrupted at /")
        #expect(decoder.outcome([JSONAny].self, document).error == "dataCorrupted at /")
        #expect(decoder.outcome([String: JSONAny].self, document).error == "dataCorrupted at /")
        #expect(decoder.outcome(Catalog.self, document).error == "dataCorrupted at /")
        #expect(decoder.reading(DirectAny.self, document).error != nil)
        #expect(throws: DecodingDiagnosis.self) { try decoder.decode(Catalog.self, from: Data(document.utf8)) }
    }
}
