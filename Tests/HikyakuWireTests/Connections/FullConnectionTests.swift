#if os(Linux)
import Foundation
import HikyakuBase
import HikyakuHTTP
import HikyakuWire
import TestSupport
import Testing

/// A kept connection that is still full of requests that were answered before the server read them.
@Suite(.timeLimit(.minutes(4)))
struct FullConnectionTests {
    /// What a connection took until it was full.
    private struct Filling {
        /// The lengths of the bodies of the requests that went out as wholes.
        var counts: [Int] = []
        /// How many bytes of the next one's body went out; `nil` where not even its head did.
        var rest: Int? = 30_000
    }

    /// What isn't sent at once counts from when it was to be sent: it isn't no data for ever.
    @Test func aConnectionThatTakesNothingYetIsWaitedFor() async throws {
        var filling = Filling()
        // The last request of the next try ends where the connection is full, so that a further one waits as a whole.
        for _ in 0..<20 where filling.rest != nil { filling = try await fill(filling) }
        #expect(filling.rest == nil)
    }

    /// Sends requests as they were sent before, and more, until one waits for the server to read.
    private func fill(_ last: Filling) async throws -> Filling {
        let server = try DeafServer()
        defer { server.stop() }
        let transport = WireTransport()
        let planned = last.counts + [last.rest ?? 0]
        var filling = Filling()
        while filling.counts.count < 1000 {
            let number = filling.counts.count
            let bodyCount = number < planned.count ? planned[number] : 30_000
            // So that all header blocks have the same length.
            let pad = String(repeating: "x", count: 9 - "\(bodyCount)".count)
            let body = HTTPBody(Data(count: bodyCount))
            let request = HTTPRequest(method: .post, url: try server.url, headers: ["X-Pad": pad], body: body)
            let listener = Listener()
            let task = Task {
                try await transport.send(request, options: TransportOptions(observer: listener)).text()
            }
            #expect(try await holds { listener.words.contains { $0.hasPrefix("ready") } })
            let isSent = try await holds(within: .milliseconds(500)) {
                listener.words.contains { $0 == "requestSent" || $0.hasPrefix("ended") }
            }
            guard !isSent else {
                server.answer()
                #expect(try await task.value == "hi")
                filling.counts.append(bodyCount)
                continue
            }
            let sent = listener.words.last { $0.hasPrefix("bytesSent") }?.split(separator: " ")[1]
            filling.rest = sent.flatMap { Int($0) }
            server.read()
            #expect(try await holds { listener.words.contains("requestSent") })
            server.answer()
            #expect(try await task.value == "hi")
            return filling
        }
        Issue.record("the connection took all requests")
        return filling
    }
}

/// Reads one request's head over its first connection, and no more until a test calls for it; it responds on demand
/// too.
private final class DeafServer {
    private enum Step {
        case answer, read, stop
    }

    private let server: ByteServer
    private let steps: Lock<[Step]>
    private let hasStep: DispatchSemaphore

    init() throws {
        let (steps, hasStep) = (Lock<[Step]>([]), DispatchSemaphore(value: 0))
        server = try ByteServer { connection in
            _ = connection.readHead()
            let isDrained = DispatchSemaphore(value: 0)
            var isRead = false
            while true {
                hasStep.wait()
                switch steps.withLock({ $0.removeFirst() }) {
                case .answer: connection.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
                case .read:
                    isRead = true
                    Thread.detachNewThread {
                        connection.drain()
                        isDrained.signal()
                    }
                case .stop:
                    // The descriptor's number may be another socket's afterwards.
                    if isRead { isDrained.wait() }
                    return
                }
            }
        }
        (self.steps, self.hasStep) = (steps, hasStep)
    }

    var url: URL { get throws { try server.url } }

    func answer() { perform(.answer) }
    func read() { perform(.read) }

    func stop() {
        server.stop()
        perform(.stop)
    }

    private func perform(_ step: Step) {
        steps.withLock { $0.append(step) }
        hasStep.signal()
    }
}
#endif
