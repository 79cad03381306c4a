#if os(Linux)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// The rules that the machines' tests break, broken by a server behind TLS.
@Suite(.serialized, .enabled(if: Certificates.isPossible), .timeLimit(.minutes(5)))
struct HTTP2RuleTests {
    private static func options(streamsBody: Bool) -> TransportOptions {
        let timeouts = TransportTimeouts(firstByte: .seconds(10), idle: .seconds(10))
        return TransportOptions(streamsBody: streamsBody, timeouts: timeouts)
    }

    private static func raw(_ bytes: [UInt8]) -> String {
        "raw " + bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func outcome(_ call: () async throws -> HTTPResponse) async throws -> FailureReason? {
        do {
            _ = try await call().body.collect()
            return nil
        } catch let error as TransportError {
            return error.reason
        }
    }

    // MARK: - Frames

    /// What ends both streams, or the one whose head came; each after a good exchange on the same connection.
    @Test func aBrokenRuleOfFramesIsAnErrorAndTheNextRequestSucceeds() async throws {
        var count = 0
        for (type, rules) in HTTP2FrameRuleTests.all {
            let rules = rules.filter { if case .ignored = $0.outcome { false } else { true } }
            guard !rules.isEmpty else { continue }
            let server = try await TLSServer("server") { listener in
                listener.alpn = ["h2"]
                listener.script = rules.flatMap(Self.script)
            }
            let transport = try await WireTransport.trusting(Certificates.shared)
            for (number, rule) in rules.enumerated() {
                let text = Comment(rawValue: "\(type): \(rule.text)")
                #expect(try await transport.report(try server.url()).stream == 1, text)
                try await check(rule, transport, try server.url(), text)
                // Nothing was sent twice, and the next request has an answer.
                let report = try await transport.report(try server.url())
                #expect(report.requests == 4 * (number + 1), text)
                count += 1
            }
        }
        print("HTTP/2: \(count) rules of frames, each broken by a server behind TLS")
        #expect(count > 160)
    }

    /// An answer, a head, the rule's bytes with what makes both responses whole if they are taken, and an answer.
    private static func script(_ rule: HTTP2FrameRuleTests.Rule) -> [String] {
        let head = Frame.headers(3, TestConnection.ok) + Frame.data(3, [1])
        var rest = rule.bytes[...]
        var isOver = false
        while let frame = Frame.next(of: &rest) {
            guard frame.stream == 3, frame.type < 2 && frame.endsStream || frame.type == 3 else { continue }
            isOver = true
        }
        let end = (isOver ? [] : Frame.data(3, [2], end: true)) + Frame.headers(5, TestConnection.ok, end: true)
        return ["answer", raw(head), raw(rule.bytes + end), "lastAnswer"]
    }

    private func check(
        _ rule: HTTP2FrameRuleTests.Rule,
        _ transport: WireTransport,
        _ url: URL,
        _ text: Comment,
    ) async throws {
        let request = HTTPRequest(url: url)
        let begun = try await transport.send(request, options: Self.options(streamsBody: true))
        let waiting = try await outcome {
            try await transport.send(request, options: Self.options(streamsBody: false))
        }
        let end = try await outcome { begun }
        switch rule.outcome {
        case .connection:
            #expect(waiting == .malformedResponse, text)
            // It may have been whole, or reset, before the rule was broken.
            let isWhole = rule.text.hasSuffix("behind END_STREAM") && end == nil
            let isReset = rule.text.hasSuffix("behind RST_STREAM") && end == .connectionReset
            #expect(end == .malformedResponse || isWhole || isReset, text)
        case .stream:
            #expect(end == .malformedResponse, text)
            #expect(waiting == nil || waiting == .malformedResponse, text)
        case .ignored: return
        }
    }

    // MARK: - Messages

    @Test func aMalformedResponseEndsItsStreamAlone() async throws {
        let messages = HTTP2MessageTests.malformed
        var script = ["answer"]
        for (number, message) in messages.enumerated() {
            let (innocent, guilty) = (Int32(3 + 6 * number), Int32(5 + 6 * number))
            script.append(Self.raw(Frame.headers(innocent, TestConnection.ok) + Frame.data(innocent, [1])))
            script.append(Self.raw(message.2(guilty) + Frame.data(innocent, [2], end: true)))
            script.append("answer")
        }
        let server = try await TLSServer("server") { listener in
            listener.alpn = ["h2"]
            listener.script = script
        }
        let transport = try await WireTransport.trusting(Certificates.shared)
        let request = HTTPRequest(url: try server.url())
        #expect(try await transport.report(try server.url()).stream == 1)
        for (number, (text, reason, _)) in messages.enumerated() {
            let text = Comment(rawValue: text)
            let innocent = try await transport.send(request, options: Self.options(streamsBody: true))
            let end = try await outcome {
                try await transport.send(request, options: Self.options(streamsBody: false))
            }
            #expect(end == reason, text)
            #expect(try await innocent.body.collect() == Data([1, 2]), text)
            let report = try await transport.report(try server.url())
            #expect(report.stream == 7 + 6 * number && report.requests == 4 + 3 * number, text)
        }
        print("HTTP/2: \(messages.count) malformed responses of a server behind TLS")
    }
}
#endif
