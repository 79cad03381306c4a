import Hikyaku
import Testing

@testable import QiitaReader

/// The responses of the embedded service to the reader's own requests.
@MainActor
struct EmbeddedServiceTests {
    private let service: Service

    init() throws {
        service = try Service(try Arguments([], variables: [:]))
    }

    @Test
    func theLinksLeadThroughAllItems() async throws {
        defer { service.stop() }
        var seen: [Item] = []
        var page: Int? = 1
        while let number = page {
            let response = try await service.client.bind(Qiita.Items(page: number, perPage: 64)).response()
            seen += response.value
            let info = PageInfo(response)
            #expect(info.totalCount == 400)
            page = info.pages["next"]
        }
        #expect(seen.count == 400)
        #expect(Set(seen.map(\.id)).count == 400)
        #expect(seen.map(\.createdAt) == seen.map(\.createdAt).sorted(by: >))
    }

    @Test
    func linkNamesThePagesAround() async throws {
        defer { service.stop() }
        let response = try await service.client.bind(Qiita.Items(page: 3, perPage: 50, search: nil)).response()
        let base = service.environment.baseURL
        #expect(
            response.headers[.link] == """
                <\(base)/items?page=1&per_page=50>; rel="first", <\(base)/items?page=2&per_page=50>; rel="prev", \
                <\(base)/items?page=4&per_page=50>; rel="next", <\(base)/items?page=8&per_page=50>; rel="last"
                """
        )
        #expect(PageInfo(response).pages == ["first": 1, "prev": 2, "next": 4, "last": 8])
    }

    @Test
    func linkKeepsTheSearch() async throws {
        defer { service.stop() }
        let request = Qiita.Items(perPage: 3, search: "tag:初心者 入門")
        let response = try await service.client.bind(request).response()
        let info = PageInfo(response)
        #expect(response.value.allSatisfy { item in item.tags.contains { $0.name == "初心者" } })
        #expect(response.value.count == min(3, info.totalCount ?? 0))
        #expect(response.headers[.link]?.contains("query=tag%3A%E5%88%9D") == true)
    }

    @Test(arguments: [(0, 20), (101, 20), (1, 0), (1, 101), (-1, 5)])
    func pagesOutOfRangeAreRejected(page: Int, perPage: Int) async throws {
        defer { service.stop() }
        let error = await #expect(throws: APIError<QiitaError>.self) {
            _ = try await service.client.send(Qiita.Items(page: page, perPage: perPage))
        }
        #expect(error?.response?.status == .badRequest)
        #expect(error?.service(as: QiitaError.self)?.type == "bad_request")
    }

    @Test
    func commentsBelongToTheirItem() async throws {
        defer { service.stop() }
        let items = try await service.client.send(Qiita.Items(perPage: 10))
        for item in items {
            let comments = try await service.client.send(Qiita.Comments(itemID: item.id))
            #expect(comments.count == item.commentsCount)
        }
    }

    @Test
    func stockedItemHasOneStockMore() async throws {
        defer { service.stop() }
        let item = try #require(try await service.client.send(Qiita.Items(perPage: 1)).first)
        let client = service.client(authorizedBy: EmbeddedService.token)
        for _ in 1...2 { try await client.send(Qiita.Stock(id: item.id)) }
        #expect(try await client.send(Qiita.ItemByID(id: item.id)).stocksCount == item.stocksCount + 1)
        await #expect(throws: APIError<QiitaError>.self) {
            try await service.client(authorizedBy: "another").send(Qiita.Stock(id: item.id))
        }
    }

    @Test
    func onlyTheRightTokenIsAuthorizedForTheAccount() async throws {
        defer { service.stop() }
        let user = try await service.client(authorizedBy: EmbeddedService.token).send(Qiita.AuthenticatedUser())
        #expect(user.id == "sato_hanako")
        let error = await #expect(throws: APIError<QiitaError>.self) {
            _ = try await service.client(authorizedBy: "another").send(Qiita.AuthenticatedUser())
        }
        #expect(error?.response?.status == .unauthorized)
        #expect(error?.service(as: QiitaError.self)?.type == "unauthorized")
    }
}
