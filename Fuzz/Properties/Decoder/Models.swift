import Foundation
import HikyakuJSON

/// Fields of every kind, all of which may be missing.
struct Everything: Codable {
    var a: Int8?
    var b: UInt64?
    var c: WideInteger?
    var d: Double?
    var e: Float?
    var f: String?
    var g: Bool?
    var createdAt: Date?
    var rawData: Data?
    var h: URL?
    var i: UUID?
    var j: Decimal?
    var k: [Int]?
    var l: [String?]?
    var m: [String: Double?]?
    var n: [Int: Bool]?
    var o: [Word: Node]?
    var p: Shape?
    var q: Word?
    var r: Numbers?
    var s: JSONValue?
    var t: Dog?
    var u: [[Node?]]?
    var v: Int??
}

/// A set whose elements are written in order, which the set itself doesn't keep.
struct Numbers: Codable {
    private let numbers: Set<Int>

    init(from decoder: any Decoder) throws { numbers = try Set<Int>(from: decoder) }

    func encode(to encoder: any Encoder) throws { try numbers.sorted().encode(to: encoder) }
}

/// A few that have to be there.
struct Required: Codable {
    let id: Int
    let firstName: String
    let tags: [String]
    let shape: Shape
    let next: [Required]
}

/// A type that contains itself.
final class Node: Codable {
    let value: Int?
    let next: Node?
    let children: [Node]?
}

/// Cases with payloads, as the compiler codes them.
indirect enum Shape: Codable {
    case point
    case circle(radius: Double)
    case pair(Int, String)
    case group([Shape])
}

/// Known texts, also for keys.
enum Word: String, Codable, CaseIterable, CodingKeyRepresentable {
    case one, two, three
}

/// Inherited members are in the same object, or under the key `super`.
class Animal: Codable {
    var name: String?
}

/// A class that inherits.
final class Dog: Animal {
    private enum Key: String, CodingKey { case age, own, list }
    let age: Int
    let own: [String: Int]

    required init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        age = try container.decode(Int.self, forKey: .age)
        let nested = try? container.nestedContainer(keyedBy: Key.self, forKey: .own)
        own = ["own": (try? nested?.decode(Int.self, forKey: .own)) ?? 0]
        if var list = try? container.nestedUnkeyedContainer(forKey: .list) {
            while !list.isAtEnd {
                if try list.decodeNil() { continue }
                if (try? list.decode(Int.self)) == nil { _ = try list.superDecoder() }
            }
        }
        try super.init(from: try container.superDecoder())
    }

    override func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(age, forKey: .age)
        try container.encode(own, forKey: .own)
        try super.encode(to: container.superEncoder())
    }
}
