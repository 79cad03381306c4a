import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The content of a request before it is encoded: `.json(item)`, `.form([…])`, `.text("…")`, `.bytes(data, …)`,
/// `.multipart([…])`.
///
/// A request with GET, the default method, or HEAD has none: it fails as ``FailureReason/body``, and nothing is sent,
/// even if ``APIRequest/prepare(_:)`` would change the method. For a service that reads a body with GET, there is
/// ``allowedWithGet()``.
///
/// A request without content has no body: `nil`. The `Content-Type` is added unless the request's own headers have one.
///
/// A body of your own is a function that ends with ``init(_:)``:
/// ```swift
/// nonisolated extension RequestBody {
///     static func csv(_ rows: [[String]]) -> RequestBody {
///         RequestBody { _ in
///             let lines = rows.map { $0.joined(separator: ",") + "\r\n" }
///             return (HTTPBody(lines.joined()), "text/csv; charset=utf-8")
///         }
///     }
/// }
/// ```
public struct RequestBody: Sendable {
    /// What is sent, and what the request's fields say about it.
    struct Content {
        var body: HTTPBody
        let type: String
        /// The codings that were applied, in their order.
        var codings: [BodyCoding] = []
        let expectsContinue: Bool
        let upload: ResumableUpload?
    }

    private let encode: @Sendable (any RequestEncoder) throws -> (body: HTTPBody, type: String)
    /// The codings to apply, in their order.
    var codings: [BodyCoding] = []
    private var expectsContinue = false
    private var isAllowedWithGet = false
    var upload: ResumableUpload?

    /// A value written by the request's encoder: JSON by default.
    public static func json(_ value: some Encodable & Sendable) -> RequestBody {
        RequestBody { encoder in (HTTPBody(try encoder.encodeOrDiagnose(value)), encoder.mediaType) }
    }

