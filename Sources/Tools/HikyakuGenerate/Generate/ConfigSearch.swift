#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Finds configurations, and the documents beside them.
enum ConfigSearch {
    private static let configNames = ["hikyaku.yaml", "hikyaku.yml", "hikyaku.json"]
    private static let documentNames = ["openapi.yaml", "openapi.yml", "openapi.json"]

    /// The configurations of folders; one at most of each.
    static func configs(in folders: [String]) -> [String] {
        var found: [String] = []
        for folder in folders {
            guard let path = first(configNames, in: folder), !found.contains(path) else { continue }
            found.append(path)
        }
        return found
    }

    /// The document in the folder of a configuration that names none.
    static func document(beside config: String) -> String? {
        first(
            documentNames,
            in: config.split(separator: "/", omittingEmptySubsequences: false).dropLast()
                .joined(separator: "/") + (config.utf8.contains(UInt8(ascii: "/")) ? "/" : ""),
        )
    }

    /// The path of the first of several names that exists; a folder is empty for the current one.
    private static func first(_ names: [String], in folder: String) -> String? {
        let prefix = folder.isEmpty || folder.hasSuffix("/") ? folder : folder + "/"
        return names.map { prefix + $0 }.first { FileManager.default.fileExists(atPath: $0) }
    }
}
