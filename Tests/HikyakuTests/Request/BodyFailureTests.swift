import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// What a client says about a body or a query that can't be encoded: where and why, and no value.
@Suite struct BodyFailureTests {
    private static let secret = "hunter2"

    private struct Row: Encodable {
        var d = 1.0
    }

    private struct Refusal: Error {
        let text = BodyFailureTests.secret
    }

    private struct Spoken: LocalizedError {
        var errorDescription: String? { "the recording is locked" }
    }

    private struct Refusing: Encodable {
        func encode(to encoder: any Encoder) throws { throw Refusal() }
    }

    private struct Model: JSONModel {
        var ratio: Double

        init(ratio: Double) { self.ratio = ratio }
        init(from reader: inout JSONReader) throws { ratio = 0 }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("ratio", ratio)
            try writer.endObject()
        }
    }

    private struct Posting: APIRequest {
        typealias Definition = RawResponse
        var environment: APIEnvironment { "https://shop.example" }
        var path: RequestPath { "/orders" }
        var method: HTTPMethod = .post
        var query: RequestQuery = [:]
        var parameters: RequestQuery = [:]
        var body: RequestBody?
        var encoder: any RequestEncoder = HikyakuJSONEncoder()
    }

    private func error(of request: Posting) async throws -> APIError<ProblemDetails> {
        let client = APIClient(transport: MockTransport())
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(request) }
        for text in [error.description, error.localizedDescription, error.failureReason ?? "", "\(error.context)"] {
            #expect(!text.contains(Self.secret))
        }
        return error
    }

    private static let bodies: [(RequestBody, String)] = [
        (.json(["list": [Row(), Row(d: .nan)]]), "at /list/1/d: not a finite number"),
        (
            .json(["list": [Row(d: .infinity)]], type: "application/merge-patch+json"),
            "at /list/0/d: not a finite number",
        ),
        (.json(["a": 1, "b": Double.nan] as [String: (any Encodable & Sendable)?]), "at /b: not a finite number"),
        (.json(["m": [Model(ratio: .nan)]]), "at /m/0/ratio: not a finite number"),
        (.json(["list": [Refusing()]]), "at /list/0: encoding it threw Refusal"),
        (.json(Refusing()), "in the value as a whole: encoding it threw Refusal"),
        (.multipart([.json("meta", ["list": [Row(d: .nan)]])]), #"part "meta": at /list/0/d: not a finite number"#),
        (
            RequestBody { encoder in (HTTPBody(try encoder.encode([Row(d: .nan)])), "a/b") },
            "at /0/d: not a finite number",
        ),
        (RequestBody { _ in throw Refusal() }, "making it threw a Refusal"),
        (RequestBody { _ in throw Spoken() }, "making it threw a Spoken: the recording is locked"),
    ]

    @Test(arguments: bodies.indices)
    func aBodyThatCanNotBeEncodedHasItsPlace(index: Int) async throws {
        let (body, text) = Self.bodies[index]
        let error = try await error(of: Posting(body: body))
        #expect(error.reason == .body)
        #expect(error.description.contains("the body could not be encoded: \(text)"), "\(error)")
        let cause = error.context.underlyingError
        #expect(cause is EncodingError || cause is Refusal || cause is Spoken)
    }

    /// The package's encoder goes through the same values to find the place.
    @Test func aTypesOwnErrorHasItsPlaceWithFoundationsEncoders() async throws {
        let encoders: [any RequestEncoder] = [JSONEncoder(), PropertyListEncoder()]
        for encoder in encoders {
            let refusing = try await error(of: Posting(body: .json(["list": [Refusing()]]), encoder: encoder))
            #expect(refusing.description.contains("at /list/0: encoding it threw Refusal"), "\(refusing)")
            #expect(refusing.context.underlyingError != nil)
        }
        let infinite = try await error(of: Posting(body: .json(["list": [Row(d: .nan)]]), encoder: JSONEncoder()))
        #expect(infinite.description.contains("at /list/0/d: not a finite number"), "\(infinite)")
    }

    @Test func parametersOfABodyAreNamed() async throws {
        let error = try await error(of: Posting(parameters: ["filter": .object(["max": Double.nan])]))
        #expect(error.reason == .query)
        #expect(error.description.contains("the value of filter[max] is not a finite number"), "\(error)")
    }

    private static let items: [(RequestQuery, String)] = [
        (["a b": Double.nan], "the value of a b is not a finite number"),
        (["filter": .object(["d": [1, Double.infinity]])], "the value of filter[d] is not a finite number"),
        (["since": Date(timeIntervalSince1970: 1e15)], "the value of since is a date outside the years 1 to 9999"),
        (
            ["filter": .json(["list": [Row(d: .nan)]])],
            "the value of filter can't be encoded as JSON: at /list/0/d: not a finite number",
        ),
        (
            ["filter": .encoded(["list": [Refusing()]])],
            "the value of filter can't be encoded as JSON: at /list/0: encoding it threw Refusal",
        ),
        (
            RequestQuery(encoding: Row(d: .infinity)),
            "the value of Row can't be encoded as JSON: at /d: not a finite number",
        ),
    ]

    @Test(arguments: items.indices)
    func anItemOfAQueryOrAFormIsNamed(index: Int) async throws {
        let (items, text) = Self.items[index]
        let query = try await error(of: Posting(query: items))
        #expect(query.reason == .query)
        #expect(query.description.contains(text), "\(query)")
        let form = try await error(of: Posting(body: .form(items)))
        #expect(form.reason == .query)
        #expect(form.description.contains(text.replacing("a b", with: "a+b")), "\(form)")
    }
}
