import Hikyaku
import HikyakuMockServer

extension TransportConformance {
    /// What breaks the rules by which a message's end is found.
    private struct Fault {
        let name: String
        let why: String
        let steps: [MockStep]
        let reasons: [FailureReason]

        init(_ name: String, _ reasons: FailureReason..., why: String, _ steps: MockStep...) {
            self.name = name
            self.why = why
            self.steps = steps
            self.reasons = reasons
        }

        /// Fields behind a status line, and what follows them.
        init(_ name: String, _ reasons: FailureReason..., why: String, fields: String, body: String = "hello") {
            self.name = name
            self.why = why
            steps = [.write("HTTP/1.1 200 OK\r\n\(fields)\r\n\r\n\(body)"), .close]
            self.reasons = reasons
        }
    }

    private static let lengthRule = "RFC 9110, section 8.6"
    private static let chunkRule = "RFC 9112, section 7.1"
    private static let endRule = "RFC 9112, section 8: an incomplete message"
    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"

    private static let faults: [Fault] = [
        Fault("noAnswer", .connectionClosed, why: endRule, .close),
        Fault("resetBeforeAnswer", .connectionReset, .connectionClosed, why: endRule, .reset),
        Fault(
            "cutInStatusLine",
            .truncatedHeaders,
            .malformedResponse,
            .connectionClosed,
            why: endRule,
            .write("HTTP/1.1 20"),
            .close,
        ),
        Fault("cutInHeaders", .truncatedHeaders, why: endRule, .write("HTTP/1.1 200 OK\r\nContent-Le"), .close),
        Fault("cutBeforeEmptyLine", .truncatedHeaders, why: endRule, .write("HTTP/1.1 200 OK\r\nA: b\r\n"), .close),
        Fault("shortBody", .truncatedResponse, why: endRule, fields: "Content-Length: 10"),
        Fault(
            "resetInBody",
            .connectionReset,
            why: endRule,
            .write("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello"),
            .pause(.milliseconds(50)),
            .reset,
        ),
        Fault(
            "twoLengths",
            .conflictingContentLength,
            why: lengthRule,
            fields: "Content-Length: 5\r\nContent-Length: 6",
        ),
        Fault(
            "twoLengthsReversed",
            .conflictingContentLength,
            why: lengthRule,
            fields: "Content-Length: 6\r\nContent-Length: 5",
        ),
        Fault("twoLengthsInOneField", .conflictingContentLength, why: lengthRule, fields: "Content-Length: 5, 6"),
        Fault("hexadecimalLength", .malformedContentLength, why: lengthRule, fields: "Content-Length: 0x5"),
        Fault("signedLength", .malformedContentLength, why: lengthRule, fields: "Content-Length: +5"),
        Fault("negativeLength", .malformedContentLength, why: lengthRule, fields: "Content-Length: -5"),
        Fault("lengthWithWord", .malformedContentLength, why: lengthRule, fields: "Content-Length: 5 bytes"),
        Fault("emptyLength", .malformedContentLength, why: lengthRule, fields: "Content-Length:"),
        Fault(
            "overflowingLength",
            .malformedContentLength,
            why: lengthRule,
            fields: "Content-Length: 18446744073709551621",
        ),
        Fault(
            "lengthAndChunked",
            .ambiguousLength,
            why: "RFC 9112, section 6.3",
            fields: "Content-Length: 5\r\nTransfer-Encoding: chunked",
            body: "5\r\nhello\r\n0\r\n\r\n",
        ),
        Fault(
            "unknownTransferCoding",
            .unknownTransferCoding,
            why: "RFC 9112, section 6.1",
            fields: "Transfer-Encoding: squeeze, chunked",
            body: "5\r\nhello\r\n0\r\n\r\n",
        ),
        Fault("missingLastChunk", .missingLastChunk, why: endRule, .write(chunked + "5\r\nhello\r\n"), .close),
        Fault(
            "cutInLastChunk",
            .missingLastChunk,
            .truncatedResponse,
            why: endRule,
            .write(chunked + "5\r\nhello\r\n0\r\n"),
            .close,
        ),
        Fault(
            "cutInChunk",
            .missingLastChunk,
            .truncatedResponse,
            why: endRule,
            .write(chunked + "9\r\nhello"),
            .close,
        ),
        Fault(
            "wordAsChunkSize",
            .malformedChunk,
            why: chunkRule,
            .write(chunked + "five\r\nhello\r\n0\r\n\r\n"),
            .close,
        ),
        Fault("prefixedChunkSize", .malformedChunk, why: chunkRule, .write(chunked + "0x0c\r\nhello\r\n"), .close),
        Fault(
            "negativeChunkSize",
            .malformedChunk,
            why: chunkRule,
            .write(chunked + "-5\r\nhello\r\n0\r\n\r\n"),
            .close,
        ),
        Fault("emptyChunkSize", .malformedChunk, why: chunkRule, .write(chunked + "\r\nhello\r\n0\r\n\r\n"), .close),
        Fault(
            "overflowingChunkSize",
            .malformedChunk,
            why: chunkRule,
            .write(chunked + "10000000000000005\r\nhello\r\n0\r\n\r\n"),
            .close,
        ),
        Fault(
            "chunkLongerThanItsSize",
            .malformedChunk,
            why: chunkRule,
            .write(chunked + "4\r\nhello\r\n0\r\n\r\n"),
            .close,
        ),
        Fault(
            "switchedProtocols",
            .unexpectedUpgrade,
            why: "RFC 9110, section 15.2.2: it was not asked for",
            .write("HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\nhello"),
            .close,
        ),
        Fault("noHTTP", .malformedResponse, why: "RFC 9112, section 4", .write("good day to you\r\n\r\n"), .close),
        Fault(
            "shortStatus",
            .malformedResponse,
            why: "RFC 9112, section 4",
            .write("HTTP/1.1 20 OK\r\nContent-Length: 0\r\n\r\n"),
            .close,
        ),
        Fault(
            "wordAsStatus",
            .malformedResponse,
            why: "RFC 9112, section 4",
            .write("HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"),
            .close,
        ),
        Fault("noColon", .malformedResponse, why: "RFC 9112, section 5", fields: "Content-Length: 5\r\nbroken"),
        Fault(
            "nulInHeader",
            .malformedResponse,
            why: "RFC 9110, section 5.5",
            fields: "X-A: a\0b\r\nContent-Length: 5",
        ),
        Fault(
            "foldedFirstField",
            .malformedResponse,
            why: "RFC 9112, section 2.2: white space before the first field",
            fields: " X-A: a\r\nContent-Length: 5",
        ),
    ]

