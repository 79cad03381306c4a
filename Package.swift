// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "Hikyaku",
    platforms: [.macOS(.v14), .macCatalyst(.v17), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Hikyaku", targets: ["Hikyaku"]),
        .library(name: "HikyakuHTTP", targets: ["HikyakuHTTP"]),
        .library(name: "HikyakuJSON", targets: ["HikyakuJSON"]),
        .library(name: "HikyakuTesting", targets: ["HikyakuTesting"]),
    ],
    targets: [
        .target(name: "HikyakuHTTP"),
        .target(name: "HikyakuJSON"),
        .target(name: "Hikyaku", dependencies: ["HikyakuHTTP", "HikyakuJSON"]),
        .target(name: "HikyakuTesting", dependencies: ["Hikyaku"]),
        .testTarget(name: "HikyakuHTTPTests", dependencies: ["HikyakuHTTP"]),
        .testTarget(name: "HikyakuJSONTests", dependencies: ["HikyakuJSON"]),
        .testTarget(name: "HikyakuTests", dependencies: ["Hikyaku", "HikyakuTesting"]),
    ],
    swiftLanguageModes: [.v6],
)
