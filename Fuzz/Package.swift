// swift-tools-version: 6.2
import PackageDescription

// Each fuzzer is a program of its own, whose main function is libFuzzer's: `scripts/fuzz` builds and runs them.
let fuzzers = ["DecoderFuzzer", "ReaderFuzzer", "LinesFuzzer", "DiagnosisFuzzer", "EncoderFuzzer"]
// Those of the transport, which is Linux's.
let wireFuzzers = ["HTTP2Fuzzer", "ProxyFuzzer"]

let package = Package(
    name: "HikyakuFuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Hikyaku", path: "..")],
    targets: fuzzers.map { name in
        .executableTarget(
            name: name,
            dependencies: ["FuzzSupport"],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
        )
    } + wireFuzzers.map { name in
        .executableTarget(
            name: name,
            dependencies: [
                "FuzzSupport", .product(name: "HikyakuHTTP", package: "Hikyaku"),
                .product(name: "HikyakuWire", package: "Hikyaku"),
            ],
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
        )
    } + [
        .target(name: "FuzzSupport", dependencies: [.product(name: "HikyakuJSON", package: "Hikyaku")])
    ],
    swiftLanguageModes: [.v6],
)
