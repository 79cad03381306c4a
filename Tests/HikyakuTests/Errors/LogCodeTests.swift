import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// The code of a service's failure is in descriptions and logs, and nothing else of it.
struct LogCodeTests {
    struct Coded: ServiceFailure, Decodable {
        let code: String
        var logCode: String? { code }
    }

    /// A property that isn't Optional is the code, too.
    struct Plain: ServiceFailure, Decodable { let logCode: String }

    struct Call<Failure: ServiceFailure>: APIRequest {
        typealias Response = [Dish]
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/dishes" }
    }

    private func description<Failure: ServiceFailure>(
        _ body: String,
        type: String = "application/json",
        as: Failure.Type,
    ) async throws -> String {
        let response = HTTPResponse(status: .conflict, headers: ["Content-Type": type], body: HTTPBody(body))
        let client = APIClient(transport: MockTransport { _ in response })
        let error = await #expect(throws: APIError<Failure>.self) { try await client.send(Call<Failure>()) }
        return try #require(error?.description)
    }

    @Test(arguments: ["sold_out", "E-1.2:3/4", "urn:shop:sold-out", String(repeating: "a", count: 64)])
    func aCodeIsShown(_ code: String) async throws {
        let text = try await description("{\"code\": \"\(code)\"}", as: Coded.self)
        #expect(text.contains("read as Coded, code \(code)"))
        #expect(try await description("{\"logCode\": \"\(code)\"}", as: Plain.self).contains(", code \(code)"))
    }

    @Test(arguments: ["", "two words", "a@b.example", "é", "a\\nb", String(repeating: "a", count: 65), "50%"])
    func whatIsNotACodeIsNotShown(_ code: String) async throws {
        let text = try await description("{\"code\": \"\(code)\"}", as: Coded.self)
        #expect(!text.contains(", code "))
    }

    @Test func theTypeOfAProblemIsItsCode() async throws {
        let type = "application/problem+json"
        let problem = #"{"type": "https://shop.example/sold-out", "title": "Sold out"}"#
        let text = try await description(problem, type: type, as: ProblemDetails.self)
        #expect(text.contains("\"Sold out\", code https://shop.example/sold-out"))
        let blank = try await description(#"{"title": "Sold out"}"#, type: type, as: ProblemDetails.self)
        #expect(!blank.contains(", code "))
    }

    // MARK: Failures without a member

    struct Optionals: ServiceFailure, Decodable {
        let message: String?
        let code: Int?
    }

    struct Memberless: ServiceFailure, Decodable {}

    /// It reads what it finds by itself.
    struct Own: ServiceFailure {
        init?(response: BufferedResponse) {}
    }

    private func failure<Failure: ServiceFailure>(_ body: String, as: Failure.Type) async -> APIError<Failure>? {
        let client = APIClient(
            transport: MockTransport { _ in HTTPResponse(status: 400, headers: ["X": "1"], body: HTTPBody(body)) }
        )
        return await #expect(throws: APIError<Failure>.self) { try await client.send(Call<Failure>()) }
    }

    @Test func aBodyWithoutAnyMemberIsNotTheFailure() async throws {
        for body in [#"{"errors":[{"detail":"x"}]}"#, "{}", #"{"Message": "x"}"#] {
            let error = await failure(body, as: Optionals.self)
            #expect(error?.reason == .unacceptableStatus, "\(body)")
            #expect(error?.response?.text == body)
        }
        #expect(
            await failure(#"{"errors":[{"detail":"x"}]}"#, as: Optionals.self)?.description.contains("errors") == true
        )
        for body in [#"{"message": "x"}"#, #"{"code": 0}"#, #"{"code": 1, "errors": []}"#] {
            #expect(await failure(body, as: Optionals.self)?.reason == .service, "\(body)")
        }
    }

    @Test func typesThatReadAnythingByIntentAreLeftAlone() async {
        #expect(await failure(#"{"a": 1}"#, as: Memberless.self)?.reason == .service)
        #expect(await failure(#"{"a": 1}"#, as: Own.self)?.reason == .service)
    }
}
