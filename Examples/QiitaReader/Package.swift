// swift-tools-version: 6.2
import PackageDescription

// New app projects isolate all declarations to the main actor by default. HIKYAKU_EXAMPLE_ISOLATION=main builds the
// reader that way; without it, there is no default isolation. The same sources compile in both ways.
let isolatesToMainActor = Context.environment["HIKYAKU_EXAMPLE_ISOLATION"] == "main"

let package = Package(
    name: "QiitaReader",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Hikyaku", path: "../..")
    ],
    targets: [
        // Generated from qiita.yaml; the comment there says how.
        .target(
            name: "QiitaAPI",
            dependencies: [.product(name: "Hikyaku", package: "Hikyaku")],
            swiftSettings: isolatesToMainActor ? [.defaultIsolation(MainActor.self)] : [],
        ),
        .executableTarget(
            name: "QiitaReader",
            dependencies: [
                "QiitaAPI",
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuBroadcast", package: "Hikyaku"),
                .product(name: "HikyakuMockServer", package: "Hikyaku"),
            ],
            swiftSettings: isolatesToMainActor ? [.defaultIsolation(MainActor.self)] : [],
        ),
        .testTarget(
            name: "QiitaReaderTests",
            dependencies: ["QiitaReader", .product(name: "Hikyaku", package: "Hikyaku")],
        ),
    ],
    swiftLanguageModes: [.v6],
)
