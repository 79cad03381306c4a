import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

/// Randomly changed documents are read or rejected in the same way on every path, and each rejection has a diagnosis.
@Suite struct DecodingMutationTests {
    private static let seeds = 0..<4

    @Test(arguments: seeds)
    func everyPathGivesTheSameVerdict(_ part: Int) {
        let seed = testSeed()
        var mutations = Mutations(seed: seed)
        var refused = 0
        for _ in 0..<500 {
            let document = mutations.next()
            let paths = DecodingPaths(document)
            let comment = Self.comment(seed, document)
            if let diagnoses = paths.diagnoses {
                refused += 1
                diagnoses.forEach { Self.check($0, comment) }
            } else if paths.agreed == nil {
                #expect(paths.isBeyondRange, comment)
            }
            Self.compare(paths, with: JSONDecoder().outcome(JSONAny.self, document), document, comment)
        }
        // Both outcomes occur. About 440 of 500 are rejected, with a deviation of 8.
        #expect((100...485).contains(refused), "seed \(seed)")
    }

    /// A line has the verdict of a document that has nothing else, however the stream was cut into pieces.
    @Test func everyLineGivesItsVerdict() async throws {
        let seed = testSeed()
        var mutations = Mutations(seed: seed)
        var (read, refused) = (0, 0)
        for _ in 0..<400 {
            let document = mutations.nextLines()
            let (pieces, continuation) = AsyncStream.makeStream(of: Data.self)
            mutations.pieces(of: document).forEach { continuation.yield($0) }
            continuation.finish()
            let lines = JSONLines(pieces) { try? HikyakuJSONDecoder().read(JSONValue.self, from: $0) }
            let found = try await lines.reduce(into: []) { $0.append($1) }
            let expected = Self.lines(of: document).map { try? HikyakuJSONDecoder().read(JSONValue.self, from: $0) }
            #expect(found == expected, Self.comment(seed, document))
            read += expected.count { $0 != nil }
            refused += expected.count { $0 == nil }
        }
        #expect(read > 200 && refused > 200, "seed \(seed)")
    }

    private static func lines(of document: Data) -> [Data] {
        var lines = document.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for index in lines.indices where lines[index].last == UInt8(ascii: "\r") {
            lines[index].removeLast()
        }
        return lines.filter { $0.contains { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } }
    }

    @Test(arguments: seeds)
    func typedValuesHaveTheSameVerdict(_ part: Int) throws {
        let seed = testSeed()
        var (records, mutator) = (RecordGenerator(seed: seed), DocumentMutator(seed: seed))
        let decoder = HikyakuJSONDecoder()
        let (encoder, foundation) = (JSONEncoder(), JSONDecoder())
        encoder.dateEncodingStrategy = .iso8601
        // Foundation's own dates are others, which the list has.
        foundation.dateDecodingStrategy = .custom {
            let text = try $0.singleValueContainer().decode(String.self)
            guard let date = InternetDate.date(from: text) else { throw CocoaError(.coderReadCorrupt) }
            return date
        }
        var other = try encoder.encode(records.next())
        for _ in 0..<200 {
            let record = try encoder.encode(records.next())
            let document = mutator.mutated(record, with: other)
            other = record
            let comment = Self.comment(seed, document)
            let containers = Result { try decoder.decode(Record.self, from: document) }
            let reader = Result { try decoder.read(DirectRecord.self, from: document).record }
            if case .failure(let error) = containers { Self.check(error, comment) }
            if case .failure(let error) = reader { Self.check(error, comment) }
            // Each of equal keys is read directly, and only the last one otherwise.
            guard !Self.hasEqualKeys(document) else { continue }
            #expect((try? containers.get()) == (try? reader.get()), comment)
            // Foundation passes over more.
            guard let value = try? containers.get(), !Self.isRoundedToZero(document) else { continue }
            #expect((try? foundation.decode(Record.self, from: document)) == value, comment)
        }
    }

    private static func comment(_ seed: UInt64, _ document: Data) -> Comment {
        "seed \(seed): \(String(decoding: document, as: UTF8.self).debugDescription)"
    }

