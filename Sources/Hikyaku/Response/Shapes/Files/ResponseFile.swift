#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// A file that a response's body was written to.
///
/// A temporary one is removed with the last reference to it, unless it was moved.
public final class ResponseFile: Sendable {
    private struct Place: Sendable {
        var path: String
        var isTemporary: Bool
    }

    private let place: Lock<Place>
    /// The body's size in bytes.
    public let count: Int

    init(path: String, isTemporary: Bool, count: Int) {
        place = Lock(Place(path: path, isTemporary: isTemporary))
        self.count = count
    }

    deinit {
        let place = place.withLock { $0 }
        if place.isTemporary { unlink(place.path) }
    }

    /// Where the file is.
    public var path: String { place.withLock { $0.path } }
    /// Whether the file goes with the last reference.
    public var isTemporary: Bool { place.withLock { $0.isTemporary } }

    /// Moves the file to where it stays; a file that is there is replaced at once.
    ///
    /// - Parameter path: The new place, on the same volume; its folder has to be there.
    /// - Throws: ``TransportError`` with ``FailureReason/fileNotWritten``; the file is then where it was.
    public func move(to path: String) throws(TransportError) {
        let code: Int32 = place.withLock { place in
            guard rename(place.path, path) == 0 else { return errno }
            place = Place(path: path, isTemporary: false)
            return 0
        }
        guard code == 0 else { throw TransportError(.fileNotWritten, "the file can't be moved: errno \(code)") }
    }
}

extension ResponseFile: CustomStringConvertible, CustomReflectable {
    /// The path and the size.
    public var description: String { "\(path), \(count) bytes" }

    /// The path and the size, for `dump` and debuggers.
    public var customMirror: Mirror { Mirror(self, children: ["file": description]) }
}
