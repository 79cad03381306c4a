import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import Testing

/// A server of the draft of resumable uploads, which cuts connections, and breaks one rule if a test chooses one.
final class DraftServer: Sendable {
    /// A rule that the server breaks.
    enum Defect: CaseIterable {
        case noLocation, malformedLocation, otherScheme, hostWithADot
        case lessThanBefore, moreThanTheBody, noOffset, textAsOffset, fraction, negative, twoOffsets, noComplete
        case otherLength, completeTooEarly, neverMoves, endlessMismatch, otherLengthProblem
    }

    struct State: Sendable {
        var stored = Data()
        /// The length of the last creation.
        var length = "16"
        var exists = false
        var isComplete = false
        /// How many bytes the upload has when the connection is reset; each is used once.
        var cuts: [Int] = []
        /// Whether the connection is reset after the last part instead of the response.
        var losesResponse = false
        var defect: Defect?
        var partBytesMax: Int?
        /// How many parts are rejected with 401 after the first.
        var rejectedParts = 0
        /// The status of the next responses, instead of what they would be.
        var statuses: [Int] = []
        /// Method, offset and count of each request that was processed.
        var log: [String] = []
        var headersOfCreation: HTTPHeaders = [:]
        var headersOfParts: [HTTPHeaders] = []
        var violations: [String] = []
    }

    static let version = "8"

    let state: Lock<State>
    let mock: MockServer
    /// Where uploads are, if not here.
    let uploadsURL: String

    init(_ state: State = State(), uploadsURL: String = "") throws {
        let shared = Lock(state)
        self.state = shared
        self.uploadsURL = uploadsURL
        mock = try MockServer { request in
            shared.withLock { Self.answer(request, &$0, uploadsURL) }
        }
    }

    deinit {
        mock.stop()
    }

    var stored: Data { state.withLock(\.stored) }
    var log: [String] { state.withLock(\.log) }

    private static func answer(_ request: MockRequest, _ state: inout State, _ uploadsURL: String) -> MockAnswer {
        let version = request.headers["Upload-Draft-Interop-Version"]
        if version != Self.version { state.violations.append("interop version \(version ?? "none")") }
        if !state.statuses.isEmpty {
            let status = state.statuses.removeFirst()
            state.log.append("\(request.method) → \(status)")
            return .status(HTTPStatus(status))
        }
        switch request.method {
        case .post: return create(request, &state, uploadsURL)
        case .head: return retrieve(&state)
        case .patch: return append(request, &state)
        case .delete:
            state.log.append("DELETE")
            state.exists = false
            return .status(.noContent)
        default: return .status(405)
        }
    }

    private static func create(_ request: MockRequest, _ state: inout State, _ uploadsURL: String) -> MockAnswer {
        state.headersOfCreation = request.headers
        if !request.body.isEmpty { state.violations.append("a creation with content") }
        if request.headers["Upload-Complete"] != "?0" { state.violations.append("a creation that is complete") }
        state.log.append("POST \(request.headers["Upload-Length"] ?? "")")
        (state.exists, state.isComplete, state.stored) = (true, false, Data())
        state.length = request.headers["Upload-Length"] ?? "none"
        var answer = MockAnswer.status(201)
        switch state.defect {
        case .noLocation: break
        case .malformedLocation: answer.headers[.location] = "http://[::1"
        case .hostWithADot: answer.headers[.location] = "http://.a.example/u"
        case .otherScheme: answer.headers[.location] = "ftp://a.example/u"
        default: answer.headers[.location] = uploadsURL + "/uploads/7f3a9hunter2"
        }
        if let count = state.partBytesMax {
            answer.headers["Upload-Limit"] = "max-append-size=\(count), max-age=9, new=?1"
        }
        return answer
    }

