import Hikyaku

/// Where the menu is asked for, and who is signed in there: the one value that decides whether the app needs a network.
public nonisolated struct MenuEnvironment: Sendable {
    let api: APIEnvironment
    let token: any TokenProvider

    init(_ api: APIEnvironment, token: any TokenProvider) {
        self.api = api
        self.token = token
    }

    /// The restaurant's own service.
    public static let production = MenuEnvironment(.menu, token: .environmentVariable("MENU_TOKEN"))
    /// Where changes are tried first.
    public static let staging = MenuEnvironment(
        "https://staging.menu.example/v1",
        token: .environmentVariable("MENU_STAGING_TOKEN"),
    )
    /// A service in this process; each begins with the same dishes.
    public static var mock: MenuEnvironment {
        MenuEnvironment(MockMenu().environment, token: .bearer(MockMenu.token))
    }
}
