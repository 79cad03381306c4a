import Foundation
@_spi(Benchmarks) import HikyakuJSON
import JSONDocuments

// What a decoder does by choice, which has costs of its own.
extension Shape {
    static func chosen(_ arguments: Arguments) throws -> Shape {
        let bytes = arguments.bytes
        var decoder = HikyakuJSONDecoder()
        switch arguments.name {
        case "snakeKeys", "snakeObjects", "snakeWords", "customKeys":
            return keys(arguments)
        case "refusedKeys":
            decoder.duplicateKeys = .rejected
            let document = HostileDocument.manyKeys(bytes: bytes).bytes
            return Shape(document, Few.self, by: decoder) { $0.k1 == 1 }
        case "lenient":
            decoder.leniency = .trailingCommas
            let document = HostileDocument.trailingCommas(bytes: bytes)
            return Shape(document.bytes, [[Int]].self, by: decoder) { $0.last == [document.count - 1] }
        case "lines":
            return lines(bytes)
        case "encodeFailures", "writeFailures", "turns":
            return try written(arguments)
        default:
            return try failing(arguments)
        }
    }

    private static func keys(_ arguments: Arguments) -> Shape {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        switch arguments.name {
        case "snakeObjects":
            let document = HostileDocument.snakeObjects(bytes: arguments.bytes)
            return Shape(document.bytes, [Few].self, by: decoder) { $0.last?.k1 == document.count - 1 }
        case "snakeWords":
            let document = HostileDocument.snakeWords(bytes: arguments.bytes)
            return Shape(document.bytes, Few.self, by: decoder) { $0.k1 == nil }
        case "customKeys":
            decoder.keyDecodingStrategy = .custom { $0 == "some_key_1" ? "k1" : $0 }
            fallthrough
        default:
            let document = HostileDocument.snakeKeys(bytes: arguments.bytes).bytes
            let isFound = arguments.name == "customKeys"
            return Shape(document, Few.self, by: decoder) { ($0.k1 == 1) == isFound }
        }
    }

    /// In pieces, as they come from a socket.
    private static func lines(_ bytes: Int) -> Shape {
        let document = HostileDocument.lines(bytes: bytes)
        return Shape(bytes: document.bytes.count) {
            var splitter = JSONLineSplitter()
            let decoder = HikyakuJSONDecoder()
            var sum = 0
            func take(_ next: () throws -> JSONLineSplitter.Line?) throws {
                while let line = try next() { sum += try decoder.decode(Few.self, from: line.bytes).k1 ?? 0 }
            }
            for start in stride(from: 0, to: document.bytes.count, by: 16_384) {
                splitter.feed(document.bytes[start..<min(start + 16_384, document.bytes.count)])
                try take { try splitter.next() }
            }
            try take { try splitter.finish() }
            return (sum, sum == document.count * (document.count - 1) / 2)
        }
    }
}

// What fails, and is passed over or collected.
extension Shape {
    private static func failing(_ arguments: Arguments) throws -> Shape {
        let bytes = arguments.bytes
        let decoder = HikyakuJSONDecoder()
        switch arguments.name {
        case "directFailures":
            let document = HostileDocument.strings(bytes: bytes)
            return Shape(bytes: document.bytes.count) {
                let lossy = try decoder.read(LossyArray<Int>.self, from: document.bytes)
                return (lossy, lossy.lostCount == document.count)
            }
        case "collectedFailures":
            return collected(HostileDocument.strings(bytes: bytes))
        case "drifts":
            return drifts(HostileDocument.strings(bytes: bytes))
        case "longKey":
            let document = HostileDocument.longKey(bytes: bytes)
            return Shape(document.bytes, [String: Tolerant<String>].self) { values in
                values.values.map(\.failures) == [document.count]
            }
        case "inTurn":
            let document = HostileDocument.inTurn(bytes: bytes)
            return Shape(document.bytes, InTurn.self) { $0.failures == 2 * document.count }
        case "kindsTried":
            let document = HostileDocument.deepStrings(bytes: bytes, depth: arguments.depth)
            return Shape(document.bytes, AnyValue.self) { value in
                var (inner, depth) = (value, 0)
                while case .array(let elements) = inner, let first = elements.first {
                    (inner, depth) = (first, depth + 1)
                }
                return depth == arguments.depth && inner == .text("x")
            }
        case "backwards":
            let document = HostileDocument.manyKeys(bytes: bytes)
            return Shape(document.bytes, Backwards.self) { $0.failures == document.count }
        default:
            throw Arguments.Failure.word(arguments.name)
        }
    }

    private static func collected(_ document: HostileDocument) -> Shape {
        var decoder = HikyakuJSONDecoder()
        decoder.collectsFailures = true
        return Shape(bytes: document.bytes.count) { [decoder] in
            do {
                return (try decoder.decode([Int].self, from: document.bytes), false)
            } catch let diagnosis as DecodingDiagnosis {
                return (diagnosis, diagnosis.furtherCount == document.count - 1)
            }
        }
    }

    private static func drifts(_ document: HostileDocument) -> Shape {
        let reported = DriftCount()
        var decoder = HikyakuJSONDecoder()
        decoder.onDrift = { reported.count += $0.count }
        return Shape(document.bytes, LossyArray<Int>.self, by: decoder) { lossy in
            defer { reported.count = 0 }
            return reported.count == document.count && lossy.isEmpty
        }
    }
}

/// The number of reported drifts.
private final class DriftCount: @unchecked Sendable {
    // Unchecked: there is one thread.
    var count = 0
}

/// Reads all keys of an object in reverse order, and as wrong types.
private struct Backwards: Decodable {
    private(set) var failures = 0

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        for key in container.allKeys.reversed() where (try? container.decode(String.self, forKey: key)) == nil {
            failures += 1
        }
    }
}

/// Reads two arrays in turn, element by element, as what they aren't.
private struct InTurn: Decodable {
    private(set) var failures = 0

    private enum Key: String, CodingKey { case a, b }

    private struct Skipped: Decodable {
        init(from decoder: any Decoder) {}
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        var arrays = [
            try container.nestedUnkeyedContainer(forKey: .a), try container.nestedUnkeyedContainer(forKey: .b),
        ]
        while !arrays[0].isAtEnd {
            for index in arrays.indices where (try? arrays[index].decode(Int.self)) == nil {
                _ = try arrays[index].decode(Skipped.self)
                failures += 1
            }
        }
    }
}
