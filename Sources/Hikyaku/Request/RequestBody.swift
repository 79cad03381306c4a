#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The content of a request before it is encoded: `.json(item)`, `.form([…])`, `.text("…")`, `.bytes(data, …)`.
///
/// Any method but HEAD may have one; URLSession, the transport on Apple's platforms, refuses one on GET.
///
/// A request without content has no body: `nil`. The `Content-Type` goes along unless the request's own headers have
/// one.
public struct RequestBody: Sendable {
    private let encode: @Sendable (any RequestEncoder) throws -> (Data, String)

    /// A value written by the request's encoder, JSON unless another was chosen.
    public static func json(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody { encoder in (try encoder.encode(value), encoder.mediaType) }
    }

    /// Items as HTML forms send them: `application/x-www-form-urlencoded`, a space as `+`.
    public static func form(_ items: RequestQuery) -> RequestBody {
        RequestBody { _ in
            (Data(try QueryWriter.text(of: items, encoding: .form).utf8), "application/x-www-form-urlencoded")
        }
    }

    /// A text in UTF-8.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> RequestBody {
        RequestBody { _ in (Data(text.utf8), type) }
    }

    /// Bytes of any media type.
    public static func bytes(_ bytes: Data, type: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in (bytes, type) }
    }

    private init(_ encode: @escaping @Sendable (any RequestEncoder) throws -> (Data, String)) {
        self.encode = encode
    }

    /// The bytes and their media type.
    func encoded(by encoder: any RequestEncoder) throws(TransportError) -> (bytes: Data, type: String) {
        do {
            return try encode(encoder)
        } catch let error as TransportError {
            throw error
        } catch {
            // The encoder's text may quote values: it goes along as the underlying error alone.
            throw TransportError(.body, "the body could not be encoded", underlyingError: error)
        }
    }
}
