import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// The hint for a body that as a whole isn't what the request reads.
@Suite struct RootAdviceTests {
    private struct Read<Definition: ResponseDefinition>: APIRequest {
        typealias Response = Definition.Result
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/p" }
        func response(from response: BufferedResponse) async throws -> Definition.Result {
            try Definition.read(response)
        }
    }

    private enum ItemsKey: ResponseKey { static let path = "items" }

    private func error<Definition: ResponseDefinition>(
        _ body: String,
        _ definition: Definition.Type,
    ) async throws -> APIError<ProblemDetails> where Definition.Result: Sendable {
        let client = APIClient(transport: MockTransport { _ in .json(body) })
        return try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Read<Definition>())
        }
    }

    private static func keyed(_ key: String, _ path: String, _ shape: String) -> String {
        "write typealias Definition = KeyedResponse<\(key), \(shape)> with nonisolated enum \(key): ResponseKey "
            + "{ static let path = \"\(path)\" }."
    }

    @Test(arguments: [
        (#"{"data":[{"id":1}]}"#, "data", "DataKey"),
        (#"{"meta":{"pages":3},"search_results":[]}"#, "search_results", "SearchResultsKey"),
        (#"{"data":{"items":[{"id":1}],"total":2}}"#, "data.items", "ItemsKey"),
    ])
    func anArrayInAnEnvelopeNamesItsDefinition(body: String, path: String, key: String) async throws {
        for error in [
            try await error(body, Decoded<[Dish]>.self), try await error(body, ArrayResponse<Dish>.self),
        ] {
            #expect(error.reason == .typeMismatch)
            let text = Self.keyed(key, path, "ArrayResponse<Dish>")
            #expect(
                error.hint?.hasPrefix("The body is an object whose key \"\(path)\" holds an array: \(text)") == true
            )
            #expect("\(error)".contains(text))
        }
    }

    @Test func theMembersBesideAnArrayAreReadToo() async throws {
        let error = try await error(#"{"items":[],"total":2}"#, Decoded<[Dish]>.self)
        #expect(error.hint?.hasSuffix("PageResponse reads the members beside it, too.") == true)
    }

    @Test func severalArraysAreNamed() async throws {
        let error = try await error(#"{"a":[],"b":[],"c":[],"d":[]}"#, Decoded<[Dish]>.self)
        #expect(error.hint?.contains(#"under the keys "a", "b", "c" and others"#) == true)
        #expect(error.hint?.contains("CombinedResponse") == true)
    }

    @Test func anObjectForAnArrayIsAModel() async throws {
        let error = try await error(#"{"id":1,"name":"x"}"#, Decoded<[Dish]>.self)
        #expect(error.hint?.contains("typealias Response = Dish.") == true)
    }

    @Test func anArrayForAModelIsTheOnlyElementOrAList() async throws {
        let one = try await error(#"[{"id":1,"name":"x"}]"#, SingleResponse<Dish>.self)
        #expect(one.hint?.contains("one element: write typealias Definition = OnlyResponse<Dish>") == true)
        let two = try await error("[{},{}]", Decoded<Dish>.self)
        #expect(two.hint == "The body is an array of 2 elements: write typealias Response = [Dish].")
    }

    @Test func aModelInAnEnvelopeNamesItsDefinition() async throws {
        let error = try await error(#"{"dish":{"id":1,"name":"x"},"ok":true}"#, Decoded<Dish>.self)
        let text = Self.keyed("DishKey", "dish", "SingleResponse<Dish>")
        #expect(error.hint == "The key is in the object under \"dish\": \(text)")
        let missing = try await self.error(#"{"dish":{"name":"x"}}"#, Decoded<Dish>.self)
        #expect(missing.hint?.hasPrefix("Compare the model's keys") == true)
    }

    /// Such a key may be data: it is no name that a model would have.
    @Test func noValueAndNoKeyThatMayBeDataIsShown() async throws {
        let mail = #"{"mei@a.example":["hunter2"],"123456":["hunter2"]}"#
        let error = try await error(mail, Decoded<[Dish]>.self)
        let hint = try #require(error.hint)
        #expect(!hint.contains("mei") && !hint.contains("123456") && !hint.contains("hunter2"), "\(hint)")
    }

    @Test func anotherDefinitionIsNotSecondGuessed() async throws {
        let keyed = try await error("[1]", KeyedResponse<ItemsKey, ArrayResponse<Dish>>.self)
        #expect(keyed.hint?.hasPrefix("The body as a whole has another form") == true)
        let inner = try await error(#"{"items":{"data":[]}}"#, KeyedResponse<ItemsKey, ArrayResponse<Dish>>.self)
        #expect(inner.hint?.hasPrefix("Change the type of the property") == true)
    }
}
