import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Reads a document as a series of keys, values and ends with their offsets, for what needs positions and the order of
/// members.
package enum JSONEvents {
    /// A part of a document.
    package enum Event {
        case null
        case bool(Bool)
        /// A number as it is written.
        case number(String)
        case string(String)
        case key(String)
        /// The beginning of an array or object with the number of its elements or members.
        case beginArray(count: Int)
        case beginObject(count: Int)
        /// The end of the array or object that began last.
        case end
    }

    /// What makes a document invalid.
    package struct Fault: Error {
        package let byteOffset: Int
        /// "there is no comma or end of the array or object".
        package let words: String
    }

    /// Checks the whole document, and then calls a closure for each of its parts in order.
    ///
    /// - Parameters:
    ///   - bytes: The document, without a byte order mark.
    ///   - depthMax: How many arrays and objects may be nested.
    ///   - body: Is called with a part and the offset of its first byte. An end has the offset of the last part.
    /// - Throws: ``Fault`` if the document is invalid, and what the closure throws.
    package static func read(
        _ bytes: UnsafeBufferPointer<UInt8>,
        depthMax: Int,
        _ body: (Event, _ byteOffset: Int) throws -> Void,
    ) throws {
        guard let base = bytes.baseAddress else { throw Fault(byteOffset: 0, words: words(for: .empty)) }
        let index: JSONIndex
        do throws(JSONSyntaxError) {
            index = try IndexBuilder.index(bytes, depthMax: depthMax)
        } catch {
            throw Fault(byteOffset: error.byteOffset, words: words(for: error.kind))
        }
        var walk = Walk(base: base, byteCount: bytes.count)
        for place in 0..<index.count where place >= walk.next {
            while let end = walk.ends.last, end <= place {
                walk.ends.removeLast()
                try body(.end, walk.offset)
            }
            try walk.visit(place, of: index, body)
        }
        for _ in walk.ends { try body(.end, walk.offset) }
    }

    /// The document with faults mended that people and programs make: raw control characters in strings, escapes that
    /// JSON hasn't, halves of surrogate pairs, and commas after the last element.
    ///
    /// Lines are kept, and columns but for the lines with faults. The result need not be valid.
    ///
    /// - Parameter bytes: The document.
    /// - Returns: The mended document.
    package static func mended(_ bytes: [UInt8]) -> [UInt8] {
        let strict = LenientDocument(Data(bytes), .trailingCommas).strict
        var mended: [UInt8] = []
        mended.reserveCapacity(strict.count)
        var isInString = false
        var rest = strict[...]
        while let byte = rest.popFirst() {
            switch byte {
            case Byte.quote:
                isInString.toggle()
                mended.append(byte)
            case Byte.backslash where isInString:
                mendEscape(&rest, &mended)
            case 0..<Byte.space where isInString:
                mended.append(Byte.space)
            default:
                mended.append(byte)
            }
        }
        return mended
    }

    private static func mendEscape(_ rest: inout Data.SubSequence, _ mended: inout [UInt8]) {
        let length = rest.first == UInt8(ascii: "u") ? 11 : 1
        // Both escapes of a pair, if there is another one after this.
        for count in [length, min(length, 5)] {
            let escape = [Byte.backslash] + rest.prefix(count)
            let isValid = escape.withUnsafeBufferPointer { bytes in
                guard let base = bytes.baseAddress else { return false }
                return (try? EscapeScan.end(from: base, to: base + bytes.count)) == base + bytes.count
            }
            guard isValid else { continue }
            mended += escape
            rest = rest.dropFirst(count)
            return
        }
        if length > 1, rest.dropFirst().prefix(4).count(where: { ASCII.hexadecimalValue($0) != nil }) == 4 {
            mended += [UInt8](#"\uFFFD"#.utf8)
            rest = rest.dropFirst(5)
        } else {
            mended += [Byte.backslash, Byte.backslash]
        }
    }

    fileprivate struct Walk {
        let base: UnsafePointer<UInt8>
        let byteCount: Int
        /// The index of the next entry, past the second words of containers.
        var next = 0
        var offset = 0
        var ends: [Int] = []
    }

    private static func words(for kind: JSONSyntaxError.Kind) -> String {
        switch kind {
        case .empty: "the document is empty"
        case .byteOrderMark: "a byte order mark precedes the document"
        case .unexpectedEnd: "the document ends too early"
        case .noValue: "a value is missing"
        case .noKey: "a key in quotes is missing"
        case .noColon: "the colon after a key is missing"
        case .noSeparator: "a comma or the end of the array or object is missing"
        case .badWord: "the word is none of true, false and null"
        case .badNumber: "the number is invalid"
        case .controlCharacter: "a string has a control character"
        case .badEscape: "the escape is invalid"
        case .loneSurrogate: "the escape is half of a character"
        case .invalidUTF8: "the text is not UTF-8"
        case .trailingBytes: "there is more after the document"
        case .tooDeep, .stackEnd: "too many arrays and objects are nested"
        case .tooLarge: "the document is too large"
        case .noMemory: "there is not enough memory"
        case .duplicateKey: "a key is repeated"
        }
    }
}

extension JSONEvents.Walk {
    mutating func visit(
        _ place: Int,
        of index: borrowing JSONIndex,
        _ body: (JSONEvents.Event, Int) throws -> Void,
    ) throws {
        let entry = index[place]
        offset = entry.start
        next = place + 1
        switch entry.kind {
        case .array, .object:
            next = place + 2
            ends.append(index.end(of: place))
            let count = entry.length
            try body(entry.kind == .array ? .beginArray(count: count) : .beginObject(count: count), offset)
        case .null: try body(.null, offset)
        case .true: try body(.bool(true), offset)
        case .false: try body(.bool(false), offset)
        case .integer, .decimal: try body(.number(plainText(entry)), offset)
        case .plainString, .wideString: try body(.string(plainText(entry)), offset)
        case .escapedString: try body(.string(EscapeScan.string(base + entry.offset, length(entry))), offset)
        case .escapedKey: try body(.key(EscapeScan.string(base + entry.offset, length(entry))), offset)
        case .plainKey, .shadowedKey, .convertedKey: try body(.key(plainText(entry)), offset)
        }
    }

    private func plainText(_ entry: JSONEntry) -> String {
        String(decoding: UnsafeBufferPointer(start: base + entry.offset, count: length(entry)), as: UTF8.self)
    }

    /// The length in bytes; a longer text than an entry can hold is cut.
    private func length(_ entry: JSONEntry) -> Int { min(entry.length, byteCount - entry.offset) }
}
