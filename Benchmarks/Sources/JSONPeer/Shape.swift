import Foundation
@_spi(Benchmarks) import HikyakuJSON
import JSONDocuments

/// A document of any length, and a type to decode it with: what is large, and what somebody hostile would send.
struct Shape {
    let bytes: Int
    private let document: Data
    private let decode: (Data) throws -> (value: Any, isRight: Bool)

    static func make(_ arguments: Arguments) throws -> Shape {
        let decoder = HikyakuJSONDecoder()
        switch arguments.name {
        case "items":
            let document = Document.list(bytes: arguments.bytes)
            return Shape(document.bytes, [Item].self) { $0.count == document.itemCount }
        case "itemsDirect":
            let document = Document.list(bytes: arguments.bytes)
            return Shape(document: document.bytes) {
                let items = try decoder.read([DirectItem].self, from: $0)
                return (items, items.count == document.itemCount)
            }
        case "index":
            let document = Document.list(bytes: arguments.bytes)
            return Shape(document: document.bytes) {
                let count = try JSONIndexing.index($0)
                return (count, count > 12 * document.itemCount)
            }
        default:
            return try hostile(arguments)
        }
    }

    private static func hostile(_ arguments: Arguments) throws -> Shape {
        let bytes = arguments.bytes
        switch arguments.name {
        case "keys":
            let document = HostileDocument.manyKeys(bytes: bytes)
            return Shape(document.bytes, [String: Int].self) { $0.count == document.count }
        case "keysForFew":
            return Shape(HostileDocument.manyKeys(bytes: bytes).bytes, Few.self) { $0.k1 == 1 && $0.absent == nil }
        case "oneKey":
            let document = HostileDocument.oneKey(bytes: bytes)
            return Shape(document.bytes, [String: Int].self) { $0 == ["key": document.count - 1] }
        case "oneKeyForFew":
            let document = HostileDocument.oneKey(bytes: bytes)
            return Shape(document.bytes, Few.self) { $0.key == document.count - 1 }
        case "nested":
            let document = HostileDocument.nested(bytes: bytes, depth: arguments.depth)
            return Shape(document.bytes, [Nest].self) { [depth = arguments.depth] nests in
                nests.count == document.count && nests.last?.depth == depth
            }
        case "failures":
            let document = HostileDocument.strings(bytes: bytes)
            return Shape(document.bytes, Tolerant<Int>.self) { $0.failures == document.count }
        case "objectFailures":
            let document = HostileDocument.objects(bytes: bytes)
            return Shape(document.bytes, Tolerant<Few.Strict>.self) { $0.failures == document.count }
        case "escapes":
            let document = HostileDocument.escapes(bytes: bytes)
            return Shape(document.bytes, [String].self) { $0.first?.utf8.count == document.count }
        case "digits":
            return Shape(HostileDocument.digits(bytes: bytes).bytes, [Double].self) { $0 == [0.1] }
        default:
            throw Arguments.Failure.word(arguments.name)
        }
    }

    private init<Value: Decodable>(_ document: Data, _ type: Value.Type, isRight: @escaping (Value) -> Bool) {
        let decoder = HikyakuJSONDecoder()
        self.init(document: document) {
            let value = try decoder.decode(Value.self, from: $0)
            return (value, isRight(value))
        }
    }

    private init(document: Data, _ decode: @escaping (Data) throws -> (value: Any, isRight: Bool)) {
        bytes = document.count
        self.document = document
        self.decode = decode
    }

    /// Decodes as often as was asked for.
    ///
    /// All values are kept, so that many small documents take as much fresh memory of the system as a large one.
    func measure(_ arguments: Arguments) throws -> Cost {
        var values: [Any] = []
        let begin = Cost.cpuNanoseconds()
        for _ in 0..<max(arguments.count, 1) {
            let (value, isRight) = try decode(document)
            guard isRight else { throw Arguments.Failure.wrongResult(arguments.name) }
            values.append(value)
        }
        let end = Cost.cpuNanoseconds()
        keep(values)
        return Cost(documents: values.count, nanoseconds: end - begin)
    }
}

/// A type that wants little of what an object has.
private struct Few: Decodable {
    let absent: Int?
    let missing: Int?
    let key: Int?
    let k1: Int?
    let k0: Int?

    /// The same, not content with less.
    struct Strict: Decodable {
        let id: Int
        let absent: Int
    }
}

/// Arrays in arrays.
private struct Nest: Decodable {
    let inner: [Nest]

    init(from decoder: any Decoder) throws {
        inner = try decoder.singleValueContainer().decode([Nest].self)
    }

    var depth: Int { 1 + (inner.map(\.depth).max() ?? 0) }
}

/// Keeps what can be decoded, and counts the rest.
private struct Tolerant<Element: Decodable>: Decodable {
    private(set) var elements: [Element] = []
    private(set) var failures = 0

    private struct Skipped: Decodable {
        init(from decoder: any Decoder) {}
    }

    init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        while !container.isAtEnd {
            if let element = try? container.decode(Element.self) {
                elements.append(element)
            } else {
                _ = try container.decode(Skipped.self)
                failures += 1
            }
        }
    }
}
