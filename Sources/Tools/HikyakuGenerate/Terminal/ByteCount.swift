/// Sizes for people, in decimal units.
package enum ByteCount {
    /// `0 bytes`, `1 byte`, `999 bytes`, `1.0 kB`, `12.3 MB`, `3.4 GB`.
    package static func text(of count: Int) -> String {
        guard count >= 1000 else { return count == 1 ? "1 byte" : "\(count) bytes" }
        let units = ["kB", "MB", "GB", "TB", "PB", "EB"]
        var (tenths, unit) = (count / 100, 0)
        while tenths >= 10_000, unit < units.count - 1 { (tenths, unit) = (tenths / 1000, unit + 1) }
        return "\(tenths / 10).\(tenths % 10) \(units[unit])"
    }
}

/// Numbers for people.
package enum Count {
    /// `7`, `761`, `45,706`.
    package static func text(of number: Int) -> String {
        let digits = Array(String(number.magnitude).utf8)
        var text: [UInt8] = number < 0 ? [UInt8(ascii: "-")] : []
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index) % 3 == 0 { text.append(UInt8(ascii: ",")) }
            text.append(digit)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// `1 file`, `2 files`.
    package static func text(of number: Int, _ one: String, _ several: String? = nil) -> String {
        "\(text(of: number)) \(number == 1 ? one : several ?? one + "s")"
    }
}
