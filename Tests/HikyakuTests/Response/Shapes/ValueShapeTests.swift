import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private let ramen = Dish(id: 1, name: "Ramen")
private let udon = Dish(id: 2, name: "Udon")
private let ramenText = #"{"id":1,"name":"Ramen"}"#
private let udonText = #"{"id":2,"name":"Udon"}"#

private enum Results: ResponseKey { static let path = "results" }
private enum Items: ResponseKey { static let path = "data.items" }
private enum Pointed: ResponseKey { static let path = "/data.items" }

private enum Sum: DecodedPart {
    static func decode(from decoder: any Decoder) throws -> Int {
        try decoder.singleValueContainer().decode([Int].self).reduce(0, +)
    }
}

@Suite struct ValueShapeTests {
    @Test(arguments: Way.plain)
    func aModelIsReadFromTheWholeBody(way: Way) async throws {
        #expect(try await send(SingleResponse<Dish>.self, ramenText, decoder: way.decoder) == ramen)
        #expect(try await send(SingleResponse<Int?>.self, "null", decoder: way.decoder) == nil)
        #expect(try await send(SingleResponse<Int?>.self, "3", decoder: way.decoder) == 3)
    }

    @Test(arguments: Way.plain)
    func anArrayIsReadFromTheWholeBody(way: Way) async throws {
        let dishes = try await send(ArrayResponse<Dish>.self, "[\(udonText),\(ramenText)]", decoder: way.decoder)
        #expect(dishes == [udon, ramen])
        #expect(try await send(ArrayResponse<Int>.self, "[]", decoder: way.decoder) == [])
    }

    @Test(arguments: Way.plain)
    func theOnlyElementIsGivenWithoutItsArray(way: Way) async throws {
        #expect(try await send(OnlyResponse<Dish>.self, "[\(udonText)]", decoder: way.decoder) == udon)
        #expect(try await send(OnlyResponse<Int?>.self, "[null]", decoder: way.decoder) == nil)
    }

