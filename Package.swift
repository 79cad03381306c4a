// swift-tools-version: 6.2
import PackageDescription

let applePlatforms: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]

let package = Package(
    name: "Hikyaku",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "HikyakuHTTP", targets: ["HikyakuHTTP"]),
        .library(name: "HikyakuURLSession", targets: ["HikyakuURLSession"]),
        .library(name: "HikyakuMockServer", targets: ["HikyakuMockServer"]),
    ],
    targets: [
        .target(name: "HikyakuHTTP"),
        .target(
            name: "HikyakuURLSession",
            dependencies: ["HikyakuHTTP"],
            resources: [.copy("PrivacyInfo.xcprivacy")]
        ),
        .target(name: "HikyakuMockServer", dependencies: ["HikyakuHTTP"]),
        .testTarget(name: "HikyakuMockServerTests", dependencies: ["HikyakuMockServer", "HikyakuHTTP"]),
        .testTarget(
            name: "HikyakuURLSessionTests",
            dependencies: ["HikyakuURLSession", "HikyakuMockServer", "HikyakuHTTP"]
        ),
    ],
    swiftLanguageModes: [.v6]
)
