public import HikyakuBase

/// A value that always prints as `‹redacted›`: in descriptions, `dump`, debuggers and string interpolation.
///
/// ```swift
/// struct Account: Sendable {
///     let name: String
///     let password: Secret<String>
/// }
/// let account = Account(name: "hana", password: Secret(password))
/// print(account)                     // Account(name: "hana", password: ‹redacted›)
/// send(account.password.reveal())
/// ```
/// Only ``reveal()`` returns the value, so a search for that name finds every use of it. A model can decode a secret,
/// such as the token in the response to a login; it can't encode one by accident.
public struct Secret<Value: Sendable>: Sendable {
    private let value: Value

    /// Hides a value.
    public init(_ value: Value) {
        self.value = value
    }

    /// The value itself.
    public func reveal() -> Value { value }
}

/// It isn't `Encodable`: what is sent is revealed.
extension Secret: Decodable where Value: Decodable {
    /// Reads the value by the decoder's strategies for dates, data and URLs.
    public init(from decoder: any Decoder) throws {
        self.init(try decoder.singleValueContainer().decode(Value.self))
    }
}

extension Secret: Equatable where Value: Equatable {
    /// Compares the values, texts by their bytes.
    public static func == (left: Self, right: Self) -> Bool {
        guard let leftText = left.value as? String, let rightText = right.value as? String else {
            return left.value == right.value
        }
        return leftText.hasSameBytes(as: rightText)
    }
}

extension Secret: Hashable where Value: Hashable {
    /// Feeds the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(value)
    }
}

extension Secret: Redacted {
    /// `‹redacted›`.
    public var description: String { Redaction.placeholder }
}

/// The values in a request's path that are secrets, as `"/hooks/\(secret: token)"` marks them.
///
/// They are kept with the request. Each text that shows a URL of the request hides them in path and query, in any
/// percent-encoding: a service may redirect to a URL that repeats them.
package struct PathSecrets: Sendable, Hashable {
    /// How often a part of a URL may be encoded: twice for a URL in a URL, three times for a URL in that one.
    private static let roundsMax = 5
    private static let placeholder = "…"

    private var values: [Secret<String>] = []

    package init() {}

    package var isEmpty: Bool { values.isEmpty }

    package mutating func insert(_ value: String) {
        let secret = Secret(value)
        if !value.isEmpty, !values.contains(secret) { values.append(secret) }
    }

    package mutating func formUnion(_ other: PathSecrets) {
        for value in other.values where !values.contains(value) { values.append(value) }
    }

    /// The percent-encoded text with `…` instead of each secret.
    package func hidden(in text: String) -> String {
        guard !values.isEmpty else { return text }
        let bytes = Array(text.utf8)
        var isHidden = [Bool](repeating: false, count: bytes.count)
        var units = bytes.indices.map { Unit(byte: bytes[$0], range: $0..<$0 + 1) }
        for _ in 0...Self.roundsMax {
            let decoded = units.map(\.byte)
            for value in values {
                for match in decoded.ranges(of: Array(value.reveal().utf8)) {
                    let start = units[match.lowerBound].range.lowerBound
                    let end = units[match.upperBound - 1].range.upperBound
                    for index in start..<end { isHidden[index] = true }
                }
            }
            let next = Unit.decoded(units)
            guard next.count < units.count else { break }
            units = next
        }
        return Self.text(of: bytes, without: isHidden)
    }

    private static func text(of bytes: [UInt8], without isHidden: [Bool]) -> String {
        var shown: [UInt8] = []
        for (index, byte) in bytes.enumerated() {
            if !isHidden[index] {
                shown.append(byte)
            } else if index == 0 || !isHidden[index - 1] {
                shown += placeholder.utf8
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }

    /// A byte of a text, and its range in the original.
    private struct Unit {
        let byte: UInt8
        let range: Range<Int>

        /// The bytes without one round of percent-encoding.
        static func decoded(_ units: [Unit]) -> [Unit] {
            let bytes = units.map(\.byte)
            var decoded: [Unit] = []
            decoded.reserveCapacity(units.count)
            var index = 0
            while index < units.count {
                let unit = units[index]
                if let byte = PercentCoding.byte(at: index, in: bytes) {
                    let range = unit.range.lowerBound..<units[index + 2].range.upperBound
                    decoded.append(Unit(byte: byte, range: range))
                    index += 3
                } else {
                    decoded.append(unit)
                    index += 1
                }
            }
            return decoded
        }
    }
}
