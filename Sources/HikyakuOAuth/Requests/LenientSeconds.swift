import Hikyaku

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A number of seconds as servers write it: a number, or one in quotation marks.
struct LenientSeconds: Decodable, Sendable {
    /// A hundred years: what a server says beyond that is cut.
    static let secondsMax = 100.0 * 365 * 86_400

    /// The seconds; `nil` for what is no number above zero, which says as little as nothing.
    let value: Double?

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self) {
            value = Self.checked(Self.number(text))
        } else {
            value = Self.checked(try? container.decode(Double.self))
        }
    }

    private static func number(_ text: String) -> Double? {
        guard text.utf8.count <= 32, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 || $0 == UInt8(ascii: ".") }) else {
            return nil
        }
        return Double(text)
    }

    private static func checked(_ seconds: Double?) -> Double? {
        guard let seconds, seconds.isFinite, seconds > 0 else { return nil }
        return min(seconds, secondsMax)
    }
}
