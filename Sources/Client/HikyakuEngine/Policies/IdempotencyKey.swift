#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value of the field `Idempotency-Key`, by which a service recognizes a request that it gets a second time.
///
/// ```swift
/// struct Pay: Shop.Request {
///     typealias Response = Order
///     var method: HTTPMethod { .post }
///     var path: RequestPath { "/payments" }
///     var idempotencyKey: IdempotencyKey { .random }
/// }
/// ```
/// The key is made once for each call, and is the same in all its attempts. A service that supports the field does the
/// work once, and responds to a repeated request as to the first (IETF draft `httpapi-idempotency-key-header`). Only
/// set it for such a service: a client repeats a request with a key after transient failures, whatever its method.
public struct IdempotencyKey: Sendable, Hashable {
    /// No key; the default.
    public static let none = IdempotencyKey(.none)
    /// A random UUID for each call.
    public static let random = IdempotencyKey(.random)

    private enum Content: Hashable {
        case none, random
        case text(String)
    }

    private let content: Content

    private init(_ content: Content) {
        self.content = content
    }

    /// A key of your own, such as the number of an order, so that a later call with the same key isn't done twice
    /// either.
    ///
    /// It is sent as it is. The draft has quotation marks around it, which most services don't expect.
    public init(_ text: String) {
        content = .text(text)
    }

    /// The field's value for one call, by random numbers from 0 to 1; `nil` without a key.
    package func value(_ random: () -> Double) -> String? {
        switch content {
        case .none: nil
        case .random: UUID.random(random).uuidString
        case .text(let text): text
        }
    }
}

extension UUID {
    /// A UUID of version 4 (RFC 9562, section 5.4).
    fileprivate static func random(_ random: () -> Double) -> UUID {
        // A number has 53 random bits.
        let words = (0..<4).map { _ in UInt32(min(max(0, random()) * 0x1p32, 0x1p32 - 1)) }
        func byte(_ index: Int) -> UInt8 { UInt8(truncatingIfNeeded: words[index / 4] >> (index % 4 * 8)) }
        return UUID(
            uuid: (
                byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6) & 0x0F | 0x40, byte(7),
                byte(8) & 0x3F | 0x80, byte(9), byte(10), byte(11), byte(12), byte(13), byte(14), byte(15),
            )
        )
    }
}
