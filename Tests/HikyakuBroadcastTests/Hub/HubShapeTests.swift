import Foundation
import Hikyaku
import HikyakuBroadcast
import HikyakuTesting
import Testing

private struct HeaderInfo: HeaderReadable, Sendable {
    init(headers: HTTPHeaders) throws {}
}

private enum Under: ResponseKey { static let path = "data.meals" }
private enum Other: ResponseKey { static let path = "other" }

private enum Answer: StatusResult, Sendable {
    case stored(Meal), pair(Cook, [Meal]), named(meal: Meal), count(Count), nothing

    static let shapes: [StatusShape<Answer>] = [
        .on(200, SingleResponse<Meal>.self) { .stored($0) },
        .on(201, CombinedResponse<SingleResponse<Cook>, ArrayResponse<Meal>>.self) { .pair($0.0, $0.1) },
        .on(202, SingleResponse<Meal>.self) { .named(meal: $0) },
        .on(203, SingleResponse<Count>.self) { .count($0) },
        .on(204, EmptyResponse.self) { .nothing },
    ]
}

/// A custom shape with a tuple, which reports its parts.
private enum Tupled: DecodedPart {
    static func decode(from decoder: any Decoder) throws -> (Meal, Count) {
        (try decoder.singleValueContainer().decode(Meal.self), Count(total: 1))
    }

    static func _forEachPart(of result: (Meal, Count), _ visit: (Any) -> Void) {
        visit(result.0)
    }
}

