import HikyakuBase

/// Finds the value for a coding path, for errors that have no offset.
final class PathSearch {
    /// How far the path can be followed in the document.
    enum Outcome {
        /// To the value that begins at an offset.
        case value(Int)
        /// Past the last element of the array that ends at an offset.
        case arrayEnd(Int)
        /// To a value that lacks the next key of the path.
        case stop(Int, before: any CodingKey)
    }

    private let bytes: UnsafeBufferPointer<UInt8>
    private let index: JSONIndex
    private let convertingKeys: ((String) -> String)?

    /// More than any decoder accepts, with little memory.
    static let depthMax = 100_000
    private static let keyBytesMax = 16 * 1024

    /// - Throws: The syntax error of the document.
    init(
        _ bytes: UnsafeBufferPointer<UInt8>,
        convertingKeys: ((String) -> String)?,
    ) throws(JSONSyntaxError) {
        self.bytes = bytes
        self.convertingKeys = convertingKeys
        // Foundation's decoder accepts a byte order mark.
        let mark = Bytes.start(of: bytes)
        let start = mark == 0 ? nil : bytes[mark...].firstIndex { !Byte.isSpace($0) }
        index = try IndexBuilder.index(bytes, from: start, depthMax: Self.depthMax)
    }

    /// The error of a document that is too deeply nested for Foundation's decoder.
    static func excess(in bytes: UnsafeBufferPointer<UInt8>) -> JSONSyntaxError? {
        do throws(JSONSyntaxError) {
            let mark = Bytes.start(of: bytes)
            _ = try IndexBuilder.index(bytes, from: mark == 0 ? nil : mark, depthMax: 512)
            return nil
        } catch {
            return error.kind == .tooDeep ? error : nil
        }
    }

    /// Follows the path from the document's first value.
    func outcome(of path: [any CodingKey]) -> Outcome {
        var place = 0
        for key in path {
            switch index[place].kind {
            case .object:
                guard let value = member(key.stringValue, of: place) else {
                    return .stop(index[place].start, before: key)
                }
                place = value
            case .array:
                guard let number = key.intValue, number >= 0 else { return .stop(index[place].start, before: key) }
                guard let element = element(number, of: place) else { return .arrayEnd(end(of: place)) }
                place = element
            default:
                return .stop(index[place].start, before: key)
            }
        }
        return .value(index[place].start)
    }

    private func end(of array: Int) -> Int { Self.lastByte(of: bytes, from: index[array].offset) }

    /// The last byte of the value that begins at an offset; for an array, the closing bracket.
    static func lastByte(of bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        do throws(JSONSyntaxError) {
            return try IndexBuilder.index(bytes, from: start, depthMax: depthMax).end - 1
        } catch {
            return start
        }
    }

    private func element(_ number: Int, of array: Int) -> Int? {
        var place = array + 2
        let end = index.end(of: array)
        var left = number
        while place < end, left > 0 {
            place = index.next(after: place)
            left -= 1
        }
        return place < end ? place : nil
    }

    /// The value of a key, which is compared converted by the decoder, unchanged, and then without case and separators.
    private func member(_ key: String, of object: Int) -> Int? {
        if let convertingKeys {
            let found = member(of: object) { text(ofKey: $0).map(convertingKeys) == key }
            if let value = found.last { return value }
        }
        if let value = member(of: object, where: { isKey($0, key) }).last { return value }
        let plain = Self.plain(key)
        let found = member(of: object) { text(ofKey: $0).map(Self.plain) == plain }
        return found.count == 1 ? found.last : nil
    }

    /// The last member whose key fulfils the condition, and how many do.
    private func member(of object: Int, where isMatch: (JSONEntry) -> Bool) -> (last: Int?, count: Int) {
        var last: Int?
        var count = 0
        var place = object + 2
        let end = index.end(of: object)
        while place < end {
            if isMatch(index[place]) {
                last = place + 1
                count += 1
            }
            place = index.next(after: place + 1)
        }
        return (last, count)
    }

    private func isKey(_ entry: JSONEntry, _ key: String) -> Bool {
        // The entry of a very long key has a smaller length.
        guard entry.kind == .plainKey, entry.length < JSONEntry.lengthMax else {
            return text(ofKey: entry)?.utf8.elementsEqual(key.utf8) == true
        }
        return entry.length == key.utf8.count
            && bytes[entry.offset..<entry.offset + entry.length].elementsEqual(key.utf8)
    }

    /// A key's text; `nil` if it is longer than any type's key.
    private func text(ofKey entry: JSONEntry) -> String? {
        guard entry.length <= Self.keyBytesMax else { return nil }
        guard entry.kind == .plainKey else {
            return TextToken(bytes, at: entry.start).whole(bytesMax: Self.keyBytesMax)
        }
        let text = UnsafeBufferPointer(rebasing: bytes[entry.offset..<entry.offset + entry.length])
        return String(decoding: text, as: UTF8.self)
    }

    /// A key without case and word separators, which strategies change.
    private static func plain(_ key: String) -> String {
        String(key.lowercased().filter { $0 != "_" && $0 != "-" })
    }
}

/// The keys of an object, for messages.
package struct ObjectKeys: Error, Sendable {
    /// How much of a key is shown, in Unicode scalars.
    static let keyScalarsMax = 40
    private static let keysMax = 10

    /// The first keys, unmasked, each cut to one scalar more than are shown.
    private let keys: [String]
    private let count: Int

    /// - Returns: The keys of the object at the offset; `nil` if there is none.
    init?(_ bytes: UnsafeBufferPointer<UInt8>, at offset: Int) {
        guard offset < bytes.count, bytes[offset] == Byte.openBrace,
            let index = try? IndexBuilder.index(bytes, from: offset, depthMax: PathSearch.depthMax)
        else { return nil }
        var keys: [String] = []
        var place = 2
        while place < index.count, keys.count < Self.keysMax {
            keys.append(TextToken(bytes, at: index[place].start).beginning(max: Self.keyScalarsMax + 1))
            place = index.next(after: place + 1)
        }
        self.keys = keys
        count = index.members(of: 0)
    }

    /// Creates it from a container's keys, for the underlying error of a `DecodingError.keyNotFound`.
    package init(_ keys: [String]) {
        self.keys = keys.prefix(Self.keysMax).map { String($0.unicodeScalars.prefix(Self.keyScalarsMax + 1)) }
        count = keys.count
    }

    /// The keys in the words of a message.
    func words(revealingValues: Bool) -> String {
        if keys.isEmpty { return "an object without keys" }
        let shown = keys.map { ValueShape.quoted(key: $0, max: Self.keyScalarsMax, revealingValues: revealingValues) }
        let more = count > keys.count ? ", and \(count - keys.count) more" : ""
        return "an object with the \(count == 1 ? "key" : "keys") \(shown.joined(separator: ", "))\(more)"
    }
}

/// It may be inside an error that is printed.
extension ObjectKeys: Redacted {
    package var description: String { words(revealingValues: false) }
}
