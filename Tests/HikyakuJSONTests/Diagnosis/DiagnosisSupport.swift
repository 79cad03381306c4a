import Foundation
import TestSupport

@testable import HikyakuJSON

/// A key of a coding path.
enum PathKey: CodingKey, ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
    case name(String)
    case index(Int)

    init(stringLiteral value: String) { self = .name(value) }
    init(integerLiteral value: Int) { self = .index(value) }
    init(stringValue: String) { self = .name(stringValue) }
    init(intValue: Int) { self = .index(intValue) }

    var stringValue: String {
        switch self {
        case .name(let name): name
        case .index(let index): "Index \(index)"
        }
    }

    var intValue: Int? { if case .index(let index) = self { index } else { nil } }
}

extension DecodingError.Context {
    /// What our decoder throws with: the place.
    static func at(_ offset: Int, _ expectation: JSONExpectation? = nil, _ text: String = "") -> Self {
        let place = JSONPlace(byteOffset: offset, expectation: expectation)
        return Self(codingPath: [], debugDescription: text, underlyingError: place)
    }

    /// What other code throws with: the path.
    static func along(_ path: [PathKey], _ text: String = "", _ underlying: (any Error)? = nil) -> Self {
        Self(codingPath: path, debugDescription: text, underlyingError: underlying)
    }
}

extension JSONSyntaxError {
    /// What is wrong with a document, if something is.
    static func `in`(_ bytes: Data, depthMax: Int = 512) -> JSONSyntaxError? {
        bytes.withUnsafeBytes { bytes in
            bytes.withMemoryRebound(to: UInt8.self) { bytes in
                do throws(JSONSyntaxError) {
                    _ = try IndexBuilder.index(bytes, depthMax: depthMax)
                    return nil
                } catch {
                    return error
                }
            }
        }
    }
}

/// A document of any content, with the position of each of its values, recorded while it was written.
struct NotedDocument {
    struct Value {
        let path: [PathKey]
        let pointer: String
        let offset: Int
    }

    /// The content of its texts, which occurs nowhere else.
    static let secret = "hunter"

    private(set) var text = ""
    private(set) var values: [Value] = []
    private var random: SeededGenerator

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        space()
        write(path: [], pointer: "", depth: 0)
        space()
    }

    var bytes: Data { Data(text.utf8) }

    private mutating func space() {
        guard Bool.random(using: &random) else { return }
        text += ["\n", " ", "\r\n", "\n\t  ", "  \n\n "].randomElement(using: &random) ?? ""
    }

    private mutating func write(path: [PathKey], pointer: String, depth: Int) {
        values.append(Value(path: path, pointer: pointer, offset: text.utf8.count))
        switch Int.random(in: depth > 5 ? 2...6 : depth == 0 ? 0...1 : 0...6, using: &random) {
        case 0: object(path: path, pointer: pointer, depth: depth)
        case 1: array(path: path, pointer: pointer, depth: depth)
        case 2: text += "null"
        case 3: text += Bool.random(using: &random) ? "true" : "false"
        case 4: text += ["-0", "12", "3.25e-7", "1E400"].randomElement(using: &random) ?? ""
        default:
            let more = ["", "\\n", "é", "\\ud83d\\ude00", "\\\"", "\u{202E}", "飛"].randomElement(using: &random) ?? ""
            text += "\"\(Self.secret)\(more)\""
        }
    }

    private mutating func object(path: [PathKey], pointer: String, depth: Int) {
        let keys: [(written: String, name: String, token: String)] = [
            ("id", "id", "id"), ("a/b", "a/b", "a~1b"), ("a~b", "a~b", "a~0b"), ("", "", ""), ("飛脚", "飛脚", "飛脚"),
            ("\\u0041\\n", "A\n", "A\n"), ("\\\"q\\\\", "\"q\\", "\"q\\"), ("7", "7", "7"), (" x,}", " x,}", " x,}"),
        ]
        text += "{"
        let chosen = keys.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random))
        for (index, key) in chosen.enumerated() {
            if index > 0 { text += "," }
            space()
            text += "\"\(key.written)\""
            space()
            text += ":"
            space()
            write(path: path + [.name(key.name)], pointer: "\(pointer)/\(key.token)", depth: depth + 1)
            space()
        }
        text += "}"
    }

    private mutating func array(path: [PathKey], pointer: String, depth: Int) {
        text += "["
        for index in 0..<Int.random(in: 0...4, using: &random) {
            if index > 0 { text += "," }
            space()
            write(path: path + [.index(index)], pointer: "\(pointer)/\(index)", depth: depth + 1)
            space()
        }
        text += "]"
    }
}
