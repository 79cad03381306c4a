/// Where a response's body goes on the disk, and how much of it may.
public struct FileDestination: Sendable, Hashable {
    /// The most that is written unless a destination says otherwise: 4 GiB, or 2 GiB where `Int` has 32 bits.
    public static let bytesMaxDefault = Int(clamping: 4 << 30 as Int64)

    /// The file's path; `nil` for one in the system's folder for temporary files.
    public let path: String?
    /// The most that is written, in bytes; a larger body ends the call as ``FailureReason/bodyTooLarge``.
    public let bytesMax: Int

    /// A file in the system's folder for temporary files, which only this user can read and which goes with the last
    /// reference to its ``ResponseFile``.
    public static let temporary = temporary()

    /// A temporary file of a size of one's own: see ``temporary``.
    public static func temporary(bytesMax: Int = bytesMaxDefault) -> FileDestination {
        FileDestination(path: nil, bytesMax: bytesMax)
    }

    /// A file that stays; one that is there is replaced when the whole body has come, and not before.
    ///
    /// - Parameters:
    ///   - path: The file; its folder has to be there.
    ///   - bytesMax: The most that is written, in bytes.
    /// - Returns: The destination.
    public static func file(at path: String, bytesMax: Int = bytesMaxDefault) -> FileDestination {
        FileDestination(path: path, bytesMax: bytesMax)
    }
}