@Suite struct HubShapeTests {
    /// The models that a hub receives when a client reads a response by a shape.
    private func read<D: ResponseDefinition>(
        _ shape: D.Type,
        _ json: String,
        status: HTTPStatus = .ok,
    ) async throws -> (meals: [Int], cooks: [String]) where D.Result: Sendable {
        var hub: ModelHub? = HubDate.hub()
        let meals = try #require(hub?.updates(of: Meal.self))
        let cooks = try #require(hub?.updates(of: Cook.self))
        do {
            let transport = MockTransport { _ in .json(json, status: status) }
            let client = APIClient(transport: transport).publishing(to: try #require(hub))
            _ = try await client.send(Shaped<D>())
        }
        hub = nil
        var received: (meals: [Int], cooks: [String]) = ([], [])
        for await update in meals {
            #expect(update.source == .network && update.date == HubDate.now)
            received.meals.append(update.value.id)
        }
        for await update in cooks { received.cooks.append(update.value.id) }
        return received
    }

    private static let meal = #"{"id": 1, "name": "Ramen"}"#
    private static let meals = #"[{"id": 1, "name": "Ramen"}, {"id": 2, "name": "Udon"}]"#

    @Test func shapesOfOneModel() async throws {
        #expect(try await read(Decoded<Meal>.self, Self.meal).meals == [1])
        #expect(try await read(SingleResponse<Meal>.self, Self.meal).meals == [1])
        #expect(try await read(SingleResponse<Meal?>.self, Self.meal).meals == [1])
        #expect(try await read(SingleResponse<Meal?>.self, "null").meals == [])
        #expect(try await read(OnlyResponse<Meal>.self, "[\(Self.meal)]").meals == [1])
    }

    @Test func shapesOfSeveralModels() async throws {
        #expect(try await read(Decoded<[Meal]>.self, Self.meals).meals == [1, 2])
        #expect(try await read(ArrayResponse<Meal>.self, Self.meals).meals == [1, 2])
        #expect(try await read(Decoded<LossyArray<Meal>>.self, Self.meals).meals == [1, 2])
        #expect(try await read(Decoded<[String: Meal]>.self, #"{"a": \#(Self.meal)}"#).meals == [1])
        let kitchen = try await read(Decoded<Kitchen>.self, #"{"cook": {"id": "a"}, "meals": \#(Self.meals)}"#)
        #expect(kitchen == ([1, 2], ["a"]))
    }

    @Test func shapesUnderKeys() async throws {
        let nested = #"{"data": {"meals": \#(Self.meals)}, "other": {"id": "b"}, "cook": {"id": "a"}}"#
        #expect(try await read(KeyedResponse<Under, ArrayResponse<Meal>>.self, nested).meals == [1, 2])
        typealias Both = CombinedResponse<
            KeyedResponse<Under, ArrayResponse<Meal>>, KeyedResponse<Other, SingleResponse<Cook>>
        >
        #expect(try await read(Both.self, nested) == ([1, 2], ["b"]))
        typealias Three = CombinedResponse<
            SingleResponse<Cook>, KeyedResponse<Other, SingleResponse<Cook>>, KeyedResponse<Under, OnlyResponse<Meal>>
        >
        let one = #"{"data": {"meals": [\#(Self.meal)]}, "other": {"id": "b"}, "cook": {"id": "a"}}"#
        #expect(try await read(Three.self, one) == ([1], ["a", "b"]))
        typealias Deep = KeyedResponse<Other, CombinedResponse<SingleResponse<Cook>, SingleResponse<Meal>>>
        let deep = #"{"other": {"cook": {"id": "a"}, "meal": \#(Self.meal)}}"#
        #expect(try await read(Deep.self, deep) == ([1], ["a"]))
    }

    @Test func shapesOfPages() async throws {
        let page = #"{"meals": \#(Self.meals), "total": 9, "id": "a"}"#
        #expect(try await read(PageResponse<ArrayResponse<Meal>, Count>.self, page) == ([1, 2], []))
        #expect(try await read(PageResponse<ArrayResponse<Meal>, Cook>.self, page) == ([1, 2], ["a"]))
        #expect(try await read(HeaderPageResponse<ArrayResponse<Meal>, HeaderInfo>.self, Self.meals).meals == [1, 2])
        typealias Parts = CombinedResponse<SingleResponse<Cook>, ArrayResponse<Meal>>
        let parts = #"{"cook": {"id": "a"}, "meals": \#(Self.meals)}"#
        #expect(try await read(HeaderPageResponse<Parts, HeaderInfo>.self, parts) == ([1, 2], ["a"]))
    }

    @Test(
        arguments: [
            (200, meal, [1], []), (201, #"{"cook": {"id": "a"}, "meals": \#(meals)}"#, [1, 2], ["a"]),
            (202, meal, [1], []),
            (203, #"{"total": 1}"#, [], []), (204, "", [], []),
        ] as [(HTTPStatus, String, [Int], [String])]
    )
    func shapesOfStatuses(status: HTTPStatus, body: String, meals: [Int], cooks: [String]) async throws {
        #expect(try await read(StatusResponse<Answer>.self, body, status: status) == (meals, cooks))
    }

    @Test func shapesOfOnesOwn() async throws {
        #expect(try await read(Tupled.self, Self.meal).meals == [1])
    }

    @Test func shapesWithoutModels() async throws {
        #expect(try await read(Decoded<Count>.self, #"{"total": 1}"#) == ([], []))
        #expect(try await read(EmptyResponse.self, Self.meal) == ([], []))
        #expect(try await read(RawResponse.self, Self.meal) == ([], []))
        #expect(try await read(TextResponse.self, Self.meal) == ([], []))
        #expect(try await read(FileResponse.self, Self.meal) == ([], []))
        #expect(try await read(StreamedResponse.self, Self.meal) == ([], []))
    }

    @Test func aCallThatFailsPublishesNothing() async {
        await #expect(throws: APIError<ProblemDetails>.self) { try await read(Decoded<[Meal]>.self, Self.meal) }
        let hub = HubDate.hub()
        let client = APIClient(transport: MockTransport { _ in .json(Self.meal, status: .notFound) }).publishing(
            to: hub
        )
        await #expect(throws: APIError<ProblemDetails>.self) { try await client.send(Shaped<Decoded<Meal>>()) }
        #expect(hub.value(of: Meal.self, id: 1) == nil)
    }

    @Test func theSourceIsThatOfTheResponse() async throws {
        let hub = HubDate.hub()
        let client = APIClient(transport: MockTransport()).publishing(to: hub)
            .stubbing(Shaped<Decoded<Meal>>.self) { _ in Meal(id: 1) }
        let response = try await client.bind(Shaped<Decoded<Meal>>()).response()
        #expect(response.source == .stub)
        #expect(hub.value(of: Meal.self, id: 1)?.source == .stub)
    }

    @Test func theLastHubReceivesTheModels() async throws {
        let (first, second) = (HubDate.hub(), HubDate.hub())
        let client = APIClient(transport: MockTransport { _ in .json(Self.meal) })
        _ = try await client.publishing(to: first).publishing(to: second).send(Shaped<Decoded<Meal>>())
        #expect(first.value(of: Meal.self, id: 1) == nil)
        #expect(second.value(of: Meal.self, id: 1)?.value == Meal(id: 1, name: "Ramen"))
    }
}
