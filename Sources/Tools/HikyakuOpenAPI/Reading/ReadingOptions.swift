/// How a document is read, and how much of it.
package struct ReadingOptions: Sendable {
    /// The text of a file by its path or URL.
    package typealias Loader = @Sendable (_ path: String) throws -> [UInt8]

    /// Paths of overlays, applied in this order.
    package var overlays: [String] = []
    /// Loads files; `nil` for those on disk.
    package var loader: Loader?
    /// Loads documents that a URL refers to; `nil` if no URL may be loaded.
    package var urlLoader: Loader?
    /// Why no URL may be loaded, for diagnostics.
    package var urlRefusal = "URLs are not loaded"
    package var limits = ReadingLimits()
    /// Is called with the path of each file before it is read, to show progress.
    package var willRead: (@Sendable (_ path: String) -> Void)?

    package init() {}
}

/// Why a loader has no text for a path or URL.
package struct LoadingFailure: Error, Sendable {
    /// One line for people: "the server answered 404".
    package var reason: String

    package init(_ reason: String) {
        self.reason = reason
    }
}

/// Limits that protect from documents that were made to use up memory and time.
package struct ReadingLimits: Sendable {
    /// The size of a file in bytes.
    package var fileBytesMax = 64 << 20
    /// The size of all files together.
    package var bytesMax = 256 << 20
    package var filesMax = 20_000
    /// Nested arrays and objects, in a file and after references.
    package var depthMax = 200
    /// The values of a file, with those that aliases repeat.
    package var nodesMax = 8_000_000
    /// The values that aliases may repeat in a small file, and how many more for each value that is written.
    package var repeatedNodesMax = 100_000
    package var repeatedNodesForEach = 10
    /// The diagnostics that are kept; others are only counted.
    package var diagnosticsMax = 10_000

    package init() {}
}
