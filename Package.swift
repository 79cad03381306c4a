// swift-tools-version: 6.2
import PackageDescription

let applePlatforms: [Platform] = [.macOS, .macCatalyst, .iOS, .tvOS, .watchOS, .visionOS]

// What reads YAML needs libyaml, which not every system has.
#if os(Linux)
let defaultTraits: Set<String> = ["YAML"]
#else
let defaultTraits: Set<String> = []
#endif

let package = Package(
    name: "Hikyaku",
    platforms: [.macOS(.v14), .macCatalyst(.v17), .iOS(.v17), .tvOS(.v17), .watchOS(.v10), .visionOS(.v1)],
    products: [
        .library(name: "Hikyaku", targets: ["Hikyaku"]),
        .library(name: "HikyakuBroadcast", targets: ["HikyakuBroadcast"]),
        .library(name: "HikyakuHTTP", targets: ["HikyakuHTTP"]),
        .library(name: "HikyakuJSON", targets: ["HikyakuJSON"]),
        .library(name: "HikyakuWire", targets: ["HikyakuWire"]),
        .library(name: "HikyakuURLSession", targets: ["HikyakuURLSession"]),
        .library(name: "HikyakuOAuth", targets: ["HikyakuOAuth"]),
        .library(name: "HikyakuPublicSuffixes", targets: ["HikyakuPublicSuffixes"]),
        // Has no public API yet: its fuzzer is a package of its own.
        .library(name: "HikyakuOpenAPI", targets: ["HikyakuOpenAPI"]),
        .library(name: "HikyakuMockServer", targets: ["HikyakuMockServer"]),
        .library(name: "HikyakuTesting", targets: ["HikyakuTesting"]),
        .executable(name: "hikyaku-cli", targets: ["HikyakuCommand"]),
        .plugin(name: "GenerateAPI", targets: ["GenerateAPI"]),
        .plugin(name: "HikyakuAPI", targets: ["HikyakuAPI"]),
    ],
    traits: [
        .default(enabledTraits: defaultTraits),
        .trait(name: "YAML", description: "Reads OpenAPI documents in YAML, by libyaml; JSON is always read."),
    ],
    targets: [
        // Has no product: it is a part of the modules above, and is not public API.
        .target(name: "HikyakuBase"),
        .target(name: "HikyakuHTTP", dependencies: ["HikyakuBase"]),
        .target(name: "HikyakuJSON", dependencies: ["HikyakuBase"]),
        // Linux's own calls, which Swift's module of the C library leaves out.
        .systemLibrary(name: "CEpoll"),
        .systemLibrary(
            name: "CSSL",
            pkgConfig: "openssl",
            providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])],
        ),
        .systemLibrary(
            name: "CNghttp2",
            pkgConfig: "libnghttp2",
            providers: [.apt(["libnghttp2-dev"]), .brew(["nghttp2"])],
        ),
        .target(
            name: "HikyakuWire",
            dependencies: [
                "HikyakuBase",
                "HikyakuHTTP",
                .target(name: "CEpoll", condition: .when(platforms: [.linux])),
                .target(name: "CSSL", condition: .when(platforms: [.linux])),
                .target(name: "CNghttp2", condition: .when(platforms: [.linux])),
            ],
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])],
        ),
        .systemLibrary(
            name: "CBrotli",
            pkgConfig: "libbrotlidec",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])],
        ),
        .systemLibrary(
            name: "CZstd",
            pkgConfig: "libzstd",
            providers: [.apt(["libzstd-dev"]), .brew(["zstd"])],
        ),
        .target(
            name: "HikyakuCompression",
            dependencies: [
                "HikyakuHTTP",
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
                .target(name: "CBrotli", condition: .when(platforms: [.linux])),
                .target(name: "CZstd", condition: .when(platforms: [.linux])),
            ],
        ),
        .target(name: "HikyakuURLSession", dependencies: ["HikyakuBase", "HikyakuHTTP"]),
        // Has no product: it is a part of Hikyaku, which exports it.
        .target(
            name: "HikyakuEngine",
            dependencies: [
                "HikyakuBase",
                "HikyakuHTTP",
                "HikyakuJSON",
                .target(name: "HikyakuCompression", condition: .when(platforms: [.linux])),
                .target(name: "HikyakuWire", condition: .when(platforms: [.linux])),
                .target(name: "HikyakuURLSession", condition: .when(platforms: applePlatforms)),
            ],
        ),
        .target(
            name: "Hikyaku",
            dependencies: [
                "HikyakuBase",
                "HikyakuHTTP",
                "HikyakuJSON",
                "HikyakuEngine",
                "HikyakuCompression",
                // The digests of downloaded files.
                .target(name: "CSSL", condition: .when(platforms: [.linux])),
            ],
        ),
        .target(name: "HikyakuBroadcast", dependencies: ["HikyakuBase", "Hikyaku"]),
        .systemLibrary(
            name: "CPSL",
            pkgConfig: "libpsl",
            providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])],
        ),
        .target(
            name: "HikyakuPublicSuffixes",
            dependencies: ["Hikyaku", .target(name: "CPSL", condition: .when(platforms: [.linux]))],
        ),
        .target(
            name: "HikyakuOAuth",
            dependencies: ["HikyakuBase", "Hikyaku", .target(name: "CSSL", condition: .when(platforms: [.linux]))],
        ),
        .target(name: "HikyakuMockServer", dependencies: ["HikyakuBase", "HikyakuHTTP"]),
        .target(name: "HikyakuTesting", dependencies: ["HikyakuBase", "Hikyaku", "HikyakuMockServer"]),
        .systemLibrary(
            name: "CYAML",
            pkgConfig: "yaml-0.1",
            providers: [.apt(["libyaml-dev"]), .brew(["libyaml"])],
        ),
        .target(
            name: "HikyakuOpenAPI",
            dependencies: [
                "HikyakuBase",
                "HikyakuJSON",
                .target(name: "CYAML", condition: .when(traits: ["YAML"])),
            ],
        ),
        // `generate` as a command of the program, and of the tool that plugins run: that needs no library for calls.
        .target(name: "HikyakuGenerate", dependencies: ["HikyakuBase", "HikyakuOpenAPI"]),
        .executableTarget(name: "HikyakuGenerateTool", dependencies: ["HikyakuGenerate"]),
        .executableTarget(
            name: "HikyakuCommand",
            dependencies: ["HikyakuBase", "Hikyaku", "HikyakuGenerate", "HikyakuOpenAPI"],
        ),
        .plugin(
            name: "GenerateAPI",
            capability: .command(
                intent: .custom(
                    verb: "generate-api",
                    description: "Generates models and requests of OpenAPI documents",
                ),
                permissions: [.writeToPackageDirectory(reason: "It writes the generated files.")],
            ),
            dependencies: ["HikyakuGenerateTool"],
        ),
        .plugin(name: "HikyakuAPI", capability: .buildTool(), dependencies: ["HikyakuGenerateTool"]),

        // What several of the targets below need.
        .target(name: "TestSupport", dependencies: ["HikyakuBase"], path: "Tests/TestSupport"),
        .testTarget(name: "HikyakuBaseTests", dependencies: ["HikyakuBase", "TestSupport"]),
        .testTarget(name: "HikyakuHTTPTests", dependencies: ["HikyakuBase", "HikyakuHTTP", "TestSupport"]),
        .testTarget(name: "HikyakuJSONTests", dependencies: ["HikyakuJSON", "TestSupport"]),
        // What makes the bodies that the tests undo.
        .systemLibrary(
            name: "CBrotliEncoder",
            path: "Tests/CBrotliEncoder",
            pkgConfig: "libbrotlienc",
            providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])],
        ),
        .testTarget(
            name: "HikyakuCompressionTests",
            dependencies: [
                "HikyakuBase",
                "HikyakuCompression",
                "Hikyaku",
                "HikyakuMockServer",
                "HikyakuTesting",
                "TestSupport",
                .target(name: "CZlib", condition: .when(platforms: [.linux])),
                .target(name: "CZstd", condition: .when(platforms: [.linux])),
                .target(name: "CBrotliEncoder", condition: .when(platforms: [.linux])),
            ],
        ),
        .testTarget(
            name: "HikyakuTests",
            dependencies: ["HikyakuBase", "Hikyaku", "HikyakuTesting", "HikyakuMockServer", "TestSupport"],
        ),
        .testTarget(
            name: "HikyakuBroadcastTests",
            dependencies: ["HikyakuBase", "HikyakuBroadcast", "HikyakuTesting", "TestSupport"],
        ),
        .testTarget(
            name: "HikyakuOAuthTests",
            dependencies: ["HikyakuBase", "HikyakuOAuth", "HikyakuTesting", "TestSupport"],
            exclude: ["Server/authorization_server.py"],
        ),
        .testTarget(name: "HikyakuPublicSuffixesTests", dependencies: ["HikyakuPublicSuffixes"]),
        .testTarget(name: "HikyakuTestingTests", dependencies: ["HikyakuBase", "HikyakuTesting", "TestSupport"]),
        .testTarget(name: "HikyakuMockServerTests", dependencies: ["HikyakuMockServer", "TestSupport"]),
        .testTarget(
            name: "HikyakuWireTests",
            dependencies: [
                "HikyakuBase",
                "HikyakuWire",
                "Hikyaku",
                "HikyakuMockServer",
                "TestSupport",
                .target(name: "CSSL", condition: .when(platforms: [.linux])),
            ],
        ),
        .testTarget(
            name: "HikyakuURLSessionTests",
            dependencies: ["HikyakuURLSession", "HikyakuMockServer", "TestSupport"],
        ),
        .testTarget(
            name: "CompileTests",
            dependencies: [
                "Hikyaku",
                "HikyakuBroadcast",
                "HikyakuOAuth",
                "HikyakuOpenAPI",
                "HikyakuPublicSuffixes",
                "HikyakuTesting",
                "HikyakuMockServer",
                "HikyakuURLSession",
                .target(name: "HikyakuWire", condition: .when(platforms: [.linux])),
                "TestSupport",
            ],
            exclude: ["Examples", "Snippets"],
        ),
        // What the articles show, compiled and run.
        .testTarget(
            name: "ArticleTests",
            dependencies: [
                "Hikyaku",
                "HikyakuBroadcast",
                "HikyakuMockServer",
                "HikyakuTesting",
                "HikyakuOAuth",
                "HikyakuURLSession",
                .target(name: "HikyakuCompression", condition: .when(platforms: [.linux])),
                .target(name: "HikyakuWire", condition: .when(platforms: [.linux])),
            ],
        ),
        .testTarget(
            name: "HikyakuCommandTests",
            dependencies: [
                "HikyakuCommand", "Hikyaku", "HikyakuGenerate", "HikyakuMockServer", "HikyakuOpenAPI", "TestSupport",
            ],
            exclude: ["Fixtures"],
        ),
        // What is generated of the pet stores whose types have names that others have, too.
        .target(name: "SwaggerStore", dependencies: ["Hikyaku"], path: "Tests/Petstores/Generated/V2"),
        .target(name: "ShelterStore", dependencies: ["Hikyaku"], path: "Tests/Petstores/Generated/V31"),
        // What is inferred of samples and cURL lines, with the access of an app.
        .target(name: "InferredModels", dependencies: ["Hikyaku"], path: "Tests/InferredModels"),
        .testTarget(
            name: "HikyakuGenerateTests",
            dependencies: ["HikyakuGenerate", "HikyakuGenerateTool", "HikyakuOpenAPI", "TestSupport"],
        ),
        .testTarget(
            name: "HikyakuOpenAPITests",
            dependencies: [
                "Hikyaku",
                "HikyakuOpenAPI",
                "HikyakuJSON",
                "HikyakuMockServer",
                "InferredModels",
                "ShelterStore",
                "SwaggerStore",
                "TestSupport",
            ],
            exclude: ["Documents", "Hostile/Documents", "Samples"],
        ),
        // The properties that the fuzzers check, over the inputs that they keep. The properties are links into `Fuzz`.
        .testTarget(
            name: "FuzzTests",
            dependencies: [
                "HikyakuBase",
                "HikyakuHTTP",
                "HikyakuJSON",
                "Hikyaku",
                "HikyakuOAuth",
                "HikyakuOpenAPI",
                "TestSupport",
                .target(name: "HikyakuCompression", condition: .when(platforms: [.linux])),
                .target(name: "HikyakuWire", condition: .when(platforms: [.linux])),
            ],
        ),
        .testTarget(name: "HttpbinTests", dependencies: ["Hikyaku", "TestSupport"]),
        .testTarget(
            name: "ConformanceTests",
            dependencies: [
                "HikyakuBase",
                "HikyakuTesting",
                "HikyakuMockServer",
                "HikyakuURLSession",
                "TestSupport",
                .target(name: "HikyakuWire", condition: .when(platforms: [.linux])),
                // What the server of HTTP/2 is made of that the checks go through.
                .target(name: "CSSL", condition: .when(platforms: [.linux])),
                .target(name: "CNghttp2", condition: .when(platforms: [.linux])),
            ],
        ),
    ],
    swiftLanguageModes: [.v6],
)