    private static func check(_ error: any Error, _ comment: Comment) {
        guard let diagnosis = error as? DecodingDiagnosis else {
            Issue.record("\(error) is not a diagnosis, \(comment)")
            return
        }
        let text = diagnosis.description
        #expect(!text.isEmpty && text.unicodeScalars.count < 1500, comment)
        #expect((diagnosis.snippet ?? "").count <= 80, comment)
    }
}

// MARK: - Foundation

extension DecodingMutationTests {
    /// Compares with Foundation where that isn't known to be wrong, which ``DecodingDifferenceTests`` lists.
    private static func compare(
        _ paths: DecodingPaths,
        with foundations: DecodingOutcome<JSONAny>,
        _ document: Data,
        _ comment: Comment,
    ) {
        switch (paths.agreed, foundations.value) {
        case (let ours?, let theirs?):
            #expect(ours.rounded == theirs.rounded || hasEqualKeys(document), comment)
        case (nil, _?):
            #expect(isLenient(document) || isOfAnotherEncoding(document) || isReadInPart(document), comment)
        case (_?, nil):
            #expect(isRoundedToZero(document), comment)
        case (nil, nil):
            break
        }
    }

    private static func isLenient(_ document: Data) -> Bool {
        var decoder = HikyakuJSONDecoder()
        decoder.leniency = [.trailingCommas, .byteOrderMark]
        return (try? decoder.decode(JSONAny.self, from: document)) != nil
    }

    private static func isOfAnotherEncoding(_ document: Data) -> Bool {
        document.prefix(4).contains(0) || document.starts(with: [0xFE, 0xFF]) || document.starts(with: [0xFF, 0xFE])
    }

    /// Whether Foundation rejects the document if it reads all of it: it decodes only one of several equal keys.
    private static func isReadInPart(_ document: Data) -> Bool {
        (try? JSONSerialization.jsonObject(with: document, options: .fragmentsAllowed)) == nil
    }

    private static func hasEqualKeys(_ document: Data) -> Bool {
        var decoder = HikyakuJSONDecoder()
        decoder.duplicateKeys = .rejected
        decoder.leniency = [.trailingCommas]
        do {
            _ = try decoder.read(JSONValue.self, from: document)
            return false
        } catch {
            return (error as? DecodingDiagnosis)?.kind == .duplicateKey
        }
    }

    /// Whether there is a number with an exponent that is 0, or may become so.
    private static func isRoundedToZero(_ document: Data) -> Bool {
        String(decoding: document, as: UTF8.self).matches(of: /[0-9.]+[eE][-+]?[0-9]+/).contains {
            Float($0.output) == 0
        }
    }
}

extension JSONAny {
    /// The same with doubles for all numbers, because Foundation loses some of their digits before it detects integers.
    fileprivate var rounded: JSONAny {
        switch self {
        case .integer(let value): .double(Double(value))
        case .natural(let value): .double(Double(value))
        case .array(let elements): .array(elements.map(\.rounded))
        case .object(let members): .object(members.mapValues(\.rounded))
        case .null, .bool, .double, .string: self
        }
    }
}

/// Documents, changed.
private struct Mutations {
    private var documents: DocumentGenerator
    private var mutator: DocumentMutator
    private var other = Data()

    init(seed: UInt64) {
        documents = DocumentGenerator(seed: seed)
        mutator = DocumentMutator(seed: seed)
    }

    mutating func next() -> Data {
        // Long ones take long, and say the same.
        var document = Data()
        repeat { document = Data(documents.next().utf8) } while document.count > 600
        defer { other = document }
        return mutator.mutated(document, with: other)
    }

    /// A few documents, each on its line, and changed together.
    mutating func nextLines() -> Data {
        let lines = (0..<3).map { _ in documents.next().replacing("\n", with: " ") }.filter { $0.utf8.count <= 600 }
        return mutator.mutated(Data(lines.joined(separator: "\n").utf8), with: Data("[1]\n".utf8))
    }

    mutating func pieces(of document: Data) -> [Data] { mutator.pieces(of: document) }
}
