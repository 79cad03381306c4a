import MenuDomain
import Testing

@testable import MenuCore

/// The mock environment answers for the service.
@Suite(.timeLimit(.minutes(1)))
struct MockEnvironmentTests {
    private let repository: any MenuRepository = RemoteMenu(.mock)

    @Test
    func allThatTheRepositoryAsksIsAnswered() async throws {
        #expect(try await repository.today().restaurant == MockMenu.house)
        #expect(try await repository.today().specials.map(\.name) == ["Tempura", "Unagi"])
        #expect(try await repository.dish(5) == Dish(id: 5, name: "Soba", price: 850))
        #expect(try await repository.favourites().map(\.id) == [2])
        try await repository.setFavourite(true, of: try await repository.dish(1))
        #expect(try await repository.favourites().map(\.id) == [1, 2])
    }

    @Test
    func pagesFollowOneAnotherToTheEnd() async throws {
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
    func whatIsChangedIsKeptInThatEnvironmentAlone() async throws {
        try await repository.setFavourite(true, of: MockMenu.sample[0])
        #expect(try await repository.dish(1).isFavourite)
        #expect(try await RemoteMenu(.mock).dish(1).isFavourite == false)
    }

    @Test
    func whatTheServiceRefusesItRefuses() async {
        await #expect(throws: MenuProblem.refused("Unagi is sold out.")) {
            try await repository.setFavourite(true, of: MockMenu.sample[3])
        }
        await #expect(throws: MenuProblem.refused("There is no such dish.")) { _ = try await repository.dish(99) }
        await #expect(throws: MenuProblem.refused("The menu has 3 pages.")) {
            _ = try await repository.dishes(page: 4)
        }
    }

    @Test
    func productionAndStagingAreOtherPlaces() {
        #expect(MenuEnvironment.production.api == .menu)
        #expect(MenuEnvironment.staging.api.baseURL == "https://staging.menu.example/v1")
    }
}
