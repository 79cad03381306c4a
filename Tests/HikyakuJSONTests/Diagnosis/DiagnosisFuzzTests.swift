import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct DiagnosisFuzzTests {
    @Test(arguments: 0..<UInt64(300))
    func everyValueIsFoundByItsPlaceAndByItsPath(_ seed: UInt64) {
        let document = NotedDocument(seed: seed)
        let bytes = document.bytes
        for value in document.values {
            let placed = DecodingDiagnosis(.dataCorrupted(.at(value.offset)), body: bytes)
            let revealed = DecodingDiagnosis(.dataCorrupted(.at(value.offset)), body: bytes, revealingValues: true)
            #expect(revealed.pointer == value.pointer && !revealed.isPointerMasked)
            #expect(placed.isPointerMasked == (placed.pointer != value.pointer))
            #expect(placed.byteOffset == value.offset)
            let before = bytes.prefix(value.offset)
            #expect(placed.line == before.count { $0 == 0x0A } + 1)
            #expect(placed.column == value.offset - (before.lastIndex(of: 0x0A) ?? -1))
            #expect(placed.found != nil)
            let found = DecodingDiagnosis(.dataCorrupted(.along(value.path)), body: bytes)
            #expect(found == placed)
            Self.check(placed)
        }
    }

    private static let first = testSeed()

    @Test(arguments: (0..<UInt64(Effort.rounds(1500))).map { first &+ $0 })
    func anyBytesHaveADiagnosis(_ seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        var bytes = NotedDocument(seed: seed).bytes
        // A colon would make a key of a value.
        let replacements = Array(Data("{}[],\"\\/0-eEtfn. \n'*u".utf8)) + [0, 0x7F, 0x80, 0xC3, 0xE3, 0xFF]
        for _ in 0..<Int.random(in: 1...3, using: &random) where !bytes.isEmpty {
            let place = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0...3, using: &random) {
            case 0: bytes = Data(bytes.prefix(place))
            default: bytes[place] = replacements.randomElement(using: &random) ?? 0
            }
        }
        if let error = JSONSyntaxError.in(bytes) { Self.check(DecodingDiagnosis(error, body: bytes)) }
        for _ in 0..<4 {
            let offset = Int.random(in: -1...bytes.count + 1, using: &random)
            let context = Self.context(offset, &random)
            let errors: [DecodingError] = [
                .dataCorrupted(context), .typeMismatch(Int8.self, context), .valueNotFound(Int.self, context),
                .keyNotFound(PathKey.name("id"), context),
            ]
            for error in errors { Self.check(DecodingDiagnosis(error, body: bytes)) }
            Self.check(DecodingDiagnosis(errors[0], others: errors, body: bytes))
        }
    }

    private static func context(_ offset: Int, _ random: inout SeededGenerator) -> DecodingError.Context {
        guard Bool.random(using: &random) else { return .at(offset, .type(Int8.self)) }
        let keys: [PathKey] = ["id", "a/b", "", "7", 0, 1, 3, -1, .index(Int.max), .index(Int.min)]
        return .along((0..<3).map { _ in keys.randomElement(using: &random) ?? 0 })
    }

    private static func check(_ diagnosis: DecodingDiagnosis) {
        let text = diagnosis.description
        #expect(text.unicodeScalars.count < 1500)
        #expect((diagnosis.snippet ?? "").count <= 80)
        #expect(!text.contains(NotedDocument.secret))
        #expect(!text.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{202E}" })
    }
}
