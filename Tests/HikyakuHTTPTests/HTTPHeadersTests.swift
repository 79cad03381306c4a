import HikyakuHTTP
import Testing

@Suite struct HTTPHeadersTests {
    @Test func namesAreEqualWhateverTheirCase() {
        #expect(HTTPHeaderName("Content-TYPE") == .contentType)
        #expect(Set<HTTPHeaderName>(["ETag", "etag", "ETAG"]).count == 1)
        #expect(HTTPHeaderName("x-a") != HTTPHeaderName("x_a"))
        #expect(HTTPHeaderName("[") != HTTPHeaderName("{"), "only letters have a case")
    }

    @Test func orderAndRepetitionAreKept() {
        var headers: HTTPHeaders = ["Set-Cookie": "a=1", "Vary": "Accept", "set-cookie": "b=2"]
        headers.append("Vary", "Origin")
        #expect(headers.map(\.name.rawName) == ["Set-Cookie", "Vary", "set-cookie", "Vary"])
        #expect(headers.values(for: .setCookie) == ["a=1", "b=2"])
        #expect(headers["vary"] == "Accept, Origin")
        #expect(headers["Absent"] == nil)
    }

    @Test func settingPutsOneFieldInThePlaceOfAllOfItsName() {
        var headers: HTTPHeaders = ["A": "1", "B": "2", "a": "3", "C": "4"]
        headers["A"] = "5"
        #expect(headers.map { "\($0.name.rawName)=\($0.value)" } == ["A=5", "B=2", "C=4"])
        headers["b"] = nil
        #expect(headers.map(\.name.rawName) == ["A", "C"])
        headers["D"] = "6"
        #expect(headers["D"] == "6")
    }

    @Test func whatTakesThePlaceOfASecretIsOneToo() {
        var headers: HTTPHeaders = ["X-Key": "0", "X-Plain": "p"]
        headers.append("x-key", "1", isSecret: true)
        headers["X-KEY"] = "2"
        #expect(headers.map(\.isSecret) == [true, false])
        headers.replace(with: ["x-key": "3", "X-Plain": "q", "X-New": "n"])
        #expect(headers.map(\.value) == ["3", "q", "n"])
        #expect(headers.map(\.isSecret) == [true, false, false])
        #expect(!"\(headers)".contains("3"))
        headers["X-Key"] = nil
        headers["X-Key"] = "4"
        #expect(headers.last?.isSecret == false, "it was taken away before")
    }

    @Test func replacingKeepsWhatTheOtherBlockDoesNotName() {
        var headers: HTTPHeaders = ["Accept": "a", "User-Agent": "b"]
        headers.replace(with: ["accept": "c", "Accept": "d"])
        #expect(headers.values(for: .accept) == ["c", "d"])
        #expect(headers[.userAgent] == "b")
        let other = headers.replacing(with: ["User-Agent": "e"])
        #expect(other.map(\.value) == ["c", "d", "e"])
        #expect(headers[.userAgent] == "b", "the block itself stays as it is")
    }

    @Test func aSecretTakesThePlaceOfAllOfItsName() {
        let headers = HTTPHeaders.secret("X-Key", "1").secret("X-Other", "2").secret("x-key", "3")
        #expect(headers.map { "\($0.name.rawName)=\($0.value)" } == ["X-Other=2", "x-key=3"])
        let areSecrets = headers.allSatisfy(\.isSecret)
        #expect(areSecrets)
        var plain: HTTPHeaders = ["X-Key": "0", "A": "a", "X-KEY": "1"]
        plain.setSecret("X-Key", "2")
        #expect(plain.map(\.value) == ["a", "2"])
        #expect(plain.map(\.isSecret) == [false, true])
    }

    @Test func aCredentialIsMarkedOrKnownByItsName() {
        var headers: HTTPHeaders = [
            "authorization": "1", "COOKIE": "2", "Proxy-Authorization": "3", "Set-Cookie": "4", "Accept": "5",
        ]
        headers.append("X-Key", "6", isSecret: true)
        #expect(headers.filter(\.isCredential).map(\.value) == ["1", "2", "3", "6"])
    }
}

