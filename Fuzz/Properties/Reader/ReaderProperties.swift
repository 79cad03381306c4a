import Foundation
import HikyakuJSON

/// Reads a document directly in several ways, which must accept and reject the same documents.
func checkReader(_ input: FuzzInput) {
    let (decoder, document) = (HikyakuJSONDecoder(), input.document)
    let codable = Outcome { try decoder.decode(Anything.self, from: document) }
    let isValid = isJSON(document)
    check((codable.value != nil) == isValid, "the index and Codable differ: \(String(describing: codable.diagnosis))")

    let direct = Outcome { try decoder.read(JSONValue.self, from: document) }
    agrees(codable, direct.diagnosis, "JSONValue")
    if let value = codable.value { check(value.json == direct.value, "JSONValue has another value") }
    agrees(codable, Outcome { try decoder.read(Skipped.self, from: document) }.diagnosis, "skip")
    agrees(codable, Outcome { try decoder.read(Unread.self, from: document) }.diagnosis, "what isn't read")

    Guided.$program.withValue(input.program) {
        let guided = Guided.$attempts.withValue(Guided.Attempts()) {
            Outcome { try decoder.read(Guided.self, from: document) }
        }
        check((guided.value != nil) == isValid, "a guided reader differs: \(String(describing: guided.diagnosis))")
        let inside = Guided.$attempts.withValue(Guided.Attempts()) {
            Outcome { try decoder.decode([String: Guided?].self, from: document) }
        }
        check(inside.value == nil || isValid, "inside of Codable, a guided reader took what is not JSON")
        if let value = direct.value, case .object = value {
            check(inside.value != nil, "inside of Codable: \(String(describing: inside.diagnosis))")
        }
    }
    typed(input)
}

/// Both reject it, at the same position and for the same reason, or neither does.
private func agrees(_ one: Outcome<Anything>, _ other: DecodingDiagnosis?, _ name: String) {
    check(one.diagnosis == other, "\(name) differs: \(one.diagnosis as Any) and \(other as Any)")
}

/// The collections of the library, directly and as parts of what Codable decodes.
private func typed(_ input: FuzzInput) {
    switch input.choice(1, of: 10) {
    case 0: same([Int].self, input)
    case 1: same([UInt64?].self, input)
    case 2: same([String: Double].self, input)
    case 3: same([String].self, input)
    case 4: same([Decimal].self, input)
    case 5: same(Set<Float>.self, input)
    case 6: same([String: [Date]].self, input)
    case 7: same([Data].self, input)
    case 8: same([WideInteger].self, input)
    default: same([[Bool?]?].self, input)
    }
}

private struct Field<Value: Decodable>: Decodable { let value: Value }

/// Read directly, by Codable, and in an object that isn't read directly: the results and the errors are equal.
private func same<Value: JSONReadable & Decodable & Equatable>(_ type: Value.Type, _ input: FuzzInput) {
    let decoder = HikyakuJSONDecoder()
    let direct = Outcome { try decoder.read(type, from: input.document) }
    let codable = Outcome { try decoder.decode(type, from: input.document) }
    check(direct.value == codable.value, "\(type) is read otherwise by Codable")
    check(direct.diagnosis == codable.diagnosis, "\(type) is rejected with another diagnosis by Codable")
    let parent = Data("{\"value\":".utf8) + input.document + Data("}".utf8)
    let field = Outcome { try decoder.decode(Field<Value>.self, from: parent).value }
    if isJSON(input.document) { check(field.value == direct.value, "\(type) is read otherwise inside of an object") }
}
