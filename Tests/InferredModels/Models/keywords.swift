import Foundation
import Hikyaku

/// Inferred from one object, so that all that it has is required.
struct Keyword: APIModel, Codable, Hashable {
    var `class`: String
    var `default`: Bool
    var selfValue: KeywordSelf
    var type: String
    var `protocol`: String
    var `in`: Int
    var nickname: JSONValue?
    var bornOn: CalendarDate
    var tags: [JSONValue]
    var matrix: [[Int]]
    var meta: [String: JSONValue]
    var any: [KeywordAny?]
    var value1st: Int
    var withSpace: Int
    var ref: String
    var initValue: Int
    var hashValueValue: Int
    var description: String
    var parts: [Part]

    private enum CodingKeys: String, CodingKey {
        case `class`, `default`
        case selfValue = "self"
        case type = "Type"
        case `protocol`, `in`, nickname
        case bornOn = "born_on"
        case tags, matrix, meta, any
        case value1st = "1st"
        case withSpace = "with space"
        case ref = "$ref"
        case initValue = "init"
        case hashValueValue = "hashValue"
        case description, parts
    }
}

struct KeywordSelf: APIModel, Codable, Hashable {
    var href: URL
}

enum KeywordAny: JSONModel {
    case boolean(Bool)
    case integer(Int)
    case text(String)
    /// Anything else.
    case unknown(JSONValue)

    init(from reader: inout JSONReader) throws {
        if let value: Bool = reader.readIfPossible() {
            self = .boolean(value)
        } else if let value: Int = reader.readIfPossible() {
            self = .integer(value)
        } else if let value: String = reader.readIfPossible() {
            self = .text(value)
        } else {
            self = .unknown(try reader.read())
        }
    }

    func write(to writer: inout JSONWriter) throws {
        switch self {
        case .boolean(let value): try writer.write(value)
        case .integer(let value): try writer.write(value)
        case .text(let value): try writer.write(value)
        case .unknown(let value): try writer.write(value)
        }
    }
}

struct Part: APIModel, Codable, Hashable {
    var key: PartKey
    var price: Double
    var note: JSONValue?
}

enum PartKey: JSONModel {
    case integer(Int)
    case text(String)
    /// Anything else.
    case unknown(JSONValue)

    init(from reader: inout JSONReader) throws {
        if let value: Int = reader.readIfPossible() {
            self = .integer(value)
        } else if let value: String = reader.readIfPossible() {
            self = .text(value)
        } else {
            self = .unknown(try reader.read())
        }
    }

    func write(to writer: inout JSONWriter) throws {
        switch self {
        case .integer(let value): try writer.write(value)
        case .text(let value): try writer.write(value)
        case .unknown(let value): try writer.write(value)
        }
    }
}
