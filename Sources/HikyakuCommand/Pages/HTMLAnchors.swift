/// Names for the places of a page, each of them once.
struct HTMLAnchors {
    private var used: Set<String> = []

    /// A name of letters that every address can hold, made of the names of nested types.
    mutating func make(_ names: [String]) -> String {
        let plain = names.map(Self.plain).joined(separator: ".")
        var anchor = plain
        var number = 2
        while !used.insert(anchor).inserted {
            anchor = "\(plain)-\(number)"
            number += 1
        }
        return anchor
    }

    private static func plain(_ name: String) -> String {
        name.unicodeScalars.map { scalar in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": String(scalar)
            default: "-" + String(scalar.value, radix: 16)
            }
        }.joined()
    }
}
