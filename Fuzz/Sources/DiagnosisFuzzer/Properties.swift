import Foundation
import FuzzSupport
import HikyakuJSON

/// A body, and what is known of it.
struct Document {
    let bytes: Data
    /// The value, if it is JSON.
    let value: JSONValue?

    init(_ bytes: Data) {
        self.bytes = bytes
        value = try? HikyakuJSONDecoder().read(JSONValue.self, from: bytes)
    }

    /// The body with other letters and digits in the texts that are no keys; only of JSON.
    func masked() -> Data {
        var masked = [UInt8](bytes)
        var place = 0
        while place < masked.count {
            guard masked[place] == UInt8(ascii: "\"") else {
                place += 1
                continue
            }
            let start = place + 1
            place = start
            while masked[place] != UInt8(ascii: "\"") { place += masked[place] == UInt8(ascii: "\\") ? 2 : 1 }
            let end = place
            place += 1
            let next = masked[place...].first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
            if next != UInt8(ascii: ":") { Self.mask(&masked, start..<end) }
        }
        return Data(masked)
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
func inOrder(_ diagnosis: DecodingDiagnosis, _ document: Document, isRevealing: Bool) {
    let text = diagnosis.description
    check(text.unicodeScalars.count < 1500, "a diagnosis has \(text.unicodeScalars.count) characters")
    check((diagnosis.snippet ?? "").unicodeScalars.count <= 80, "a snippet is too long: \(diagnosis)")
    let moving = text.unicodeScalars.first {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    check(moving == nil, "a diagnosis has U+\(String(moving?.value ?? 0, radix: 16))")
    check(isRevealing || diagnosis.message == nil, "a diagnosis quotes the error")
    placed(diagnosis, document)
}

/// The place is one, in all of its forms.
private func placed(_ diagnosis: DecodingDiagnosis, _ document: Document) {
    guard let pointer = JSONPointer(diagnosis.pointer) else { violation("no pointer: \(diagnosis.pointer)") }
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
private func hasDuplicates(_ document: Document) -> Bool {
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
