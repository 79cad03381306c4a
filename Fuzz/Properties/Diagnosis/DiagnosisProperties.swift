import Foundation
import HikyakuJSON

/// Has errors of every kind explained over any body: of the syntax, of types, and with paths that lead anywhere.
func checkDiagnosis(_ input: FuzzInput) {
    let document = DiagnosedDocument(input.document)
    if let diagnosis = refusal(of: document.bytes, input) {
        inOrder(diagnosis, document, isRevealing: false)
        if let error = diagnosis.error {
            check(DecodingDiagnosis(error, body: document.bytes) == diagnosis, "made again, it is another diagnosis")
            let revealing = DecodingDiagnosis(error, body: document.bytes, revealingValues: true)
            inOrder(revealing, document, isRevealing: true)
            isAtSamePlace(diagnosis, revealing)
        }
        if let other = document.withOtherKeys() {
            let again = refusal(of: other, input)
            check(again == diagnosis, "a key that is not a name is shown: \(diagnosis) and \(again as Any)")
        }
    }
    explain(error(input), input, document)
}

/// What is said by a decoder whose type the document doesn't fit.
private func refusal(of bytes: Data, _ input: FuzzInput) -> DecodingDiagnosis? {
    let decoder = HikyakuJSONDecoder()
    return switch input.choice(3, bit: 3, of: 6) {
    case 0: Outcome { _ = try decoder.decode(Anything.self, from: bytes) }.diagnosis
    case 1: Outcome { _ = try decoder.decode(Model.self, from: bytes) }.diagnosis
    case 2: Outcome { _ = try decoder.decode([Model].self, from: bytes) }.diagnosis
    case 3: Outcome { _ = try decoder.decode([[String: [Date]]].self, from: bytes) }.diagnosis
    case 4: Outcome { _ = try decoder.read([String: [Int8]].self, from: bytes) }.diagnosis
    default: Outcome { _ = try decoder.read([[UUID]].self, from: bytes) }.diagnosis
    }
}

private struct Model: Decodable {
    let id: Int8
    let firstName: String
    let items: [Item]?
    let at: Date?

    struct Item: Decodable {
        let name: String
        let url: URL
        let more: [String: Float]?
    }
}

/// An error as foreign decoders throw it, whose path the input chooses, partly from the document's own keys.
private func error(_ input: FuzzInput) -> DecodingError {
    let keys: [AnyKey] =
        ["id", "firstName", "items", "a/b~", "", "7"].map { AnyKey($0) }
        + [0, 1, 2, 7, -1, .max, .min].map { AnyKey(intValue: $0) }
        + input.document.split(separator: 0x22, maxSplits: 6).prefix(7).map {
            AnyKey(String(decoding: $0.prefix(64), as: UTF8.self))
        }
    let count = input.choice(0, of: 5)
    let path = (0..<count).map { keys[(Int(input.choices[1]) * ($0 + 1) + Int(input.choices[2]) * $0) % keys.count] }
    let context = DecodingError.Context(codingPath: path, debugDescription: "an error of a test")
    return switch input.choice(0, bit: 4, of: 4) {
    case 0: .dataCorrupted(context)
    case 1: .keyNotFound(AnyKey("id"), context)
    case 2: .typeMismatch(Int8.self, context)
    default: .valueNotFound([String].self, context)
    }
}

private func explain(_ error: DecodingError, _ input: FuzzInput, _ document: DiagnosedDocument) {
    let convert: ((String) -> String)? = input.choices[3] & 1 != 0 ? { String($0.reversed()) } : nil
    for isRevealing in [false, true] {
        let diagnose = { (body: Data?) in
            DecodingDiagnosis(
                error,
                body: body,
                isJSON: input.choices[3] & 6 != 2,
                convertingKeys: convert,
                revealingValues: isRevealing,
            )
        }
        let diagnosis = diagnose(document.bytes)
        inOrder(diagnosis, document, isRevealing: isRevealing)
        inOrder(diagnose(nil), document, isRevealing: isRevealing)
        guard !isRevealing, document.value != nil else { continue }
        // Letters and digits of texts are masked: replacing them by others must not change the diagnosis, apart from
        // the error's own words that are in the document.
        var (one, other) = (diagnosis, diagnose(document.masked()))
        (one.message, other.message) = (nil, nil)
        check(one == other, "a masked diagnosis reveals a text: \(diagnosis)")
    }
}
