import Foundation
import HikyakuJSON
import JSONDocuments
import PeerSupport

/// How far memory grows while one document is decoded, and how far it has grown when only the values are left.
struct Growth {
    let document: Int
    /// The most that was in use beyond what was before.
    let peak: Int
    /// What the values take.
    let stays: Int

    static func measure(_ arguments: Arguments) throws -> Growth {
        switch (arguments.name, arguments.coder) {
        case ("codable", .foundation):
            try measure(arguments, [Item].self) { try JSONDecoder().decode([Item].self, from: $0) }
        case ("codable", .hikyaku):
            try measure(arguments, [Item].self) { try HikyakuJSONDecoder().decode([Item].self, from: $0) }
        case ("direct", .hikyaku):
            try measure(arguments, [DirectItem].self) { try HikyakuJSONDecoder().read([DirectItem].self, from: $0) }
        default: throw Arguments.Failure.word(arguments.name)
        }
    }

    /// The document comes from a file: to make it would leave free memory behind, which isn't seen to be used again.
    private static func measure<Value>(
        _ arguments: Arguments,
        _ type: [Value].Type,
        _ decode: (Data) throws -> [Value],
    ) throws -> Growth {
        // What is loaded or made once is there afterwards.
        _ = try decode(Document.list(itemCount: 2).bytes)
        let document = try Data(contentsOf: URL(fileURLWithPath: arguments.file))
        let before = ProcessMemory.beginPeak()
        let values = try decode(document)
        let peak = ProcessMemory.peakBytes() - before
        trimHeap()
        let stays = ProcessMemory.beginPeak() - before
        guard values.count == Document.of(arguments.size).itemCount else {
            throw Arguments.Failure.wrongResult(arguments.name)
        }
        return Growth(document: document.count, peak: peak, stays: stays)
    }

    /// What was given back to the heap doesn't stay, also where the heap has not given it back to the system yet.
    private static func trimHeap() {
        // The module of the C library lacks the header.
        guard let symbol = dlsym(nil, "malloc_trim") else { return }
        _ = unsafeBitCast(symbol, to: (@convention(c) (Int) -> Int32).self)(0)
    }
}
