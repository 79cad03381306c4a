/// A protocol by which a body is uploaded in parts and continued after a failure: the seam for another one than
/// ``ResumableUploadDraft``, such as tus.
///
/// ```swift
/// struct Tus: UploadProtocol {
///     var name: String { "tus 1.0.0" }
///
///     func prepare(_ request: inout HTTPRequest, for message: UploadMessage) {
///         request.headers["Tus-Resumable"] = "1.0.0"
///         switch message {
///         case .create(let length):
///             request.headers["Upload-Length"] = "\(length)"
///         case .retrieveOffset:
///             request.method = .head
///         case .append(let offset, _, _):
///             request.method = .patch
///             request.headers["Upload-Offset"] = "\(offset)"
///             request.headers["Content-Type"] = "application/offset+octet-stream"
///         case .cancel:
///             request.method = .delete
///         }
///     }
///
///     func reply(_ response: HTTPResponse, to message: UploadMessage) -> UploadReply {
///         let offset: Int? = response.headers.read("Upload-Offset")
///         switch (message, response.status.code) {
///         case (.create, 201): return .created(location: response.headers["Location"] ?? "", UploadLimits())
///         case (.append, 204) where message.isLast: return .complete
///         case (.append, 204), (.retrieveOffset, 200): return .stored(offset: offset, length: nil, UploadLimits())
///         case (_, 409): return .offsetMismatch(offset)
///         case (_, 404), (_, 410): return .lost
///         default: return .other
///         }
///     }
/// }
/// let body = RequestBody.file("/videos/1.mov").resumable(by: Tus())
/// ```
/// It has no state and makes no exchange. The client decides which message comes next, sends it with the credential,
/// the retries and the deadline of the call, and checks the offsets of all replies. Its functions are called
/// concurrently.
public protocol UploadProtocol: Sendable {
    /// A name that no other protocol has: a ``SavedUpload`` can be continued only by the protocol that began it.
    var name: String { get }

    /// Turns a request without content into the one for a message: sets its method, if the message needs another, and
    /// adds the protocol's fields.
    ///
    /// - Parameters:
    ///   - request: For the creation, the call's own request with its fields, including those that describe the
    ///     content. Otherwise a request to the upload's URL with the call's fields that don't. The client adds the
    ///     content afterwards.
    ///   - message: The message.
    func prepare(_ request: inout HTTPRequest, for message: UploadMessage)

    /// What the response to a message means.
    ///
    /// - Parameters:
    ///   - response: The response, whatever its status. Its body is in memory, unless the call's definition streams it.
    ///   - message: The message.
    /// - Returns: The meaning. The client checks it, so that any values may be returned as they were received.
    func reply(_ response: HTTPResponse, to message: UploadMessage) -> UploadReply
}

/// A message of an upload in parts.
public enum UploadMessage: Sendable, Hashable {
    /// Creates an upload of that length; it has no content.
    case create(length: Int)
    /// Retrieves how many bytes the server has; it has no content.
    case retrieveOffset
    /// Appends a number of bytes from an offset; the part is the last one if it ends at `length`.
    case append(offset: Int, count: Int, length: Int)
    /// Deletes an upload that is not complete; it has no content.
    case cancel

    /// Whether the upload is complete once the server has processed the message.
    public var isLast: Bool {
        if case .append(let offset, let count, let length) = self { count == length - offset } else { false }
    }
}

/// What a server's response says about an upload.
public enum UploadReply: Sendable, Hashable {
    /// The upload was created, with a URL that may be relative to the request's.
    case created(location: String, UploadLimits)
    /// The upload is not complete, and has these bytes. After an append, `nil` means that it has all bytes that were
    /// sent. The length is that of the whole body, if the response has one.
    case stored(offset: Int?, length: Int?, UploadLimits)
    /// The upload is complete, and the response is that of the call, whatever its status.
    case complete
    /// The upload was already complete, so that the response of the call was lost.
    case completeBefore
    /// The append had another offset than the upload, which is in the response if it isn't `nil`.
    case offsetMismatch(Int?)
    /// The server has no such upload, or no longer.
    case lost
    /// The response breaks a rule of the protocol.
    case invalid(String)
    /// The response says nothing about the upload: a rejection is the call's response, and after a transient failure
    /// the message is sent again.
    case other
}

/// The limits of a server for an upload.
///
/// ```swift
/// // In the reply of an UploadProtocol whose server takes at most 8 MiB in one part:
/// let reply = UploadReply.created(location: "/uploads/1", UploadLimits(partBytesMax: 8 << 20))
/// ```
public struct UploadLimits: Sendable, Hashable {
    /// The size of the largest body in bytes; `nil` or a negative number without a limit.
    public var bytesMax: Int?
    /// The size of the largest part in bytes; `nil` or a number below 1 without a limit.
    ///
    /// An upload that needs more than 1,000 requests, and one more for each 16 KiB of the body, fails with
    /// ``FailureReason/uploadInvalid``.
    public var partBytesMax: Int?

    /// Makes limits.
    public init(bytesMax: Int? = nil, partBytesMax: Int? = nil) {
        self.bytesMax = bytesMax
        self.partBytesMax = partBytesMax
    }
}

/// Resumable uploads as the IETF's HTTP working group drafts them, interop version 8.
///
/// ```swift
/// let body = RequestBody.file("/videos/1.mov").resumable(by: ResumableUploadDraft())  // the default
/// ```
/// The upload is created by a request of its own, without content, so that no interim response (104) is needed and any
/// transport will do. Use it only for a service that is known to support the draft: another one takes the empty request
/// for the whole one.
///
/// Source: draft-ietf-httpbis-resumable-upload-12, of the IETF.
public struct ResumableUploadDraft: UploadProtocol {
    /// The draft's interop version.
    private static let version = "8"