    private static func retrieve(_ state: inout State) -> MockAnswer {
        state.log.append("HEAD")
        guard state.exists else { return .status(404) }
        var answer = MockAnswer.status(.noContent)
        answer.headers["Upload-Complete"] = state.isComplete ? "?1" : "?0"
        answer.headers["Upload-Offset"] = String(state.stored.count)
        answer.headers["Upload-Length"] = state.length
        switch state.defect {
        case .lessThanBefore where state.log.count > 4: answer.headers["Upload-Offset"] = "1"
        case .moreThanTheBody: answer.headers["Upload-Offset"] = "17"
        case .noOffset: answer.headers.removeAll { $0.name == "Upload-Offset" }
        case .textAsOffset: answer.headers["Upload-Offset"] = "\"5\""
        case .fraction: answer.headers["Upload-Offset"] = "5.0"
        case .negative: answer.headers["Upload-Offset"] = "-1"
        case .twoOffsets: answer.headers.append("Upload-Offset", "6")
        case .noComplete: answer.headers.removeAll { $0.name == "Upload-Complete" }
        case .otherLength: answer.headers["Upload-Length"] = "15"
        default: break
        }
        return answer
    }

    private static func append(_ request: MockRequest, _ state: inout State) -> MockAnswer {
        state.headersOfParts.append(request.headers)
        guard state.exists else { return .status(404) }
        let offset = Int(request.headers["Upload-Offset"] ?? "")
        state.log.append("PATCH \(offset ?? -1)+\(request.body.count)")
        if request.headers[.contentType] != "application/partial-upload" {
            state.violations.append("a part of the type \(request.headers[.contentType] ?? "none")")
        }
        if state.rejectedParts > 0, !state.stored.isEmpty {
            state.rejectedParts -= 1
            return .status(.unauthorized)
        }
        let isLast = request.headers["Upload-Complete"] == "?1"
        switch state.defect {
        case .neverMoves: return .status(.noContent).header("Upload-Offset", "0").header("Upload-Complete", "?0")
        case .endlessMismatch: return mismatch("0")
        case .completeTooEarly where !isLast: return .status(.ok).header("Upload-Complete", "?1")
        case .otherLengthProblem: return problem("inconsistent-upload-length", 400)
        default: break
        }
        guard !state.isComplete else { return problem("completed-upload", 400) }
        guard offset == state.stored.count else { return mismatch(String(state.stored.count)) }
        let end = state.stored.count + request.body.count
        if let cut = state.cuts.first, state.stored.count...end ~= cut {
            state.cuts.removeFirst()
            state.stored += request.body.prefix(cut - state.stored.count)
            return .raw([.reset])
        }
        state.stored += request.body
        guard isLast else { return .status(.noContent).header("Upload-Complete", "?0") }
        state.isComplete = true
        if state.losesResponse { return .raw([.reset]) }
        return .json(#"{"id": 1, "name": "Ramen"}"#).header("Upload-Complete", "?1")
    }

    private static func mismatch(_ offset: String) -> MockAnswer {
        problem("mismatching-upload-offset", 409).header("Upload-Offset", offset)
    }

    private static func problem(_ kind: String, _ status: HTTPStatus) -> MockAnswer {
        var answer = MockAnswer.json(#"{"type": "https://iana.org/assignments/http-problem-types#\#(kind)"}"#)
        answer.status = status
        answer.headers[.contentType] = "application/problem+json"
        return answer
    }
}

/// A request that uploads a body, and gets a dish.
struct VideoUpload: APIRequest {
    typealias Response = Dish
    typealias Access = AuthorizedIfPossible
    var environment: APIEnvironment
    var body: RequestBody?
    var method: HTTPMethod { .post }
    var path: RequestPath { "/videos" }
    var headers: HTTPHeaders { ["X-Own": "1", "If-Match": "\"1\"", "Accept-Language": "ja"] }
    var idempotencyKey: IdempotencyKey { .random }
}

/// The same, without an interest in the response.
struct SilentUpload: APIRequest {
    typealias Response = Void
    var environment: APIEnvironment
    var body: RequestBody?
    var method: HTTPMethod { .post }
    var path: RequestPath { "/videos" }
}

/// The uploads that a call has saved.
final class SavedUploads: Sendable {
    private let entries = Lock<[SavedUpload?]>([])

    var all: [SavedUpload?] { entries.withLock(\.self) }
    var latest: SavedUpload? { all.last ?? nil }

    @Sendable func save(_ upload: SavedUpload?) {
        entries.withLock { $0.append(upload) }
    }
}
