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
