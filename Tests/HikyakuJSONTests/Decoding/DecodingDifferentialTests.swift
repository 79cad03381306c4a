import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// The same documents through Foundation's decoder and this one, through containers and directly, give equal values.
@Suite struct DecodingDifferentialTests {
    @Test(arguments: DecodingStrategies.all)
    func equalDocumentsAreEqualValues(_ strategies: DecodingStrategies) throws {
        let seed = testSeed()
        var records = RecordGenerator(seed: seed)
        (records.hasNonConforming, records.secondParts) = (strategies.hasNonConforming, strategies.secondParts)
        let encoder = JSONEncoder()
        let foundation = JSONDecoder()
        var ours = HikyakuJSONDecoder()
        strategies.encoder(encoder)
        strategies.foundation(foundation)
        strategies.ours(&ours)
        for number in 0..<60 {
            encoder.outputFormatting = [[], .prettyPrinted, .sortedKeys][number % 3]
            let record = records.next()
            let document = try encoder.encode([record, record])
            let found = ours.outcome([Record].self, document)
            #expect(found.value?.count == 2, "seed \(seed), \(number): \(found)")
            #expect(found == foundation.outcome([Record].self, document), "seed \(seed), \(number)")
            guard strategies.hasPlainKeys else { continue }
            let direct = ours.reading([DirectRecord].self, document)
            #expect(direct.map { $0.map(\.record) } == found, "seed \(seed), \(number)")
        }
    }

    @Test func whatFoundationWritesComesBack() throws {
        let seed = testSeed()
        var records = RecordGenerator(seed: seed)
        var ours = HikyakuJSONDecoder()
        ours.dateDecodingStrategy = .deferredToDate
        for _ in 0..<100 {
            let record = records.next()
            #expect(try ours.undiagnosed(Record.self, JSONEncoder().encode(record)) == record, "seed \(seed)")
        }
    }

    /// Documents of any shape and with odd white space, numbers and texts.
    @Test(arguments: 0..<4)
    func generatedDocumentsAreReadAlike(_ part: Int) throws {
        let seed = testSeed()
        var documents = DocumentGenerator(seed: seed)
        let (ours, foundation) = (HikyakuJSONDecoder(), JSONDecoder())
        for _ in 0..<Effort.rounds(500) {
            let document = documents.next()
            let found = ours.outcome(JSONAny.self, document)
            #expect(
                found.value != nil && found == foundation.outcome(JSONAny.self, document),
                "seed \(seed): \(document)",
            )
            #expect(ours.reading(DirectAny.self, document).map(\.value) == found, "seed \(seed): \(document)")
        }
    }

    @Test func deepAndWideDocumentsAreReadAlike() {
        let seed = testSeed()
        var documents = DocumentGenerator(seed: seed)
        let deep = (0..<200).reduce(documents.next()) { inner, depth in
            depth % 2 == 0 ? "[\(inner), \(depth)]" : "{\"\(depth)\" : \(inner)}"
        }
        let elements = (0..<300).map { _ in documents.next() }
        let wide = "[" + elements.joined(separator: ",") + "]"
        let object = "{" + elements.enumerated().map { "\"key \($0)\":\($1)" }.joined(separator: " , ") + "}"
        for document in [deep, wide, object] {
            let found = HikyakuJSONDecoder().outcome(JSONAny.self, document)
            #expect(found.value != nil && found == JSONDecoder().outcome(JSONAny.self, document), "seed \(seed)")
            #expect(HikyakuJSONDecoder().reading(DirectAny.self, document).map(\.value) == found, "seed \(seed)")
        }
    }
}
