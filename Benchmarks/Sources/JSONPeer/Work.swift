import Foundation
@_spi(Benchmarks) import HikyakuJSON
import JSONDocuments

/// What is repeated: one document, one coder, one way.
struct Work {
    /// The length of the document, also where it is written.
    let bytes: Int
    private let once: () throws -> Void

    /// Makes the work that the arguments name, and does it once to see whether its result is right.
    static func make(_ arguments: Arguments) throws -> Work {
        switch arguments.name {
        case "codable": try codable(arguments)
        case "fresh": try fresh(arguments)
        case "snake": try snake(arguments)
        case "dates": try dates(arguments)
        case "kinds": try kinds(arguments)
        case "direct": try direct(arguments, .camel)
        case "shuffled": try direct(arguments, .shuffled)
        case "encode": try encode(arguments)
        case "write": try write(arguments)
        case "index": try index(arguments)
        default: throw Arguments.Failure.word(arguments.name)
        }
    }

    func measure(_ arguments: Arguments) throws -> Cost {
        try Cost.measure(arguments, once)
    }

    /// What the document of a size holds, as `JSONDecoder` reads it.
    private static func items(_ arguments: Arguments) throws -> [Item] {
        let bytes = Document.of(arguments.size).bytes
        return arguments.size == .small
            ? [try JSONDecoder().decode(Item.self, from: bytes)] : try JSONDecoder().decode([Item].self, from: bytes)
    }

    private static func require(_ isRight: Bool, _ arguments: Arguments) throws {
        guard isRight else {
            throw Arguments.Failure.wrongResult("\(arguments.name) by \(arguments.coder) of \(arguments.size)")
        }
    }

    private init(_ document: Document, _ once: @escaping () throws -> Void) {
        bytes = document.bytes.count
        self.once = once
    }
}

extension Work {
    private static func codable(_ arguments: Arguments) throws -> Work {
        let document = Document.of(arguments.size)
        let bytes = document.bytes
        let items = try items(arguments)
        switch arguments.coder {
        case .foundation:
            let decoder = JSONDecoder()
            return Work(document) { keep(try decoder.decode([Item].self, from: bytes)) }
        case .hikyaku:
            let decoder = HikyakuJSONDecoder()
            try require(try decoder.decode([Item].self, from: bytes) == items, arguments)
            return Work(document) { keep(try decoder.decode([Item].self, from: bytes)) }
        }
    }

    /// A decoder for each document.
    private static func fresh(_ arguments: Arguments) throws -> Work {
        let document = Document.of(arguments.size)
        let bytes = document.bytes
        switch arguments.coder {
        case .foundation:
            return Work(document) { keep(try JSONDecoder().decode(Item.self, from: bytes)) }
        case .hikyaku:
            let item = try HikyakuJSONDecoder().decode(Item.self, from: bytes)
            try require([item] == items(arguments), arguments)
            return Work(document) { keep(try HikyakuJSONDecoder().decode(Item.self, from: bytes)) }
        }
    }

    private static func snake(_ arguments: Arguments) throws -> Work {
        let document = Document.of(arguments.size, .snake)
        let bytes = document.bytes
        let items = try items(arguments)
        switch arguments.coder {
        case .foundation:
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            try require(try decoder.decode([SnakeItem].self, from: bytes).map(\.item) == items, arguments)
            return Work(document) { keep(try decoder.decode([SnakeItem].self, from: bytes)) }
        case .hikyaku:
            var decoder = HikyakuJSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            try require(try decoder.decode([SnakeItem].self, from: bytes).map(\.item) == items, arguments)
            return Work(document) { [decoder] in keep(try decoder.decode([SnakeItem].self, from: bytes)) }
        }
    }

    private static func dates(_ arguments: Arguments) throws -> Work {
        let document = Document.of(arguments.size)
        let bytes = document.bytes
        let foundation = JSONDecoder()
        foundation.dateDecodingStrategy = .iso8601
        switch arguments.coder {
        case .foundation:
            return Work(document) { keep(try foundation.decode([DatedItem].self, from: bytes)) }
        case .hikyaku:
            let decoder = HikyakuJSONDecoder()
            let items = try foundation.decode([DatedItem].self, from: bytes)
            try require(try decoder.decode([DatedItem].self, from: bytes) == items, arguments)
            return Work(document) { keep(try decoder.decode([DatedItem].self, from: bytes)) }
        }
    }

    /// Into a type that tries one kind of value after another: most of what is done is to fail.
    private static func kinds(_ arguments: Arguments) throws -> Work {
        let document = Document.of(arguments.size)
        let bytes = document.bytes
        let foundation = JSONDecoder()
        switch arguments.coder {
        case .foundation:
            return Work(document) { keep(try foundation.decode(AnyValue.self, from: bytes)) }
        case .hikyaku:
            let decoder = HikyakuJSONDecoder()
            let value = try foundation.decode(AnyValue.self, from: bytes)
            try require(try decoder.decode(AnyValue.self, from: bytes) == value, arguments)
            return Work(document) { keep(try decoder.decode(AnyValue.self, from: bytes)) }
        }
    }

    /// With the members of the document in the order of the type, or in any other.
    private static func direct(_ arguments: Arguments, _ keys: Document.Keys) throws -> Work {
        let document = Document.of(arguments.size, keys)
        let bytes = document.bytes
        switch arguments.coder {
        case .foundation:
            let decoder = JSONDecoder()
            return Work(document) { keep(try decoder.decode([Item].self, from: bytes)) }
        case .hikyaku:
            let decoder = HikyakuJSONDecoder()
            try require(try decoder.read([DirectItem].self, from: bytes).map(\.item) == items(arguments), arguments)
            return Work(document) { keep(try decoder.read([DirectItem].self, from: bytes)) }
        }
    }

    /// The first pass alone; beside it, all that `JSONDecoder` does.
    private static func index(_ arguments: Arguments) throws -> Work {
        guard arguments.coder == .hikyaku else { return try codable(arguments) }
        let document = Document.of(arguments.size)
        let bytes = document.bytes
        // Each item alone has a dozen values.
        try require(try JSONIndexing.index(bytes) > 12 * document.itemCount, arguments)
        return Work(document) { keep(try JSONIndexing.index(bytes)) }
    }

    private static func encode(_ arguments: Arguments) throws -> Work {
        let document = Document.of(arguments.size)
        let items = try items(arguments)
        switch arguments.coder {
        case .foundation:
            let encoder = JSONEncoder()
            encoder.outputFormatting = .withoutEscapingSlashes
            return Work(document) { keep(try encoder.encode(items)) }
        case .hikyaku:
            let encoder = HikyakuJSONEncoder()
            let written = try encoder.encode(items)
            try require(try JSONDecoder().decode([Item].self, from: written) == items, arguments)
            return Work(document) { keep(try encoder.encode(items)) }
        }
    }

    private static func write(_ arguments: Arguments) throws -> Work {
        guard arguments.coder == .hikyaku else { return try encode(arguments) }
        let document = Document.of(arguments.size)
        let items = try JSONDecoder().decode([DirectItem].self, from: document.bytes)
        let encoder = HikyakuJSONEncoder()
        let written = try encoder.write(items)
        try require(try JSONDecoder().decode([Item].self, from: written) == items.map(\.item), arguments)
        return Work(document) { keep(try encoder.write(items)) }
    }
}
