#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Bytes that stand in a document as a text of 64 characters ([RFC 4648](https://www.rfc-editor.org/rfc/rfc4648)).
///
/// Each sequence of bytes has one text only: what stands besides the alphabet is refused (section 3.3), also white
/// space, and so are bits at the end that say nothing and aren't 0 (section 3.5).
enum Base64Text {
    enum Alphabet {
        /// [Section 4](https://www.rfc-editor.org/rfc/rfc4648#section-4): with `+` and `/`, filled up by `=`.
        case standard
        /// [Section 5](https://www.rfc-editor.org/rfc/rfc4648#section-5): with `-` and `_`; `=` may be left out.
        case url
    }

    /// - Parameters:
    ///   - start: The text.
    ///   - count: Its length.
    ///   - alphabet: What it is written in.
    /// - Returns: The bytes; `nil` for a text that isn't written so.
    static func data(_ start: UnsafePointer<UInt8>, _ count: Int, _ alphabet: Alphabet) -> Data? {
        guard let length = contentLength(start, count, alphabet) else { return nil }
        let (groups, rest) = length.quotientAndRemainder(dividingBy: 4)
        // A last group of two characters is one byte, one of three are two; none has a single character.
        guard rest != 1 else { return nil }
        var data = Data(count: groups * 3 + max(0, rest - 1))
        let isValid = data.withUnsafeMutableBytes { out in
            let values = alphabet == .standard ? standardValues : urlValues
            return values.withUnsafeBufferPointer { values in
                decode(start, groups, values, out) && decodeRest(start + groups * 4, rest, values, out)
            }
        }
        return isValid ? data : nil
    }

    /// The length without the padding; `nil` where that isn't as it has to be.
    private static func contentLength(_ start: UnsafePointer<UInt8>, _ count: Int, _ alphabet: Alphabet) -> Int? {
        guard count % 4 == 0 else { return alphabet == .url ? count : nil }
        var length = count
        while length > 0, count - length < 2, start[length - 1] == padding { length -= 1 }
        return length
    }

    private static func decode(
        _ start: UnsafePointer<UInt8>,
        _ groups: Int,
        _ values: UnsafeBufferPointer<UInt8>,
        _ out: UnsafeMutableRawBufferPointer,
    ) -> Bool {
        var seen: UInt8 = 0
        for group in 0..<groups {
            let text = start + group * 4
            let (first, second) = (values[Int(text[0])], values[Int(text[1])])
            let (third, fourth) = (values[Int(text[2])], values[Int(text[3])])
            seen |= first | second | third | fourth
            out[group * 3] = first << 2 | second >> 4
            out[group * 3 + 1] = second << 4 | third >> 2
            out[group * 3 + 2] = third << 6 | fourth
        }
        return seen < invalid
    }

    /// Reads a last group that is shorter.
    private static func decodeRest(
        _ start: UnsafePointer<UInt8>,
        _ count: Int,
        _ values: UnsafeBufferPointer<UInt8>,
        _ out: UnsafeMutableRawBufferPointer,
    ) -> Bool {
        guard count >= 2 else { return true }
        let (first, second) = (values[Int(start[0])], values[Int(start[1])])
        let third = count == 3 ? values[Int(start[2])] : 0
        guard first | second | third < invalid else { return false }
        guard count == 3 else {
            out[out.count - 1] = first << 2 | second >> 4
            return second & 0xF == 0
        }
        out[out.count - 2] = first << 2 | second >> 4
        out[out.count - 1] = second << 4 | third >> 2
        return third & 3 == 0
    }

    private static let padding = UInt8(ascii: "=")
    /// Larger than each value, and still so when values are joined to it.
    private static let invalid: UInt8 = 0x40

    private static let standardValues = values("+", "/")
    private static let urlValues = values("-", "_")

    /// What each byte stands for, by its number.
    private static func values(_ last: Unicode.Scalar...) -> [UInt8] {
        var values = [UInt8](repeating: invalid, count: 256)
        let ranges: [ClosedRange<Unicode.Scalar>] = ["A"..."Z", "a"..."z", "0"..."9"] + last.map { $0...$0 }
        var value: UInt8 = 0
        for range in ranges {
            for byte in range.lowerBound.value...range.upperBound.value {
                values[Int(byte)] = value
                value += 1
            }
        }
        return values
    }
}
