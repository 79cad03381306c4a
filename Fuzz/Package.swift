// swift-tools-version: 6.2
import PackageDescription

// Each fuzzer is a program of its own, whose main function is libFuzzer's: `scripts/fuzz` builds and runs them.
let coreFuzzers = ["EventsFuzzer", "FieldsFuzzer"]
let fuzzers = ["DecoderFuzzer", "ReaderFuzzer", "LinesFuzzer", "SequenceFuzzer", "DiagnosisFuzzer", "EncoderFuzzer"]
#if os(Linux)
// Those of the transport, which is Linux's.
let wireFuzzers = ["HTTP2Fuzzer", "ProxyFuzzer", "ResponseFuzzer"]
#else
let wireFuzzers: [String] = []
#endif

func fuzzer(_ name: String, of products: [String] = []) -> Target {
    .executableTarget(
        name: name,
        dependencies: ["FuzzSupport"] + products.map { .product(name: $0, package: "Hikyaku") },
        swiftSettings: [.unsafeFlags(["-parse-as-library"])],
    )
}

let package = Package(
    name: "HikyakuFuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Hikyaku", path: "..")],
    targets: fuzzers.map { fuzzer($0) } + coreFuzzers.map { fuzzer($0, of: ["Hikyaku", "HikyakuHTTP"]) }
        + [fuzzer("OpenAPIFuzzer", of: ["HikyakuOpenAPI"])]
        + wireFuzzers.map { fuzzer($0, of: ["HikyakuHTTP", "HikyakuWire"]) } + [
            .target(name: "FuzzSupport", dependencies: [.product(name: "HikyakuJSON", package: "Hikyaku")])
        ],
    swiftLanguageModes: [.v6],
)
