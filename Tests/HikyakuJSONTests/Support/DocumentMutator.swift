import Foundation
import TestSupport

/// Changes documents at random, the same way for the same seed, to what may be one or not.
struct DocumentMutator {
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// What documents have, and what breaks them.
    private static let tokens: [String] = [
        "{", "}", "[", "]", ",", ":", "\"", "\\", "\\u", "\\ud800", "\\x", "0", "9", "-", "+", ".", "e", "E5", "e-",
        "null", "true", "fals", "NaN", "1", "-1", "1.", "1e400", "\"a\":", ",1", "[[[[", "//", "/**/", "'", "\n",
        "\r\n", " ", "\t", "\0", "\u{1}", "\u{7F}", "é", "飛", "😀", "\u{2028}",
    ]
    private static let bytes: [UInt8] = [0x00, 0x1F, 0x80, 0xBF, 0xC0, 0xC3, 0xE3, 0xED, 0xF0, 0xF4, 0xFE, 0xFF]

    /// Makes one to three changes to a document; `other` is where parts of another one come from.
    mutating func mutated(_ document: Data, with other: Data) -> Data {
        var bytes = Array(document)
        for _ in 0..<Int.random(in: 1...3, using: &random) { change(&bytes, Array(other)) }
        return Data(bytes)
    }

    private mutating func change(_ bytes: inout [UInt8], _ other: [UInt8]) {
        let place = Int.random(in: 0...bytes.count, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            bytes.removeSubrange(place...)
        case 1:
            bytes.removeSubrange(..<place)
        case 2 where place < bytes.count:
            bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 3:
            bytes.removeSubrange(part(of: bytes, atMost: 12))
        case 4:
            bytes.insert(random.pick(Self.bytes), at: place)
        case 5:
            bytes.replaceSubrange(part(of: bytes, atMost: 60), with: other[part(of: other, atMost: 60)])
        case 6:
            bytes.insert(contentsOf: bytes[part(of: bytes, atMost: 60)], at: place)
        default:
            bytes.insert(contentsOf: Array(random.pick(Self.tokens).utf8), at: place)
        }
    }

    private mutating func part(of bytes: [UInt8], atMost: Int) -> Range<Int> {
        let start = Int.random(in: 0...bytes.count, using: &random)
        return start..<min(bytes.count, start + Int.random(in: 0...atMost, using: &random))
    }

    /// Cuts bytes into pieces anywhere.
    mutating func pieces(of bytes: Data) -> [Data] {
        var pieces: [Data] = []
        var rest = bytes
        while !rest.isEmpty {
            let count = Int.random(in: 0...40, using: &random)
            pieces.append(rest.prefix(count))
            rest = rest.dropFirst(count)
        }
        return pieces
    }
}
