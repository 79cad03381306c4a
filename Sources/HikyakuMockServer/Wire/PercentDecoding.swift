import HikyakuHTTP

extension StringProtocol {
    /// The text with its percent triplets undone; broken ones stay as they are, and bytes that are no UTF-8 become
    /// U+FFFD.
    func percentDecoded(plusIsSpace: Bool = false) -> String {
        let source = Array(utf8)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(source.count)
        var index = 0
        while index < source.count {
            let byte = source[index]
            if byte == 0x25, index + 2 < source.count,
                let high = source[index + 1].hexadecimalValue, let low = source[index + 2].hexadecimalValue
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(plusIsSpace && byte == 0x2B ? 0x20 : byte)
                index += 1
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
