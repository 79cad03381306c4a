import Hikyaku
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance {
    /// Requests are sent unchanged.
    static let requests: [Check] = [
        check("request.line", "RFC 9112, section 3: the target is sent unchanged") { wire in
            try await wire.send(.get, "/a%2Fb/c;d?x=%E9&y=1+2#part")
            let received = try wire.received()
            try expect(received.method, is: .get, "the method")
            try expect(received.target, is: "/a%2Fb/c;d?x=%E9&y=1+2", "the target")
            try expect(received.headers.values(for: .host), is: ["127.0.0.1:\(wire.server.port)"], "Host")
            try expect(received.body.isEmpty, "no body")
        },
        check("request.customMethod", "RFC 9110, section 9.1: methods are case-sensitive tokens") { wire in
            try await wire.send("PURGE")
            try await wire.send("purge")
            try expect(wire.server.requests.map(\.method), is: ["PURGE", "purge"], "the methods")
        },
        check("request.wellKnownMethodInOtherCase", "RFC 9110, section 9.1: get is not GET") { wire in
            try await wire.send("get")
            try expect(try wire.received().method, is: "get", "the method")
        },
        check("request.body", "RFC 9112, section 6.2: a body of known length is sent with Content-Length") { wire in
            let body = pattern(bytes: 100_000)
            let headers: HTTPHeaders = [.contentType: "application/octet-stream"]
            try await wire.send(.post, headers: headers, body: HTTPBody(body))
            let received = try wire.received()
            try expect(received.body == body, "the body as it was given", found: "\(received.body.count) bytes")
            try expect(received.headers.values(for: .contentLength), is: ["100000"], "Content-Length")
        },
        check("request.expectation", "contract: the body follows the consent, or the field is removed") { wire in
            let body = pattern(bytes: 100_000)
            for _ in 0..<2 { try await wire.send(.post, headers: ["Expect": "100-continue"], body: HTTPBody(body)) }
            for received in wire.server.requests {
                try expect(received.body == body, "the body as it was given", found: "\(received.body.count) bytes")
                let isWaitedFor = received.headers[.expect] == "100-continue"
                try expect(isWaitedFor || !received.headers.contains(.expect), "the field, or none")
            }
        },
        check("request.emptyBody", "RFC 9110, section 8.6: a POST without content has Content-Length: 0") { wire in
            try await wire.send(.post, headers: [.contentType: "text/plain"], body: .empty)
            try await wire.send(.post)
            let lengths = wire.server.requests.map { $0.headers.values(for: .contentLength) }
            try expect(lengths, is: [["0"], ["0"]], "Content-Length")
        },
        check("request.bodyWithGet", "RFC 9110, section 9.3.1: GET may carry content by agreement") { wire in
            try await wire.send(.get, headers: [.contentType: "text/plain"], body: "query")
            try expect(try wire.received().bodyText, is: "query", "the body")
        },
        check("request.repeatedHeaders", "RFC 9110, section 5.3: fields of one name keep their order") { wire in
            var headers: HTTPHeaders = ["X-Tag": "a"]
            headers.append("x-tag", "b, c")
            try await wire.send(headers: headers)
            try expect(try wire.received().headers.values(for: "X-Tag"), is: ["a", "b, c"], "the fields")
        },
        check("request.headerOrder", "contract: the request is sent unchanged") { wire in
            try await wire.send(headers: ["X-C": "1", "X-A": "2", "X-B": "3"])
            let names = try wire.received().headers.map(\.name).filter { ["X-A", "X-B", "X-C"].contains($0) }
            try expect(names, is: ["X-C", "X-A", "X-B"], "the order")
        },
        check("request.emptyHeader", "RFC 9110, section 5.5: a value may be empty") { wire in
            try await wire.send(headers: ["X-Empty": ""])
            try expect(try wire.received().headers.values(for: "X-Empty"), is: [""], "the field")
        },
        check("request.nonASCIIHeader", "RFC 9110, section 5.5: other bytes are opaque") { wire in
            try await wire.send(headers: ["X-Name": "飛脚 é"])
            try expect(try wire.received().headers["X-Name"], is: "飛脚 é", "the value")
        },
        check("request.ownHost", "RFC 9110, section 7.2: the Host of the request is sent") { wire in
            try await wire.send(headers: [.host: "shop.example"])
            try expect(try wire.received().headers.values(for: .host), is: ["shop.example"], "Host")
        },
        check("request.addsNothing", "contract: a transport adds Host and framing, and no other field") { wire in
            try await wire.send()
            try await wire.send(.post, body: "x")
            let framing: Set<HTTPHeaderName> = [.host, .contentLength, "Connection"]
            let names = wire.server.requests.flatMap(\.headers).map(\.name).filter { !framing.contains($0) }
            try expect(names.isEmpty, "no field beside Host and Content-Length", found: "\(names)")
        },
    ]

    /// Invalid requests are rejected before a connection is opened.
    static let invalidRequests: [Check] = [
        refusal("header", .header) { $0.headers = ["X-Note": "a\r\nX-Evil: 1"] },
        refusal("headerName", .header) { $0.headers = ["X Note": "a"] },
        refusal("nul", .header) { $0.headers = ["X-Note": "a\0b"] },
        refusal("method", .method) { $0.method = "GET / HTTP/1.1\r\nX:" },
        refusal("connect", .method) { $0.method = "CONNECT" },
        refusal("transferEncoding", .header) { $0.headers = ["Transfer-Encoding": "chunked"] },
        refusal("contentLength", .header) {
            $0.method = .post
            $0.body = "four"
            $0.headers = ["Content-Length": "3"]
        },
        refusal("headWithBody", .body) {
            $0.method = .head
            $0.body = "four"
        },
        refusal("scheme", .url) { $0.url = URL(string: "ftp://127.0.0.1/") ?? $0.url },
        refusal("credentialsInURL", .url) {
            let text = $0.url.absoluteString
            let credentials = "http://user:secret@" + text.dropFirst("http://".count)
            $0.url = URL(string: credentials) ?? $0.url
        },
    ]

    private static func refusal(
        _ name: String,
        _ reason: FailureReason,
        _ spoil: @escaping @Sendable (inout HTTPRequest) -> Void,
    ) -> Check {
        check("refuses.\(name)", "RFC 9112, section 11: a request that would be misread isn't sent") { wire in
            var request = try wire.request()
            spoil(&request)
            try await expectFailure([reason]) { try await wire.transport.send(request, options: TransportOptions()) }
            try expect(wire.server.connectionCount, is: 0, "the number of connections")
        }
    }
}
