#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The value of the field `Idempotency-Key`, by which a service recognizes a request that it gets a second time.
///
/// ```swift
/// struct Pay: Shop.Request {
///     typealias Response = Receipt
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

    /// The field's value for one call; `nil` without a key.
    var value: String? {
        switch content {
        case .none: nil
        case .random: UUID().uuidString
        case .text(let text): text
        }
    }
}
