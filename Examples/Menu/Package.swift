// swift-tools-version: 6.2
import PackageDescription

// New app projects isolate all declarations to the main actor by default. HIKYAKU_EXAMPLE_ISOLATION=main builds the
// app that way; without it, there is no default isolation. The same sources compile in both ways.
let isolatesToMainActor = Context.environment["HIKYAKU_EXAMPLE_ISOLATION"] == "main"
let settings: [SwiftSetting] = isolatesToMainActor ? [.defaultIsolation(MainActor.self)] : []

let package = Package(
    name: "Menu",
    platforms: [.macOS(.v14)],
    products: [
        .library(name: "MenuCore", targets: ["MenuCore", "MenuDomain", "MenuScreens"])
    ],
    dependencies: [
        .package(name: "Hikyaku", path: "../..")
    ],
    targets: [
        // The app's models; this target depends on nothing.
        .target(name: "MenuDomain", swiftSettings: settings),
        // The data source: the only target that uses a network.
        .target(
            name: "MenuCore",
            dependencies: [
                "MenuDomain",
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuBroadcast", package: "Hikyaku"),
            ],
            swiftSettings: settings,
        ),
        // The screens.
        .target(name: "MenuScreens", dependencies: ["MenuDomain"], swiftSettings: settings),
        .executableTarget(
            name: "MenuTour",
            dependencies: ["MenuCore", "MenuDomain", "MenuScreens"],
            swiftSettings: settings,
        ),
        .testTarget(
            name: "MenuTests",
            dependencies: [
                "MenuCore", "MenuDomain", "MenuScreens", "MenuTour", .product(name: "Hikyaku", package: "Hikyaku"),
            ],
        ),
    ],
    swiftLanguageModes: [.v6],
)
