import MenuDomain
import Testing

@testable import MenuCore

/// The mock environment responds like the service.
@Suite(.timeLimit(.minutes(1)))
struct MockEnvironmentTests {
    private let repository: any MenuRepository = RemoteMenu(.mock)

    @Test
    func everyRequestOfTheRepositoryGetsAResponse() async throws {
        #expect(try await repository.today().restaurant == MockMenu.house)
        #expect(try await repository.today().specials.map(\.name) == ["Tempura", "Unagi"])
        #expect(try await repository.dish(5) == Dish(id: 5, name: "Soba", price: 850))
        #expect(try await repository.favourites().map(\.id) == [2])
        try await repository.setFavourite(true, of: try await repository.dish(1))
        #expect(try await repository.favourites().map(\.id) == [1, 2])
    }

    @Test
    func eachPageHasTheNumberOfTheNext() async throws {
        var dishes: [Dish] = []
        var next: Int? = 1
        while let page = next {
            let answer = try await repository.dishes(page: page)
            dishes += answer.dishes
            next = answer.next
        }
        #expect(dishes == MockMenu.sample)
    }

    @Test
    func changesAreKeptInTheirOwnEnvironmentOnly() async throws {
        try await repository.setFavourite(true, of: MockMenu.sample[0])
        #expect(try await repository.dish(1).isFavourite)
        #expect(try await RemoteMenu(.mock).dish(1).isFavourite == false)
    }

    @Test
    func itRejectsWhatTheServiceRejects() async {
        await #expect(throws: MenuProblem.rejected("Unagi is sold out.")) {
            try await repository.setFavourite(true, of: MockMenu.sample[3])
        }
        await #expect(throws: MenuProblem.rejected("There is no such dish.")) { _ = try await repository.dish(99) }
        await #expect(throws: MenuProblem.rejected("The menu has 3 pages.")) {
            _ = try await repository.dishes(page: 4)
        }
    }

    @Test
    func productionAndStagingHaveOtherURLs() {
        #expect(MenuEnvironment.production.api == .menu)
        #expect(MenuEnvironment.staging.api.baseURL == "https://staging.menu.example/v1")
    }
}
