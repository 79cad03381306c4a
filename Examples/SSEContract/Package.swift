// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "SSEContract",
    platforms: [.macOS(.v14)],
    dependencies: [
        .package(name: "Hikyaku", path: "../..")
    ],
    targets: [
        .executableTarget(
            name: "SSEContract",
            dependencies: [
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuMockServer", package: "Hikyaku"),
            ],
        ),
        .testTarget(
            name: "SSEContractTests",
            dependencies: [
                "SSEContract",
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuMockServer", package: "Hikyaku"),
            ],
        ),
    ],
    swiftLanguageModes: [.v6],
)
