#if os(Linux)
import HikyakuBase
import Testing

@testable import HikyakuHTTP
@testable import HikyakuWire

/// Handshakes with proxies: byte by byte, cut at each point, and with each byte wrong once.
struct ProxyHandshakeTests {
    /// What came of a handshake, and what was sent.
    private struct Outcome: Equatable {
        enum End: Equatable {
            case open, waiting
            case failed(FailureReason, ProxyRefusal?)
        }

        var sent: [[UInt8]]
        var end = End.waiting
        var message = ""
    }

    /// The answers of a proxy, each of which follows something that is sent.
    private static func run(
        _ handshake: any ProxyHandshake,
        _ answers: [[UInt8]],
        cut: (Int) -> [Int] = { _ in [] },
    ) -> Outcome {
        var handshake = handshake
        var outcome = Outcome(sent: [handshake.greeting])
        for answer in answers {
            var start = 0
            for end in cut(answer.count) + [answer.count] where end > start {
                let step = answer[start..<end].withUnsafeBytes { handshake.receive($0) }
                start = end
                switch step {
                case .wait: continue
                case .send(let bytes): outcome.sent.append(bytes)
                case .open: outcome.end = .open
                case .failed(let error):
                    outcome.end = .failed(error.reason, error.underlyingError as? ProxyRefusal)
                    outcome.message = error.message
                }
                if outcome.end != .waiting { return outcome }
                if start < answer.count { return outcome }
            }
        }
        return outcome
    }

    private static func server(
        _ scheme: HTTPProxy.Scheme,
        _ name: String? = nil,
        _ password: String = "",
    ) -> HTTPProxy.Server {
        let credentials = name.map { HTTPProxy.Credentials(username: $0, password: Secret(password)) }
        return HTTPProxy.Server(scheme: scheme, host: "proxy.example", port: 1080, credentials: credentials)
    }

    private static let origin = HTTPOrigin(scheme: "https", host: "api.example", port: nil)

