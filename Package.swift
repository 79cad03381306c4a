// swift-tools-version: 6.2
import PackageDescription

let applePlatforms: [Platform] = [.macOS, .iOS, .tvOS, .watchOS, .visionOS, .macCatalyst]

let package = Package(
    name: "Hikyaku",
    platforms: [.macOS(.v14), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "HikyakuHTTP", targets: ["HikyakuHTTP"]),
        .library(name: "HikyakuCurl", targets: ["HikyakuCurl"]),
    ],
    targets: [
        .target(name: "HikyakuHTTP"),
        .systemLibrary(
            name: "CCurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])],
        ),
        .target(name: "HikyakuCurl", dependencies: ["HikyakuHTTP", "CCurl"]),
    ],
    swiftLanguageModes: [.v6]
)
