// swift-tools-version: 6.2
import PackageDescription

// New app projects isolate everything to the main actor that says nothing else. With HIKYAKU_EXAMPLE_ISOLATION=main
// the app is built that way, without it as packages are by default; the same sources do for both.
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
        // What the app talks of; it knows nobody.
        .target(name: "MenuDomain", swiftSettings: settings),
        // Where it comes from: the only target that knows of a network.
        .target(
            name: "MenuCore",
            dependencies: [
                "MenuDomain",
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuBroadcast", package: "Hikyaku"),
            ],
            swiftSettings: settings,
        ),
        // Who shows it.
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
