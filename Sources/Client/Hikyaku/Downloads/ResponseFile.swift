public import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file with the body of a response.
///
/// A temporary file is removed when the last reference to it is released, unless it was moved.
public final class ResponseFile: Sendable {
    private struct Place: Sendable {
        var path: String
        var isTemporary: Bool
    }

    private let place: Lock<Place>
    /// The body's size in bytes.
    public let count: Int
    /// The content coding that the bytes of the file have, such as `gzip`; `nil` for none.
    ///
    /// A service may send one although the request accepts none, since its archives are compressed by themselves. Such
    /// a body is stored as it came, so that its digest is the one that the service publishes.
    public let contentCoding: String?

    init(path: String, isTemporary: Bool, count: Int, contentCoding: String? = nil) {
        place = Lock(Place(path: path, isTemporary: isTemporary))
        (self.count, self.contentCoding) = (count, contentCoding)
    }

    /// A file that is there, for a stub of a ``FileRequest``.
    ///
    /// ```swift
    /// let preview = client.stubbing(Shop.Export.self) { _ in try ResponseFile(at: "/fixtures/menu.csv") }
    /// ```
    /// - Parameter path: The path of the file, which stays.
    /// - Throws: ``TransportError`` with ``FailureReason/body`` if there is no regular file that can be read.
    public convenience init(at path: String) throws(TransportError) {
        self.init(path: path, isTemporary: false, count: try HTTPBody.file(at: path).count ?? 0)
    }

    deinit {
        let place = place.withLock { $0 }
        if place.isTemporary { unsafe unlink(place.path) }
    }

    /// The path of the file.
    public var path: String { place.withLock { $0.path } }
    /// Whether the file is removed when the last reference is released.
    package var isTemporary: Bool { place.withLock { $0.isTemporary } }

    /// Moves the file to a permanent path; an existing file is replaced atomically.
    ///
    /// - Parameter path: The new path, on the same volume, as for
    ///   ``FileDestination/file(at:bytesMax:digest:)-(String,_,_)``; its folder must exist.
    /// - Throws: ``TransportError`` with ``FailureReason/fileNotWritten``; the file then keeps its old path.
    public func move(to path: String) throws(TransportError) {
        if let problem = FileTarget.problem(at: path) {
            throw FileCause.fileNotWritten.error("the file can't be moved: the new path \(problem)")
        }
        let code: Int32 = place.withLock { place in
            let code = FileTarget.rename(place.path, to: path)
            if code == 0 { place = Place(path: path, isTemporary: false) }
            return code
        }
        guard code == 0 else {
            throw FileCause.fileNotWritten.error("the file can't be moved: \(SystemErrors.text(of: code))")
        }
    }

    /// Moves the file to a permanent place by its URL: see ``move(to:)-(String)``.
    public func move(to url: URL) throws(TransportError) { try move(to: url.filePath) }
}

extension ResponseFile: Redacted {
    /// The path and the size.
    public var description: String { "\(path), \(count) bytes" }
}
