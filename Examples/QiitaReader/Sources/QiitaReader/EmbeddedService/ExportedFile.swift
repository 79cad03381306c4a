import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// All articles as one file, of which a client can request a part (RFC 9110, section 14).
nonisolated final class ExportedFile: Sendable {
    private static let tag = "\"export-1\""

    private let cutsNext = Guarded(false)

    /// Cuts the connection in the middle of the next answer.
    func cutNext() { cutsNext.withLock { $0 = true } }

    func answer(to request: MockRequest, _ articles: [Article]) -> MockAnswer {
        let lines = ["id,likes"] + articles.map { "\($0.id),\($0.likes)" }
        let file = Data(lines.joined(separator: "\n").utf8)
        let wanted = request.headers["If-Range"] == Self.tag ? request.headers["Range"] : nil
        let first = wanted.flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
        guard first < file.count else { return .status(.init(416)) }
        let isCut = cutsNext.withLock { cuts in
            defer { cuts = false }
            return cuts
        }
        let part = file[first...]
        let status = first > 0 ? "206 Partial Content" : "200 OK"
        let range = first > 0 ? "Content-Range: bytes \(first)-\(file.count - 1)/\(file.count)\r\n" : ""
        let head = "HTTP/1.1 \(status)\r\nETag: \(Self.tag)\r\n\(range)Content-Length: \(part.count)\r\n\r\n"
        return .raw([.write(head), .write(isCut ? part.prefix(file.count / 2) : part)] + (isCut ? [.close] : []))
    }
}
