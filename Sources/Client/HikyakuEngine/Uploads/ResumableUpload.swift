public import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// How a body is uploaded in parts: ``RequestBody/resumable(by:from:saving:)``.
package struct ResumableUpload: Sendable {
    let uploadProtocol: any UploadProtocol
    let saved: SavedUpload?
    let save: (@Sendable (SavedUpload?) -> Void)?

    package init(
        uploadProtocol: any UploadProtocol,
        saved: SavedUpload?,
        save: (@Sendable (SavedUpload?) -> Void)?,
    ) {
        (self.uploadProtocol, self.saved, self.save) = (uploadProtocol, saved, save)
    }
}

/// An upload that was begun and is not complete, to be continued by a later call: on another day, by another process.
///
/// ```swift
/// let file = URL(filePath: "/var/lib/reader/upload.json")
/// let saved = try? JSONDecoder().decode(SavedUpload.self, from: Data(contentsOf: file))
/// let body = RequestBody.file("/videos/1.mov").resumable(from: saved) { saved in
///     try? JSONEncoder().encode(saved).write(to: file)
/// }
/// ```
/// It prints without its URL, which is a secret: whoever knows it may change the upload.
public struct SavedUpload: Sendable, Hashable, Codable {
    /// The protocol that began it: ``UploadProtocol/name``.
    package let protocolName: String
    /// The URL of the upload.
    package let url: String
    /// The length of the body in bytes; another body can't continue the upload.
    public let length: Int
    /// The media type of the body, with the boundary of a multipart body.
    let type: String?
}

extension SavedUpload: Redacted {
    /// The length only.
    public var description: String { "an upload of \(length) bytes" }
}

extension SavedUpload {
    package static let otherProtocol = UploadCause.savedUpload.error("the saved upload was begun by another protocol")
    package static let unreadable = UploadCause.savedUpload.error("the saved upload has no valid URL")
}
