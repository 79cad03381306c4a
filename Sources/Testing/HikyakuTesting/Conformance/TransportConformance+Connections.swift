import Hikyaku
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance {
    /// How connections are reused, closed and shared.
    static let connections: [Check] = [
        check("connections.keptOpen", "RFC 9112, section 9.3: persistence") { wire in
            wire.server.route(.post, "/") { _ in MockAnswer().chunked(["o", "k"]) }
            for method in [HTTPMethod.get, .post, .head, .get] { try await wire.send(method) }
            try expect(try await wire.text(streams: true), is: "ok", "the streamed body")
            try await wire.send()
            try expect(wire.server.connectionCount, is: 1, "the number of connections for six requests")
        },
        check("connections.close", "RFC 9112, section 9.6: Connection: close ends the connection") { wire in
            wire.server.enqueue(.text("1").closingConnection(), .text("2"))
            try expect([try await wire.text(), try await wire.text()], is: ["1", "2"], "the bodies")
        },
        check("connections.strayBytes", "RFC 9112, section 6.3: bytes after a response are not a response") { wire in
            let stray = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok" + stray)]), .text("own"))
            try expect(try await wire.text(), is: "ok", "the first body")
            try expect(try await wire.text(), is: "own", "the second body")
        },
        check("connections.strayBody", "RFC 9112, section 6.3: a 204 ends with its header block") { wire in
            wire.server.enqueue(.raw([.write("HTTP/1.1 204 No Content\r\n\r\nhello")]), .text("own"))
            try expect(try await wire.send().status, is: .noContent, "the status")
            try expect(try await wire.text(), is: "own", "the next body")
        },
        check("connections.closedWhileKept", "RFC 9112, section 9.3.1: the caller doesn't notice it") { wire in
            for _ in 0..<5 {
                wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"), .close]))
                try expect(try await wire.text(), is: "ok", "the body")
                try await wire.server.waitForOpenConnections(0)
            }
        },
        check("connections.deadIsRetried", "RFC 9110, section 9.2.2: idempotent requests are sent again") { wire in
            wire.server.enqueue(.text("1"), .raw([.close]), .text("2"))
            try expect([try await wire.text(), try await wire.text()], is: ["1", "2"], "the bodies")
            try expect(wire.server.requests.count, is: 3, "the number of requests")
        },
        check("connections.deadIsRetriedOnce", "contract: one attempt is sent at most twice") { wire in
            wire.server.enqueue(.text("1"), .raw([.close]), .raw([.close]), .raw([.close]), .raw([.close]))
            try await wire.send()
            _ = try await failure { try await wire.send() }
            try expect(wire.server.requests.count <= 3, "two sendings", found: "\(wire.server.requests.count - 1)")
        },
        check("connections.deadIsNotRetriedForPost", "RFC 9110, section 9.2.2: other requests aren't sent again") {
            wire in
            wire.server.enqueue(.text("1"), .raw([.close]), .text("2"))
            try await wire.send()
            _ = try await failure { try await wire.send(.post, body: "x") }
            try expect(wire.server.requests.count, is: 2, "the number of requests")
        },
        check("connections.newIsNotRetried", "contract: a request on a new connection isn't sent again") { wire in
            wire.server.enqueue(.raw([.close]), .text("2"))
            _ = try await failure { try await wire.send() }
            try expect(wire.server.requests.count, is: 1, "the number of requests")
        },
        check("connections.refused", "contract: a failure has the most exact reason") { wire in
            let request = try wire.request()
            wire.server.stop()
            try await expectFailure([.connectionRefused]) { try await wire.transport.send(request, options: .init()) }
        },
        check("connections.manyAtOnce", "contract: send is called concurrently") { wire in
            wire.server.route(.get, "/items/:id") { request in
                .text(request.parameters["id"] ?? "").delayed(by: .milliseconds(20))
            }
            let texts = try await withThrowingTaskGroup(of: (Int, String).self) { group in
                for id in 0..<64 {
                    group.addTask { (id, try await wire.text(.get, "/items/\(id)", streams: id % 2 == 0)) }
                }
                return try await group.reduce(into: [Int: String]()) { $0[$1.0] = $1.1 }
            }
            let wrong = texts.filter { "\($0.key)" != $0.value }
            try expect(texts.count == 64 && wrong.isEmpty, "to each its own answer", found: "\(wrong)")
        },
    ]

    /// How a request is cancelled.
    static let cancellation: [Check] = [
        check("cancel.before", "contract: a cancelled task sends nothing") { wire in
            let call = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return try await wire.send()
            }
            try await expectCancellation { try await call.value }
            try expect(wire.server.requests.count, is: 0, "the number of requests")
        },
        check("cancel.waiting", "contract: a cancelled call ends soon, and its connection is reused or closed") {
            wire in
            wire.server.enqueue(.raw([.stall]))
            try await wire.expectCancellation(of: try await wire.start())
        },
        check("cancel.inBody", "contract: a cancelled call ends soon, and its connection is reused or closed") { wire in
            wire.server.enqueue(.raw([.write(halfBody), .stall]))
            try await wire.expectCancellation(of: try await wire.start())
        },
        check("cancel.leavesOthers", "contract: concurrent requests continue") { wire in
            wire.server.route(.get, "/stalls") { _ in .raw([.stall]) }
            wire.server.route(.get, "/answers") { _ in .text("ok").delayed(by: .milliseconds(50)) }
            let doomed = try await wire.start(.get, "/stalls")
            let call = try await wire.start(.get, "/answers")
            doomed.cancel()
            try expect(try await call.value.body.collect() == Data("ok".utf8), "the other's answer")
            try await expectCancellation { try await doomed.value }
        },
        check("cancel.anyMoment", "contract: cancelling is safe at any moment") { wire in
            wire.server.route(.get, "/moved") { _ in .text("moved", status: 302).header(.location, "/plain") }
            wire.server.route(.get, "/large") { _ in .bytes(Data(count: 200_000)) }
            let paths = ["/plain", "/moved", "/large"]
            await withTaskGroup(of: Void.self) { group in
                for index in 0..<300 {
                    if index >= 16 { await group.next() }
                    group.addTask {
                        let call = Task { try await wire.text(.get, paths[index % 3], streams: index % 2 == 0) }
                        // Each cancellation comes at a different moment. Beside other work, many yields take seconds.
                        let moment = index * 7919 % 300
                        for _ in 0..<min(moment, 8) { await Task.yield() }
                        if moment > 8 { try? await Task.sleep(for: .microseconds(10 * moment)) }
                        call.cancel()
                        _ = await call.result
                    }
                }
            }
            try expect(try await wire.text(.get, "/plain"), is: "ok", "the answer to the one that follows")
        },
    ]

    /// How a transport is shut down.
    static let shutdown: [Check] = [
        check("shutdown.waits", "contract: waits for the requests in flight") { wire in
            wire.server.enqueue(.text("late").delayed(by: .milliseconds(100)))
            let call = try await wire.start()
            await wire.transport.shutdown(within: .seconds(30))
            try expect(try await call.value.body.collect() == Data("late".utf8), "the answer")
        },
        check("shutdown.endsAfterGrace", "contract: ends the remaining requests after the grace") { wire in
            wire.server.enqueue(.raw([.stall]))
            let call = try await wire.start()
            try await wire.expectShutdownEnds { try await call.value }
        },
        check("shutdown.refuses", "contract: later requests throw shutDown, however often it is called") { wire in
            try await wire.send()
            // An extreme grace period must not trap.
            await wire.transport.shutdown(within: .seconds(Int64.max))
            await wire.transport.shutdown(within: .seconds(Int64.min))
            try await expectFailure([.shutDown]) { try await wire.send() }
            try await wire.server.waitForOpenConnections(0)
            try expect(wire.server.requests.count, is: 1, "the number of requests")
        },
        check("shutdown.endsStreams", "contract: a streamed body is in flight until it is read") { wire in
            wire.server.enqueue(.raw([.write(halfBody), .stall]))
            let response = try await wire.send(options: streaming)
            try await wire.expectShutdownEnds { try await response.body.collect() }
        },
    ]
}

extension ConformanceWire {
    /// Shuts the transport down, which ends what is in flight and closes its connection.
    fileprivate func expectShutdownEnds<Value: Sendable>(_ work: () async throws -> Value) async throws {
        try await expectPrompt("the end") { await transport.shutdown(within: .milliseconds(50)) }
        try await expectFailure([.shutDown], of: work)
        try await server.waitForOpenConnections(0)
    }
}
