import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a request before it is encoded: `.json(item)`, `.form([…])`, `.text("…")`, `.bytes(data, …)`,
/// `.multipart([…])`.
///
/// Any method but HEAD may have one; URLSession, the transport on Apple's platforms, refuses one on GET.
///
/// A request without content has no body: `nil`. The `Content-Type` goes along unless the request's own headers have
/// one.
public struct RequestBody: Sendable {
    private let encode: @Sendable (any RequestEncoder) throws -> (HTTPBody, String)

    /// A value written by the request's encoder, JSON unless another was chosen.
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

    /// A text in UTF-8.
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
    ///   - path: Where it is; a file that can't be read is refused as ``FailureReason/body`` when the call begins.
    ///   - type: Its media type.
    /// - Returns: The body.
    public static func file(_ path: String, type: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in (try HTTPBody.file(at: path), type) }
    }

    /// A body of one's own, a stream as a rule, which is pulled piece by piece while it is sent.
    ///
    /// A stream without a known length goes out in chunks. One that can be read once can't be sent again: not by a
    /// redirect that asks for it, and not by a second call of the same request.
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
            // The encoder's text may quote values: it goes along as the underlying error alone.
            throw TransportError(.body, "the body could not be encoded", underlyingError: error)
        }
    }
}

/// A value of any type, which an encoder sees as if it were there itself: encoders have forms of their own for dates,
/// data and URLs.
private struct AnyItem: Encodable, Sendable {
    let value: any Encodable & Sendable

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }
}

/// What writes the value of a `.json` body: the seam for encoders.
///
/// `encode` is called concurrently. Foundation's encoders conform; one that is configured must not be changed after it
/// was handed over.
public protocol RequestEncoder: Sendable {
    /// The `Content-Type` of what it writes. Default: `application/json`.
    var mediaType: String { get }

    /// Writes a value as a whole document.
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
    /// Property lists, in whichever form.
    public var mediaType: String { "application/x-plist" }
}