    /// Good handshakes: what is sent, and what the proxy answers.
    private static func handshakes() throws -> [(String, any ProxyHandshake, sent: [[UInt8]], answers: [[UInt8]])] {
        let name = [UInt8(11)] + Array("api.example".utf8)
        let connect = "CONNECT api.example:443 HTTP/1.1\r\nHost: api.example:443\r\n"
        let ok = "HTTP/1.1 200 Connection established\r\n"
        return [
            (
                "CONNECT", try server(.http).handshake(to: origin), [Array("\(connect)\r\n".utf8)],
                [Array("\(ok)\r\n".utf8)],
            ),
            (
                "CONNECT with credentials", try server(.https, "me", "open:sesame").handshake(to: origin),
                [Array("\(connect)Proxy-Authorization: Basic bWU6b3BlbjpzZXNhbWU=\r\n\r\n".utf8)],
                [Array("HTTP/1.0 299\r\nVia: a\tb, ü\r\nX-Empty:\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)],
            ),
            (
                "CONNECT behind informational answers", try server(.http).handshake(to: origin),
                [Array("\(connect)\r\n".utf8)],
                [Array("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 \r\nA: b\r\n\r\n\(ok)\r\n".utf8)],
            ),
            (
                "SOCKS5", try server(.socks5).handshake(to: origin), [[5, 1, 0], [5, 1, 0, 3] + name + [1, 187]],
                [[5, 0], [5, 0, 0, 1, 1, 2, 3, 4, 5, 6]],
            ),
            (
                "SOCKS5 with credentials", try server(.socks5, "me", "sesame").handshake(to: origin),
                [[5, 2, 0, 2], [1, 2, 109, 101, 6] + Array("sesame".utf8), [5, 1, 0, 3] + name + [1, 187]],
                [[5, 2], [1, 0], [5, 0, 0, 4] + [UInt8](repeating: 9, count: 18)],
            ),
            (
                "SOCKS5 that needs no credentials", try server(.socks5, "me", "sesame").handshake(to: origin),
                [[5, 2, 0, 2], [5, 1, 0, 3] + name + [1, 187]], [[5, 0], [5, 0, 0, 3, 2, 97, 98, 5, 6]],
            ),
            (
                "SOCKS5 with an address",
                try server(.socks5WithAddresses).handshake(to: origin, address: [UInt8](repeating: 7, count: 16)),
                [[5, 1, 0], [5, 1, 0, 4] + [UInt8](repeating: 7, count: 16) + [1, 187]],
                [[5, 0], [5, 0, 0, 3, 0, 5, 6]],
            ),
            (
                "SOCKS4", try server(.socks4, "me").handshake(to: origin, address: [1, 2, 3, 4]),
                [[4, 1, 1, 187, 1, 2, 3, 4, 109, 101, 0]], [[0, 90, 0, 0, 0, 0, 0, 0]],
            ),
            (
                "SOCKS4a", try server(.socks4a).handshake(to: origin),
                [[4, 1, 1, 187, 0, 0, 0, 1, 0] + name.dropFirst() + [0]], [[0, 90, 9, 9, 9, 9, 9, 9]],
            ),
        ]
    }

    // MARK: - Good ones

    @Test func aHandshakeOpensTheWayHoweverItsBytesAreCut() throws {
        for (text, handshake, sent, answers) in try Self.handshakes() {
            let whole = Self.run(handshake, answers)
            #expect(whole.sent == sent && whole.end == .open, "\(text)")
            #expect(Self.run(handshake, answers) { Array(1..<$0) } == whole, "\(text)")
            for cut in 1..<(answers.map(\.count).max() ?? 1) {
                #expect(Self.run(handshake, answers) { cut < $0 ? [cut] : [] } == whole, "\(text), cut at \(cut)")
            }
        }
    }

    @Test func noPartOfAnAnswerOpensTheWay() throws {
        for (text, handshake, _, answers) in try Self.handshakes() {
            for number in answers.indices {
                for count in 0..<answers[number].count {
                    let part = Array(answers[..<number]) + [Array(answers[number][..<count])]
                    #expect(Self.run(handshake, part).end == .waiting, "\(text), \(count) bytes of answer \(number)")
                }
            }
        }
    }

    /// Whatever comes behind an answer isn't the origin's: nothing was said to it.
    @Test func bytesAfterAResponseAreRejected() throws {
        for (text, handshake, _, answers) in try Self.handshakes() {
            for number in answers.indices {
                for excess in [[0], [0x16, 3, 3], [UInt8](repeating: 5, count: 1000)] as [[UInt8]] {
                    var answers = answers
                    answers[number] += excess
                    let end = Self.run(handshake, answers).end
                    #expect(end == .failed(.proxyFailed, nil), "\(text), behind answer \(number): \(end)")
                }
            }
        }
    }

    // MARK: - Wrong ones

    @Test func anAnswerWithAWrongByteOpensTheWayOnlyWhereTheByteHasNoMeaning() async throws {
        var (count, openCount) = (0, 0)
        for (text, handshake, sent, answers) in try Self.handshakes() {
            for number in answers.indices {
                for position in answers[number].indices {
                    // The threads that run tests are few.
                    await Task.yield()
                    for byte in UInt8.min...UInt8.max where byte != answers[number][position] {
                        var answers = answers
                        answers[number][position] = byte
                        let outcome = Self.run(handshake, answers)
                        count += 1
                        guard outcome.end == .open else { continue }
                        openCount += 1
                        let isRight =
                            Self.isRight(answers, handshake) || text.hasPrefix("SOCKS5 with c") && answers[0] == [5, 0]
                        #expect(isRight, "\(text): \(answers)")
                        #expect(outcome.sent == sent, "\(text): \(answers)")
                    }
                }
            }
        }
        print("Proxies: \(count) handshakes with a wrong byte, of which \(openCount) open the way")
    }

    /// By another way than the handshake's: whether all answers may be what they are.
    private static func isRight(_ answers: [[UInt8]], _ handshake: any ProxyHandshake) -> Bool {
        guard handshake is ConnectHandshake else {
            let last = answers[answers.count - 1]
            guard !(handshake is Socks4Handshake) else { return last[0] == 0 && last[1] == 90 }
            let addressCount = [1: 4, 3: 1 + Int(last[4]), 4: 16][Int(last[3])]
            return answers[0][0] == 5 && last[0] == 5 && last[1] == 0
                && addressCount.map { last.count == 6 + $0 } == true
        }
        // Each line is a text of its own: CR and LF would be one character.
        var lines = answers[0].split(separator: 0x0A, omittingEmptySubsequences: false).map { line in
            String(String.UnicodeScalarView((line.last == 0x0D ? line.dropLast() : line).map { Unicode.Scalar($0) }))
        }
        guard lines.popLast() == "", lines.popLast() == "" else { return false }
        let heads = lines.split(separator: "", omittingEmptySubsequences: false)
        return heads.enumerated().allSatisfy { number, head in
            let start = head.first ?? ""
            let isStatus =
                start.wholeMatch(of: /HTTP\/1\.[0-9][ \t]+[12][0-9][0-9]([ \t].*)?/.dotMatchesNewlines()) != nil
            let hasControl = head.contains {
                $0.unicodeScalars.contains { $0.value < 32 && $0 != "\t" || $0.value == 127 }
            }
            let digit = start.dropFirst(9).first
            return isStatus && !hasControl && digit == (number == heads.count - 1 ? "2" : "1")
                && !start.contains(" 101")
                && head.dropFirst().allSatisfy {
                    $0.wholeMatch(of: /[-!#$%&'*+.^_`|~0-9A-Za-z]+:.*/.dotMatchesNewlines()) != nil
                }
        }
    }

    @Test(arguments: [300, 301, 400, 403, 407, 500, 502, 599, 600, 999, 101])
    func aRejectedCONNECTReportsTheStatus(_ status: Int) throws {
        let handshake = try Self.server(.http, "me", "sesame").handshake(to: Self.origin)
        let fields = "Proxy-Authenticate: Basic\r\nContent-Length: 5\r\n"
        for rest in ["\r\n", " Reason\r\n", " Reason\r\n\(fields)\r\nhello", " Reason\r\n\(fields)no field"] {
            let outcome = Self.run(handshake, [Array("HTTP/1.1 \(status)\(rest)\r\n".utf8)])
            #expect(outcome.end == .failed(.proxyFailed, .status(status)))
            #expect(outcome.message == "the proxy responded to CONNECT with \(status)")
        }
    }

    /// What the proxy offers, and how long it makes clients wait, is in its fields.
    @Test(arguments: [
        (
            407, "Proxy-Authenticate: NTLM\r\nproxy-authenticate: Negotiate", "407, and offers NTLM, Negotiate",
            "no Basic",
        ),
        (407, "Proxy-Authenticate: Digest realm=\"a\", nonce=\"b\"", "407, and offers Digest", "no Basic"),
        (407, "Proxy-Authenticate: Negotiate, Basic realm=\"a\"", "407", "http://name:password@"),
        (407, "A: b", "407", "http://name:password@"), (302, "Location: http://portal.example", "302", "in a browser"),
        (511, "A: b", "511", "in a browser"),
        (429, "Retry-After: 30", "429, with a Retry-After of 30 s", "send fewer"),
        (503, "Retry-After: soon", "503", "could not reach"), (403, "A: b", "403", "rules"),
    ])
    func whatAProxyOffersIsSaid(_ status: Int, _ fields: String, _ text: String, _ hint: String) throws {
        let handshake = try Self.server(.http).handshake(to: Self.origin)
        let outcome = Self.run(handshake, [Array("HTTP/1.1 \(status) A\r\n\(fields)\r\n\r\n".utf8)])
        #expect(outcome.message == "the proxy responded to CONNECT with \(text)")
        var cut = ConnectHandshake(to: Self.origin, authorization: nil)
        #expect(cut.problemAtEnd == nil)
        let head = Array("HTTP/1.1 \(status) A\r\n\(fields)\r\n".utf8)
        #expect(head.withUnsafeBytes { if case .wait = cut.receive($0) { true } else { false } })
        #expect(cut.problemAtEnd?.message == outcome.message)
        #expect(cut.problemAtEnd?.hint?.contains(hint) == true, "\(cut.problemAtEnd?.hint ?? "")")
    }

    /// With the same password, the proxy decides the same.
    @Test(
        arguments: [
            (.status(407), true), (.status(403), true), (.status(429), true), (.status(302), true),
            (.status(501), true), (.status(999), true), (.status(500), false), (.status(502), false),
            (.status(503), false), (.credentials, true), (.socks(2), true), (.socks(8), true), (.socks(93), true),
            (.socks(1), false), (.socks(5), false), (.socks(91), false),
        ] as [(ProxyRefusal, Bool)]
    )
    func aDecisionOfAProxyStays(_ refusal: ProxyRefusal, isFinal: Bool) {
        #expect((refusal.cause.facts.transience == nil) == isFinal)
    }

    @Test(arguments: [
        "\r\n", "HTTP/2 200\r\n", "HTTP/1.1\r\n", "HTTP/1.1 20\r\n", "HTTP/1.1 2000\r\n", "HTTP/1.1 99 A\r\n",
        "http/1.1 200 OK\r\n", "HTTP/1.1200 OK\r\n", "SSH-2.0-x\r\n",
        "HTTP/1.1 200 OK\r\n folded\r\n", "HTTP/1.1 200 OK\r\nA : b\r\n", "HTTP/1.1 200 OK\r\nnothing\r\n",
        "HTTP/1.1 200 OK\r\n: b\r\n", "HTTP/1.1 200 OK\r\nA: b\r\r\n", "HTTP/1.1 200 OK\r\nA: \0\r\n",
        "HTTP/1.1 200 O\u{1}K\r\n",
    ])
    func invalidResponsesToCONNECTAreRejected(_ answer: String) throws {
        let handshake = try Self.server(.http).handshake(to: Self.origin)
        #expect(Self.run(handshake, [Array(answer.utf8)]).end == .failed(.proxyFailed, nil))
    }

    @Test func theAnswerToCONNECTIsBounded() throws {
        let handshake = try Self.server(.http).handshake(to: Self.origin)
        let start = "HTTP/1.1 200 OK\r\n"
        let endless = [
            String(repeating: "x", count: 300_000), start + String(repeating: "A: b\r\n", count: 600),
            start + "A: " + String(repeating: "b", count: 300_000),
            String(repeating: "HTTP/1.1 100 A\r\n\r\n", count: 300),
        ]
        for answer in endless {
            for cut in [[], Array(stride(from: 100, to: answer.utf8.count, by: 100))] {
                let end = Self.run(handshake, [Array(answer.utf8)]) { _ in cut }.end
                #expect(end == .failed(.proxyFailed, nil))
            }
        }
        let large = start + String(repeating: "A: \(String(repeating: "b", count: 500))\r\n", count: 400) + "\r\n"
        #expect(Self.run(handshake, [Array(large.utf8)]).end == .open)
    }

    @Test func rejectionsOfSOCKSAreNamed() throws {
        let handshake = try Self.server(.socks5, "me", "sesame").handshake(to: Self.origin)
        for code in 1...255 as ClosedRange<UInt8> {
            let outcome = Self.run(handshake, [[5, 0], [5, code]])
            #expect(outcome.end == .failed(.proxyFailed, .socks(code)))
            #expect(outcome.message.hasSuffix("(\(code))"))
            #expect(Self.run(handshake, [[5, 2], [1, code]]).end == .failed(.proxyFailed, .credentials))
            if code != 2 { #expect(Self.run(handshake, [[5, code]]).end == .failed(.proxyFailed, .credentials)) }
            let four = try Self.server(.socks4a).handshake(to: Self.origin)
            if code != 90 { #expect(Self.run(four, [[0, code]]).end == .failed(.proxyFailed, .socks(code))) }
        }
        let none = try Self.server(.socks5).handshake(to: Self.origin)
        #expect(Self.run(none, [[5, 2]]).end == .failed(.proxyFailed, .credentials))
    }

    // MARK: - What can be said

    @Test func addressesAreSentAsSuch() throws {
        let hosts: [(String, [UInt8])] = [
            ("127.0.0.1", [1, 127, 0, 0, 1]), ("[::1]", [4] + [UInt8](repeating: 0, count: 15) + [1]),
            ("127.1", [3, 5] + Array("127.1".utf8)),
        ]
        for (host, target) in hosts {
            let origin = HTTPOrigin(scheme: "http", host: host, port: 8080)
            let outcome = Self.run(try Self.server(.socks5).handshake(to: origin), [[5, 0]])
            #expect(outcome.sent.last == [5, 1, 0] + target + [31, 144])
        }
        let tunnel = ConnectHandshake(to: HTTPOrigin(scheme: "https", host: "[::1]", port: 8443), authorization: nil)
        #expect(Self.run(tunnel, []).sent == [Array("CONNECT [::1]:8443 HTTP/1.1\r\nHost: [::1]:8443\r\n\r\n".utf8)])
    }

    @Test func tooLongNamesAreRejectedBeforeSending() throws {
        let long = String(repeating: "a", count: 256)
        let fits = String(repeating: "a", count: 255)
        let origin = HTTPOrigin(scheme: "https", host: long, port: nil)
        for scheme in [HTTPProxy.Scheme.socks5, .socks4a] {
            #expect(throws: TransportError.self) { try Self.server(scheme).handshake(to: origin) }
            #expect(throws: TransportError.self) { try Self.server(scheme, long).handshake(to: Self.origin) }
            _ = try Self.server(scheme, fits).handshake(to: HTTPOrigin(scheme: "https", host: fits, port: nil))
        }
        #expect(throws: TransportError.self) { try Self.server(.socks5, "a", long).handshake(to: Self.origin) }
        #expect(throws: TransportError.self) { try Self.server(.socks5).handshake(to: Self.origin, address: [1, 2]) }
        #expect(throws: TransportError.self) {
            try Self.server(.socks4).handshake(to: Self.origin, address: [UInt8](repeating: 0, count: 16))
        }
    }
}
#endif
