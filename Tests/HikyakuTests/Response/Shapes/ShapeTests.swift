import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

private enum ByteCount: ResponseDefinition {
    static func read(_ response: BufferedResponse) -> Int { response.body.count }
}

@Suite struct ShapeTests {
    @Test func eachShapeReadsTheBodyInItsWay() async throws {
        let response = HTTPResponse.json("[1, 2]")
        #expect(try await send(Decoded<[Int]>.self, response) == [1, 2])
        #expect(try await send(RawResponse.self, response) == Data("[1, 2]".utf8))
        #expect(try await send(TextResponse.self, response) == "[1, 2]")
        #expect(try await send(ByteCount.self, response) == 6)
        try await send(EmptyResponse.self, response)
        try await send(EmptyResponse.self, HTTPResponse(status: .noContent))
    }

    @Test(arguments: [
        ("text/plain", Data("ü".utf8)), ("text/plain; charset=\"UTF-8\"", Data("ü".utf8)),
        ("text/plain; charset=iso-8859-1", Data([0xFC])), ("text/plain ; x=y ; CHARSET = utf-16le", Data([0xFC, 0])),
        ("text/plain; charset=utf-16le", Data([0xFF, 0xFE, 0xFC, 0])),
        ("text/plain", Data([0xEF, 0xBB, 0xBF, 0xC3, 0xBC])),
        (#"text/plain; x="a\";charset=utf-16"; charset=utf-8"#, Data("ü".utf8)),
        ("text/plain; charset=\"\"", Data("ü".utf8)),
    ])
    func textIsReadInItsCharset(type: String, body: Data) async throws {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": type], body: HTTPBody(body))
        #expect(try await send(TextResponse.self, response) == "ü")
    }

    @Test(arguments: [
        ("text/plain", Data([0xFF])), ("text/plain; charset=klingon", Data([0x41])),
        ("text/plain; charset=utf-16le", Data([0x41, 0, 0x42])), ("text/plain; charset=utf-32", Data([0x41, 0, 0])),
    ])
    func textThatIsNoneIsADecodingFailure(type: String, body: Data) async throws {
        let response = HTTPResponse(status: 200, headers: ["Content-Type": type], body: HTTPBody(body))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await send(TextResponse.self, response)
        }
        #expect(error.reason == .wrongCharset)
        #expect(error.response?.body == body)
    }

    @Test func datesAreReadInISO8601WithAndWithoutFractions() async throws {
        let body = #"["2026-01-01T09:00:00+09:00", "2026-01-01T00:00:00.500Z"]"#
        let dates = try await send(Decoded<[Date]>.self, .json(body))
        #expect(dates.map(\.timeIntervalSince1970) == [1_767_225_600, 1_767_225_600.5])
    }

    @Test func aBadDateIsFoundWithItsKey() async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await send(Decoded<[String: Date]>.self, .json(#"{"since":"hunter2"}"#))
        }
        #expect(error.reason == .invalidValue)
        #expect(
            error.failureReason
                == #"at /since: expected a date in ISO 8601 with an offset, found a string masked as "aaaaaa9" (line 1, column 10, byte 9), "#
                + #"in `{"since":"aaaaaa9"}` (values masked)"#
        )
    }

    private struct Renamed: APIRequest {
        struct Model: Decodable, Sendable { let firstName: String }
        typealias Response = Model
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        var decoder: any ResponseDecoder {
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            return decoder
        }
    }

    @Test func theRequestsDecoderOverridesTheClients() async throws {
        let client = APIClient(transport: MockTransport { _ in .json(#"{"first_name": "Aki"}"#) })
        #expect(try await client.send(Renamed()).firstName == "Aki")
    }

    private struct Counting: APIRequest {
        typealias Response = Int
        let count: Lock<Int>
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        var decoder: any ResponseDecoder {
            count.withLock { $0 += 1 }
            return JSONDecoder()
        }
    }

    @Test func theRequestsDecoderIsReadOnce() async throws {
        let request = Counting(count: Lock(0))
        let client = APIClient(transport: MockTransport { _ in .json("1") })
        #expect(try await client.send(request) == 1)
        #expect(request.count.withLock { $0 } == 1)
    }

    private struct Batch: APIRequest {
        typealias Response = String
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        func response(from response: BufferedResponse) async throws -> String {
            try await Renamed().response(from: response).firstName
        }
    }

    @Test func aRequestInsideAnothersReadingKeepsItsOwnDecoder() async throws {
        let client = APIClient(transport: MockTransport { _ in .json(#"{"first_name": "Aki"}"#) })
        #expect(try await client.send(Batch()) == "Aki")
    }

    private struct Doubled: APIRequest {
        typealias Response = Int
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        func response(from response: BufferedResponse) async throws -> Int {
            try Definition.read(response) * 2
        }
    }

    @Test func aRequestMayReadItsResponseItself() async throws {
        let client = APIClient(transport: MockTransport { _ in .json("21") })
        #expect(try await client.send(Doubled()) == 42)
        let four = BufferedResponse(status: 200, body: Data("4".utf8))
        #expect(try await Doubled().response(from: four) == 8, "outside of a call too")
        let named = BufferedResponse(status: 200, body: Data(#"{"first_name": "Aki"}"#.utf8))
        #expect(try await Renamed().response(from: named).firstName == "Aki")
    }

    private struct Opaque: Sendable, Equatable { let count: Int }

    private struct Custom: APIRequest {
        typealias Response = Opaque
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        func response(from response: BufferedResponse) throws -> Opaque {
            Opaque(count: response.headers.count)
        }
    }

    @Test func aResponseThatIsNotDecodableNeedsNoMoreThanThat() async throws {
        let client = APIClient(transport: MockTransport { _ in HTTPResponse(status: 200, headers: ["A": "b"]) })
        #expect(try await client.send(Custom()) == Opaque(count: 1))
    }
}
