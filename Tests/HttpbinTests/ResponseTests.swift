#if os(Linux)
import Foundation
import Hikyaku
import Testing

/// What we make of the answers of a server of others.
@Suite(.enabled(if: HttpbinServer.isInstalled, "run scripts/setup test"), .timeLimit(.minutes(10)))
struct ResponseTests {
    @Test(arguments: [200, 201, 202, 204, 206, 226])
    func successIsAccepted(code: Int) async throws {
        let response = try await Httpbin.client.bind(Httpbin.Probe(path: "/status/\(code)")).response()
        #expect(response.status.code == code)
    }

    @Test(arguments: [300, 301, 302, 303, 304, 307, 308, 400, 401, 403, 404, 409, 418, 422, 429, 500, 502, 503, 504])
    func otherStatusIsNotAccepted(code: Int) async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await Httpbin.unredirectedClient.send(Httpbin.Probe(path: "/status/\(code)"))
        }
        guard case .unacceptableStatus(let response) = error else {
            Issue.record("not .unacceptableStatus but \(String(describing: error))")
            return
        }
        #expect(response.status.code == code)
    }

    @Test
    func serviceFailureIsTyped() async throws {
        let client = try await Httpbin.client
        do {
            try await client.send(Httpbin.Brew(status: 418))
            Issue.record("a teapot brewed coffee")
        } catch .service(let failure, let response) {
            #expect(failure.moreInformation == "http://tools.ietf.org/html/rfc2324")
            #expect(response.text?.contains("teapot") == true)
        }
        do {
            try await client.send(Httpbin.Brew(status: 500))
            Issue.record("500 was accepted")
        } catch .unacceptableStatus(let response) {
            #expect(response.status == .internalServerError)
        }
    }

    @Test
    func redirectionIsFollowed() async throws {
        let request = Httpbin.Probe(path: "/redirect-to", query: ["url": "/status/204", "status_code": 307])
        let response = try await Httpbin.client.bind(request).response()
        #expect(response.status == .noContent)
        #expect(response.redirects.map(\.status) == [307])
        #expect(response.redirects.first?.to.path() == "/status/204")
    }

    @Test
    func headersAreReadAsTheyWereSent() async throws {
        let request = Httpbin.Probe(path: "/response-headers", query: ["X-One": "1; a=\"b\"", "X-Two": ["a", "b"]])
        let headers = try await Httpbin.client.bind(request).response().headers
        #expect(headers["x-one"] == "1; a=\"b\"")
        #expect(headers.values(for: "X-Two") == ["a", "b"])
        #expect(headers["X-Three"] == nil)
    }

    @Test
    func documentBecomesAModel() async throws {
        let show = try await Httpbin.client.send(Httpbin.Document<Sample>(path: "/json")).slideshow
        #expect(show.title == "Sample Slide Show")
        #expect(show.slides.map(\.title) == ["Wake up to WonderWidgets!", "Overview"])
        #expect(show.slides.map(\.items?.count) == [nil, 2])
    }

    @Test
    func aMismatchHasItsPath() async throws {
        struct Wrong: Decodable, Sendable {
            struct Slideshow: Decodable, Sendable { var title: Int }
            var slideshow: Slideshow
        }
        do {
            _ = try await Httpbin.client.send(Httpbin.Document<Wrong>(path: "/json"))
            Issue.record("a text was read as a number")
        } catch let error as APIError<ProblemDetails> {
            #expect(error.reason == .typeMismatch)
            guard case .decoding(let failure) = error else { return }
            #expect(failure.diagnosis.pointer == "/slideshow/title")
        }
    }

    @Test(arguments: [("/html", FailureReason.htmlBody), ("/xml", .xmlBody), ("/status/200", .emptyBody)])
    func bodyThatIsNotJSONIsADecodingFailure(path: String, reason: FailureReason) async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await Httpbin.client.send(Httpbin.Document<Sample>(path: RequestPath(path)))
        }
        #expect(error?.reason == reason)
        #expect(error?.response?.status == .ok)
    }

    @Test
    func textIsReadInItsCharset() async throws {
        let demo = try await Httpbin.client.send(Httpbin.Text(path: "/encoding/utf8"))
        #expect(demo.contains("∮ E⋅da = Q,  n → ∞, ∑ f(i) = ∏ g(i)"))
        #expect(demo.contains("コンニチハ"))
        let page = try await Httpbin.client.send(Httpbin.Text(path: "/html"))
        #expect(page.contains("Herman Melville - Moby-Dick"))
        let decoded = try await Httpbin.client.send(Httpbin.Text(path: "/base64/6aOb6ISa"))
        #expect(decoded == "飛脚")
    }

    @Test(arguments: [0, 1, 1000, 102_400])
    func bytesComeWhole(count: Int) async throws {
        let query: RequestQuery = ["chunk_size": 1000]
        let sized = try await Httpbin.client.bind(Httpbin.Bytes(path: "/bytes/\(count)")).response()
        let stream = Httpbin.Bytes(path: "/stream-bytes/\(count)", query: query)
        let chunked = try await Httpbin.client.bind(stream).response()
        #expect(sized.value.count == count)
        #expect(sized.headers[.contentLength] == String(count))
        #expect(chunked.value.count == count)
        #expect(chunked.headers["Transfer-Encoding"] == "chunked")
    }

    @Test
    func bytesComeInTheirOrder() async throws {
        let alphabet = Data("abcdefghijklmnopqrstuvwxyz".utf8)
        let received = try await Httpbin.client.send(Httpbin.Bytes(path: "/range/102400", query: ["chunk_size": 777]))
        // Compared outside of the macro, which would look for the difference between long values for half a minute.
        let isRepeatedAlphabet = received.indices.allSatisfy { received[$0] == alphabet[$0 % 26] }
        #expect(received.count == 102_400)
        #expect(isRepeatedAlphabet)
    }

    @Test
    func imageComesAsItIs() async throws {
        let response = try await Httpbin.client.bind(Httpbin.Bytes(path: "/image/png")).response()
        #expect(response.value.prefix(8) == Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]))
        #expect(response.headers[.contentLength] == String(response.value.count))
    }

    @Test
    func rangeIsAPart() async throws {
        let request = Httpbin.Bytes(path: "/range/26", headers: ["Range": "bytes=2-5"])
        let response = try await Httpbin.client.bind(request).response()
        #expect(response.status == 206)
        #expect(response.value == Data("cdef".utf8))
    }

    @Test
    func streamedLinesAreReadByAShapeOfOnesOwn() async throws {
        let lines = try await Httpbin.client.send(Httpbin.Lines(count: 20))
        #expect(lines.map(\.id) == Array(0..<20))
    }

    @Test
    func bodyOverTheLimitIsRejected() async throws {
        var options = ClientOptions()
        options.bodyBytesMax = 9_999
        let environment = try await HttpbinServer.shared.environment
        let client = APIClient(options: options).substituting(environment, for: .httpbin)
        #expect(try await client.send(Httpbin.Bytes(path: "/bytes/9999")).count == 9_999)
        for path in ["/bytes/10000", "/stream-bytes/10000"] as [RequestPath] {
            let error = await #expect(throws: APIError<ProblemDetails>.self) {
                try await client.send(Httpbin.Bytes(path: path))
            }
            #expect(error?.reason == .bodyTooLarge)
        }
    }
}
#endif
