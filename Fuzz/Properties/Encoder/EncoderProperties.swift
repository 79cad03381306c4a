import Foundation
import HikyakuJSON

/// Encodes what a document holds, in order and out of it, and decodes that again: it must be the same.
func checkEncoder(_ input: FuzzInput) {
    let decoder = HikyakuJSONDecoder()
    guard let value = try? decoder.read(JSONValue.self, from: input.document),
        let anything = try? decoder.decode(Anything.self, from: input.document)
    else { return }

    var encoder = HikyakuJSONEncoder()
    encoder.outputFormatting = HikyakuJSONEncoder.OutputFormatting(rawValue: UInt(input.choices[0] & 3))
    let isSorted = encoder.outputFormatting.contains(.sortedKeys)
    let directly = encoded("directly") { try encoder.write(value) }
    comesBack(directly, value, "directly")
    let codably = encoded("by Codable") { try encoder.encode(anything) }
    comesBack(codably, value, "by Codable")
    let shuffled = encoded("out of order") {
        try encoder.encode(OutOfOrder(value: anything, program: input.program, depth: 0))
    }
    comesBack(shuffled, value, "out of order")
    if isSorted { check(directly == codably && codably == shuffled, "sorted documents differ") }
    comesBack(Data(value.description.utf8), value, "its description")
    scalars(in: value, encoder)
    keys(anything, value)
}

private func encoded(_ way: String, _ body: () throws -> Data) -> Data {
    do {
        return try body()
    } catch {
        violation("\(way), a value can't be encoded: \(error)")
        return Data()
    }
}

private func comesBack(_ bytes: Data, _ value: JSONValue, _ way: String) {
    let outcome = Outcome { try HikyakuJSONDecoder().read(JSONValue.self, from: bytes) }
    check(isJSON(bytes), "\(way), it isn't JSON: \(String(decoding: bytes, as: UTF8.self))")
    check(outcome.value == value, "\(way), it is another value: \(String(decoding: bytes, as: UTF8.self))")
}

/// Numbers as types of their own come back to the last bit.
private func scalars(in value: JSONValue, _ encoder: HikyakuJSONEncoder) {
    switch value {
    case .number(let number):
        if let double = number.double { bits(double, encoder) }
        if let integer = number.converted(to: WideInteger.self) { same(integer, encoder) }
        if let decimal = number.decimal { same(decimal, encoder) }
    case .string(let text): same([text: text], encoder)
    case .array(let elements): for element in elements.prefix(20) { scalars(in: element, encoder) }
    case .object(let members): for (_, member) in members.prefix(20) { scalars(in: member, encoder) }
    default: break
    }
}

private func bits(_ value: Double, _ encoder: HikyakuJSONEncoder) {
    let bytes = encoded("as a double") { try encoder.encode([value]) }
    let copy = Outcome { try HikyakuJSONDecoder().decode([Double].self, from: bytes) }.value?.first
    check(copy?.bitPattern == value.bitPattern, "\(value) comes back as \(String(describing: copy))")
    let float = Float(value)
    guard float.isFinite else { return }
    let short = encoded("as a float") { try encoder.encode([float]) }
    let shortCopy = Outcome { try HikyakuJSONDecoder().decode([Float].self, from: short) }.value?.first
    check(shortCopy?.bitPattern == float.bitPattern, "\(float) comes back as \(String(describing: shortCopy))")
}

private func same<Value: Codable & Equatable>(_ value: Value, _ encoder: HikyakuJSONEncoder) {
    let bytes = encoded("as \(Value.self)") { try encoder.encode([value]) }
    let copy = Outcome { try HikyakuJSONDecoder().decode([Value].self, from: bytes) }
    check(copy.value == [value], "\(value) comes back as \(copy)")
}

/// A conversion of keys that can be undone comes back, too.
private func keys(_ anything: Anything, _ value: JSONValue) {
    var encoder = HikyakuJSONEncoder()
    encoder.keyEncodingStrategy = .custom { "_" + $0 }
    var decoder = HikyakuJSONDecoder()
    decoder.keyDecodingStrategy = .custom { String($0.unicodeScalars.dropFirst()) }
    let bytes = encoded("with keys converted") { try encoder.encode(anything) }
    let copy = Outcome { try decoder.decode(Anything.self, from: bytes) }
    check(copy.value?.json == value, "with keys converted, it is another value: \(copy)")

    encoder.keyEncodingStrategy = .convertToSnakeCase
    let snake = encoded("with keys in snake case") { try encoder.encode(anything) }
    check(isJSON(snake), "with keys in snake case, it isn't JSON")
}
