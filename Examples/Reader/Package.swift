// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Reader",
    platforms: [.macOS(.v14), .iOS(.v17)],
    dependencies: [.package(name: "Hikyaku", path: "../..")],
    targets: [
        .executableTarget(
            name: "Reader",
            dependencies: ["Hikyaku", .product(name: "HikyakuBroadcast", package: "Hikyaku")],
        ),
        .testTarget(
            name: "ReaderTests",
            dependencies: ["Reader", "Hikyaku", .product(name: "HikyakuTesting", package: "Hikyaku")],
        ),
    ],
)
