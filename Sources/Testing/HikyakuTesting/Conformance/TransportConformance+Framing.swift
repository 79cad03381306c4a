import Hikyaku
import HikyakuMockServer

extension TransportConformance {
    private static let ends = "RFC 9112, section 8: an incomplete message"
    private static let fields = "RFC 9110, section 5.5"
    private static let statusLines = "RFC 9112, section 4"
    private static let chunked = response("Transfer-Encoding: chunked", "")

    private static func response(_ fields: String, _ body: String = "hello") -> String {
        "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"
    }

    /// Responses that break the rules by which the end of a message is found.
    static let framing: [Check] = [
        fault("noAnswer", .connectionClosed, why: ends, ""),
        fault("resetBeforeAnswer", .connectionReset, .connectionClosed, why: ends, "", then: [.reset]),
        fault("cutInStatusLine", .truncatedHeaders, .malformedResponse, .connectionClosed, why: ends, "HTTP/1.1 20"),
        fault("cutInHeaders", .truncatedHeaders, why: ends, "HTTP/1.1 200 OK\r\nContent-Le"),
        fault("cutBeforeEmptyLine", .truncatedHeaders, why: ends, "HTTP/1.1 200 OK\r\nA: b\r\n"),
        fault("shortBody", .truncatedResponse, why: ends, halfBody),
        fault("resetInBody", .connectionReset, why: ends, halfBody, then: [.pause(.milliseconds(50)), .reset]),
        wrongLength("twoLengths", "5\r\nContent-Length: 6", .conflictingContentLength),
        wrongLength("twoLengthsReversed", "6\r\nContent-Length: 5", .conflictingContentLength),
        wrongLength("twoLengthsInOneField", "5, 6", .conflictingContentLength),
        wrongLength("hexadecimalLength", "0x5"),
        wrongLength("signedLength", "+5"),
        wrongLength("negativeLength", "-5"),
        wrongLength("lengthWithWord", "5 bytes"),
        wrongLength("emptyLength", ""),
        wrongLength("overflowingLength", "18446744073709551621"),
        fault(
            "lengthAndChunked",
            .ambiguousLength,
            why: "RFC 9112, section 6.3",
            response("Content-Length: 5\r\nTransfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"),
        ),
        fault(
            "unknownTransferCoding",
            .unknownTransferCoding,
            why: "RFC 9112, section 6.1",
            response("Transfer-Encoding: squeeze, chunked", "5\r\nhello\r\n0\r\n\r\n"),
        ),
        fault("missingLastChunk", .missingLastChunk, why: ends, chunked + "5\r\nhello\r\n"),
        fault("cutInLastChunk", .missingLastChunk, .truncatedResponse, why: ends, chunked + "5\r\nhello\r\n0\r\n"),
        fault("cutInChunk", .missingLastChunk, .truncatedResponse, why: ends, chunked + "9\r\nhello"),
        wrongChunk("wordAsChunkSize", "five\r\nhello\r\n0\r\n\r\n"),
        wrongChunk("prefixedChunkSize", "0x0c\r\nhello\r\n"),
        wrongChunk("negativeChunkSize", "-5\r\nhello\r\n0\r\n\r\n"),
        wrongChunk("emptyChunkSize", "\r\nhello\r\n0\r\n\r\n"),
        wrongChunk("overflowingChunkSize", "10000000000000005\r\nhello\r\n0\r\n\r\n"),
        wrongChunk("chunkLongerThanItsSize", "4\r\nhello\r\n0\r\n\r\n"),
        fault(
            "switchedProtocols",
            .unexpectedUpgrade,
            why: "RFC 9110, section 15.2.2: the upgrade was not requested",
            "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello",
        ),
        fault("noHTTP", .malformedResponse, why: statusLines, "good day to you\r\n\r\n"),
        fault("shortStatus", .malformedResponse, why: statusLines, "HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"),
        fault("wordAsStatus", .malformedResponse, why: statusLines, "HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"),
        fault("noColon", .malformedResponse, why: "RFC 9112, section 5", response("Content-Length: 5\r\nbroken")),
        fault("nulInHeader", .malformedResponse, why: fields, response("X-A: a\0b\r\nContent-Length: 5")),
        fault(
            "foldedFirstField",
            .malformedResponse,
            why: "RFC 9112, section 2.2: white space before the first field",
            response(" X-A: a\r\nContent-Length: 5"),
        ),
    ].flatMap(\.self)

    private static func wrongChunk(_ name: String, _ body: String) -> [Check] {
        fault(name, .malformedChunk, why: "RFC 9112, section 7.1", chunked + body)
    }

    private static func wrongLength(
        _ name: String,
        _ length: String,
        _ reason: FailureReason = .malformedContentLength,
    ) -> [Check] {
        fault(
            name,
            reason,
            why: "RFC 9110, section 8.6",
            response("Content-Length:\(length.isEmpty ? "" : " ")\(length)"),
        )
    }

