/// The causes of errors of a file that a response becomes.
package enum FileCause: FailureCause {
    case unusablePart, partEnded, fileTooLarge, fileExists, fileNotWritten, fileNotRegular, fileInUse, diskFull,
        digestMismatch, digestMalformed, digestUnavailable

    package var facts: CauseFacts {
        switch self {
        case .unusablePart:
            CauseFacts(.unexpectedPart, hint: "Report it to the service, or download the file without .resumable.")
        case .partEnded: CauseFacts(.truncatedResponse)
        case .fileTooLarge: CauseFacts(.bodyTooLarge, hint: "Raise bytesMax of the FileDestination.")
        case .fileExists: CauseFacts(.fileNotWritten, hint: "Choose another path, or allow that the file is replaced.")
        case .fileNotWritten: CauseFacts(.fileNotWritten)
        case .fileNotRegular: CauseFacts(.fileNotWritten, hint: Self.fileNotRegularHint)
        case .fileInUse: CauseFacts(.fileInUse)
        case .diskFull: CauseFacts(.diskFull)
        case .digestMismatch: CauseFacts(.digestMismatch)
        case .digestMalformed:
            CauseFacts(.digestMismatch, hint: "Write the digest in hexadecimal, as the service publishes it.")
        case .digestUnavailable:
            CauseFacts(.digestMismatch, hint: "See context.underlyingError: the system has no such digest.")
        }
    }
}

extension FileCause {
    private static let fileNotRegularHint =
        "Give the path of a regular file, or of none; for a device or a pipe, read the response as a stream."
}

extension FailureReason {
    /// The file does not have its digest: the one that the service has sent, or the one that was expected.
    public static let digestMismatch = FailureReason(
        .transport,
        "digestMismatch",
        "The downloaded file could not be verified.",
        "Try again. If this happens again, report it to the service.",
        hint: "Compare the expected digest with the one that the service publishes.",
    )
    /// The response can't be written to its file.
    public static let fileNotWritten = FailureReason(
        .other,
        "fileNotWritten",
        "The file could not be written.",
        "Check the folder and its permissions, then try again.",
        hint: "The reason has the system's error. The folder must exist.",
    )
    /// Another call, perhaps of another process, already downloads to the same file.
    public static let fileInUse = FailureReason(
        .other,
        "fileInUse",
        "Another download to this file is still running.",
        "Wait until it has ended, then try again.",
        hint: "Choose another destination, or wait for the other call: it may be that of another process.",
        isOfUnsentRequest: true,
    )
    /// There is not enough room on the disk for the response's file, or a quota or the file system limits its size.
    public static let diskFull = FailureReason(
        .limit,
        "diskFull",
        "There is not enough room on the disk for the file.",
        "Free some space, then try again.",
        hint: "Choose a destination on another disk, or a smaller file.",
    )
}
