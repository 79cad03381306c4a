import Foundation
import TestSupport

/// Makes samples by a seed.
struct SampleGenerator {
    /// Whether samples are written in an order that can't be streamed, too.
    let isOrdered: Bool
    private var random: SeededGenerator

    init(seed: UInt64, isOrdered: Bool) {
        random = SeededGenerator(seed: seed)
        self.isOrdered = isOrdered
    }

    mutating func sample(depth: Int) -> Sample {
        let count = number(5)
        switch number(depth > 0 ? 40 : 26) {
        case 28: return .array((0..<count).map { _ in sample(depth: depth - 1) })
        case 29: return .optionals((0..<count).map { $0 == 1 ? nil : sample(depth: depth - 1) })
        case 30: return .wrapped(sample(depth: depth - 1))
        case 31: return .dictionary(members(count, depth))
        case 32: return .numbered(Dictionary(members(count, depth).map { ($0.key.utf8.count, $0.value) }) { $1 })
        case 33: return .named([Sample.Name.allCases[number(3)]: sample(depth: depth - 1)])
        case 34: return .pairs([bool(): sample(depth: depth - 1)])
        case 26, 27, 35: return .unkeyed((0..<count).map { _ in sample(depth: depth - 1) }, style())
        case let choice where choice > 35: return .keyed(members(number(30) == 0 ? 40 : count, depth), style())
        case let choice: return leaf(choice)
        }
    }

    private mutating func leaf(_ choice: Int) -> Sample {
        switch choice {
        case 0: .null
        case 1: .bool(bool())
        case 2: .int(Int(truncatingIfNeeded: random.next()) >> number(64))
        case 3: .int8(Int8(truncatingIfNeeded: random.next()))
        case 4: .int64(Int64(truncatingIfNeeded: random.next()))
        case 5: .unsigned(random.next() >> UInt64(number(64)))
        case 6: .unsigned16(UInt16(truncatingIfNeeded: random.next()))
        case 7: .double(double())
        case 8: .float(Float(double()))
        case 9: .decimal(Decimal(number(2_000_000) - 1_000_000) / 1000)
        case 10, 11, 12: .text(text())
        case 13, 14: .date(date())
        case 15: .data(Data((0..<number(20)).map { UInt8(truncatingIfNeeded: $0 &* 37) }))
        case 16: .url(URL(string: "https://example.com/\(number(1000))?a=b") ?? URL(filePath: "/"))
        case 17: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number(256)))))
        case 18: .texts((0..<number(5)).map { _ in text() })
        case 19: .numbers((0..<number(5)).map { $0 == 2 ? nil : double() })
        case 20: .dates((0..<number(3)).map { _ in date() })
        case 21: .table([text() + "x": [1, number(100)], "y": []])
        case 22: .set([number(100)])
        case 23: .nothing
        default: .double(Double(number(100_000)) / 100)
        }
    }

    private mutating func members(_ count: Int, _ depth: Int) -> [String: Sample] {
        var members: [String: Sample] = [:]
        for _ in 0..<count { members[text()] = sample(depth: depth - 1) }
        return members
    }

    private mutating func style() -> Sample.Style {
        isOrdered ? (bool() ? .plain : .nested) : Sample.Style.allCases[number(4)]
    }

    private mutating func double() -> Double {
        switch number(4) {
        case 0: Double(number(1_000_000)) / 1000
        case 1: -Double(number(1_000_000_000))
        case 2: [Double.infinity, -.infinity, .nan][number(3)]
        default: Double.random(in: -1...1, using: &random) * pow(10, Double(number(40)) - 20)
        }
    }

    /// Whole seconds, since Foundation leaves out fractions.
    private mutating func date() -> Date {
        Date(timeIntervalSince1970: Double(number(4_000_000_000)))
    }

    private mutating func text() -> String {
        let pieces = [
            "a", "B", "name", "URL", "createdAt", "_", "1", "é", "😀", "\"", "\\", "\n", " ", "日本語", "myHTTPServer",
        ]
        return (0..<number(4)).map { _ in pieces[number(pieces.count)] }.joined()
    }

    private mutating func bool() -> Bool {
        random.next() & 1024 == 0
    }

    private mutating func number(_ bound: Int) -> Int {
        Int.random(in: 0..<bound, using: &random)
    }
}
