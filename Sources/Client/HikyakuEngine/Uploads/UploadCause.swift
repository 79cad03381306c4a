/// The causes of errors of an upload in parts.
package enum UploadCause: FailureCause {
    case uploadTooLarge, uploadLost, uploadInvalid, uploadInsecure, uploadResponseLost, savedUpload,
        bodyNotReplayable, bodyTooLong

    package var facts: CauseFacts {
        switch self {
        case .uploadTooLarge: CauseFacts(.uploadTooLarge)
        case .uploadLost: CauseFacts(.uploadLost)
        case .uploadInvalid: CauseFacts(.uploadInvalid)
        case .uploadInsecure: CauseFacts(.redirectInsecure, hint: "The service must give its uploads URLs with https.")
        case .uploadResponseLost: CauseFacts(.uploadResponseLost)
        case .savedUpload:
            CauseFacts(.body, hint: "Continue an upload with the body and the protocol that it was begun with.")
        case .bodyNotReplayable:
            CauseFacts(.body, hint: "Use a file, bytes, or a stream with isReplayable as the body.")
        case .bodyTooLong: CauseFacts(.body)
        }
    }
}

extension FailureReason {
    /// The server broke a rule of the protocol by which a body is uploaded in parts.
    public static let uploadInvalid = FailureReason(
        .transport,
        "uploadInvalid",
        "The upload failed.",
        .reportToService,
        hint: "Check that the service supports resumable uploads in this version.",
    )
    /// The server no longer has an upload that was begun before.
    public static let uploadLost = FailureReason(
        .transport,
        "uploadLost",
        "The service no longer has the upload.",
        "Upload it again from the beginning.",
        hint: "Start a new upload: the service forgot this one, or never had it.",
    )
    /// An upload in parts is complete, and its response was lost: the server doesn't send it again.
    public static let uploadResponseLost = FailureReason(
        .transport,
        "uploadResponseLost",
        "The upload is complete, but the service's response was lost.",
        "Check whether the service has it.",
        hint: "Read the result with another request. If none is needed, let the response be EmptyResponse.",
    )
    /// The request's body is larger than the service accepts.
    public static let uploadTooLarge = FailureReason(
        .limit,
        "uploadTooLarge",
        "The service does not accept so much data.",
        "Send a smaller file.",
        hint: "The service announced its limit when the upload was created.",
        isOfUnsentRequest: true,
    )
}
