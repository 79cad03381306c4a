import Foundation

@testable import HikyakuJSON

/// The options other than the strategies change the diagnosis of a document, and never its value.
func choicesReportAndDoNotRead<Value: Decodable, Shown: Equatable>(
    _ type: Value.Type,
    _ decoder: HikyakuJSONDecoder,
    _ outcome: Outcome<Value>,
    isDirect: Bool,
    _ input: FuzzInput,
    shown: (Value) -> Shown,
) {
    func outcomeIsThat(of other: HikyakuJSONDecoder, _ name: String) -> Outcome<Value> {
        let found = Outcome { try other.decode(type, from: input.document) }
        check(found.value.map(shown) == outcome.value.map(shown), "\(name), \(type) is read otherwise")
        return found
    }
    var single = decoder
    single.collectsFailures = false
    let first = outcomeIsThat(of: single, "with the first failure alone").diagnosis
    if let first, let all = outcome.diagnosis { collected(all, first, input) }
    var plain = single
    plain.revealsValues = false
    let masked = outcomeIsThat(of: plain, "with masked values").diagnosis
    check(masked?.kind == first?.kind && masked?.byteOffset == first?.byteOffset, "masked, another failure is found")

    let reported = DriftList()
    plain.onDrift = { reported.drifts.append($0) }
    let watched = outcomeIsThat(of: plain, "with reported drift")
    check(watched.diagnosis == masked, "with reported drift, another failure is found")
    check(reported.drifts.isEmpty || watched.value != nil, "drift was reported for a rejected document")
    inOrder(reported.drifts, input)

    guard !decoder.leniency.isEmpty, isJSON(input.document) else { return }
    var strict = decoder
    strict.leniency = []
    let strictly = outcomeIsThat(of: strict, "strictly")
    check(strictly.diagnosis == outcome.diagnosis, "strictly, another failure is found")
}

/// The first failure is that of a decoder that stops there, whatever else is reported.
private func collected(_ all: DecodingDiagnosis, _ first: DecodingDiagnosis, _ input: FuzzInput) {
    check(all.further.count <= 100, "too many failures are kept")
    check(all.furtherCount >= all.further.count, "fewer failures are counted than kept")
    check(input.choices[1] & 16 != 0 || all.furtherCount == 0, "failures were collected without the option")
    for diagnosis in [all] + all.further {
        let offset = diagnosis.byteOffset ?? 0
        check((0...input.document.count).contains(offset), "a place beyond the document: \(offset)")
        check(JSONPointer(diagnosis.pointer) != nil, "no pointer: \(diagnosis.pointer)")
    }
    // These end decoding where they are, and a decoder that collects may come upon them behind the first failure.
    guard !all.isOfSyntax, ![.tooDeep, .duplicateKey].contains(all.kind) else { return }
    check(
        (all.kind, all.pointer, all.byteOffset ?? -1) == (first.kind, first.pointer, first.byteOffset ?? -1),
        "the first failure is \(first), and collected \(all)",
    )
}

private func inOrder(_ drifts: [JSONDrift], _ input: FuzzInput) {
    check(drifts.prefix { $0.byteOffset != nil }.count <= JSONDrift.reportedMax, "too many drifts have a position")
    for drift in drifts {
        check(JSONPointer(drift.pointer) != nil, "no pointer: \(drift.pointer)")
        check((0..<input.document.count).contains(drift.byteOffset ?? 0), "a drift beyond the document: \(drift)")
        check(drift.count > 0 && (drift.count == 1 || drift.byteOffset == nil), "a drift is miscounted: \(drift)")
        check(!drift.description.contains("\n"), "a drift has several lines")
    }
}

private final class DriftList: @unchecked Sendable {
    // Unchecked: there is one thread.
    var drifts: [JSONDrift] = []
}