    /// A value written by the request's encoder, with another media type: `application/merge-patch+json`.
    public static func json(_ value: some Encodable & Sendable, type: String) -> RequestBody {
        RequestBody { encoder in (HTTPBody(try encoder.encodeOrDiagnose(value)), type) }
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

    /// A file by its URL: see ``file(_:type:)-(String,_)``.
    public static func file(_ url: URL, type: String = "application/octet-stream") -> RequestBody {
        file(url.filePath, type: type)
    }

    /// A custom body, usually a stream, which is pulled piece by piece while it is sent.
    ///
    /// A stream without a known length is sent in chunks. A one-shot stream can't be sent again: not by a redirect that
    /// needs it, and not by a second call of the same request.
    public static func stream(_ body: HTTPBody, type: String = "application/octet-stream") -> RequestBody {
        RequestBody { _ in (body, type) }
    }

    /// Makes a body of your own: any media type, from memory, a file or a stream.
    ///
    /// The length and whether the body can be sent again are those of the ``HTTPBody``: it is sent in chunks if its
    /// ``HTTPBody/count`` is `nil`, and only one that is ``HTTPBody/isReplayable`` survives a retry, a redirect that
    /// needs it again, or a connection that was closed while it was kept. A stream says both itself:
    /// ```swift
    /// let body = RequestBody { _ in
    ///     (HTTPBody(recording.pieces(), count: recording.size, isReplayable: true), "audio/wav")
    /// }
    /// ```
    /// Work that may take long belongs into the stream, which is read while the body is sent. The closure itself runs
    /// on the thread that begins the call.
    ///
    /// - Parameter encode: Called once for each call, on any thread, with the request's encoder, which a body of a
    ///   value can use together with its ``RequestEncoder/mediaType``. It returns the content and its media type. An
    ///   error that it throws is reported as ``FailureReason/body``, and nothing is sent.
    public init(_ encode: @escaping @Sendable (any RequestEncoder) throws -> (body: HTTPBody, type: String)) {
        self.encode = encode
    }

    /// The same body, sent only after the server has agreed to it: `Expect: 100-continue`.
    ///
    /// ```swift
    /// let video = RequestBody.file("/videos/1.mov", type: "video/quicktime").expectingContinue()
    /// ```
    /// The request's fields are sent first. If the server rejects the request by them, for example with 401, 413 or a
    /// redirect, the body is never sent. It is sent after a 100, or after ``TransportTimeouts/expectation``, since many
    /// servers don't know the expectation. A server that rejects it (417) gets the request once more without it. It
    /// pays for large bodies, and costs the time of a round trip. Over HTTP/1.1, a connection whose server has
    /// answered without the body is closed, since only the server knows whether it still expects the body; over HTTP/2,
    /// only the stream is reset. `URLSessionTransport` doesn't wait, and sends the request without the expectation.
    ///
    /// [RFC 9110, section 10.1.1](https://www.rfc-editor.org/rfc/rfc9110#section-10.1.1)
    ///
    /// - Returns: The body with an expectation; an empty one has none.
    public func expectingContinue() -> RequestBody {
        var body = self
        body.expectsContinue = true
        return body
    }

    /// The same body, sent also with GET: for a service that reads the body of such a request.
    ///
    /// ```swift
    /// struct Search: Shop.Request {
    ///     typealias Response = [Dish]
    ///     var words: [String]
    ///     var path: RequestPath { "/dishes/_search" }
    ///     var body: RequestBody? { .json(["words": words]).allowedWithGet() }
    /// }
    /// ```
    /// HTTP gives such a body no meaning, and a server or a proxy may reject the request. So a client may send one only
    /// to a service whose documentation describes it. URLSession, the transport on Apple's platforms, rejects it as
    /// ``FailureReason/body``. HEAD never has a body.
    ///
    /// [RFC 9110, section 9.3.1](https://www.rfc-editor.org/rfc/rfc9110#section-9.3.1)
    ///
    /// - Returns: The body; with other methods it is sent in the same way.
    public func allowedWithGet() -> RequestBody {
        var body = self
        body.isAllowedWithGet = true
        return body
    }

    /// Rejects a method that has no body: a request whose method was forgotten would be sent with GET.
    func check(_ method: HTTPMethod) throws(TransportError) {
        guard method == .head || method == .trace || method == .get && !isAllowedWithGet else { return }
        let hint = "Write the request's method: let method: HTTPMethod = .post."
        let exception = " If the service reads a body with GET, write allowedWithGet() after the body."
        throw RequestCause.bodyOfMethod.error("\(method) has no body", hint: method == .get ? hint + exception : hint)
    }

    /// What is sent, and what the request's fields say about it.
    func content(by encoder: any RequestEncoder) throws(TransportError) -> Content {
        let (body, type) = try encoded(by: encoder)
        var content = Content(body: body, type: type, expectsContinue: expectsContinue, upload: upload)
        for coding in codings {
            guard let coded = try content.body.coded(by: coding) else { continue }
            content.body = coded
            content.codings.append(coding)
        }
        return content
    }

    private func encoded(by encoder: any RequestEncoder) throws(TransportError) -> (body: HTTPBody, type: String) {
        do {
            guard var own = encoder as? HikyakuJSONEncoder else { return try encode(encoder) }
            // What only the service writes is not sent to it.
            own.leavesOutReadOnlyMembers = true
            return try encode(own)
        } catch let error as TransportError {
            throw error
        } catch {
            // What an encoder or an encoded type throws may quote values of the body, which stay hidden: its text is
            // kept only as the underlying error.
            let part = error as? PartError
            let error = part?.error ?? error
            let placed = error as? PlacedEncodingError
            let diagnosis = placed?.diagnosis ?? (error is EncodingError ? EncodingDiagnosis(error) : nil)
            let cause = diagnosis?.description ?? ForeignWords.thrown(error, by: "making it")
            throw RequestCause.bodyNotEncoded.error(
                "the body could not be encoded: \(part.map { "\($0.part): " } ?? "")\(cause)",
                underlyingError: placed?.error ?? error,
            )
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

extension RequestEncoder {
    /// Encodes a value, and finds out where it fails.
    ///
    /// A type's own error has no location. It is found with the package's encoder, which goes through the same values.
    func encodeOrDiagnose<Value: Encodable>(_ value: Value) throws -> Data {
        do { return try encode(value) } catch let error as TransportError { throw error } catch {
            let encoder = self as? HikyakuJSONEncoder ?? HikyakuJSONEncoder()
            throw PlacedEncodingError(error: error, diagnosis: encoder.diagnosis(of: error, encoding: value))
        }
    }
}

/// An encoder's error together with where the value failed.
private struct PlacedEncodingError: Error {
    let error: any Error
    let diagnosis: EncodingDiagnosis
}
