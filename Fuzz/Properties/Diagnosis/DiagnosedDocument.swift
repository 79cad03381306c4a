import Foundation

@testable import HikyakuBase
@testable import HikyakuJSON

/// A body, and what is known of it.
struct DiagnosedDocument {
    let bytes: Data
    /// The value, if it is JSON.
    let value: JSONValue?

    init(_ bytes: Data) {
        self.bytes = bytes
        value = try? HikyakuJSONDecoder().read(JSONValue.self, from: bytes)
    }

    /// The body with other letters and digits in the texts that are not keys; only of JSON.
    func masked() -> Data {
        changed { bytes, range, isKey in if !isKey { Self.mask(&bytes, range) } }
    }

    /// The body with other letters and digits in the keys that may be data; `nil` if it isn't JSON, or would have
    /// other members.
    ///
    /// No type of the fuzzer looks for such a key.
    func withOtherKeys() -> Data? {
        guard let value else { return nil }
        let other = changed { bytes, range, isKey in
            let isPlain = bytes[range].allSatisfy { 0x20..<0x7F ~= $0 && $0 != UInt8(ascii: "\\") }
            guard isKey, isPlain, !DocumentKey.isName(String(decoding: bytes[range], as: UTF8.self)) else { return }
            var key = Array(bytes[range])
            Self.mask(&key, key.indices)
            if !DocumentKey.isName(String(decoding: key, as: UTF8.self)) { bytes.replaceSubrange(range, with: key) }
        }
        guard other != bytes, !hasDuplicates(self), let copy = DiagnosedDocument(other).value else { return nil }
        return members(of: copy) == members(of: value) ? other : nil
    }

    /// The body whose texts were changed, to texts of the same length.
    private func changed(_ change: (inout [UInt8], Range<Int>, _ isKey: Bool) -> Void) -> Data {
        var changed = [UInt8](bytes)
        var place = 0
        while place < changed.count {
            guard changed[place] == UInt8(ascii: "\"") else {
                place += 1
                continue
            }
            let start = place + 1
            place = start
            while changed[place] != UInt8(ascii: "\"") { place += changed[place] == UInt8(ascii: "\\") ? 2 : 1 }
            let end = place
            place += 1
            let next = changed[place...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            change(&changed, start..<end, next == UInt8(ascii: ":"))
        }
        return Data(changed)
    }

    private static func mask(_ bytes: inout [UInt8], _ range: Range<Int>) {
        var place = range.lowerBound
        while place < range.upperBound {
            if bytes[place] == UInt8(ascii: "\\") {
                place += bytes[place + 1] == UInt8(ascii: "u") ? 6 : 2
                continue
            }
            switch bytes[place] {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): bytes[place] = UInt8(ascii: "4")
            case UInt8(ascii: "a")...UInt8(ascii: "z"): bytes[place] = UInt8(ascii: "q")
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): bytes[place] = UInt8(ascii: "Q")
            default: break
            }
            place += 1
        }
    }
}

/// What holds for every diagnosis.
func inOrder(_ diagnosis: DecodingDiagnosis, _ document: DiagnosedDocument, isRevealing: Bool) {
    let text = diagnosis.description
    check(text.unicodeScalars.count < 1500, "a diagnosis has \(text.unicodeScalars.count) characters")
    check((diagnosis.snippet ?? "").unicodeScalars.count <= 80, "a snippet is too long: \(diagnosis)")
    let moving = text.unicodeScalars.first {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    check(moving == nil, "a diagnosis has U+\(String(moving?.value ?? 0, radix: 16))")
    let words = isRevealing ? "" : diagnosis.message ?? ""
    check(!words.contains { $0.isNumber || "{}[]\"".contains($0) }, "a diagnosis quotes what isn't a word: \(words)")
    placed(diagnosis, document)
}

/// Revealing values changes the keys that are shown, and nothing else of a place.
///
/// A key that may be data is masked in the pointer, as everywhere, so that two pointers may differ by just its letters
/// and digits, and the masked one says that it is masked.
func isAtSamePlace(_ masked: DecodingDiagnosis, _ revealing: DecodingDiagnosis) {
    check(masked.kind == revealing.kind, "revealing values makes \(masked.kind) \(revealing.kind)")
    let (place, other) = (
        [masked.byteOffset, masked.line, masked.column], [revealing.byteOffset, revealing.line, revealing.column],
    )
    check(place == other, "revealing values moves the place from \(place) to \(other)")
    check(!revealing.isPointerMasked, "a pointer that shows values is masked: \(revealing)")
    let tokens = JSONPointer(masked.pointer)?.tokens ?? []
    let keys = JSONPointer(revealing.pointer)?.tokens ?? []
    // A pointer that would be too long ends earlier, and a masked key may have another length.
    guard masked.pointer.utf8.count < 8_000, revealing.pointer.utf8.count < 8_000 else { return }
    check(tokens.count == keys.count, "revealing values moves the place: \(masked.pointer) and \(revealing.pointer)")
    for (token, key) in zip(tokens, keys) where !token.utf8.elementsEqual(key.utf8) {
        check(masked.isPointerMasked, "a key is masked, and nothing says so: \(masked)")
        check(token.utf8.elementsEqual(ValueShape.of(key, max: .max).utf8), "\(key) is masked as \(token)")
    }
}

/// The place is one, in all of its forms.
private func placed(_ diagnosis: DecodingDiagnosis, _ document: DiagnosedDocument) {
    guard let pointer = JSONPointer(diagnosis.pointer) else { return violation("no pointer: \(diagnosis.pointer)") }
    guard let offset = diagnosis.byteOffset else {
        check(diagnosis.line == nil && diagnosis.column == nil, "a line without a place: \(diagnosis)")
        return
    }
    check((0...document.bytes.count).contains(offset), "a place beyond the body: \(offset)")
    let before = document.bytes.prefix(offset)
    check(diagnosis.line == before.count { $0 == 0x0A } + 1, "another line: \(diagnosis)")
    check(diagnosis.column == offset - (before.lastIndex(of: 0x0A) ?? -1), "another column: \(diagnosis)")
    if let value = document.value {
        // A pointer leads to a value, or behind the last one of an array; of two members with a key it may be either.
        let leads = value[pointer] != nil || pointer.parent.flatMap { value[$0]?.array?.count } == pointer.index
        check(leads || hasDuplicates(document), "a pointer leads nowhere: \(diagnosis)")
    }
}

extension JSONPointer {
    fileprivate var index: Int? { tokens.last.flatMap { Int($0) } }
}

/// Whether an object has a key twice, so that only the value of the last one is left.
private func hasDuplicates(_ document: DiagnosedDocument) -> Bool {
    // A colon follows each key; keys that were read are counted with their values.
    var keys = 0
    var place = document.bytes.startIndex
    while let quote = document.bytes[place...].firstIndex(of: UInt8(ascii: "\"")) {
        place = quote + 1
        while document.bytes[place] != UInt8(ascii: "\"") {
            place += document.bytes[place] == UInt8(ascii: "\\") ? 2 : 1
        }
        place += 1
        let next = document.bytes[place...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        if next == UInt8(ascii: ":") { keys += 1 }
    }
    return document.value.map(members) != keys
}

private func members(of value: JSONValue) -> Int {
    switch value {
    case .array(let elements): elements.reduce(0) { $0 + members(of: $1) }
    case .object(let object): object.count + object.values.reduce(0) { $0 + members(of: $1) }
    default: 0
    }
}
