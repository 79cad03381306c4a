import Foundation
import HikyakuJSON
import TestSupport
import Testing

/// The same values through Foundation's encoder, byte for byte.
@Suite struct EncodingDifferentialTests {
    /// The strategies of one case, of both encoders alike.
    struct Strategies: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let ours: @Sendable (inout HikyakuJSONEncoder) -> Void
        let foundation: @Sendable (JSONEncoder) -> Void
    }

    private static let encodeDate: @Sendable (Date, any Encoder) throws -> Void = { date, encoder in
        guard date.timeIntervalSince1970 > 1e8 else { return }
        var container = encoder.container(keyedBy: AnyKey.self)
        try container.encode(date.timeIntervalSince1970, forKey: "secondsOfDate")
    }

    static let all: [Strategies] = [
        Strategies(testDescription: "none") { _ in
        } foundation: { _ in
        },
        Strategies(testDescription: "pretty") {
            $0.outputFormatting.insert(.prettyPrinted)
        } foundation: {
            $0.outputFormatting.insert(.prettyPrinted)
        },
        Strategies(testDescription: "snake case") {
            $0.keyEncodingStrategy = .convertToSnakeCase
        } foundation: {
            $0.keyEncodingStrategy = .convertToSnakeCase
        },
        Strategies(testDescription: "custom keys") {
            $0.keyEncodingStrategy = .custom { $0.uppercased() + "!" }
        } foundation: {
            $0.keyEncodingStrategy = .custom { AnyKey(($0.last?.stringValue ?? "").uppercased() + "!") }
        },
        Strategies(testDescription: "seconds") {
            $0.dateEncodingStrategy = .secondsSince1970
        } foundation: {
            $0.dateEncodingStrategy = .secondsSince1970
        },
        Strategies(testDescription: "milliseconds") {
            $0.dateEncodingStrategy = .millisecondsSince1970
        } foundation: {
            $0.dateEncodingStrategy = .millisecondsSince1970
        },
        Strategies(testDescription: "deferred") {
            $0.dateEncodingStrategy = .deferredToDate
            $0.dataEncodingStrategy = .deferredToData
        } foundation: {
            $0.dateEncodingStrategy = .deferredToDate
            $0.dataEncodingStrategy = .deferredToData
        },
        Strategies(testDescription: "custom values") {
            $0.dateEncodingStrategy = .custom(encodeDate)
            $0.dataEncodingStrategy = .custom { data, encoder in try ["count": data.count].encode(to: encoder) }
        } foundation: {
            $0.dateEncodingStrategy = .custom(encodeDate)
            $0.dataEncodingStrategy = .custom { data, encoder in try ["count": data.count].encode(to: encoder) }
        },
    ]

    @Test(arguments: all, [true, false])
    func equalValuesAreEqualDocuments(strategies: Strategies, isOrdered: Bool) throws {
        let seed = testSeed()
        var generator = SampleGenerator(seed: seed, isOrdered: isOrdered)
        for number in 0..<600 {
            let sample = Sample.wrapped(generator.sample(depth: 5))
            let ours = try encoded(sample) { encoder in
                encoder.outputFormatting = .sortedKeys
                encoder.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "∞",
                    negativeInfinity: "-∞",
                    nan: "nan",
                )
                strategies.ours(&encoder)
            }
            let theirs = try foundation(sample) { encoder in
                encoder.nonConformingFloatEncodingStrategy = .convertToString(
                    positiveInfinity: "∞",
                    negativeInfinity: "-∞",
                    nan: "nan",
                )
                strategies.foundation(encoder)
            }
            guard ours == theirs else {
                Issue.record("seed \(seed), value \(number): \(ours) instead of \(theirs)")
                return
            }
        }
    }

    @Test func keysAreTurnedToSnakeCaseAsFoundationDoes() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let pieces: [Character] = ["a", "b", "A", "B", "_", "1", "é", "É", "ß", "日", "-", "z", "Z"]
        for _ in 0..<Effort.rounds(5000) {
            let length = Int.random(in: 0...9, using: &random)
            let key = String((0..<length).map { _ in pieces.randomElement(using: &random) ?? "a" })
            let value = Encoded { encoder in
                var container = encoder.container(keyedBy: AnyKey.self)
                try container.encode(1, forKey: AnyKey(key))
            }
            let ours = try encoded(value) { $0.keyEncodingStrategy = .convertToSnakeCase }
            let theirs = try foundation(value) { $0.keyEncodingStrategy = .convertToSnakeCase }
            #expect(ours == theirs, "seed \(seed), key \(key)")
        }
    }
}
