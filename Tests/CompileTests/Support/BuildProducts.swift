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

    /// The folders of the modules, in all wings of `Sources`.
    static let moduleFolders = contents(of: Compiler.repository.appending(path: "Sources")).flatMap(contents)

    /// The maps of the C libraries' modules.
    static let moduleMaps = moduleFolders.map { $0.appending(path: "module.modulemap") }
        .filter { FileManager.default.fileExists(atPath: $0.path()) }

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
