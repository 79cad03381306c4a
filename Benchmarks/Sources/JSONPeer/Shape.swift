import Foundation
@_spi(Benchmarks) import HikyakuJSON
import JSONDocuments

/// A document of any length and what is done with it: what is large, and what somebody hostile would send.
struct Shape {
    let bytes: Int
    private let once: () throws -> (value: Any, isRight: Bool)

    static func make(_ arguments: Arguments) throws -> Shape {
        let decoder = HikyakuJSONDecoder()
        switch arguments.name {
        case "items":
            let document = Document.list(bytes: arguments.bytes)
            return Shape(document.bytes, [Item].self) { $0.count == document.itemCount }
        case "itemsDirect":
            let document = Document.list(bytes: arguments.bytes)
            return Shape(bytes: document.bytes.count) {
                let items = try decoder.read([DirectItem].self, from: document.bytes)
                return (items, items.count == document.itemCount)
            }
        case "index":
            let document = Document.list(bytes: arguments.bytes)
            return Shape(bytes: document.bytes.count) {
                let count = try JSONIndexing.index(document.bytes)
                return (count, count > 12 * document.itemCount)
            }
        case "encode": return try encoding(arguments.bytes)
        default: return try hostile(arguments)
        }
    }

    /// The items of the 3 MB document, or as many of them as are wanted, again and again.
    private static func encoding(_ bytes: Int) throws -> Shape {
        let large = Document.large()
        let some = try JSONDecoder().decode([Item].self, from: large.bytes)
        let count = bytes / (large.bytes.count / large.itemCount)
        let items = (0..<count).map { some[$0 % some.count] }
        let length = try HikyakuJSONEncoder().encode(Array(items.prefix(100))).count / 100 * count
        return Shape(bytes: bytes) {
            let written = try HikyakuJSONEncoder().encode(items)
            return (written, written.count > length / 2)
        }
    }

    /// Decodes with a decoder for each document.
    init<Value: Decodable>(
        _ document: Data,
        _ type: Value.Type,
        by decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
        isRight: @escaping (Value) -> Bool,
    ) {
        self.init(bytes: document.count) {
            let value = try decoder.decode(Value.self, from: document)
            return (value, isRight(value))
        }
    }

    init(bytes: Int, _ once: @escaping () throws -> (value: Any, isRight: Bool)) {
        self.bytes = bytes
        self.once = once
    }

    /// Repeats it the given number of times.
    ///
    /// All values are kept, so that many small documents take as much fresh memory of the system as a large one.
    func measure(_ arguments: Arguments) throws -> Cost {
        var values: [Any] = []
        let begin = Cost.cpuNanoseconds()
        for _ in 0..<max(arguments.count, 1) {
            let (value, isRight) = try once()
            guard isRight else { throw Arguments.Failure.wrongResult(arguments.name) }
            values.append(value)
        }
        let end = Cost.cpuNanoseconds()
        keep(values)
        return Cost(documents: values.count, nanoseconds: end - begin)
    }
}
