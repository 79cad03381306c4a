import HikyakuJSON

/// Goes past the document.
struct Skipped: JSONReadable {
    init(from reader: inout JSONReader) throws { try reader.skip() }
}

/// Opens what can be opened and reads nothing in it, which the reader has to go past itself.
struct Unread: JSONReadable {
    init(from reader: inout JSONReader) throws {
        do {
            try reader.readObject { _, _ in }
            return
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {}
        do {
            try reader.readArray { _ in }
            return
        } catch DecodingError.typeMismatch, DecodingError.valueNotFound {}
        try reader.skip()
    }
}

/// Tries whatever the input says before every value, and in the end goes past it: so it takes just what is JSON.
struct Guided: JSONReadable, Decodable {
    @TaskLocal static var program: [UInt8] = [0]
    /// Attempts that fail at the inside of arrays in arrays are thrice as many with each depth.
    @TaskLocal static var attempts = Attempts()

    /// `@unchecked`: an input is read by one thread.
    final class Attempts: @unchecked Sendable {
        private var left = 20_000

        func take() -> Bool {
            left -= 1
            return left >= 0
        }
    }

    private struct Failed: Error {}

    init(from decoder: any Decoder) throws {
        violation("a type that reads itself was decoded")
        throw Failed()
    }

    init(from reader: inout JSONReader) throws {
        let start = reader.offset
        for step in 0..<3 where Self.attempts.take() {
            do {
                try Self.attempt(Self.program[(start + step) % Self.program.count], &reader)
                check(reader.offset > start || step > 0 || start == reader.offset, "a reader went back")
                if reader.offset > start { return }
            } catch {
                check(reader.offset == start, "a reader that failed is at offset \(reader.offset), not \(start)")
            }
        }
        try reader.skip()
    }

    private static func attempt(_ step: UInt8, _ reader: inout JSONReader) throws {
        switch step % 16 {
        case 0:
            try reader.beginObject()
            let _: Guided? = try reader.member("a")
            let _: Guided? = try reader.member("né\\\"xt")
            try reader.endObject()
        case 1: try reader.readObject { _, reader in _ = try reader.read(Guided.self) }
        case 2: try reader.readArray { reader in _ = try reader.read(Guided.self) }
        case 3: _ = try reader.readNull()
        case 4: _ = try reader.read(Int.self)
        case 5: _ = try reader.read([String].self)
        case 6: _ = try reader.read(Double?.self)
        case 7: _ = try reader.decode(Anything.self)
        case 8: _ = try reader.decode([String: Int].self)
        case 9: try reader.readObject { key, reader in if key == "id" { try reader.skip() } }
        case 10:
            try reader.readArray { reader in
                _ = try reader.read(Guided.self)
                throw Failed()
            }
        case 11:
            try reader.readObject { key, reader in if key == "name" { _ = try? reader.read(String.self) } }
        case 12: try reader.readObject { _, reader in _ = try? reader.readArray { _ = try $0.read(Bool.self) } }
        case 13: _ = try reader.read([String: Guided].self)
        case 14: _ = try reader.read([Guided].self)
        default: _ = try reader.read(JSONValue.self)
        }
    }
}