// The wings of the house: what a client is made of, what tests it, tools, and maps of C libraries.
let testing: Set = ["HikyakuMockServer", "HikyakuTesting"]
let tools: Set = ["HikyakuCommand", "HikyakuGenerate", "HikyakuGenerateTool", "HikyakuOpenAPI"]
for target in package.targets where target.path == nil {
    switch target.type {
    case .system: target.path = "Sources/Systems/\(target.name)"
    case _ where testing.contains(target.name): target.path = "Sources/Testing/\(target.name)"
    case _ where tools.contains(target.name): target.path = "Sources/Tools/\(target.name)"
    case .regular: target.path = "Sources/Client/\(target.name)"
    default: break
    }
}

for target in package.targets where target.path?.hasPrefix("Sources/") == true && target.type != .system {
    target.swiftSettings = [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("InternalImportsByDefault"),
    ]
}
// Modules with calls that Apple wants a reason for. On Linux a resource would make a bundle, which loads Foundation.
let withPrivacyManifest: Set = ["Hikyaku", "HikyakuEngine", "HikyakuBase"]
for target in package.targets where withPrivacyManifest.contains(target.name) {
    #if os(macOS)
    target.resources = [.copy("PrivacyInfo.xcprivacy")]
    #else
    target.exclude.append("PrivacyInfo.xcprivacy")
    #endif
}
// The modules with few pointers of their own, or none: what may break memory safety is marked `unsafe`.
let strictlySafe: Set = [
    "Hikyaku", "HikyakuEngine", "HikyakuBroadcast", "HikyakuCommand", "HikyakuGenerate", "HikyakuGenerateTool",
    "HikyakuOAuth",
    "HikyakuPublicSuffixes", "HikyakuTesting",
    "HikyakuURLSession",
]
for target in package.targets where strictlySafe.contains(target.name) {
    target.swiftSettings?.append(.strictMemorySafety())
}
