public import HikyakuBase

// Text that a peer, a user or a shell reads is scanned and compared by its bytes. Swift's own functions use `Character`
// and canonical equivalence: a combining mark hides the quote or the slash before it, CR LF is one character, and the
// Kelvin sign U+212A equals `K`. No program at the other end reads text in that way.

extension String {
    /// Whether both texts have the same bytes.
    package func hasSameBytes(as other: String) -> Bool {
        guard utf8.count == other.utf8.count else { return false }
        let isEqual = utf8.withContiguousStorageIfAvailable { bytes in
            other.utf8.withContiguousStorageIfAvailable { others in
                bytes.indices.allSatisfy { bytes[$0] == others[$0] }
            }
        }
        if let isEqual, let isEqual { return isEqual }
        return utf8.elementsEqual(other.utf8)
    }
}

extension StringProtocol {
    /// Whether both texts have the same bytes.
    @inlinable
    package func hasSameBytes(as other: some StringProtocol) -> Bool {
        utf8.elementsEqual(other.utf8)
    }

    /// Whether the text begins with the bytes of another.
    @inlinable
    package func hasBytePrefix(_ prefix: some StringProtocol) -> Bool {
        utf8.starts(with: prefix.utf8)
    }

    /// Whether the text ends with the bytes of another.
    @inlinable
    package func hasByteSuffix(_ suffix: some StringProtocol) -> Bool {
        let skippedCount = utf8.count - suffix.utf8.count
        return skippedCount >= 0 && utf8.dropFirst(skippedCount).elementsEqual(suffix.utf8)
    }

    /// Whether the text has an ASCII character, whatever comes after it.
    @inlinable
    package func hasByte(_ scalar: Unicode.Scalar) -> Bool {
        utf8.contains(UInt8(ascii: scalar))
    }

    /// The first index of an ASCII character, whatever comes after it.
    @inlinable
    package func firstByteIndex(of scalar: Unicode.Scalar) -> Index? {
        utf8.firstIndex(of: UInt8(ascii: scalar))
    }

    /// The parts between occurrences of an ASCII character; their ends are never inside of a scalar.
    @inlinable
    package func byteSplit(
        separator: Unicode.Scalar,
        maxSplits: Int = .max,
        omittingEmptySubsequences: Bool = true,
    ) -> [SubSequence] {
        utf8.split(
            separator: UInt8(ascii: separator),
            maxSplits: maxSplits,
            omittingEmptySubsequences: omittingEmptySubsequences,
        ).map { self[$0.startIndex..<$0.endIndex] }
    }

    /// The text with `A`-`Z` as `a`-`z`; other letters stay, unlike the Kelvin sign in `lowercased()`.
    @inlinable
    package var asciiLowercased: String {
        String(unsafeUninitializedCapacity: utf8.count) { room in
            var count = 0
            for byte in utf8 {
                room[count] = ASCII.lowercased(byte)
                count += 1
            }
            return count
        }
    }

    /// Without spaces and tabs at either end (OWS of RFC 9110, section 5.6.3).
    package var trimmingSpaces: SubSequence {
        let scalars = unicodeScalars
        guard let first = scalars.firstIndex(where: { $0 != " " && $0 != "\t" }),
            let last = scalars.lastIndex(where: { $0 != " " && $0 != "\t" })
        else { return self[endIndex...] }
        return self[first..<scalars.index(after: last)]
    }
}

/// A text that is compared by its bytes, for keys and sets.
package struct ByteText: Hashable, Sendable, CustomStringConvertible {
    package let text: String
    package var description: String { text }

    package init(_ text: String) {
        self.text = text
    }

    package static func == (left: Self, right: Self) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        // The end distinguishes `a` and `bc` from `ab` and `c`; no text contains this byte.
        hasher.combine(UInt8.max)
    }
}
