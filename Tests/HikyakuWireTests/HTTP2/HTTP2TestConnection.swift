#if os(Linux)
import FoundationEssentials
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// What a session has reported, in a form that can be compared; pieces of a body that follow each other are one.
enum Seen: Equatable {
    case informational(Int32, Int)
    case head(Int32, Int, [String])
    case body(Int32, [UInt8])
    case ended(Int32, [String])
    case failed(Int32, FailureReason, HTTP2Failure.Processing)
    case wantsBody(Int32)
    case sent(Int32, Int, Bool)
    case capacityChanged, draining
    case broken(FailureReason)

    init(_ event: HTTP2Event) {
        switch event {
        case .informational(let id, let status): self = .informational(id, status)
        case .head(let id, let head): self = .head(id, head.status, head.headers.lines)
        case .body(let id, let bytes): self = .body(id, Array(bytes))
        case .ended(let id, let trailers): self = .ended(id, trailers.lines)
        case .failed(let id, let failure): self = .failed(id, failure.error.reason, failure.processing)
        case .wantsBody(let id): self = .wantsBody(id)
        case .sent(let id, let count, let isWhole): self = .sent(id, count, isWhole)
        case .capacityChanged: self = .capacityChanged
        case .draining: self = .draining
        case .broken(let error): self = .broken(error.reason)
        }
    }

    var isFailure: Bool { if case .failed = self { true } else { false } }
}

extension HTTPHeaders {
    var lines: [String] { map { "\($0.name.rawName): \($0.value)" } }
}

extension HTTPBody {
    static func whole(_ bytes: Data) -> HTTPBody { HTTPBody(bytes) }
    /// A body that the session gets piece by piece.
    static func pieces(count: Int?) -> HTTPBody { HTTPBody(AsyncStream { $0.finish() }, count: count) }
}

extension HTTP2Session {
    func open(_ request: HTTPRequest, holdsBack: Bool = false) throws(TransportError) -> Int32? {
        try open(request, RequestURL(request.urlText), holdsBack: holdsBack)
    }
}

/// A session, and the other end of its connection, played by a test.
final class TestConnection {
    static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)
    static let ok = [(":status", "200")]

    let session: HTTP2Session
    /// In nanoseconds.
    var now: Int64 = 0
    private(set) var seen: [Seen] = []
    /// The failure of each stream that has failed.
    private(set) var failures: [Int32: HTTP2Failure] = [:]
    /// What the client has sent behind its preface.
    private(set) var frames: [Frame] = []
    private(set) var requests: [Int32: [String]] = [:]
    private var written: [UInt8] = []
    private var rest: ArraySlice<UInt8> = []
    private var hasPreface = false
    private let reader = FieldReader()

    /// Makes a connection over which the settings have been exchanged.
    init(
        _ change: (inout HTTP2Limits) -> Void = { _ in },
        settings: [(UInt16, UInt32)] = [],
        greets: Bool = true,
    ) throws {
        var limits = HTTP2Limits()
        change(&limits)
        session = try HTTP2Session(limits)
        flush()
        if greets { feed(Frame.settings(settings) + Frame.settingsAck) }
    }

    // MARK: - The client

    @discardableResult
    func open(_ method: HTTPMethod = .get, body: HTTPBody? = nil, holdsBack: Bool = false) throws -> Int32 {
        try open(Self.request(method, body: body), holdsBack: holdsBack)
    }

    func open(_ request: HTTPRequest, holdsBack: Bool = false) throws -> Int32 {
        let id = try #require(try session.open(request, holdsBack: holdsBack))
        flush()
        return id
    }

    static func request(
        _ method: HTTPMethod = .get,
        _ headers: HTTPHeaders = [:],
        body: HTTPBody? = nil,
        url: String = "https://api.example/items?page=1",
    ) -> HTTPRequest {
        var request = HTTPRequest(method: method, urlText: url, headers: headers)
        request.body = body
        return request
    }

    func read(_ count: Int, on id: Int32) {
        session.read(count, on: id)
        flush()
    }

    func cancel(_ id: Int32) {
        session.cancel(id)
        flush()
    }

    func send(_ piece: [UInt8], isLast: Bool, on id: Int32) {
        session.send(Data(piece), isLast: isLast, on: id)
        flush()
    }

    // MARK: - The server

    /// Hands bytes to the session, and takes what it has to send.
    func feed(_ bytes: [UInt8]) {
        receive(bytes[...])
        flush()
    }

    /// Hands bytes to the session alone, in memory of their own, so that reading on is found.
    func receive(_ bytes: ArraySlice<UInt8>) {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        copy.copyBytes(from: bytes)
        session.receive(UnsafeRawBufferPointer(copy), at: now) { note($0) }
    }

    /// Takes what the session has to send, `bytesMax` bytes at most.
    @discardableResult
    func flush(upTo bytesMax: Int = .max) -> Bool {
        var left = bytesMax
        let isDone = session.flush { bytes in
            let count = min(left, bytes.count)
            left -= count
            written += bytes.prefix(count)
            return count
        }
        while let event = session.nextEvent() { note(event) }
        readFrames()
        return isDone
    }

    func connectionEnded(_ cause: TransportError? = nil) {
        session.connectionEnded(cause)
        flush()
    }

    private func note(_ event: HTTP2Event) {
        if case .failed(let id, let failure) = event { failures[id] = failure }
        let new = Seen(event)
        if case .body(let id, let bytes) = new, case .body(id, let before)? = seen.last {
            seen[seen.count - 1] = .body(id, before + bytes)
        } else {
            seen.append(new)
        }
    }

    private func readFrames() {
        rest += written
        written = []
        if !hasPreface {
            guard rest.count >= Self.preface.count else { return }
            #expect(rest.starts(with: Self.preface))
            rest = rest.dropFirst(Self.preface.count)
            hasPreface = true
        }
        while let frame = Frame.next(of: &rest) {
            frames.append(frame)
            if frame.type == Frame.Kind.headers { requests[Int32(frame.stream)] = reader.fields(frame.payload) }
        }
        rest = ArraySlice(Array(rest))
    }

    // MARK: - What came of it

    /// What was reported since the last call.
    func takeSeen() -> [Seen] {
        defer { seen = [] }
        return seen
    }

    func takeFrames() -> [Frame] {
        defer { frames = [] }
        return frames
    }

    /// The code of the GOAWAY that the client has sent.
    var goAwayCode: UInt32? { frames.first { $0.type == Frame.Kind.goAway }?.code }

    func resetCode(of id: Int32) -> UInt32? {
        frames.first { $0.type == Frame.Kind.reset && $0.stream == UInt32(id) }?.code
    }

    func bodySent(on id: Int32) -> [UInt8] {
        frames.filter { $0.type == Frame.Kind.data && $0.stream == UInt32(id) }.flatMap(\.payload)
    }

    /// A whole exchange, which must succeed.
    func goodExchange(_ location: SourceLocation = #_sourceLocation) throws {
        let id = try open()
        _ = takeSeen()
        feed(
            Frame.headers(id, Self.ok + [("a", "b")]) + Frame.data(id, Array("hello".utf8))
                + Frame.data(id, [], end: true)
        )
        let expected: [Seen] = [.head(id, 200, ["a: b"]), .body(id, Array("hello".utf8)), .ended(id, [])]
        #expect(takeSeen() == expected, sourceLocation: location)
    }
}
#endif
