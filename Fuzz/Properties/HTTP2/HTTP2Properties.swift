#if os(Linux)
import Foundation

@testable import HikyakuHTTP
@testable import HikyakuWire

/// Reads what a server may send over HTTP/2, at once and in pieces, while four requests wait.
func checkHTTP2(_ input: FuzzInput) {
    // So that most inputs begin as a connection does.
    let greeting: [UInt8] = input.choices[3] & 1 == 0 ? [0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 4, 1, 0, 0, 0, 0] : []
    let bytes = greeting + input.document
    let whole = Reading(bytes, input, size: bytes.count)
    let parts = Reading(bytes, input, size: Int(input.choices[0] % 40) + 1)
    // A slow reader gives bytes back later or earlier, so that windows are exceeded in one way and not in the other.
    // The same holds for the server's window where the output is full until it is written.
    let mayDiffer = input.choices[1] & 3 != 0
    check(mayDiffer || whole.streams == parts.streams, "cut elsewhere: \(whole.streams) and \(parts.streams)")
}

/// What a session makes of the bytes.
private struct Reading {
    /// What was reported of each stream, with the lengths of the bodies.
    private(set) var streams: [Int32: [String]] = [:]
    private var bodyBytes: [Int32: Int] = [:]
    private var lengths: [Int32: Int] = [:]
    private var ended: Set<Int32> = []

    init(_ bytes: [UInt8], _ input: FuzzInput, size: Int) {
        let readsSlowly = input.choices[1] & 1 != 0
        var limits = HTTP2Limits()
        limits.headerBytesMax = 1000
        limits.headerFieldsMax = 20
        limits.continuationsMax = 10
        // What is read at once may exceed a small window, which is given back in between when it comes in pieces.
        limits.streamWindow = readsSlowly ? 300 : 5000
        limits.connectionWindow = 70_000
        limits.unreadBytesMax = 500
        limits.idleFramesMax = 100
        if input.choices[1] & 2 == 0 { limits.outputBytesMax = 1 << 20 }
        guard let session = try? HTTP2Session(limits) else {
            violation("no session")
            return
        }
        _ = session.flush { $0.count }
        for number in 0..<4 {
            var request = HTTPRequest(method: number == 2 ? .head : .post, urlText: "https://a/", headers: [:])
            if number == 1 { request.body = HTTPBody(AsyncStream { $0.finish() }) }
            if number == 3 { request.body = HTTPBody(Data(count: 70_000)) }
            let (url, holdsBack) = (RequestURL(request.urlText), number % 2 == 0 && readsSlowly)
            guard let id = try? session.open(request, url, holdsBack: holdsBack) else {
                violation("no stream")
                return
            }
            streams[id] = []
            // All that is sent without an answer goes out first: what the server allows afterwards is used as it comes.
            _ = session.flush { $0.count }
            while let event = session.nextEvent() { note(event, session) }
            _ = session.flush { $0.count }
        }
        var position = 0
        while position < bytes.count {
            let end = min(position + max(size, 1), bytes.count)
            // In memory of their own, so that reading on is found.
            let piece = UnsafeMutableRawBufferPointer.allocate(byteCount: end - position, alignment: 1)
            piece.copyBytes(from: bytes[position..<end])
            session.receive(UnsafeRawBufferPointer(piece), at: 0) { note($0, session) }
            piece.deallocate()
            position = end
            _ = session.flush { $0.count }
            while let event = session.nextEvent() { note(event, session) }
        }
        session.connectionEnded()
        while let event = session.nextEvent() { note(event, session) }
        check(session.isIdle && session.isOver && ended == Set(streams.keys), "a stream has no end")
        check(session.capacity == 0, "a request would be taken behind the end")
    }

    private mutating func note(_ event: HTTP2Event, _ session: HTTP2Session) {
        switch event {
        case .informational(let id, let status):
            note("\(status)", id)
            check(100..<200 ~= status, "no informational status")
        case .head(let id, let head):
            note("\(head.status) \(head.headers.map { "\($0.name.rawName): \($0.value)" })", id)
            check(0...999 ~= head.status && !(100..<200 ~= head.status), "no final status")
            check(
                head.headers.allSatisfy { $0.name.rawName.isHTTPToken && !$0.value.utf8.contains(0x0A) },
                "a field is none",
            )
            lengths[id] = head.contentLength
            bodyBytes[id] = 0
        case .body(let id, let bytes):
            check(bodyBytes[id] != nil && !ended.contains(id), "a body comes at the wrong time")
            bodyBytes[id, default: 0] += bytes.count
            // Touches each byte, which must be there.
            _ = bytes.reduce(0) { $0 ^ $1 }
            session.read(bytes.count / 2, on: id)
        case .ended(let id, _):
            note("ended with \(bodyBytes[id] ?? -1)", id)
            check(bodyBytes[id] != nil, "a response without a head is whole")
            check(lengths[id].map { $0 == bodyBytes[id] } ?? true, "a body of another length is whole")
            end(id)
        case .failed(let id, let failure):
            note("failed: \(failure.error.reason)", id)
            end(id)
        case .wantsBody(let id): session.send(Data(count: 5), isLast: true, on: id)
        case .sent, .capacityChanged, .draining: return
        case .broken(let error): check(error.reason == .malformedResponse, "\(error)")
        }
    }

    private mutating func note(_ text: String, _ id: Int32) {
        check(streams[id] != nil && !ended.contains(id), "something follows the end: \(text)")
        streams[id]?.append(text)
    }

    private mutating func end(_ id: Int32) {
        check(ended.insert(id).inserted, "a stream ends twice")
    }
}
#endif
