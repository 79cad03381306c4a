import Hikyaku

/// The service and the signed-in user: the one value that decides whether the app needs a network.
public nonisolated struct MenuEnvironment: Sendable {
    let api: APIEnvironment
    let token: any TokenProvider

    init(_ api: APIEnvironment, token: any TokenProvider) {
        self.api = api
        self.token = token
    }

    /// The restaurant's production service.
    public static let production = MenuEnvironment(.menu, token: .environmentVariable("MENU_TOKEN"))
    /// The service on which changes are tested first.
    public static let staging = MenuEnvironment(
        "https://staging.menu.example/v1",
        token: .environmentVariable("MENU_STAGING_TOKEN"),
    )
    /// A service in this process; each begins with the same dishes.
    public static var mock: MenuEnvironment {
        MenuEnvironment(MockMenu().environment, token: .bearer(MockMenu.token))
    }
}
