// swift-tools-version: 6.2
import PackageDescription

// Each contestant is a program of its own, so that nothing of one runs or is loaded while another is measured.
let package = Package(
    name: "HikyakuBenchmarks",
    // Virtual time needs task executors.
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Hikyaku", path: "..")],
    targets: [
        .executableTarget(name: "HTTPBenchmark", dependencies: ["BenchmarkSupport", "JSONDocuments"]),
        .executableTarget(name: "CallsBenchmark", dependencies: ["BenchmarkSupport"]),
        .executableTarget(
            name: "CallPeer",
            dependencies: [
                "PeerSupport",
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuTesting", package: "Hikyaku"),
            ],
        ),
        .executableTarget(
            name: "Simulation",
            dependencies: [
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuTesting", package: "Hikyaku"),
            ],
        ),
        .executableTarget(name: "JSONBenchmark", dependencies: ["BenchmarkSupport", "JSONDocuments"]),
        .executableTarget(
            name: "HikyakuPeer",
            dependencies: [
                "PeerSupport",
                .product(name: "HikyakuHTTP", package: "Hikyaku"),
                .product(name: "HikyakuWire", package: "Hikyaku"),
            ],
        ),
        .executableTarget(
            name: "Soak",
            dependencies: [
                "BenchmarkSupport",
                "Randomness",
                "SoakSupport",
                .product(name: "HikyakuHTTP", package: "Hikyaku"),
                .product(name: "HikyakuWire", package: "Hikyaku"),
            ],
        ),
        .executableTarget(
            name: "SoakServer",
            dependencies: ["SoakSupport", .product(name: "HikyakuMockServer", package: "Hikyaku")],
        ),
        .target(name: "SoakSupport", dependencies: ["Randomness"]),
        .executableTarget(name: "URLSessionPeer", dependencies: ["JSONDocuments", "PeerSupport"]),
        .executableTarget(
            name: "ClientPeer",
            dependencies: [
                "JSONDocuments",
                "PeerSupport",
                .product(name: "Hikyaku", package: "Hikyaku"),
                .product(name: "HikyakuWire", package: "Hikyaku"),
            ],
        ),
        .executableTarget(
            name: "BroadcastPeer",
            dependencies: [.product(name: "HikyakuBroadcast", package: "Hikyaku")],
        ),
        .executableTarget(name: "LibcurlPeer", dependencies: ["CLibcurl"]),
        .systemLibrary(
            name: "CLibcurl",
            pkgConfig: "libcurl",
            providers: [.apt(["libcurl4-openssl-dev"]), .brew(["curl"])],
        ),
        // Not in the module of the C library.
        .systemLibrary(name: "CMalloc"),
        .target(name: "PeerSupport", dependencies: ["CMalloc"]),
        .target(name: "BenchmarkSupport"),
        .target(name: "Randomness"),
        .target(
            name: "JSONDocuments",
            dependencies: ["Randomness", .product(name: "HikyakuJSON", package: "Hikyaku")],
        ),
        .executableTarget(
            name: "JSONPeer",
            dependencies: [
                "JSONDocuments",
                "PeerSupport",
                .product(name: "HikyakuJSON", package: "Hikyaku"),
            ],
        ),
    ],
    swiftLanguageModes: [.v6],
)
