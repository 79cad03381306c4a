extension Diagnoser {
    /// What stands at a place, in words that follow "found"; `nil` where nothing begins or ends there.
    func words(at spot: Spot) -> String? {
        let offset = spot.valueOffset
        if let count = spot.walk.elementsAtEnd {
            let elements = count == 1 ? "1 element" : "\(count) elements"
            return count == 0 ? "the end of an empty array" : "the end of an array of \(elements)"
        }
        if let number = number(at: offset) { return numberWords(number) }
        let kind = kindWords(at: offset)
        switch kind {
        case "a string": return textWords(at: offset)
        case "a boolean" where revealingValues: return bytes[offset] == UInt8(ascii: "t") ? "true" : "false"
        default: return kind
        }
    }

    /// The kind of value that begins at a place.
    func kindWords(at offset: Int) -> String? {
        guard offset < bytes.count else { return nil }
        return switch bytes[offset] {
        case Byte.quote: "a string"
        case Byte.openBrace: "an object"
        case Byte.openBracket: "an array"
        case UInt8(ascii: "t"), UInt8(ascii: "f"): "a boolean"
        case UInt8(ascii: "n"): "null"
        case Byte.minus, Byte.zero...Byte.nine: "a number"
        default: nil
        }
    }

    private func textWords(at quote: Int) -> String {
        let shown = TextToken(bytes, at: quote).shown(
            max: revealingValues ? 80 : 40,
            revealingValues ? VisibleText.scalar : ValueShape.scalar,
        )
        return shown.isEmpty ? "an empty string" : "the string \"\(shown)\""
    }

    /// The bytes of the number that begins at a place.
    func number(at offset: Int) -> Slice<UnsafeBufferPointer<UInt8>>? {
        guard kindWords(at: offset) == "a number", let base = bytes.baseAddress,
            let found = try? NumberScan.number(from: base + offset, to: base + bytes.count)
        else { return nil }
        return bytes[offset..<found.end - base]
    }

    func numberWords(_ number: Slice<UnsafeBufferPointer<UInt8>>) -> String {
        let text = String(decoding: number.prefix(40), as: UTF8.self)
        let shown = revealingValues ? text : String(text.map { $0.isNumber ? "9" : $0 })
        return "the number \(shown)\(number.count > 40 ? "…" : "")"
    }
}
