// swift-tools-version: 6.2
import PackageDescription

// Each fuzzer is a program of its own, whose main function is libFuzzer's: `scripts/fuzz` builds and runs them.
// What must hold is in `Properties`: links lead there from here and from `Tests/FuzzTests`, which feeds the kept inputs
// to the same code.
let json = ["HikyakuJSON"]
var fuzzers = [
    "DecoderFuzzer": json,
    "DiagnosisFuzzer": json,
    "EncoderFuzzer": json,
    "LinesFuzzer": json,
    "ReaderFuzzer": json,
    "CookiesFuzzer": ["Hikyaku"],
    "EventsFuzzer": ["Hikyaku"],
    "FieldsFuzzer": ["Hikyaku"],
    "OAuthFuzzer": ["HikyakuOAuth"],
    "OpenAPIFuzzer": ["HikyakuOpenAPI"],
    "ProblemsFuzzer": ["Hikyaku"],
    "SamplesFuzzer": ["HikyakuOpenAPI"],
    "StoredFuzzer": ["Hikyaku"],
    "UploadsFuzzer": ["Hikyaku"],
]
#if os(Linux)
// Those of the transport and of content codings, which are Linux's.
for name in ["CertificatesFuzzer", "HTTP2Fuzzer", "ProxyFuzzer", "ResponseFuzzer"] { fuzzers[name] = ["HikyakuWire"] }
for name in ["CodingsFuzzer", "URLsFuzzer"] { fuzzers[name] = ["Hikyaku"] }
#endif

let package = Package(
    name: "HikyakuFuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "Hikyaku", path: "..")],
    targets: fuzzers.sorted { $0.key < $1.key }.map { name, products in
        .executableTarget(
            name: name,
            dependencies: products.map { .product(name: $0, package: "Hikyaku") },
            swiftSettings: [.unsafeFlags(["-parse-as-library"])],
        )
    },
    swiftLanguageModes: [.v6],
)
