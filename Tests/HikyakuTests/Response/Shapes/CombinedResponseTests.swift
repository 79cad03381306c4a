import Foundation
import Hikyaku
import HikyakuBase
import HikyakuTesting
import Testing

private struct Info: KeyedModel, Sendable, Equatable { let title: String }
private struct Note: KeyedModel, Sendable, Equatable { let text: String }
private enum Total: DecodedPart {
    typealias Result = Int
    enum Key: ResponseKey { static let path = "meta.total" }
}
private enum Whole: ResponseKey { static let path = "" }
private enum ShopName: ResponseKey { static let path = "shop" }
private struct Envelope: Decodable, Sendable, Equatable { let shop: String }

/// A decoder that counts its calls.
private final class CountingDecoder: ResponseDecoder, Sendable {
    let count = Lock(0)
    let inner: any ResponseDecoder

    init(_ inner: any ResponseDecoder) {
        self.inner = inner
    }

    func decode<Value: Decodable>(_ type: Value.Type, from bytes: Data) throws -> Value {
        count.withLock { $0 += 1 }
        return try inner.decode(type, from: bytes)
    }
}

@Suite struct CombinedResponseTests {
    private static let body = #"""
        {"meta":{"total":9},"dishes":[{"id":1,"name":"Ramen"}],"shop":"Kiku",
         "menu":{"mains":[{"id":3,"name":"Soba"}],"starters":[{"id":2,"name":"Udon"}]},"info":{"title":"Lunch"}}
        """#

    @Test(arguments: Way.plain)
    func partsAreGivenAsAFlatTuple(way: Way) async throws {
        typealias Shape = CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>>
        let (info, dishes): (Info, [Dish]) = try await send(Shape.self, Self.body, decoder: way.decoder)
        #expect(info == Info(title: "Lunch"))
        #expect(dishes == [.sample])
    }

    @Test(arguments: Way.plain)
    func partsOfAllKindsAreReadTogether(way: Way) async throws {
        typealias Shape = CombinedResponse<
            KeyedResponse<Whole, SingleResponse<Envelope>>, Total, OnlyResponse<Dish>,
            KeyedResponse<Starters, ArrayResponse<Dish>>, KeyedResponse<Mains, OnlyResponse<Dish>>,
            KeyedResponse<ShopName, SingleResponse<String>>, SingleResponse<Note?>
        >
        let all = try await send(Shape.self, Self.body, decoder: way.decoder)
        #expect(all.0 == Envelope(shop: "Kiku"))
        #expect(all.1 == 9)
        #expect(all.2 == .sample)
        #expect(all.3 == [Dish(id: 2, name: "Udon")])
        #expect(all.4 == Dish(id: 3, name: "Soba"))
        #expect(all.5 == "Kiku")
        #expect(all.6 == nil)
    }

    @Test func aSinglePartIsGivenByItself() async throws {
        #expect(try await send(CombinedResponse<SingleResponse<Info>>.self, Self.body) == Info(title: "Lunch"))
    }

    @Test func noPartsAreNothing() async throws {
        typealias Nothing = CombinedResponse<>
        let nothing: Void = try await send(Nothing.self, "[]")
        #expect(nothing == ())
    }

    @Test(arguments: Way.plain)
    func theBodyIsDecodedOnce(way: Way) async throws {
        typealias Shape = CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>, Total>
        let decoder = CountingDecoder(way.decoder)
        _ = try await send(Shape.self, Self.body, decoder: decoder)
        #expect(decoder.count.withLock { $0 } == 1)
    }

    @Test(arguments: Way.plain)
    func anOptionalPartMayBeNullOrMissing(way: Way) async throws {
        typealias Shape = CombinedResponse<SingleResponse<Info>, SingleResponse<Note?>>
        let info = #""info":{"title":"Lunch"}"#
        let bodies = ["{\(info)}": nil, "{\(info),\"note\":null}": nil, #"{\#(info),"note":{"text":"a"}}"#: "a"]
        for (body, text) in bodies {
            let (_, note) = try await send(Shape.self, body, decoder: way.decoder)
            #expect(note?.text == text)
        }
        let diagnosis = try await diagnosis(Shape.self, #"{"note":null}"#, decoder: way.decoder)
        #expect(diagnosis.expected == #"the key "info""#)
        #expect(diagnosis.found == #"an object with the key "note""#)
    }

    @Test(arguments: Way.plain)
    func theFirstPartThatFailsIsReported(way: Way) async throws {
        typealias Shape = CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>>
        let body = #"{"dishes":[{"id":1,"name":"a"},{"id":null,"name":"b"}],"info":{"title":"x"}}"#
        let second = try await diagnosis(Shape.self, body, decoder: way.decoder)
        #expect(second.pointer == "/dishes/1/id")
        let both = try await diagnosis(
            Shape.self,
            body.replacingOccurrences(of: "\"x\"", with: "[]"),
            decoder: way.decoder,
        )
        #expect(both.pointer == "/info/title")
        #expect(both.expected == "String")
    }

    @Test(arguments: Way.plain, ["[]", "3"])
    func aBodyThatIsNotAnObjectIsAFailure(way: Way, body: String) async throws {
        let diagnosis = try await diagnosis(CombinedResponse<SingleResponse<Info>>.self, body, decoder: way.decoder)
        #expect(diagnosis.kind == .typeMismatch)
        #expect(diagnosis.expected == "an object")
        #expect(diagnosis.pointer == "")
    }

    @Test func failuresOfAllElementsAreCollected() async throws {
        var decoder = HikyakuJSONDecoder()
        decoder.collectsFailures = true
        let body = #"{"dishes":[{"id":"1","name":"a"},{"id":2,"name":"b"},{"id":null}]}"#
        let diagnosis = try await diagnosis(
            CombinedResponse<ArrayResponse<Dish>>.self,
            body,
            decoder: decoder,
        )
        #expect(diagnosis.pointer == "/dishes/0/id")
        #expect(diagnosis.further.map(\.pointer) == ["/dishes/2/id"])
    }

    private struct Shared<D: ResponseDefinition> where D.Result: Sendable {
        func problem() async throws -> APIError<ProblemDetails> {
            let transport = MockTransport { _ in .json("{}") }
            let error = try await failure { () async throws(APIError<ProblemDetails>) in
                try await APIClient(transport: transport).send(Shaped<D>())
            }
            #expect(transport.requests.isEmpty)
            return error
        }
    }

    @Test func partsWithOneKeyAreRejectedBeforeAnythingIsSent() async throws {
        typealias Same = CombinedResponse<ArrayResponse<Dish>, SingleResponse<Info>, OnlyResponse<Dish>>
        for error in [
            try await Shared<Same>().problem(), try await Shared<Same>().problem(),
            try await Shared<KeyedResponse<ShopName, Same>>().problem(),
            try await Shared<CombinedResponse<Total, KeyedResponse<ShopName, Same>>>().problem(),
        ] {
            #expect(error.reason == .definition)
            let reason = "two parts share the key /dishes: give one of them another key with KeyedResponse"
            #expect(error.failureReason == reason)
        }
        typealias Wholes = CombinedResponse<
            KeyedResponse<Whole, SingleResponse<Info>>, KeyedResponse<Whole, SingleResponse<Note>>
        >
        let error = try await Shared<Wholes>().problem()
        #expect(error.failureReason?.hasPrefix("two parts are both the whole document") == true)
    }

    @Test func aProblemIsReportedWhenTheRequestIsBuilt() throws {
        typealias Same = CombinedResponse<SingleResponse<Info>, SingleResponse<Info>>
        #expect(throws: APIError<ProblemDetails>.self) { try Shaped<Same>().httpRequest() }
        #expect(throws: APIError<ProblemDetails>.self) { try Shaped<Same>().curlCommand() }
    }
}
