import Hikyaku
import HikyakuMockServer

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension TransportConformance {
    /// Responses are returned unchanged.
    static let responses: [Check] = [
        check("response.whole", "contract: the response is returned unchanged, whatever its status") { wire in
            for status in [200, 201, 299, 400, 404, 500, 599, 600, 999] {
                wire.server.enqueue(.text("body \(status)", status: HTTPStatus(status)).header("X-Kind", "a  b"))
                let response = try await wire.send()
                try expect(response.status.code, is: status, "the status")
                try expect(response.headers["x-kind"], is: "a  b", "the field")
                try expect(try await response.body.collect() == Data("body \(status)".utf8), "the whole body")
            }
        },
        check("response.headerOrder", "contract: fields keep the order in which they were received") { wire in
            wire.server.enqueue(.status(.ok).header("X-C", "1").header("X-A", "2").header("X-B", "3"))
            let names = try await wire.send().headers.map(\.name).filter { ["X-A", "X-B", "X-C"].contains($0) }
            try expect(names, is: ["X-C", "X-A", "X-B"], "the order")
        },
        check("response.repeatedHeaders", "RFC 9110, section 5.3: repeated fields stay separate, in order") { wire in
            wire.server.enqueue(.status(.ok).header("X-Tag", "a").header("X-Other", "o").header("X-Tag", "b, c"))
            try expect(try await wire.send().headers.values(for: "X-Tag"), is: ["a", "b, c"], "the fields")
        },
        check("response.repeatedSetCookie", "RFC 6265, section 3: Set-Cookie is never joined") { wire in
            let first = "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT"
            wire.server.enqueue(.status(.ok).header(.setCookie, first).header(.setCookie, "b=2; Path=/"))
            let cookies = try await wire.send().headers.values(for: .setCookie)
            try expect(cookies, is: [first, "b=2; Path=/"], "the cookies")
        },
        check("response.foldedHeader", "RFC 9112, section 5.2: a fold is read as spaces") { wire in
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nX-Long: a\r\n  b\r\nContent-Length: 2\r\n\r\nok")]))
            let value = try await wire.send().headers["X-Long"]
            try expect(value?.split(separator: " ").map(String.init), is: ["a", "b"], "the words of the field")
        },
        check("response.nonASCIIHeader", "RFC 9110, section 5.5: other bytes are opaque, and not an error") { wire in
            let head = Data("HTTP/1.1 200 OK\r\nX-UTF8: 飛脚\r\nX-Latin: caf".utf8) + [0xE9]
            wire.server.enqueue(.raw([.write(head + Data("\r\nContent-Length: 2\r\n\r\nok".utf8))]))
            let headers = try await wire.send().headers
            try expect(headers["X-UTF8"], is: "飛脚", "the UTF-8 value")
            try expect(headers["X-Latin"]?.hasPrefix("caf") == true, "the ASCII part of the other value")
        },
        check("response.noReasonPhrase", "RFC 9112, section 4: the reason phrase may be missing") { wire in
            for line in ["HTTP/1.1 200 ", "HTTP/1.1 200"] {
                wire.server.enqueue(.raw([.write("\(line)\r\nContent-Length: 2\r\n\r\nok")]))
                try expect(try await wire.text(), is: "ok", "the body behind \"\(line)\"")
            }
        },
        check("response.informational", "RFC 9110, section 15.2: interim responses are skipped") { wire in
            let interim = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
            wire.server.enqueue(.raw([.write(interim + "HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\nok")]))
            let response = try await wire.send()
            try expect(response.status, is: .created, "the status")
            try expect(!response.headers.contains(.link), "no field of an interim response")
            try expect(try await response.body.collect() == Data("ok".utf8), "the body")
        },
        check("response.chunked", "RFC 9112, section 7.1: chunks, extensions and trailers, split anywhere") { wire in
            let body = "3;a=\"b\"\r\none\r\n00000004\r\n two\r\n6\r\n three\r\n0\r\nX-Trailer: 1\r\n\r\n"
            let answer = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)"
            for pieceBytes in [1, 2, 3, 7, 1000] {
                for streams in [false, true] {
                    wire.server.enqueue(.raw([.write(answer, pieceBytes: pieceBytes)]))
                    let text = try await wire.text(streams: streams)
                    try expect(text, is: "one two three", "the body in pieces of \(pieceBytes)")
                }
            }
        },
        checkTwice("response.untilClose", "RFC 9112, section 6.3: a body without a length ends with the connection") {
            wire,
            streams in
            wire.server.enqueue(.raw([.write("HTTP/1.0 200 OK\r\n\r\none "), .write("two"), .close]))
            try expect(try await wire.text(streams: streams), is: "one two", "the body")
        },
        check("response.sameLengthTwice", "RFC 9110, section 8.6: it is rejected, or counts as one") { wire in
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\nok"), .close]))
            do {
                try expect(try await wire.text(), is: "ok", "the body")
            } catch let error as TransportError {
                try expect(error.reason.phase == .transport, "an error of the transport", found: "\(error)")
            }
        },
        checkTwice("response.large", "contract: only complete responses succeed") { wire, streams in
            let body = pattern(bytes: 16 * 1024 * 1024)
            wire.server.enqueue(.bytes(body))
            let got = try await wire.send(options: TransportOptions(streamsBody: streams)).body.collect()
            try expect(got == body, "all \(body.count) bytes", found: "\(got.count) bytes, or others")
        },
        check("response.contentCoding", "contract: decodesContent says whether content codings are decoded") { wire in
            wire.server.enqueue(.bytes(gzipped).header(.contentEncoding, "gzip"))
            let body = try await wire.send().body.collect()
            try expect(body == (wire.transport.decodesContent ? plain : gzipped), "the body as decodesContent says")
        },
        check("response.cutContentCoding", "contract: a truncated body is never a success") { wire in
            let half = gzipped.dropLast(gzipped.count / 2)
            wire.server.enqueue(.bytes(half).header(.contentEncoding, "gzip"))
            if wire.transport.decodesContent {
                _ = try await failure { try await wire.send() }
            } else {
                try expect(try await wire.send().body.collect() == Data(half), "the body as it was sent")
            }
        },
    ]

    /// Responses without a body, whatever their header fields contain.
    static let bodilessResponses: [Check] = [
        checkTwice("response.head", "RFC 9110, section 9.3.2: a response to HEAD has no body") { wire, streams in
            wire.server.enqueue(.bytes(Data(count: 5000)), .text("own"))
            let options = TransportOptions(bodyBytesMax: 10, streamsBody: streams)
            let response = try await wire.send(.head, options: options)
            try expect(response.headers[.contentLength], is: "5000", "Content-Length")
            try expect(try await response.body.collect().isEmpty, "no body")
            try expect(try await wire.text(), is: "own", "the next body")
        },
        bodiless("noContent", "204 No Content"), bodiless("notModified", "304 Not Modified"),
        check("response.emptyStreamed", "RFC 9112, section 6.3: Content-Length: 0") { wire in
            wire.server.enqueue(.status(.ok))
            let response = try await wire.send(options: TransportOptions(streamsBody: true))
            try expect(try await response.body.collect().isEmpty, "no body")
        },
    ]

    private static func bodiless(_ name: String, _ status: String) -> Check {
        checkTwice("response.\(name)", "RFC 9112, section 6.3: the response ends with its header block") {
            wire,
            streams in
            let head = "HTTP/1.1 \(status)\r\nContent-Length: 5\r\n\r\n"
            wire.server.enqueue(.raw([.write(head)]), .text("own"))
            let response = try await wire.send(options: TransportOptions(streamsBody: streams))
            try expect("\(response.status)", is: status, "the status")
            try expect(try await response.body.collect().isEmpty, "no body")
            try expect(try await wire.text(), is: "own", "the next body")
        }
    }

    /// What a transport must not do: redirects, credentials, cookies, caching.
    static let neutrality: [Check] = [
        check("neutral.redirects", "contract: a transport follows no redirect") { wire in
            for status in [301, 302, 303, 307, 308] {
                wire.server.enqueue(.text("elsewhere", status: HTTPStatus(status)).header(.location, "/new"))
                let response = try await wire.send(.get, "/old")
                try expect(response.status.code, is: status, "the status")
                try expect(response.headers[.location], is: "/new", "Location")
                try expect(try await response.body.collect() == Data("elsewhere".utf8), "the body")
            }
            try expect(Set(wire.server.requests.map(\.path)), is: ["/old"], "the paths that were requested")
        },
        check("neutral.challenges", "contract: a transport adds no credential") { wire in
            let fields: [(Int, HTTPHeaderName)] = [(401, .wwwAuthenticate), (407, "Proxy-Authenticate")]
            for (status, name) in fields {
                for challenge in ["Basic realm=\"r\"", "Bearer", ",,="] {
                    wire.server.enqueue(.text("who?", status: HTTPStatus(status)).header(name, challenge))
                    let response = try await wire.send()
                    try expect(response.status.code, is: status, "the status")
                    try expect(try await response.body.collect() == Data("who?".utf8), "the body")
                }
            }
            try expect(wire.server.requests.count, is: 6, "the number of requests")
            let credentials: [HTTPHeaderName] = [.authorization, "Proxy-Authorization"]
            let names = wire.server.requests.flatMap(\.headers).map(\.name)
            try expect(!names.contains { credentials.contains($0) }, "no credential")
        },
        check("neutral.cookies", "contract: a transport keeps no cookie") { wire in
            wire.server.enqueue(.text("1").header(.setCookie, "session=1; Path=/"), .text("2"))
            try await wire.send()
            try await wire.send()
            try expect(!wire.server.requests.contains { $0.headers.contains(.cookie) }, "no Cookie")
        },
        check("neutral.cache", "contract: a transport keeps no response") { wire in
            let fresh = MockAnswer.text("1").header(.cacheControl, "max-age=600").header(.etag, "\"a\"")
            wire.server.enqueue(fresh, .text("2"))
            try expect([try await wire.text(), try await wire.text()], is: ["1", "2"], "the bodies")
            try expect(!wire.server.requests.contains { $0.headers.contains("If-None-Match") }, "no condition")
        },
    ]

    private static let plain = Data(String(repeating: "hikyaku ", count: 1000).utf8)
    /// ``plain`` as `gzip` writes it.
    private static let gzipped =
        Data(
            base64Encoded: "H4sIAAAAAAACA+3FIREAQAgAsCpfDQeHRnx7grCZZfWPnpe2bdu2bdu2bdu2bR9+ARcOTDdAHwAA"
        ) ?? Data()
}