@Suite struct ReceivedHeadersTests {
    /// What is received from `Name: value` lines without a blank too many.
    private func received(_ lines: [String]) -> HTTPHeaders {
        var (bytes, places) = ([UInt8](), [HeaderBlock.Line]())
        for line in lines {
            let (start, colon) = (UInt32(bytes.count), UInt32(line.utf8.prefix { $0 != UInt8(ascii: ":") }.count))
            bytes += Array(line.utf8)
            places.append(.init(name: start..<(start + colon), value: (start + colon + 2)..<UInt32(bytes.count)))
        }
        return HTTPHeaders(HeaderBlock(bytes, lines: places, isASCII: bytes.allSatisfy { $0 < 0x80 }))
    }

    private let lines = ["Server: a", "Set-Cookie: b=1", "X-Empty: ", "X-Name: Grüße", "set-cookie: c=2"]
    private let same: HTTPHeaders = [
        "Server": "a", "Set-Cookie": "b=1", "X-Empty": "", "X-Name": "Grüße", "set-cookie": "c=2",
    ]

    @Test func whatIsReceivedReadsLikeWhatIsMade() {
        let headers = received(lines)
        #expect(headers.count == 5)
        #expect(headers == same && same == headers)
        #expect(headers.hashValue == same.hashValue)
        #expect(headers.map { "\($0.name.rawName): \($0.value)" } == lines)
        #expect(headers.values(for: "SET-COOKIE") == ["b=1", "c=2"])
        #expect(headers["set-cookie"] == "b=1, c=2")
        #expect(headers["x-empty"]?.isEmpty == true)
        #expect(headers["X-Nam"] == nil && !headers.contains("X-Namf"))
        #expect(headers.contains("x-NAME"))
        #expect("\(headers)" == "\(same)")
        #expect(received([]).isEmpty && received([]) == HTTPHeaders())
    }

    @Test func whatIsReceivedCanBeChanged() {
        var headers = received(lines)
        let copy = headers
        headers["server"] = "d"
        headers.append("X-Name", "e", isSecret: true)
        headers.removeAll { $0.name == .setCookie }
        #expect(
            headers.map { "\($0.name.rawName): \($0.value)" } == [
                "Server: d", "X-Empty: ", "X-Name: Grüße", "X-Name: e",
            ]
        )
        #expect(headers.map(\.isSecret) == [false, false, false, true])
        #expect(copy == same, "a copy is a value of its own")
        var other = same
        other.replace(with: received(["X-EMPTY: f"]))
        #expect(other.map(\.value) == ["a", "b=1", "Grüße", "c=2", "f"])
    }
}

@Suite struct VocabularyTests {
    @Test(arguments: [
        (HTTPMethod.get, true, true), (.head, true, true), (.options, true, true), (.trace, true, true),
        (.put, false, true), (.delete, false, true), (.post, false, false), (.patch, false, false),
        ("get", false, false),
    ])
    func methodsKnowWhetherTheyMayBeRepeated(method: HTTPMethod, isSafe: Bool, isIdempotent: Bool) {
        #expect(method.isSafe == isSafe)
        #expect(method.isIdempotent == isIdempotent)
    }

    @Test func statusesBelongToTheClassOfTheirFirstDigit() {
        #expect(HTTPStatus(204).isSuccess && !HTTPStatus(304).isSuccess)
        #expect(HTTPStatus(308).isRedirection)
        #expect(HTTPStatus(418).isClientError)
        #expect([500, 599, 600, 999, 99, 0].allSatisfy { HTTPStatus($0).isServerError })
        #expect(![100, 200, 399, 400, 499].contains { HTTPStatus($0).isServerError })
        #expect(HTTPStatus(100).isInformational && HTTPStatus(199).isInformational)
        #expect(!HTTPStatus(99).isInformational && !HTTPStatus(200).isInformational)
        #expect("\(HTTPStatus(404))" == "404 Not Found")
        #expect("\(HTTPStatus(999))" == "999")
    }
    @Test func statusesAreOrderedByNumber() {
        #expect(HTTPStatus(199) < 200 && !(HTTPStatus.ok < .ok))
        #expect([HTTPStatus.notFound, .ok, .badGateway].sorted() == [.ok, .notFound, .badGateway])
        #expect((HTTPStatus(500)...).contains(503) && !(HTTPStatus(500)...).contains(499))
    }

    @Test func aMethodIsItsWord() {
        #expect(HTTPMethod(rawValue: "PURGE") == "PURGE")
        #expect(HTTPMethod(rawValue: "get") != .get, "methods have a case")
    }
}
