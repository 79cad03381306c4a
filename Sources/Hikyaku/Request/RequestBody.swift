import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a request before it is encoded: `.json(item)`, `.form([…])`, `.text("…")`, `.bytes(data, …)`,
/// `.multipart([…])`.
///
/// Any method except HEAD may have one. URLSession, the transport on Apple's platforms, rejects a body on GET.
///
/// A request without content has no body: `nil`. The `Content-Type` is added unless the request's own headers have one.
public struct RequestBody: Sendable {
    private let encode: @Sendable (any RequestEncoder) throws -> (HTTPBody, String)

    /// A value written by the request's encoder: JSON by default.
    public static func json(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody { encoder in (HTTPBody(try encoder.encode(value)), encoder.mediaType) }
    }

    /// An object of values of different types: `.json(["name": name, "count": count])`; `nil` is written as `null`.
    ///
    /// A dictionary whose values have one type is written by the function above, in the same form.
    @_disfavoredOverload
    public static func json(_ items: [String: (any Encodable & Sendable)?]) -> RequestBody {
        .json(items.mapValues { $0.map(AnyItem.init) })
    }

    /// Items as HTML forms send them: `application/x-www-form-urlencoded`, a space as `+`.
    public static func form(_ items: RequestQuery) -> RequestBody {
        RequestBody { _ in
            (HTTPBody(try QueryWriter.text(of: items, encoding: .form)), "application/x-www-form-urlencoded")
        }
    }

    /// Text in UTF-8.
    public static func text(_ text: String, type: String = "text/plain; charset=utf-8") -> RequestBody {
        RequestBody { _ in (HTTPBody(text), type) }
    }

    /// Bytes of any media type.
    public static func bytes(_ bytes: Data, type: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in (HTTPBody(bytes), type) }
    }

    /// A file, read piece by piece while it is sent.
    ///
    /// - Parameters:
    ///   - path: The path of the file. A file that can't be read is rejected as ``FailureReason/body`` when the call
    ///     begins.
    ///   - type: Its media type.
    /// - Returns: The body.
    public static func file(_ path: String, type: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in (try HTTPBody.file(at: path), type) }
    }

    /// A custom body, usually a stream, which is pulled piece by piece while it is sent.
    ///
    /// A stream without a known length is sent in chunks. A one-shot stream can't be sent again: not by a redirect that
    /// needs it, and not by a second call of the same request.
    public static func stream(_ body: HTTPBody, type: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in (body, type) }
    }

    init(_ encode: @escaping @Sendable (any RequestEncoder) throws -> (HTTPBody, String)) {
        self.encode = encode
    }

    /// The content and its media type.
    func encoded(by encoder: any RequestEncoder) throws(TransportError) -> (body: HTTPBody, type: String) {
        do {
            return try encode(encoder)
        } catch let error as TransportError {
            throw error
        } catch {
            // The encoder's text may quote values, so it is kept only as the underlying error.
            throw TransportError(.body, "the body could not be encoded", underlyingError: error)
        }
    }
}

/// A value of any type.
///
/// The encoder encodes it as if it were not wrapped, since encoders have special forms for dates, data and URLs.
private struct AnyItem: Encodable, Sendable {
    let value: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws { try encoder.encode(value) }
}

/// Encodes the value of a `.json` body: the protocol for encoders.
///
/// `encode` is called concurrently. Foundation's encoders conform. Don't change the configuration of an encoder after
/// you have passed it to Hikyaku.
public protocol RequestEncoder: Sendable {
    /// The `Content-Type` of its output. Default: `application/json`.
    var mediaType: String { get }

    /// Encodes a value as a whole document.
    ///
    /// - Throws: Anything; it is reported as `.invalidRequest` with ``FailureReason/body``.
    func encode<Value: Encodable>(_ value: Value) throws -> Data
}

extension RequestEncoder {
    /// JSON.
    public var mediaType: String { "application/json" }
}

extension HikyakuJSONEncoder: RequestEncoder {}

extension JSONEncoder: RequestEncoder {}

extension PropertyListEncoder: RequestEncoder {
    /// Property lists, in any format.
    public var mediaType: String { "application/x-plist" }
}
