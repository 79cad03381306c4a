import HikyakuHTTP

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