    /// Makes the protocol.
    public init() {}

    /// The name of the draft.
    public var name: String { "draft-ietf-httpbis-resumable-upload" }

    /// Adds `Upload-Draft-Interop-Version`, `Upload-Complete`, `Upload-Offset` and `Upload-Length`.
    public func prepare(_ request: inout HTTPRequest, for message: UploadMessage) {
        request.headers["Upload-Draft-Interop-Version"] = Self.version
        switch message {
        case .create(let length):
            request.headers["Upload-Complete"] = "?0"
            request.headers["Upload-Length"] = String(length)
        case .retrieveOffset:
            request.method = .head
        case .append(let offset, _, let length):
            request.method = .patch
            request.headers[.contentType] = "application/partial-upload"
            request.headers["Upload-Complete"] = message.isLast ? "?1" : "?0"
            request.headers["Upload-Offset"] = String(offset)
            request.headers["Upload-Length"] = String(length)
        case .cancel:
            request.method = .delete
        }
    }

    /// Reads `Upload-Complete`, `Upload-Offset`, `Upload-Length`, `Upload-Limit`, `Location` and the draft's problem
    /// types.
    public func reply(_ response: HTTPResponse, to message: UploadMessage) -> UploadReply {
        switch message {
        case .create: created(response)
        case .retrieveOffset: retrieved(response)
        case .append: appended(response)
        case .cancel: .other
        }
    }

    /// Section 4.2.
    private func created(_ response: HTTPResponse) -> UploadReply {
        guard response.status.isSuccess else { return .other }
        guard let location = response.headers[.location], !location.isEmpty else {
            return .invalid("the server has created no upload: there is no Location")
        }
        return .created(location: location, response.headers.uploadLimits)
    }

    /// Section 4.3.
    private func retrieved(_ response: HTTPResponse) -> UploadReply {
        if response.status.saysLost { return .lost }
        guard response.status.isSuccess else { return .other }
        let headers = response.headers
        switch headers.structuredBoolean("Upload-Complete") {
        case nil: return .invalid("the server did not say whether the upload is complete")
        case true: return .completeBefore
        case false:
            guard let offset = headers.structuredCount("Upload-Offset") else {
                return .invalid("the server did not say how much of the upload it has")
            }
            return .stored(offset: offset, length: headers.structuredCount("Upload-Length"), headers.uploadLimits)
        }
    }

    /// Section 4.4.
    private func appended(_ response: HTTPResponse) -> UploadReply {
        let headers = response.headers
        if headers.structuredBoolean("Upload-Complete") == true { return .complete }
        let problem = UploadProblem(response)
        let offset = headers.structuredCount("Upload-Offset") ?? problem?.expectedOffset
        switch problem?.kind {
        case "mismatching-upload-offset": return .offsetMismatch(offset)
        case "completed-upload": return .completeBefore
        case "inconsistent-upload-length": return .invalid("the server expects another length of the body")
        default: break
        }
        if response.status.code == 409, offset != nil { return .offsetMismatch(offset) }
        if response.status.saysLost { return .lost }
        guard response.status.isSuccess else { return .other }
        return .stored(offset: offset, length: headers.structuredCount("Upload-Length"), headers.uploadLimits)
    }
}

/// A problem of the draft's types (section 7).
private struct UploadProblem {
    private struct Body: Decodable {
        let type: String
        let expectedOffset: Int?

        enum CodingKeys: String, CodingKey {
            case type
            case expectedOffset = "expected-offset"
        }
    }

    private static let prefix = "https://iana.org/assignments/http-problem-types#"

    /// The part of the type after the common prefix.
    let kind: String
    let expectedOffset: Int?

    init?(_ response: HTTPResponse) {
        guard response.headers.mediaType?.essence == "application/problem+json", let bytes = response.body.bytes,
            let body = try? HikyakuJSONDecoder().decode(Body.self, from: bytes), body.type.hasBytePrefix(Self.prefix)
        else { return nil }
        kind = String(body.type.utf8.dropFirst(Self.prefix.utf8.count)) ?? ""
        expectedOffset = body.expectedOffset
    }
}

extension HTTPStatus {
    /// Whether the server has no such upload.
    fileprivate var saysLost: Bool { code == 404 || code == 410 }
}

// Items and Dictionaries of RFC 9651; another value counts as an absent field.
extension HTTPHeaders {
    private func structuredItem(_ name: HTTPHeaderName) -> StructuredList.BareItem? {
        let values = values(for: name)
        guard values.count == 1, let members = StructuredList(list: values[0])?.members, members.count == 1 else {
            return nil
        }
        return members[0].item
    }

    fileprivate func structuredCount(_ name: HTTPHeaderName) -> Int? {
        structuredItem(name)?.integer.flatMap { Int(exactly: $0) }
    }

    fileprivate func structuredBoolean(_ name: HTTPHeaderName) -> Bool? {
        if case .boolean(let value) = structuredItem(name) { value } else { nil }
    }

    fileprivate var uploadLimits: UploadLimits {
        let text = values(for: "Upload-Limit").joined(separator: ", ")
        guard let list = StructuredList(dictionary: text) else { return UploadLimits() }
        let known = ["max-size", "min-size", "max-append-size", "min-append-size", "max-age"]
        // A known key with another type makes the whole field invalid (section 4.1.4).
        let isValid = known.allSatisfy { key in list[key].map { $0.integer != nil } ?? true }
        guard isValid else { return UploadLimits() }
        return UploadLimits(
            bytesMax: list["max-size"]?.integer.map { Int(clamping: $0) },
            partBytesMax: list["max-append-size"]?.integer.map { Int(clamping: $0) },
        )
    }
}
