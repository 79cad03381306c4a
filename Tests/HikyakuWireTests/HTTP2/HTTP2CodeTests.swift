#if os(Linux)
import FoundationEssentials
import HikyakuHTTP
import Testing

@testable import HikyakuWire

/// What a server says by a code is what the error says, whatever frame it stands in.
struct HTTP2CodeTests {
    /// Each code, with the reason of an error, and a part of what is advised.
    private static let codes: [(code: UInt32, name: String, reason: FailureReason, advice: String, isRetried: Bool)] = [
        (1, "PROTOCOL_ERROR", .connectionReset, "a field that is too large", true),
        (2, "INTERNAL_ERROR", .connectionReset, "see its log", true),
        (3, "FLOW_CONTROL_ERROR", .connectionReset, "offersHTTP2 = false", true),
        (4, "SETTINGS_TIMEOUT", .connectionReset, "see its log", true),
        (5, "STREAM_CLOSED", .connectionReset, "offersHTTP2 = false", true),
        (6, "FRAME_SIZE_ERROR", .connectionReset, "offersHTTP2 = false", true),
        (8, "CANCEL", .connectionReset, "gave the request up", true),
        (9, "COMPRESSION_ERROR", .connectionReset, "offersHTTP2 = false", true),
        (10, "CONNECT_ERROR", .connectionReset, "see its log", true),
        (11, "ENHANCE_YOUR_CALM", .connectionReset, "send fewer requests at once", true),
        (12, "INADEQUATE_SECURITY", .connectionReset, "version or cipher of TLS", false),
        (13, "HTTP_1_1_REQUIRED", .notProcessed, "requires HTTP/1.1", true),
        (77, "error code 77", .connectionReset, "see its log", true),
    ]

    @Test(arguments: codes.indices) func eachCodeIsNamedWhereverItStands(_ index: Int) throws {
        let (code, name, reason, advice, isRetried) = Self.codes[index]
        let reset = try failure { id in Frame.reset(id, code) }
        let ended = try failure { id in Frame.goAway(UInt32(id), code) }
        for failure in [reset, ended] {
            #expect(failure.error.reason == reason)
            #expect(failure.error.message.contains(name), "\(failure.error.message)")
            #expect(failure.error.hint?.contains(advice) == true, "\(failure.error.hint ?? "no hint")")
            #expect((failure.error.transience != nil) == isRetried)
            #expect(failure.processing == (code == 13 ? .overHTTP1Only : .unknown))
        }
    }

    @Test func debugDataIsShownWithoutWhatMayBeASecret() throws {
        let said = "too_many_pings from 10.1.2.3 with Authorization: Bearer abcdef"
        let failure = try failure { id in Frame.goAway(UInt32(id), 11, said) }
        #expect(
            failure.error.message
                == "the server ended the connection (GOAWAY ENHANCE_YOUR_CALM, \"too_many_pings from … with "
                + "Authorization …\") before the response"
        )
        let endless = try self.failure { id in Frame.goAway(UInt32(id), 11, String(repeating: "calm ", count: 2_000)) }
        #expect(endless.error.message.utf8.count < 250)
        let signs = try self.failure { id in Frame.goAway(UInt32(id), 2, "\u{1B}[31m\"\u{202E}\n") }
        #expect(signs.error.message.contains("GOAWAY INTERNAL_ERROR, \"…\""))
    }

    /// RFC 9113, section 6.8: streams above the last one were not processed.
    @Test(arguments: [(0, true), (1, true), (11, true), (12, false), (13, true)] as [(UInt32, Bool)])
    func whatWasNotProcessedSaysSo(_ code: UInt32, _ isRetried: Bool) throws {
        let connection = try TestConnection()
        let id = try connection.open(.post, body: .whole(Data([1])))
        connection.feed(Frame.goAway(0, code, "restarting"))
        let failure = try #require(connection.failures[id])
        #expect(
            failure.error.message.hasPrefix("the server did not process the request: it ends the connection (GOAWAY ")
        )
        #expect(failure.error.message.contains("\"restarting\""))
        #expect(failure.error.transience == (isRetried ? .notDone : nil))
        #expect(failure.processing == (code == 13 ? .overHTTP1Only : code == 12 ? .unknown : .refused))
    }

    @Test func aGoodEndIsNotAnError() throws {
        let failure = try failure { id in Frame.goAway(UInt32(id)) }
        #expect(failure.error.reason == .connectionClosed)
        #expect(failure.error.message == "the server ended the connection (GOAWAY NO_ERROR) before the response")
    }

    /// An error is not replaced by the NO_ERROR of a later frame.
    @Test func theErrorOfTwoIsNamed() throws {
        let failure = try failure { id in Frame.goAway(UInt32(id), 11) + Frame.goAway(UInt32(id)) }
        #expect(failure.error.message.contains("ENHANCE_YOUR_CALM"))
    }

    /// A part of a response shows that the request was processed.
    @Test(arguments: [1, 2, 7, 8, 11, 13] as [UInt32]) func aCodeAfterAPartOfAResponse(_ code: UInt32) throws {
        let failure = try failure { id in Frame.headers(id, TestConnection.ok) + Frame.reset(id, code) }
        #expect(failure.processing == .begun)
        #expect(failure.error.reason == .connectionReset)
        #expect(failure.error.transience == .unknown)
    }

    /// What this side sends when the server breaks a rule names the rule.
    @Test func aBrokenSettingIsNamed() throws {
        let failure = try failure { _ in Frame.settings([(4, 0x8000_0000)]) }
        #expect(failure.error.reason == .malformedResponse)
        #expect(failure.error.message.contains("FLOW_CONTROL_ERROR"), "\(failure.error.message)")
        #expect(failure.error.message.contains("SETTINGS"), "\(failure.error.message)")
    }

    private func failure(_ bytes: (Int32) -> [UInt8]) throws -> HTTP2Failure {
        let connection = try TestConnection()
        let id = try connection.open()
        connection.feed(bytes(id))
        connection.connectionEnded()
        return try #require(connection.failures[id])
    }
}
#endif
