import Foundation
import PackagePlugin

/// `swift package generate-api`: generates models and requests of the documents that configurations name.
@main
struct GenerateAPI: CommandPlugin {
    func performCommand(context: PluginContext, arguments: [String]) throws {
        var reader = ArgumentExtractor(arguments)
        let names = reader.extractOption(named: "target")
        let targets = names.isEmpty ? context.package.targets : try context.package.targets(named: names)
        let process = Process()
        process.executableURL = try context.tool(named: "HikyakuGenerateTool").url
        process.currentDirectoryURL = context.package.directoryURL
        // Where hikyaku.yaml is looked for, if the arguments name neither it nor a document.
        var folders = targets.map(\.directoryURL)
        if names.isEmpty { folders.insert(context.package.directoryURL, at: 0) }
        process.arguments =
            reader.remainingArguments
            + folders.flatMap { ["--config-folder", $0.path(percentEncoded: false)] }
        try process.run()
        process.waitUntilExit()
        if process.terminationStatus != 0 { Diagnostics.error("generate-api failed") }
    }
}
