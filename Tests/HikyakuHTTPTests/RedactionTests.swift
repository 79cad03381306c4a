import Foundation
import HikyakuHTTP
import Testing

@Suite struct RedactionTests {
    private static let secret = "hunter2"

    private static func request() throws -> HTTPRequest {
        let url = try #require(URL(string: "https://a.example:8443/items/1?token=hunter2&hunter2&page=2#hunter2"))
        let headers: HTTPHeaders = [
            "Authorization": "Bearer hunter2", "Cookie": "sid=hunter2", "X-Api-Key": "hunter2",
            "Accept": "application/json",
        ]
        return HTTPRequest(method: .post, url: url, headers: headers, body: HTTPBody(#"{"password":"hunter2"}"#))
    }

    @Test func noDescriptionOfARequestShowsASecret() throws {
        let request = try Self.request()
        var dumped = ""
        dump(request, to: &dumped)
        for field in request.headers { dump(field, to: &dumped) }
        let texts = ["\(request)", String(reflecting: request), dumped, "\(request.headers)", request.curlCommand()]
        for text in texts {
            #expect(!text.contains(Self.secret), "\(text)")
        }
        #expect("\(request)" == "POST https://a.example:8443/items/1?token=…&…&page=…")
    }

    /// Base64 ends with `=`, the sign that also follows names.
    @Test(arguments: ["aHVudGVyMg==", "aHVudGVyMg=", "aHVudGVyMg", "=aHVudGVyMg", "aHVudGVyMg%3D%3D"])
    func anItemWithoutAValueIsNotTakenForAName(item: String) throws {
        let url = try #require(URL(string: "https://a.example/?page=2&\(item)"))
        let text = "\(HTTPRequest(url: url))"
        #expect(text == "GET https://a.example/?page=…&\(item.hasPrefix("=") ? "=…" : "…")")
    }

    @Test func noTextOfARequestMovesTheCursorOrTurnsTheDirection() throws {
        let marks = "a\r\n\u{1B}[2J\u{202E}\u{2028}b"
        let url = try #require(URL(string: "https://a.example/\u{202E}?\u{202E}=1"))
        var headers: HTTPHeaders = [:]
        headers.append(HTTPHeaderName(marks), marks)
        headers.append(.accept, marks)
        let request = HTTPRequest(method: HTTPMethod(marks), url: url, headers: headers)
        var dumped = ""
        dump(request, to: &dumped)
        let error = TransportError(.header, marks)
        dump(error, to: &dumped)
        for text in [
            "\(request)", "\(request.method)", "\(headers[0].name)", "\(headers[0])", "\(headers[1])",
            request.curlCommand(), "\(error)",
        ] {
            #expect(Self.unprintable(text).isEmpty, "\(text.debugDescription)")
        }
        #expect(Self.unprintable(dumped.replacing("\n", with: "")).isEmpty, "\(dumped.debugDescription)")
        #expect(request.method.rawValue == marks && headers[0].name.rawName == marks)
    }

    private static func unprintable(_ text: String) -> [Unicode.Scalar] {
        text.unicodeScalars.filter {
            $0.value < 0x20 || $0.value == 0x7F || "\u{202E}\u{2028}".unicodeScalars.contains($0)
        }
    }

    @Test func harmlessHeadersAreShownAndAllOthersNamed() throws {
        let headers = try Self.request().headers
        #expect(headers.description.contains("Accept: application/json"))
        #expect(headers.description.contains("X-Api-Key: ‹redacted›"))
    }

    @Test func noDescriptionOfAResponseShowsItsBody() {
        let headers: HTTPHeaders = ["Content-Type": "application/json", "Set-Cookie": "sid=hunter2"]
        let response = HTTPResponse(status: 200, headers: headers, body: "{\"a\":\"hunter2\"}")
        var dumped = ""
        dump(response, to: &dumped)
        #expect("\(response)" == "200 OK, application/json, 15 bytes")
        #expect(!dumped.contains(Self.secret), "\(dumped)")
    }

    @Test func anErrorDoesNotShowWhatLiesBelowIt() {
        struct Leaky: Error { let token = "hunter2" }
        var dumped = ""
        dump(TransportError(.connectionReset, "broke off", underlyingError: Leaky()), to: &dumped)
        #expect(!dumped.contains(Self.secret), "\(dumped)")
    }

    @Test(arguments: [
        ("see https://me:hunter2@a.example/", true), ("me:hunter2@a.example", true), ("://", true), ("@", true),
        ("a.example:443 refused it", false), ("a:/b", false), ("", false),
    ])
    func aTextThatMayHoldAURLIsKnown(_ text: String, _ mayHoldOne: Bool) {
        #expect(Redaction.mayHoldURL(text) == mayHoldOne)
    }

    /// Texts count by their bytes, whatever is equal to a reader.
    @Test func secretsAreEqualAsTheirValuesAre() {
        #expect(Secret(1) == Secret(1) && Secret(1) != Secret(2))
        #expect(Set([Secret(1), Secret(2), Secret(1)]).count == 2)
        #expect(Secret("\u{E9}") == Secret("\u{E9}") && Secret("\u{E9}") != Secret("e\u{301}"))
        #expect(Set([Secret("a"), Secret("b"), Secret("a")]).count == 2)
    }

    @Test func aModelCanHaveASecret() throws {
        struct Session: Decodable {
            let token: Secret<String>
            let refresh: Secret<String>?
            let link: Secret<URL>
            let until: Secret<Date>
            let key: Secret<Data>
            let words: Secret<[String]>
        }
        let text =
            #"{"token":"hunter2","link":"https://a.example/?k=hunter2","until":"2026-11-26T12:00:00Z","key":"AAE=","#
            + #""words":["hunter2"]}"#
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        let session = try decoder.decode(Session.self, from: Data(text.utf8))
        #expect(session.link.reveal().host() == "a.example" && session.key.reveal() == Data([0, 1]))
        #expect(session.until.reveal().timeIntervalSince1970 == 1_795_694_400 && session.words.reveal() == ["hunter2"])
        #expect(session.token.reveal() == "hunter2" && session.refresh == nil)
        #expect(!"\(session)".contains("hunter2"))
    }

    @Test func aSecretPrintsAsRedactedEverywhere() {
        let secret = Secret(Self.secret)
        var dumped = ""
        dump(["a": secret], to: &dumped)
        for text in ["\(secret)", String(reflecting: secret), "\([secret])", "\(secret as Secret<String>?)", dumped] {
            #expect(!text.contains(Self.secret), "\(text)")
            #expect(text.contains("‹redacted›"))
        }
        #expect(secret.reveal() == Self.secret)
    }
}
