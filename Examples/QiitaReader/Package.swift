// swift-tools-version: 6.2
import PackageDescription

// New app projects isolate everything to the main actor that says nothing else. With HIKYAKU_EXAMPLE_ISOLATION=main
// the reader is built that way, without it as packages are by default; the same sources do for both.
let isolatesToMainActor = Context.environment["HIKYAKU_EXAMPLE_ISOLATION"] == "main"

let package = Package(
    name: "QiitaReader",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Hikyaku", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "QiitaReader",
            dependencies: [
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
