import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// The hint for a body that is a failure, or has a value in another format.
@Suite struct ValueAdviceTests {
    private struct BookmarkError: ServiceFailure, Decodable {
        let message: String
        let code: Int
    }

    private struct VagueError: ServiceFailure, Decodable { let message: String? }

    private struct Read<Model: Decodable & Sendable, Problem: ServiceFailure>: APIRequest {
        typealias Response = Model
        typealias Failure = Problem
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
        var diagnosisDetail: DiagnosisDetail = []
    }

    private enum State: String, Decodable { case open }

    private struct Event: Decodable {
        let at: Date?
        let state: State?
    }

    private func hint<Model: Decodable & Sendable, Problem: ServiceFailure>(
        _ body: String,
        _ request: Read<Model, Problem>,
        _ options: ClientOptions = ClientOptions(),
    ) async throws -> String {
        let client = APIClient(transport: MockTransport { _ in .json(body) }, options: options)
        do {
            _ = try await client.send(request)
        } catch {
            return try #require(error.hint)
        }
        throw NothingThrown()
    }

    @Test func aDateNamesTheStrategyOfTheDecoder() async throws {
        let end = ", and pass it to ClientOptions(decoder:)."
        #expect(
            try await hint(#"{"at":1700000000}"#, Read<Event, ProblemDetails>())
                == "Set the dateDecodingStrategy of a HikyakuJSONDecoder to .secondsSince1970, or to "
                + ".millisecondsSince1970 for numbers of 13 digits" + end
        )
        #expect(
            try await hint(#"{"at":"31.12.2026"}"#, Read<Event, ProblemDetails>())
                == "Set the dateDecodingStrategy of a HikyakuJSONDecoder to the format of the service, such as "
                + ".iso8601.or(.format(\"dd.MM.yyyy\")), or to .custom" + end
        )
    }

    @Test func aNumberThatJSONLacksNamesTheStrategy() async throws {
        struct Ratio: Decodable { let ratio: Double }
        for text in ["NaN", "Infinity", "-Infinity"] {
            let hint = try await hint("{\"ratio\":\"\(text)\"}", Read<Ratio, ProblemDetails>())
            #expect(hint.contains("nonConformingFloatDecodingStrategy"))
        }
        #expect(!(try await hint(#"{"ratio":"Nancy"}"#, Read<Ratio, ProblemDetails>())).contains("nonConforming"))
    }

    @Test func bytesNameTheDefinitionThatReadsThem() async throws {
        let hint = try await hint(#"{"id":7}"#, Read<Data, ProblemDetails>())
        #expect(hint.hasSuffix("write typealias Definition = RawResponse in place of the Response."))
    }

    /// The body is in an envelope, whose key is another one.
    @Test func bytesInAnEnvelopeAreNotTheBody() async throws {
        enum PhotoKey: ResponseKey { static let path = "photo" }
        struct Photo: APIRequest {
            typealias Definition = KeyedResponse<PhotoKey, Decoded<Data>>
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/p" }
        }
        let client = APIClient(transport: MockTransport { _ in .json(#"{"foto":"AAAA"}"#) })
        let error = try await failure { () async throws(APIError<ProblemDetails>) in try await client.send(Photo()) }
        #expect(error.hint?.contains("RawResponse") == false && error.reason == .missingKey)
    }

    @Test func aKeyInSnakeCaseNamesTheStrategy() async throws {
        struct Entry: Decodable { let createdAt: String }
        let hint = try await hint(#"[{"created_at":"hunter2"}]"#, Read<[Entry], ProblemDetails>())
        #expect(
            hint
                == #"The body has the key "created_at": write case createdAt = "created_at" in the model's CodingKeys, "#
                + "or set the decoder's keyDecodingStrategy to .convertFromSnakeCase."
        )
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let converting = ClientOptions(decoder: decoder)
        // A strategy makes `htmlUrl` of it.
        struct Link: Decodable { let htmlURL: String }
        #expect(
            try await self.hint(#"[{"html_url":"hunter2"}]"#, Read<[Link], ProblemDetails>())
                == #"The body has the key "html_url": write case htmlURL = "html_url" in the model's CodingKeys."#
        )
        #expect(
            try await self.hint(#"[{"html_url":"hunter2"}]"#, Read<[Link], ProblemDetails>(), converting)
                == #"The body has the key "html_url": write case htmlURL = "htmlUrl" in the model's CodingKeys."#
        )
        let other = try await self.hint(#"[{"created-at":"hunter2"}]"#, Read<[Entry], ProblemDetails>())
        #expect(!other.contains("Strategy"))
    }

    @Test func anUnknownCaseNamesWhatShowsItAndWhatAcceptsIt() async throws {
        let open = "Add its case to State, or accept unknown values: as OpenEnum<State>, or by an OpenValue."
        #expect(
            try await hint(#"{"state":"closed"}"#, Read<Event, ProblemDetails>())
                == "To see the value, write var diagnosisDetail: DiagnosisDetail { .values }. " + open
        )
        let shown = Read<Event, ProblemDetails>(diagnosisDetail: .values)
        #expect(try await hint(#"{"state":"closed"}"#, shown) == open)
    }

    @Test func aFailureWithAnAcceptedStatusNamesItsFunction() async throws {
        let body = #"{"message":"hunter2","code":3}"#
        for hint in [
            try await hint(body, Read<[Dish], BookmarkError>()), try await hint(body, Read<Dish, BookmarkError>()),
        ] {
            #expect(
                hint == "The body can be read as ValueAdviceTests.BookmarkError: if it is the service's failure, "
                    + "implement failure(in:) and return it."
            )
        }
    }

    @Test func aFailureThatAnyObjectIsNamesNothing() async throws {
        let body = #"{"message":"hunter2","code":3}"#
        #expect(try await hint(body, Read<[Dish], VagueError>()).hasPrefix("The body is one object"))
        #expect(try await hint("{}", Read<[Dish], BookmarkError>()).hasPrefix("The body is one object"))
    }

    /// A hint is not worth decoding megabytes once more.
    @Test func aLargeBodyIsNotDecodedOnceMore() async throws {
        let message = String(repeating: "a", count: 64 * 1024)
        let hint = try await hint(#"{"message":"\#(message)","code":3}"#, Read<[Dish], BookmarkError>())
        #expect(hint.hasPrefix("The body is one object"))
    }
}
