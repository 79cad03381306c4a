#if os(macOS) || os(Linux)
import Foundation

/// Where the build that these tests belong to put what it made.
enum BuildProducts {
    /// The folder that contains the test bundle and `Modules`.
    static let folder: URL = {
        let bundle = CommandLine.arguments.lazy.compactMap { argument -> URL? in
            guard let end = argument.range(of: ".xctest") else { return nil }
            return URL(filePath: String(argument[..<end.upperBound]))
        }.first
        let fallback = Compiler.repository.appending(path: ".build/debug")
        return (bundle?.deletingLastPathComponent() ?? fallback).absoluteURL
    }()

    /// The modules that users import.
    static let libraryNames = [
        "Hikyaku", "HikyakuBroadcast", "HikyakuHTTP", "HikyakuJSON", "HikyakuMockServer", "HikyakuOAuth",
        "HikyakuPublicSuffixes", "HikyakuTesting", "HikyakuURLSession", "HikyakuWire",
    ]

    /// Those of them that this build made.
    static let libraries = libraryNames.filter { name in
        FileManager.default.fileExists(atPath: folder.appending(path: "Modules/\(name).swiftmodule").path())
    }

    /// The maps of the C modules under a folder of sources.
    static func moduleMaps(in sources: URL) -> [URL] {
        contents(of: sources).flatMap { target in
            [target.appending(path: "module.modulemap"), target.appending(path: "include/module.modulemap")]
        }.filter { FileManager.default.fileExists(atPath: $0.path()) }
    }

    /// The visible entries of a folder in the order of their names; none where there is no such folder.
    static func contents(of folder: URL) -> [URL] {
        let entries = try? FileManager.default.contentsOfDirectory(
            at: folder,
            includingPropertiesForKeys: nil,
            options: .skipsHiddenFiles,
        )
        return (entries ?? []).sorted { $0.path() < $1.path() }
    }

    /// A new folder for what one test makes.
    static func makeTemporaryFolder() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return folder
    }
}
#endif
