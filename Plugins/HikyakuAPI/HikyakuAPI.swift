import Foundation
import PackagePlugin

/// Generates models and requests at build time, from the document in a target's folder.
@main
struct HikyakuAPI: BuildToolPlugin {
    private static let configNames = ["hikyaku.yaml", "hikyaku.yml", "hikyaku.json"]
    private static let documentNames = ["openapi.yaml", "openapi.yml", "openapi.json"]
    /// About as much of a document as makes a file that compiles in a second or two.
    private static let bytesPerFile = 96 * 1024
    private static let filesMax = 64

    func createBuildCommands(context: PluginContext, target: any Target) throws -> [Command] {
        guard let target = target as? any SourceModuleTarget else { return [] }
        let folder = target.directoryURL
        func first(_ names: [String]) -> URL? {
            names.map { folder.appending(path: $0) }.first { FileManager.default.fileExists(atPath: $0.path) }
        }
        let (config, document) = (first(Self.configNames), first(Self.documentNames))
        guard config != nil || document != nil else {
            let place = Self.shown(folder.path(percentEncoded: false))
            Diagnostics.error(
                "\(Self.shown(target.name)) has no openapi.yaml, openapi.json or hikyaku.yaml in \(place)"
            )
            return []
        }
        // A document may refer to any of these.
        let inputs = target.sourceFiles.map(\.url).filter { ["yaml", "yml", "json"].contains($0.pathExtension) }
        let count = Self.fileCount(for: inputs)
        let output = context.pluginWorkDirectoryURL.appending(path: "Generated", directoryHint: .isDirectory)
        var arguments = ["--output", output.path(percentEncoded: false), "--files", "\(count)", "--quiet"]
        if let config {
            arguments += ["--config", config.path(percentEncoded: false)]
        } else if let document {
            arguments.append(document.path(percentEncoded: false))
        }
        let command = Command.buildCommand(
            displayName: "Generating the API of \(Self.shown(target.name))",
            executable: try context.tool(named: "HikyakuGenerateTool").url,
            arguments: arguments,
            inputFiles: inputs,
            outputFiles: (1...count).map { output.appending(path: "HikyakuAPI+\($0).swift") },
        )
        return [command]
    }

    /// A name or path without what a terminal would obey.
    private static func shown(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { scalar in
                    let kind = scalar.properties.generalCategory
                    let isPlain = kind != .control && kind != .format && kind != .lineSeparator
                    return isPlain && kind != .paragraphSeparator ? scalar : "\u{FFFD}"
                }
            )
        )
    }

    /// A build must know the files before the document is read, so that their number comes from its size.
    private static func fileCount(for inputs: [URL]) -> Int {
        let sizes = inputs.map { (try? FileManager.default.attributesOfItem(atPath: $0.path))?[.size] as? Int ?? 0 }
        return min(filesMax, sizes.reduce(0, +) / bytesPerFile + 1)
    }
}