    /// Three checks: that the response is rejected, also after a good one over the same connection, and that the error
    /// has its reason.
    private static func fault(
        _ name: String,
        _ reasons: FailureReason...,
        why: String,
        _ text: String,
        then end: [MockStep] = [.close],
    ) -> [Check] {
        let answer = MockAnswer.raw([.write(text)] + end)
        return [
            checkTwice("framing.\(name)", why) { wire, streams in
                wire.server.enqueue(answer)
                _ = try await failure(streams ? "an error of a streamed body" : "an error") {
                    try await wire.text(.post, streams: streams)
                }
            },
            check("framing.\(name).afterAGoodResponse", why) { wire in
                for _ in 0..<2 {
                    wire.server.enqueue(.text("good"), answer)
                    try expect(try await wire.text(.post), is: "good", "the response before")
                    _ = try await failure { try await wire.text(.post) }
                }
            },
            checkTwice("framing.\(name).reason", why) { wire, streams in
                wire.server.enqueue(answer)
                try await expectFailure(reasons, streamed: streams) {
                    try await wire.text(.post, streams: streams)
                }
            },
        ]
    }

    /// The limits for bodies and header blocks.
    static let bounds: [Check] = [
        check("bounds.announcedBody", "contract: bodyBytesMax applies to the announced length") { wire in
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .stall]))
            try await wire.expectEnd(.bodyTooLarge) {
                try await wire.send(options: TransportOptions(bodyBytesMax: 1000))
            }
        },
        check("bounds.growingBody", "contract: bodyBytesMax applies while bytes arrive") { wire in
            wire.server.enqueue(.raw([.write(chunked + chunk + chunk), .stall]))
            try await expectFailure([.bodyTooLarge]) {
                try await wire.send(options: TransportOptions(bodyBytesMax: 1500))
            }
            try await wire.server.waitForOpenConnections(0)
        },
        check("bounds.exactBody", "contract: bodyBytesMax is the largest body that is accepted") { wire in
            wire.server.enqueue(.text(content), .status(.ok))
            for count in [1000, 0] {
                let response = try await wire.send(options: TransportOptions(bodyBytesMax: count))
                try expect(response.body.count, is: count, "the length")
            }
        },
        check("bounds.announcedErrorBody", "contract: errorBodyBytesMax truncates a body") { wire in
            let head = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5000000\r\n\r\n"
            wire.server.enqueue(.raw([.write(head + content + "x"), .stall]))
            try await wire.expectError(
                500,
                cutAt: 1000,
                TransportOptions(bodyBytesMax: 10_000, errorBodyBytesMax: 1000),
            )
        },
        check("bounds.growingErrorBody", "contract: errorBodyBytesMax truncates a body while bytes arrive") { wire in
            let head = "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n"
            wire.server.enqueue(.raw([.write(head + chunk + chunk), .stall]))
            try await wire.expectError(404, cutAt: 1500, TransportOptions(errorBodyBytesMax: 1500))
        },
        wholeError(
            "exactErrorBody",
            "contract: errorBodyBytesMax is the largest body of an error that is whole",
            TransportOptions(errorBodyBytesMax: 1000),
        ),
        wholeError(
            "acceptedErrorBody",
            "contract: the caller decides which status is an error",
            TransportOptions(errorBodyBytesMax: 10, accepts: { $0 == .notFound }),
        ),
        check("bounds.streamedBody", "contract: bodyBytesMax does not apply to a streamed body") { wire in
            wire.server.enqueue(.text(content))
            let response = try await wire.send(options: TransportOptions(bodyBytesMax: 10, streamsBody: true))
            try expect(try await response.body.collect().count, is: 1000, "the length")
        },
        endless("headerBlock", .write("HTTP/1.1 200 OK\r\n"), line: "X-Field: \(longValue)\r\n"),
        endless("headerLine", .write("HTTP/1.1 200 OK\r\nX-Field: "), line: "value value "),
        endless("informational", .write(""), line: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    ]

    private static let content = String(repeating: "x", count: 1000)
    /// Foundation copies all fields for each one on Linux, so that the time grows with the square of their number.
    private static let longValue = String(repeating: "v", count: 100)
    private static let chunk = "3e8\r\n\(content)\r\n"

    private static func wholeError(_ name: String, _ why: String, _ options: TransportOptions) -> Check {
        check("bounds.\(name)", why) { wire in
            wire.server.enqueue(.text(content, status: .notFound))
            let response = try await wire.send(options: options)
            try expect(response.body.count, is: 1000, "the length")
            try expect(response.isBodyCut, is: false, "whether the body is cut")
        }
    }

    private static func endless(_ name: String, _ start: MockStep, line: String) -> Check {
        check("bounds.\(name)", "contract: a header block has a limit") { wire in
            let lines = String(repeating: line, count: 8 * 1024 * 1024 / line.utf8.count)
            wire.server.enqueue(.raw([start, .write(lines), .stall]))
            try await expectFailure([.headersTooLarge]) { try await wire.send() }
            try await wire.server.waitForOpenConnections(0)
        }
    }
}

extension ConformanceWire {
    /// Expects a response with the beginning of its body soon, and its connection to be closed.
    fileprivate func expectError(_ status: HTTPStatus, cutAt count: Int, _ options: TransportOptions) async throws {
        let response = try await expectPrompt("the response") { try await send(options: options) }
        try expect(response.status, is: status, "the status")
        try expect(response.body.count, is: count, "the length")
        try expect(response.isBodyCut, is: true, "whether the body is cut")
        try await server.waitForOpenConnections(0)
    }
}
