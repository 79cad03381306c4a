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

    fileprivate struct Main: Decodable, Sendable { let dishId: Int }

    /// A model that decodes the JSON in one of its texts, which is not a list of numbers.
    private struct TextInside: Decodable, Sendable {
        private enum CodingKeys: CodingKey { case text }

        init(from decoder: any Decoder) throws {
            let text = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .text)
            _ = try JSONDecoder().decode([Int].self, from: Data(text.utf8))
        }
    }

    private static let general =
        "The body as a whole has another form: change the request's Response, or its Definition."

    private enum ItemsKey: ResponseKey { static let path = "items" }

    private func error<Definition: ResponseDefinition>(
        _ body: String,
        _ definition: Definition.Type,
        _ decoder: HikyakuJSONDecoder = HikyakuJSONDecoder(),
    ) async throws -> APIError<ProblemDetails> where Definition.Result: Sendable {
        let options = ClientOptions(decoder: decoder)
        let client = APIClient(transport: MockTransport { _ in .json(body) }, options: options)
        return try await failure { () async throws(APIError<ProblemDetails>) in
            try await client.send(Read<Definition>())
        }
    }

    private static func keyed(_ key: String, _ path: String, _ shape: String) -> String {
        "write typealias Definition = KeyedResponse<\(key), \(shape)> with enum \(key): ResponseKey "
            + "{ static let path = \"\(path)\" }."
    }

    @Test(arguments: [
        (#"{"data":[{"id":1}]}"#, "data", "DataKey"),
        (#"{"meta":{"pages":3},"search_results":[]}"#, "search_results", "SearchResultsKey"),
        (#"{"data":{"items":[{"id":1}],"total":2}}"#, "data.items", "ItemsKey"),
        (#"{"response":{"data":{"items":[{"id":1}]}}}"#, "response.data.items", "ItemsKey"),
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

    /// Such a key may be data: it is not a name that a model would have.
    @Test(arguments: [
        #"{"mei@a.example":["hunter2"],"123456":["hunter2"]}"#,
        #"{"cus_9s6XKzkNRiz8i3":["hunter2"]}"#,
        #"{"f47ac10b-58cc-4372-a567-0e02b2c3d479":["hunter2"]}"#,
        #"{"a8f3c9e1b2d4":["hunter2"]}"#,
    ])
    func noValueAndNoKeyThatMayBeDataIsShown(body: String) async throws {
        #expect(try await error(body, Decoded<[Dish]>.self).hint == Self.general)
    }

    @Test func anArrayThatIsNotFoundIsNotDenied() async throws {
        let many = (0..<150).map { #""a\#($0)":0"# }.joined(separator: ",")
        #expect(try await error("{\(many),\"data\":[]}", Decoded<[Dish]>.self).hint == Self.general)
        let deep = #"{"a":{"b":{"c":{"d":[]}}}}"#
        #expect(try await error(deep, Decoded<[Dish]>.self).hint == Self.general)
        let none = try await error("{\(many),\"data\":{}}", Decoded<[Dish]>.self)
        #expect(none.hint?.hasPrefix("The body is one object and has no array") == true)
    }

    @Test func anErrorInsideATextHasNoAdviceAboutTheBody() async throws {
        let error = try await error(#"{"items":[],"text":"5"}"#, Decoded<TextInside>.self)
        #expect(error.reason == .typeMismatch)
        #expect(error.hint?.hasPrefix("Change the type of the property") == true)
    }

    @Test func theKeyStrategyOfTheDecoderIsApplied() async throws {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let error = try await error(#"{"main_dish":{"dish_id":1}}"#, Decoded<Main>.self, decoder)
        let text = Self.keyed("MainDishKey", "main_dish", "SingleResponse<RootAdviceTests.Main>")
        #expect(error.hint == "The key is in the object under \"main_dish\": \(text)")
    }

    @Test(arguments: [
        ("_1st", "Body1stKey"), ("_", "BodyKey"), ("--", "BodyKey"), ("_links", "LinksKey"), ("a-b", "ABKey"),
        ("_1st_page", "Body1stPageKey"),
    ])
    func theNameOfTheKeyIsOneOfSwift(key: String, name: String) async throws {
        let error = try await error("{\"\(key)\":[]}", Decoded<[Dish]>.self)
        let text = Self.keyed(name, key, "ArrayResponse<Dish>")
        #expect(error.hint == "The body is an object whose key \"\(key)\" holds an array: \(text)")
    }

    @Test func modelsAreNamedWithTheirEnclosingTypes() async throws {
        let list = try await error("[{},{}]", Decoded<Main>.self)
        #expect(list.hint == "The body is an array of 2 elements: write typealias Response = [RootAdviceTests.Main].")
        let element = try await error("{}", Decoded<[[Main]]>.self)
        #expect(element.hint?.hasSuffix("typealias Response = Array<RootAdviceTests.Main>.") == true)
    }

    @Test func argumentsOfAGenericRequestAreNamedWithoutTheirModules() async throws {
        let error = try await error("[]", KeyedResponse<ItemsKey, ArrayResponse<[Dish]>>.self)
        let name = "RootAdviceTests.Read<KeyedResponse<RootAdviceTests.ItemsKey, ArrayResponse<Array<Dish>>>>"
        #expect(error.context.requestType == name)
    }

    @Test func anotherDefinitionIsNotSecondGuessed() async throws {
        let keyed = try await error("[1]", KeyedResponse<ItemsKey, ArrayResponse<Dish>>.self)
        #expect(keyed.hint?.hasPrefix("The body as a whole has another form") == true)
        let inner = try await error(#"{"items":{"data":[]}}"#, KeyedResponse<ItemsKey, ArrayResponse<Dish>>.self)
        #expect(inner.hint?.hasPrefix("Change the type of the property") == true)
    }
}
