import Hikyaku
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A file that is uploaded in parts, as the IETF's draft of resumable uploads describes; Qiita itself has no uploads.
///
/// The connection breaks once, in the middle of the second part.
nonisolated final class UploadedFile: Sendable {
    private struct State: Sendable {
        var bytes = Data()
        var isCutDue = true
    }

    /// The largest part, as the service announces it.
    static let partBytesMax = 256 * 1024

    private let state = Guarded(State())

    /// The number of bytes that the service has.
    var count: Int { state.withLock(\.bytes.count) }

    /// Begins an upload.
    func create() -> MockAnswer {
        state.withLock { $0 = State() }
        return .status(.created).header(.location, "/api/v2/files/1")
            .header("Upload-Limit", "max-append-size=\(Self.partBytesMax)")
    }

    /// Says how much of the upload the service has.
    func offset() -> MockAnswer {
        .status(.noContent).header("Upload-Offset", "\(count)").header("Upload-Complete", "?0")
    }

    /// Appends a part, or only a half of it before the connection breaks.
    func append(_ request: MockRequest) -> MockAnswer {
        state.withLock { state in
            guard request.headers["Upload-Offset"] == "\(state.bytes.count)" else {
                return .status(.conflict).header("Upload-Offset", "\(state.bytes.count)")
            }
            if !state.bytes.isEmpty, state.isCutDue {
                state.isCutDue = false
                state.bytes += request.body.prefix(request.body.count / 2)
                return .raw([.reset])
            }
            state.bytes += request.body
            let isLast = request.headers["Upload-Complete"] == "?1"
            return .status(.noContent).header("Upload-Complete", isLast ? "?1" : "?0")
        }
    }
}
