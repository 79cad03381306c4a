/// The form of an international host name in which URLs carry it.
///
/// [RFC 3492](https://www.rfc-editor.org/rfc/rfc3492)
package enum Punycode {
    /// The name with each label that isn't ASCII as `xn--` and its letters: `xn--bcher-kva.example`.
    ///
    /// The labels are only put into lower case, and not checked: it is what a person may write, and no more.
    ///
    /// - Parameter name: A host name; its dots may be those of other scripts.
    /// - Returns: The name; `nil` if a label can't be written.
    package static func written(_ name: String) -> String? {
        let dots: Set<Unicode.Scalar> = [".", "\u{3002}", "\u{FF0E}", "\u{FF61}"]
        var labels: [String] = []
        for label in name.lowercased().unicodeScalars.split(
            omittingEmptySubsequences: false,
            whereSeparator: dots.contains,
        ) {
            guard label.contains(where: { !$0.isASCII }) else {
                labels.append(String(label))
                continue
            }
            guard let text = encoded(Array(label)), text.utf8.count <= 59 else { return nil }
            labels.append("xn--" + text)
        }
        return labels.joined(separator: ".")
    }

    private static let (base, tMin, tMax, skew, damp) = (36, 1, 26, 38, 700)

    private static func encoded(_ label: [Unicode.Scalar]) -> String? {
        let plain = label.filter(\.isASCII)
        guard label.count <= 63,
            plain.allSatisfy({ $0.properties.isAlphabetic || "0"..."9" ~= $0 || $0 == "-" || $0 == "_" })
        else { return nil }
        var output = String(String.UnicodeScalarView(plain)) + (plain.isEmpty ? "" : "-")
        var (next, delta, bias, handled) = (0x80, 0, 72, plain.count)
        while handled < label.count {
            guard let smallest = label.map({ Int($0.value) }).filter({ $0 >= next }).min() else { return nil }
            delta += (smallest - next) * (handled + 1)
            next = smallest
            for scalar in label {
                if Int(scalar.value) < next { delta += 1 }
                guard Int(scalar.value) == next else { continue }
                append(delta, bias, to: &output)
                bias = adapted(delta, handled + 1, isFirst: handled == plain.count)
                (delta, handled) = (0, handled + 1)
            }
            (delta, next) = (delta + 1, next + 1)
        }
        return output
    }

    /// Writes a number with digits of varying weight.
    private static func append(_ delta: Int, _ bias: Int, to output: inout String) {
        var (rest, weight) = (delta, base)
        while true {
            let threshold = min(max(weight - bias, tMin), tMax)
            guard rest >= threshold else { break }
            output.append(digit(threshold + (rest - threshold) % (base - threshold)))
            rest = (rest - threshold) / (base - threshold)
            weight += base
        }
        output.append(digit(rest))
    }

    private static func digit(_ value: Int) -> Character {
        Character(Unicode.Scalar(UInt8(value < 26 ? 0x61 + value : 0x30 + value - 26)))
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var rest = isFirst ? delta / damp : delta / 2
        rest += rest / count
        var steps = 0
        while rest > (base - tMin) * tMax / 2 {
            rest /= base - tMin
            steps += base
        }
        return steps + (base - tMin + 1) * rest / (rest + skew)
    }
}
