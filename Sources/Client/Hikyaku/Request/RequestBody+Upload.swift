import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RequestBody {
    /// The same body, whose upload continues where it was cut, instead of beginning again.
    ///
    /// ```swift
    /// struct PutVideo: Shop.Request {
    ///     typealias Definition = EmptyResponse
    ///     var saved: SavedUpload?
    ///     var method: HTTPMethod { .put }
    ///     var path: RequestPath { "/videos/1" }
    ///     var timeout: Duration? { .seconds(3600) }
    ///     var body: RequestBody? { .file("/videos/1.mov").resumable(from: saved) { store($0) } }
    /// }
    /// ```
    /// The call creates an upload at the service, and appends the body to it. After a transient failure it reads how
    /// much the service has, and continues from there, with the client's ``RetryPolicy`` and within the deadline of
    /// the call, so give a large upload a long ``APIRequest/timeout``. Retries count again from one, and need no
    /// budget, whenever bytes were stored in between. The response of the last part is the call's.
    ///
    /// The request may be sent again whatever its method is: the protocol prevents that anything is done twice. The
    /// body must be replayable; a body of unknown length is read once before, to count it. A file that is changed
    /// meanwhile ends the call as ``FailureReason/body``. The credential of the call is sent to its own origin only,
    /// also if the service puts the upload elsewhere. A cancelled call leaves its upload at the service, so that it can
    /// be continued; ``UploadCancellation`` deletes it.
    ///
    /// - Parameters:
    ///   - uploadProtocol: The protocol that the service supports.
    ///   - saved: The upload to continue, begun by an earlier call with the same body, perhaps on another day. If the
    ///     service no longer has it, another one is created. A body of another length or media type is rejected as
    ///     ``FailureReason/body``; so is a multipart body, unless its generator makes the same boundary again.
    ///   - save: Called with the upload when it was created, and with `nil` when it is complete or can't be continued;
    ///     on any thread. Save it until then.
    /// - Returns: The body. Its call fails with ``FailureReason/uploadInvalid``, ``FailureReason/uploadLost``,
    ///   ``FailureReason/uploadTooLarge`` or ``FailureReason/uploadResponseLost``, in addition to the reasons of all
    ///   calls.
    public func resumable(
        by uploadProtocol: any UploadProtocol = ResumableUploadDraft(),
        from saved: SavedUpload? = nil,
        saving save: (@Sendable (SavedUpload?) -> Void)? = nil,
    ) -> RequestBody {
        var body = self
        body.upload = ResumableUpload(uploadProtocol: uploadProtocol, saved: saved, save: save)
        return body
    }
}

/// A request that deletes an upload at its service, which then can't be continued.
///
/// ```swift
/// if let saved = try await savedUpload() {
///     try await client.send(UploadCancellation(of: Shop.PutVideo(), saved))
/// }
/// ```
/// It has the environment, the headers, the level and the failure of the request that began the upload. An upload that
/// the service no longer has counts as deleted.
public struct UploadCancellation<Base: APIRequest>: RequestProxy {
    /// Nothing.
    public typealias Response = Void
    /// The response is empty, or of no interest.
    public typealias Definition = EmptyResponse
    /// The failure of the request inside.
    public typealias Failure = Base.Failure

    /// The request that began the upload.
    public let request: Base
    private let saved: SavedUpload
    private let uploadProtocol: any UploadProtocol

    /// Makes the request.
    ///
    /// - Parameters:
    ///   - request: The request that began the upload.
    ///   - saved: The upload.
    ///   - uploadProtocol: The protocol that began it.
    public init(of request: Base, _ saved: SavedUpload, by uploadProtocol: any UploadProtocol = ResumableUploadDraft())
    {
        (self.request, self.saved, self.uploadProtocol) = (request, saved, uploadProtocol)
    }

    /// None.
    public var body: RequestBody? { nil }
    /// None.
    public var parameters: RequestQuery { [:] }
    /// It does no harm to delete an upload twice.
    public var isIdempotent: Bool { true }
    /// None: the request's own key is for another effect.
    public var idempotencyKey: IdempotencyKey { .none }
    /// As the request, if the upload has its origin: no credential goes to another one.
    public var requiresAuthorization: Bool { request.requiresAuthorization && !refusesCredential }

    /// Turns the request into the deletion.
    public func prepare(_ httpRequest: inout HTTPRequest) throws {
        try request.prepare(&httpRequest)
        guard saved.protocolName.hasSameBytes(as: uploadProtocol.name) else { throw SavedUpload.otherProtocol }
        guard let url = URL(string: saved.url) else { throw SavedUpload.unreadable }
        try httpRequest.leadToUpload(at: url)
        uploadProtocol.prepare(&httpRequest, for: .cancel)
    }

    /// Whether the upload is deleted, or was before.
    public func accepts(_ status: HTTPStatus) -> Bool { status.isSuccess || status.code == 404 || status.code == 410 }
}

extension UploadCancellation: CredentialRefusal {
    var refusesCredential: Bool {
        URL(string: saved.url).flatMap { HTTPOrigin($0) } != request.environment.base.origin
    }
}
