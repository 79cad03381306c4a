import Foundation
import HikyakuJSON

/// Decodes a document into types of every kind, by the strategies that the input chooses.
func checkDecoder(_ input: FuzzInput) {
    guard input.choice(3, bit: 6, of: 4) < 3 else {
        decodeTolerant(input)
        return
    }
    switch input.choice(2, of: 12) {
    case 0: decode(Everything.self, input)
    case 1: decode([Everything].self, input)
    case 2: decode(Required.self, input)
    case 3: decode(Node.self, input)
    case 4: decode([Shape].self, input)
    case 5: decode([String: Shape?].self, input)
    case 6: decode([Int: [Word]].self, input)
    case 7: decode([Word: Date].self, input)
    case 8: decode([Data?].self, input)
    case 9: decode([Double].self, input)
    case 10: decode(Dog.self, input)
    default: probe(input)
    }
}

/// Types that accept what others reject, and one that implements both protocols itself.
private func decodeTolerant(_ input: FuzzInput) {
    switch input.choice(2, of: 6) {
    case 0: decode([Tolerating].self, input)
    case 1: decode(LossyArray<Tolerating>.self, input)
    case 2: decode(LossyArray<LossyArray<Int>>.self, input)
    case 3: decode([String: LossyArray<Shape>].self, input)
    case 4: decode([Place].self, input)
    default: decode([String: Place?].self, input)
    }
}

/// Reads and writes in turns; a value that was rounded once must stay.
private func decode<Value: Codable>(_ type: Value.Type, _ input: FuzzInput) {
    guard let value = decoded(type, input), input.keepsKeys, input.keepsDates else { return }
    // A type may hold more than its strategy can write, such as a year beyond 9999.
    guard let first = try? input.encoder.encode(value) else { return }
    var decoder = input.decoder
    // A missing value is written as `null`.
    decoder.depthMax = 512
    let again = Outcome { try decoder.decode(type, from: first) }
    guard let copy = again.value else {
        return violation("\(type) rejects what it wrote: \(String(describing: again.diagnosis))")
    }
    guard let second = try? input.encoder.encode(copy) else { return violation("\(type) can't be written again") }
    let change = "\(String(decoding: first, as: UTF8.self)) to \(String(decoding: second, as: UTF8.self))"
    check(first == second, "\(type) changes from \(change)")
}

private func probe(_ input: FuzzInput) {
    var decoder = input.decoder
    if let key = CodingUserInfoKey.program { decoder.userInfo[key] = input.program }
    let read = { Outcome { try decoder.decode(Probe.self, from: input.document) } }
    let (first, second) = (read(), read())
    check(
        first.value?.findings == second.value?.findings && first.diagnosis == second.diagnosis,
        "the same document is read in two ways",
    )
    agreesWithIndex(first.diagnosis, isRead: first.value != nil, isDirect: false, input)
    choicesReportAndDoNotRead(Probe.self, decoder, first, isDirect: false, input) { $0.findings }
}

private func decoded<Value: Codable>(_ type: Value.Type, _ input: FuzzInput) -> Value? {
    let decoder = input.decoder
    let outcome = Outcome { try decoder.decode(type, from: input.document) }
    let again = Outcome { try decoder.decode(type, from: input.document) }
    check(outcome.diagnosis == again.diagnosis, "the same document has two diagnoses")
    let isDirect = type is any JSONReadable.Type
    agreesWithIndex(outcome.diagnosis, isRead: outcome.value != nil, isDirect: isDirect, input)
    choicesReportAndDoNotRead(type, decoder, outcome, isDirect: isDirect, input) { try? input.encoder.encode($0) }
    return outcome.value
}

/// Only JSON is read, and only what is none is said to be none.
///
/// A type that is read directly may fail before the position where the document is invalid JSON.
private func agreesWithIndex(_ diagnosis: DecodingDiagnosis?, isRead: Bool, isDirect: Bool, _ input: FuzzInput) {
    let isValid = isJSON(input.document)
    let isLenient = !input.decoder.leniency.isEmpty
    if isRead, !isLenient { check(isValid, "what is not JSON was read") }
    if let diagnosis, diagnosis.isOfSyntax { check(!isValid, "valid JSON was rejected as invalid: \(diagnosis)") }
    if let diagnosis, !isValid, !isDirect, !isLenient {
        check(diagnosis.isOfSyntax || [.tooDeep, .duplicateKey].contains(diagnosis.kind), "read so far: \(diagnosis)")
    }
    if let diagnosis { check(!diagnosis.description.isEmpty, "a diagnosis has no text") }
}
