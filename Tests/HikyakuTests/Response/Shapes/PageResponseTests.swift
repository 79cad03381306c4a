import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct PageInfo: Decodable, Sendable, Equatable {
    let page: Int
    let next: String?
}

private struct NoTotal: Error {}

private struct TotalCount: HeaderReadable, Sendable, Equatable {
    let total: Int

    init(total: Int) {
        self.total = total
    }

    init(headers: HTTPHeaders) throws {
        guard let total = headers["Total-Count"].flatMap({ Int($0) }) else { throw NoTotal() }
        self.total = total
    }
}

private enum Items: ResponseKey { static let path = "data.items" }
private enum Data2: ResponseKey { static let path = "data" }

@Suite struct PageResponseTests {
    @Test(arguments: Way.plain)
    func infoIsReadFromAroundTheItems(way: Way) async throws {
        let body = #"{"page":2,"dishes":[{"id":1,"name":"Ramen"}],"next":"p3"}"#
        let page = try await send(PageResponse<ArrayResponse<Dish>, PageInfo>.self, body, decoder: way.decoder)
        #expect(page == ResponsePage(items: [.sample], info: PageInfo(page: 2, next: "p3")))
    }

    @Test(arguments: Way.plain)
    func itemsMayBeDeeperThanTheInfo(way: Way) async throws {
        let body = #"{"page":2,"data":{"items":[4],"page":9}}"#
        typealias Shape = PageResponse<KeyedResponse<Items, ArrayResponse<Int>>, PageInfo>
        let page = try await send(Shape.self, body, decoder: way.decoder)
        #expect(page == ResponsePage(items: [4], info: PageInfo(page: 2, next: nil)))
        typealias Inner = KeyedResponse<Data2, PageResponse<ArrayResponse<MenuItem>, PageInfo>>
        let inner = try await send(Inner.self, #"{"data":{"menu_items":[],"page":9}}"#, decoder: way.decoder)
        #expect(inner == ResponsePage(items: [], info: PageInfo(page: 9, next: nil)))
    }

    @Test(arguments: Way.plain)
    func aPageWithoutItemsOrInfoIsAFailure(way: Way) async throws {
        typealias Shape = PageResponse<ArrayResponse<Dish>, PageInfo>
        let items = try await diagnosis(Shape.self, #"{"page":1,"items":[]}"#, decoder: way.decoder)
        #expect(items.expected == #"the key "dishes""#)
        #expect(items.found == #"an object with the keys "page", "items""#)
        let info = try await diagnosis(Shape.self, #"{"dishes":[],"page":"1"}"#, decoder: way.decoder)
        #expect(info.pointer == "/page")
    }

    @Test func headersSayWhatTheBodyDoesNot() async throws {
        typealias Shape = HeaderPageResponse<ArrayResponse<Int>, TotalCount>
        let response = HTTPResponse(status: 200, headers: ["Total-Count": "57"], body: "[1,2]")
        #expect(try await send(Shape.self, response) == ResponsePage(items: [1, 2], info: TotalCount(total: 57)))
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await send(Shape.self, "[1,2]")
        }
        #expect(error.phase == .decoding)
        #expect(error.context.underlyingError is NoTotal)
    }

    @Test func theItemsShapeDeterminesWhatIsAccepted() throws {
        typealias Text = HeaderPageResponse<TextResponse, TotalCount>
        #expect(try Shaped<Text>().httpRequest().headers[.accept] == TextResponse.acceptedMediaTypes)
        #expect(HeaderPageResponse<StreamedResponse, TotalCount>.streamsBody)
        #expect(HeaderPageResponse<StatusResponse<Upload>, TotalCount>.accepts(304))
        typealias Same = CombinedResponse<SingleResponse<Dish>, SingleResponse<Dish>>
        #expect(throws: APIError<ProblemDetails>.self) {
            try Shaped<HeaderPageResponse<Same, TotalCount>>().httpRequest()
        }
    }
}
