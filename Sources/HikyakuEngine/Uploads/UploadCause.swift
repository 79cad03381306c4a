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
