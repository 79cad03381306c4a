import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import Testing

/// A folder that goes with the test.
final class TestFolder: Sendable {
    let path = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)/").path()

    init() throws {
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    var names: [String] { get throws { try FileManager.default.contentsOfDirectory(atPath: path).sorted() } }

    func contents(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: path + name)) }

    func write(_ bytes: Data, to name: String) throws { try bytes.write(to: URL(filePath: path + name)) }

    /// The name of the only draft.
    var draft: String { get throws { try #require(names.first { $0.hasSuffix(".part") }) } }
}

/// A service of one file that knows ranges (RFC 9110, section 14), and is changed and broken by the test.
final class RangeServer: Sendable {
    struct State: Sendable {
        var content: Data
        var fields: HTTPHeaders = ["ETag": "\"v1\""]
        /// After how many bytes of the body each response is cut, in order; `nil` for none.
        var cuts: [Int?] = []
        var isChunked = false
        var knowsRanges = true
        /// Changes a head before it is sent.
        var change: (@Sendable (inout HTTPStatus, inout HTTPHeaders, inout Data) -> Void)?
    }

    let server: MockServer
    let state: Lock<State>

    init(_ content: Data) throws {
        let state = Lock(State(content: content))
        self.state = state
        server = try MockServer { Self.answer($0, state) }
    }

    deinit { server.stop() }

    /// The first bytes of the ranges that were requested, in order; `nil` for the whole file.
    var offsets: [Int?] {
        server.requests.map { $0.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } }
    }

    private static func answer(_ request: MockRequest, _ shared: Lock<State>) -> MockAnswer {
        let (state, cut) = shared.withLock { state in (state, state.cuts.isEmpty ? nil : state.cuts.removeFirst()) }
        var (status, fields, body) = (HTTPStatus.ok, state.fields, state.content)
        let size = state.content.count
        let condition = request.headers["If-Range"]
        let isSame = condition == nil || condition == fields["ETag"] || condition == fields["Last-Modified"]
        if state.knowsRanges, isSame, let range = request.headers["Range"],
            let first = Int(range.dropFirst("bytes=".count).dropLast())
        {
            if first < size {
                (status, body) = (206, Data(body[first...]))
                fields["Content-Range"] = "bytes \(first)-\(size - 1)/\(size)"
            } else {
                (status, body) = (416, Data())
                fields["Content-Range"] = "bytes */\(size)"
            }
        }
        state.change?(&status, &fields, &body)
        var head = "HTTP/1.1 \(status.code) X\r\n"
        for field in fields { head += "\(field.name): \(field.value)\r\n" }
        head += state.isChunked ? "Transfer-Encoding: chunked\r\n\r\n" : "Content-Length: \(body.count)\r\n\r\n"
        let sent = body.prefix(cut ?? .max)
        var steps: [MockStep] = [.write(head)]
        if state.isChunked {
            if !sent.isEmpty {
                steps += [.write("\(String(sent.count, radix: 16))\r\n"), .write(sent), .write("\r\n")]
            }
            if cut == nil { steps.append(.write("0\r\n\r\n")) }
        } else {
            steps.append(.write(sent))
        }
        if cut != nil { steps.append(.close) }
        return .raw(steps)
    }
}

/// A request for the server's file.
struct ServedFile: FileRequest {
    var environment: APIEnvironment
    var path: RequestPath { "/file" }
    var headers: HTTPHeaders = [:]
    var destination: FileDestination

    init(from server: RangeServer, to destination: FileDestination, headers: HTTPHeaders = [:]) {
        environment = APIEnvironment(baseURL: server.server.baseURL)
        self.destination = destination
        self.headers = headers
    }
}
