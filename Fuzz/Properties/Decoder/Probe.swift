import Foundation
import HikyakuJSON

extension CodingUserInfoKey {
    /// The bytes by which a ``Probe`` chooses what it reads.
    static let program = CodingUserInfoKey(rawValue: "program")
}

/// A type that reads from its decoder as the input determines, and continues after errors.
struct Probe: Decodable {
    /// What was found, in words.
    let findings: [String]

    init(from decoder: any Decoder) throws {
        var steps = Steps(decoder)
        switch steps.next() % 3 {
        case 0: try steps.object(decoder)
        case 1: try steps.array(decoder)
        default: steps.single(decoder)
        }
        findings = steps.findings
    }
}

/// What a probe does, step by step.
private struct Steps {
    private let program: [UInt8]
    private var position: Int
    private let depth: Int
    var findings: [String] = []

    init(_ decoder: any Decoder) {
        program = CodingUserInfoKey.program.flatMap { decoder.userInfo[$0] as? [UInt8] } ?? [0]
        depth = decoder.codingPath.count
        // The place decides, so that one document is read in one way.
        position = decoder.codingPath.reduce(7) { ($0 &* 31 &+ $1.stringValue.utf8.count) & 0xFFFF }
    }

    mutating func next() -> UInt8 {
        position += 1
        return program[position % program.count]
    }

    private mutating func note<Value>(_ body: () throws -> Value) {
        do {
            findings.append(String(describing: try body()))
        } catch let error as DecodingError {
            findings.append("rejected \(DecodingDiagnosis(error, body: nil))")
        } catch {
            violation("threw \(error)")
        }
    }

    mutating func object(_ decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: AnyKey.self)
        let keys = container.allKeys + ["a", "b", "next"].map { AnyKey($0) }
        for _ in 0..<6 {
            let key = keys[Int(next()) % keys.count]
            check(
                container.contains(key) == container.allKeys.contains { $0.stringValue == key.stringValue },
                "contains and allKeys differ for \(key.stringValue)",
            )
            switch next() % 10 {
            case 0: note { try container.decodeNil(forKey: key) }
            case 1: note { try container.decode(Int.self, forKey: key) }
            case 2: note { try container.decodeIfPresent(String.self, forKey: key) }
            case 3: note { try container.decode([Double].self, forKey: key) }
            case 4: note { try container.nestedContainer(keyedBy: AnyKey.self, forKey: key).allKeys.count }
            case 5: note { try container.nestedUnkeyedContainer(forKey: key).count }
            case 6: note { try [String](from: try container.superDecoder(forKey: key)) }
            case 7: note { try container.decodeIfPresent(Date.self, forKey: key) }
            default: if depth < 20 { note { try container.decode(Probe.self, forKey: key).findings } }
            }
        }
    }

    mutating func array(_ decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        var refusals = 0
        while !container.isAtEnd, refusals < 4 {
            let index = container.currentIndex
            let count = findings.count
            switch next() % 9 {
            case 0: note { try container.decodeNil() }
            case 1: note { try container.decode(Int8.self) }
            case 2: note { try container.decodeIfPresent(String.self) }
            case 3: note { try container.decode(Decimal.self) }
            case 4: note { try container.nestedContainer(keyedBy: AnyKey.self).allKeys.count }
            case 5: note { try container.nestedUnkeyedContainer().count }
            case 6: note { try Double(from: try container.superDecoder()) }
            case 7: note { try container.decode([Bool?].self) }
            default: if depth < 20 { note { try container.decode(Probe.self).findings } }
            }
            let moved = container.currentIndex - index
            check(moved == 0 || moved == 1, "an array's index went on by \(moved)")
            if moved == 0 { refusals += 1 } else { check(findings.count > count, "an element was passed over") }
        }
        check(container.isAtEnd == (container.currentIndex == container.count), "an array's count is not its end")
    }

    mutating func single(_ decoder: any Decoder) {
        note { try decoder.singleValueContainer().decodeNil() }
        note { try decoder.singleValueContainer().decode(UInt16.self) }
        note { try decoder.singleValueContainer().decode(Float.self) }
        note { try decoder.singleValueContainer().decode(String.self) }
        note { try decoder.singleValueContainer().decode([String: Int].self) }
    }
}