    @Test(arguments: Way.plain, ["[]", "[1,2]", #"[1,"a"]"#])
    func anArrayOfNoneOrSeveralHasNoOnlyOne(way: Way, body: String) async throws {
        let diagnosis = try await diagnosis(OnlyResponse<Int>.self, body, decoder: way.decoder)
        #expect(diagnosis.kind == .invalidValue)
        #expect(diagnosis.expected == "an array with exactly one element")
        #expect(diagnosis.found == "an array")
        #expect(diagnosis.pointer == "")
        #expect(diagnosis.byteOffset == 0)
    }

    @Test(arguments: Way.plain)
    func theOnlyElementsOwnFailureIsItsOwn(way: Way) async throws {
        let diagnosis = try await diagnosis(OnlyResponse<Dish>.self, #"[{"id":"x"}]"#, decoder: way.decoder)
        #expect(diagnosis.pointer == "/0/id")
        #expect(diagnosis.expected == "Int")
    }

    @Test(arguments: Way.plain)
    func aKeyLeadsThroughObjects(way: Way) async throws {
        let flat = #"{"count":1,"results":[\#(ramenText)]}"#
        let nested = #"{"data":{"next":null,"items":[\#(ramenText)]},"data.items":[\#(udonText)]}"#
        let decoder = way.decoder
        #expect(try await send(KeyedResponse<Results, ArrayResponse<Dish>>.self, flat, decoder: decoder) == [ramen])
        #expect(try await send(KeyedResponse<Results, OnlyResponse<Dish>>.self, flat, decoder: decoder) == ramen)
        #expect(try await send(KeyedResponse<Items, ArrayResponse<Dish>>.self, nested, decoder: decoder) == [ramen])
        #expect(try await send(KeyedResponse<Pointed, Decoded<[Dish]>>.self, nested, decoder: decoder) == [udon])
        let numbers = #"{"results":{"data":{"items":[1,2]}}}"#
        typealias Deep = KeyedResponse<Results, KeyedResponse<Items, Sum>>
        #expect(try await send(Deep.self, numbers, decoder: decoder) == 3)
    }

    @Test(arguments: Way.plain)
    func aMissingKeyNamesThoseThatAreThere(way: Way) async throws {
        typealias Shape = KeyedResponse<Items, ArrayResponse<Dish>>
        let first = try await diagnosis(Shape.self, #" {"ok":true,"payload":[]}"#, decoder: way.decoder)
        #expect(first.kind == .missingKey)
        #expect(first.pointer == "")
        #expect(first.expected == #"the key "data""#)
        #expect(first.found == #"an object with the keys "ok", "payload""#)
        #expect(first.byteOffset == 1)
        let second = try await diagnosis(Shape.self, #"{"data":{"Items":[]}}"#, decoder: way.decoder)
        #expect(second.pointer == "/data")
        #expect(second.expected == #"the key "items""#)
        #expect(second.found == #"an object with the key "Items""#)
        #expect(second.byteOffset == 8)
    }

    @Test(arguments: Way.plain)
    func theKeysThatAreNamedAreBounded(way: Way) async throws {
        let members = (1...1_000).map { #""key\#($0)":\#($0)"# }.joined(separator: ",")
        let diagnosis = try await diagnosis(
            KeyedResponse<Results, Sum>.self,
            "{\(members)}",
            decoder: way.decoder,
        )
        let shown = (1...10).map { #""key\#($0)""# }.joined(separator: ", ")
        #expect(diagnosis.found == "an object with the keys \(shown), and 990 more")
    }

    @Test func aPropertyListNamesTheKeysTooThatAreThere() async throws {
        let list = try PropertyListEncoder().encode(["one": [1], "two": [2]])
        let response = HTTPResponse(status: 200, body: HTTPBody(list))
        let numbers = try await send(ShapeOf<Two>.self, response, decoder: PropertyListDecoder())
        #expect(numbers == 2)
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await send(ShapeOf<Results>.self, response, decoder: PropertyListDecoder())
        }
        guard case .decoding(let failure) = error else { throw error }
        #expect(failure.diagnosis.expected == #"the key "results""#)
        let found = try #require(failure.diagnosis.found)
        #expect([#"an object with the keys "one", "two""#, #"an object with the keys "two", "one""#].contains(found))
    }

    private enum Two: ResponseKey { static let path = "two" }
    private typealias ShapeOf<Key: ResponseKey> = KeyedResponse<Key, Sum>

    @Test(arguments: Way.plain, [#"{"data":[]}"#, #"{"data":7}"#])
    func aKeyOnTheWayThatHoldsNoObjectIsAFailure(way: Way, body: String) async throws {
        let diagnosis = try await diagnosis(KeyedResponse<Items, Sum>.self, body, decoder: way.decoder)
        #expect(diagnosis.kind == .typeMismatch)
        #expect(diagnosis.pointer == "/data")
        #expect(diagnosis.expected == "an object")
    }

    @Test(arguments: Way.snakeCase)
    func theKeysOfEnvelopesAreTheDocuments(way: Way) async throws {
        enum Wrapped: ResponseKey { static let path = "outer_data" }
        let body = #"{"outer_data":{"menu_items":[{"item_name":"Soup"}],"menu_item":{"item_name":"Tea"}}}"#
        typealias Both = CombinedResponse<ArrayResponse<MenuItem>, SingleResponse<MenuItem>>
        let (items, item) = try await send(KeyedResponse<Wrapped, Both>.self, body, decoder: way.decoder)
        #expect(items == [MenuItem(itemName: "Soup")])
        #expect(item == MenuItem(itemName: "Tea"))
    }

    @Test(arguments: Way.custom)
    func aFunctionForKeysDoesNotHideThoseOfEnvelopes(way: Way) async throws {
        enum Shout: ResponseKey { static let path = "DATA.Items" }
        let body = #"{"DATA":{"Items":[{"ID":1,"Name":"Ramen"}]}}"#
        #expect(try await send(KeyedResponse<Shout, ArrayResponse<Dish>>.self, body, decoder: way.decoder) == [ramen])
    }

    @Test func ofEqualKeysTheLastOneWinsWhateverTheStrategy() async throws {
        for way in Way.plain.prefix(1) + Way.snakeCase.prefix(1) {
            let body = #"{"results":[1],"res\u0075lts":[2]}"#
            #expect(try await send(KeyedResponse<Results, Sum>.self, body, decoder: way.decoder) == 2)
        }
    }

    @Test(arguments: ["a..b", ".", "a.", "/a~2", "/~"])
    func aMalformedPathIsRejectedBeforeAnythingIsSent(path: String) async throws {
        let problem = try #require(Self.problems[path])
        let transport = MockTransport { _ in .json("{}") }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await problem.send(APIClient(transport: transport))
        }
        #expect(error.reason == .definition)
        #expect(error.failureReason?.contains("\"\(path)\"") == true)
        #expect(transport.requests.isEmpty)
    }

    /// A structure, since a dictionary of functions with typed throws needs macOS 15.
    private struct Problem: Sendable {
        let send: @Sendable (APIClient<Public>) async throws(APIError<ProblemDetails>) -> Void
    }

    private enum Dotted: ResponseKey { static let path = "a..b" }
    private enum Dot: ResponseKey { static let path = "." }
    private enum Ended: ResponseKey { static let path = "a." }
    private enum Tilde: ResponseKey { static let path = "/a~2" }
    private enum BareTilde: ResponseKey { static let path = "/~" }

    private static func problem<Key: ResponseKey & SendableMetatype>(_ key: Key.Type) -> Problem {
        Problem { client async throws(APIError<ProblemDetails>) in
            _ = try await client.send(Shaped<KeyedResponse<Results, KeyedResponse<Key, Sum>>>())
        }
    }

    private static let problems = [
        "a..b": problem(Dotted.self), ".": problem(Dot.self), "a.": problem(Ended.self), "/a~2": problem(Tilde.self),
        "/~": problem(BareTilde.self),
    ]
}