    /// Each fault three times: that it is refused, that it is after a good response over the same connection, and that
    /// the error has its reason.
    static let framing: [Check] = faults.flatMap { fault in
        [
            check("framing.\(fault.name)", fault.why) { wire in
                for streams in [false, true] {
                    wire.server.enqueue(.raw(fault.steps))
                    _ = try await failure(streams ? "an error of a streamed body" : "an error") {
                        try await wire.text(.post, streams: streams)
                    }
                }
            },
            check("framing.\(fault.name).afterAGoodResponse", fault.why) { wire in
                for _ in 0..<2 {
                    wire.server.enqueue(.text("good"), .raw(fault.steps))
                    try expect(try await wire.text(.post), is: "good", "the response before")
                    _ = try await failure { try await wire.text(.post) }
                }
            },
            check("framing.\(fault.name).reason", fault.why) { wire in
                for streams in [false, true] {
                    wire.server.enqueue(.raw(fault.steps))
                    try await expectFailure(anyOf: fault.reasons, when: streams ? "streamed" : "") {
                        try await wire.text(.post, streams: streams)
                    }
                }
            },
        ]
    }

    /// Nothing is unbounded.
    static let bounds: [Check] = [
        check("bounds.announcedBody", "contract: bodyBytesMax holds, before anything is read") { wire in
            wire.server.enqueue(.raw([.write("HTTP/1.1 200 OK\r\nContent-Length: 1001\r\n\r\n"), .stall]))
            try await expectFailure(.bodyTooLarge) {
                try await expectPrompt("the refusal") {
                    try await wire.send(options: TransportOptions(bodyBytesMax: 1000))
                }
            }
            try await wire.server.waitForOpenConnections(0)
        },
        check("bounds.growingBody", "contract: bodyBytesMax holds while bytes come") { wire in
            let chunk = "3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n"
            wire.server.enqueue(.raw([.write(chunked + chunk + chunk), .stall]))
            try await expectFailure(.bodyTooLarge) {
                try await wire.send(options: TransportOptions(bodyBytesMax: 1500))
            }
            try await wire.server.waitForOpenConnections(0)
        },
        check("bounds.exactBody", "contract: bodyBytesMax is the largest body that is taken") { wire in
            wire.server.enqueue(.text(String(repeating: "x", count: 1000)), .status(.ok))
            let whole = try await wire.send(options: TransportOptions(bodyBytesMax: 1000))
            try expect(whole.body.count, is: 1000, "the length")
            let empty = try await wire.send(options: TransportOptions(bodyBytesMax: 0))
            try expect(empty.body.count, is: 0, "the length")
        },
        check("bounds.announcedErrorBody", "contract: errorBodyBytesMax cuts a body, and the rest isn't read") { wire in
            let head = "HTTP/1.1 500 Internal Server Error\r\nContent-Length: 5000000\r\n\r\n"
            wire.server.enqueue(.raw([.write(head + String(repeating: "x", count: 1001)), .stall]))
            let options = TransportOptions(bodyBytesMax: 10_000, errorBodyBytesMax: 1000)
            let response = try await expectPrompt("the response") { try await wire.send(options: options) }
            try expect(response.status, is: 500, "the status")
            try expect(response.body.count, is: 1000, "the length")
            try expect(response.isBodyCut, is: true, "whether the body is cut")
            try await wire.server.waitForOpenConnections(0)
        },
        check("bounds.growingErrorBody", "contract: errorBodyBytesMax cuts a body while bytes come") { wire in
            let chunk = "3e8\r\n" + String(repeating: "x", count: 1000) + "\r\n"
            let head = "HTTP/1.1 404 Not Found\r\nTransfer-Encoding: chunked\r\n\r\n"
            wire.server.enqueue(.raw([.write(head + chunk + chunk), .stall]))
            let options = TransportOptions(errorBodyBytesMax: 1500)
            let response = try await expectPrompt("the response") { try await wire.send(options: options) }
            try expect(response.status, is: 404, "the status")
            try expect(response.body.count, is: 1500, "the length")
            try expect(response.isBodyCut, is: true, "whether the body is cut")
            try await wire.server.waitForOpenConnections(0)
        },
        check("bounds.exactErrorBody", "contract: errorBodyBytesMax is the largest body of an error that is whole") {
            wire in
            wire.server.enqueue(.text(String(repeating: "x", count: 1000), status: .notFound))
            let response = try await wire.send(options: TransportOptions(errorBodyBytesMax: 1000))
            try expect(response.body.count, is: 1000, "the length")
            try expect(response.isBodyCut, is: false, "whether the body is cut")
        },
        check("bounds.acceptedErrorBody", "contract: which body is an error's is the caller's to say") { wire in
            wire.server.enqueue(.text(String(repeating: "x", count: 1000), status: .notFound))
            let options = TransportOptions(errorBodyBytesMax: 10, accepts: { $0 == .notFound })
            let response = try await wire.send(options: options)
            try expect(response.body.count, is: 1000, "the length")
            try expect(response.isBodyCut, is: false, "whether the body is cut")
        },
        check("bounds.streamedBody", "contract: bodyBytesMax doesn't hold for a streamed body") { wire in
            wire.server.enqueue(.text(String(repeating: "x", count: 1000)))
            let response = try await wire.send(options: TransportOptions(bodyBytesMax: 10, streamsBody: true))
            try expect(try await response.body.collect().count, is: 1000, "the length")
        },
        endless("headerBlock", .write("HTTP/1.1 200 OK\r\n"), line: "X-Field: value\r\n"),
        endless("headerLine", .write("HTTP/1.1 200 OK\r\nX-Field: "), line: "value value "),
        endless("informational", .write(""), line: "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    ]

    private static func endless(_ name: String, _ start: MockStep, line: String) -> Check {
        check("bounds.\(name)", "contract: a header block has a limit") { wire in
            let lines = String(repeating: line, count: 8 * 1024 * 1024 / line.utf8.count)
            wire.server.enqueue(.raw([start, .write(lines), .stall]))
            try await expectFailure(.headersTooLarge) { try await wire.send() }
            try await wire.server.waitForOpenConnections(0)
        }
    }
}
