import Foundation
import TestSupport

/// Random records, the same for the same seed.
struct RecordGenerator {
    private var random: SeededGenerator
    private var texts: DocumentGenerator
    /// Whether numbers may be infinite or none.
    var hasNonConforming = false
    /// The parts that a second of a date may have.
    var secondParts = 1

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        texts = DocumentGenerator(seed: seed ^ 0xFF)
    }

    mutating func next() -> Record {
        Record(
            id: Int(truncatingIfNeeded: random.next()) >> Int.random(in: 0..<64, using: &random),
            tinyNumber: .random(in: .min ... .max, using: &random),
            largeNumber: random.next(),
            someRatio: double(),
            shortRatio: Float(double()),
            isReady: .random(using: &random),
            fullTitle: texts.plainText(),
            maybeText: random.isOne(of: 3) ? nil : texts.plainText(),
            maybeNumber: random.isOne(of: 3) ? nil : 7,
            tagList: list { $0.texts.plainText() },
            numberGrid: list {
                $0.list { $0.random.isOne(of: 4) ? nil : Int.random(in: -9...9999, using: &$0.random) }
            },
            scoreByName: Dictionary(list { ($0.texts.plainText(), $0.double()) }) { $1 },
            nameByNumber: Dictionary(list { (Int.random(in: -5...5, using: &$0.random), $0.texts.plainText()) }) { $1 },
            recordKind: random.pick(Record.Kind.allCases),
            lastEvent: random.isOne(of: 2)
                ? .none : .moved(fromPlace: 3, to: random.isOne(of: 2) ? nil : texts.plainText()),
            partTree: random.isOne(of: 3) ? nil : part(3),
            createdAt: date(),
            eventDates: list { $0.random.isOne(of: 4) ? nil : $0.date() },
            rawBytes: Data(list(30) { UInt8.random(in: 0...255, using: &$0.random) }),
            homePage: URL(string: "https://example.com/\(random.next())?a=%20b") ?? URL(fileURLWithPath: "/"),
            ownIdentity: uuid(),
            exactPrice: Decimal(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1000,
            numberSet: Set(list { UInt16.random(in: 0...99, using: &$0.random) }),
        )
    }

    private mutating func list<Element>(_ most: Int = 5, _ element: (inout RecordGenerator) -> Element) -> [Element] {
        (0..<Int.random(in: 0...most, using: &random)).map { _ in element(&self) }
    }

    private mutating func part(_ depth: Int) -> Record.Part {
        let subParts = depth == 0 || random.isOne(of: 3) ? nil : list(2) { $0.part(depth - 1) }
        return Record.Part(partName: texts.plainText(), subParts: subParts)
    }

    private mutating func double() -> Double {
        if hasNonConforming, random.isOne(of: 4) { return random.pick([.infinity, -.infinity]) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: return Double(Int.random(in: -1000...1000, using: &random))
        case 1: return Double(Int.random(in: -100_000...100_000, using: &random)) / 100
        // Within what a float holds without being 0.
        default:
            return Double.random(in: -1...1, using: &random)
                * pow(10, Double(Int.random(in: -20...20, using: &random)))
        }
    }

    private mutating func date() -> Date {
        let seconds = Double(Int.random(in: -2_000_000_000...4_000_000_000, using: &random))
        return Date(
            timeIntervalSince1970: seconds + Double(Int.random(in: 0..<secondParts, using: &random))
                / Double(secondParts)
        )
    }

    private mutating func uuid() -> UUID {
        let (high, low) = (random.next(), random.next())
        let bytes =
            (0..<8).map { UInt8(truncatingIfNeeded: high >> (8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (8 * $0)) }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
