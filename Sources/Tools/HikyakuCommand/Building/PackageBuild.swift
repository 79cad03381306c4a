#if os(macOS) || os(Linux)
import Foundation
import HikyakuGenerate
import HikyakuOpenAPI

/// Builds a package so that the compiler also writes constant values and symbol graphs.
struct PackageBuild: Sendable {
    /// The folder of the package.
    let package: String
    /// The folder for the build; nothing else in the package's folder is changed.
    let scratch: URL

    /// The protocols whose conforming types are extracted: requests, and environments and methods with static members.
    private static let protocols = #"["APIRequest", "ExpressibleByStringLiteral"]"#

    private var graphs: URL { scratch.appending(path: "symbol-graphs") }
    private var protocolsFile: URL { scratch.appending(path: "protocols.json") }

    /// The package manager's description of the package.
    ///
    /// - Throws: ``CommandFailure`` when there is none, or its manifest is broken.
    func describe() throws(CommandFailure) -> PackageDescription {
        try CommandFailure.explaining("\(scratch.path(percentEncoded: false)) can't be made") {
            try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        }
        let action = "correct what 'swift package describe' reports, and repeat this command"
        let failure = "the package in \(package) can't be read; \(action)"
        let output = try run(["package", "describe", "--type", "json"], joinsErrors: false, failure)
        // The package manager may write other text first.
        guard let start = output.firstIndex(of: UInt8(ascii: "{")) else {
            throw CommandFailure("the package manager did not describe the package in \(package)")
        }
        do {
            return try PackageDescription(from: output[start...])
        } catch {
            throw CommandFailure("the package manager's description of \(package) can't be read: \("\(error)")")
        }
    }

    /// Builds the package, or some of its targets.
    ///
    /// - Throws: ``CommandFailure`` with the compiler's output if the build fails.
    func build(targets: [String]) throws(CommandFailure) -> CompilerProducts {
        try CommandFailure.explaining("\(protocolsFile.path(percentEncoded: false)) can't be written") {
            try Data(Self.protocols.utf8).write(to: protocolsFile, options: .atomic)
        }
        // The package manager builds one target at a time, or all targets.
        for target in targets.isEmpty ? [nil] : targets.map(Optional.some) {
            let words = ["build"] + buildFlags + (target.map { ["--target", $0] } ?? [])
            let action = "correct what 'swift build' reports, and repeat this command"
            _ = try run(words, joinsErrors: true, "the package in \(package) doesn't build; \(action)")
        }
        let failure = "the package manager did not report its build folder"
        let folder = try run(["build", "--show-bin-path"] + buildFlags, joinsErrors: false, failure)
        return CompilerProducts(products: URL(filePath: Self.text(folder)), graphs: graphs)
    }

    private var buildFlags: [String] {
        let frontend = ["-const-gather-protocols-file", protocolsFile.path(percentEncoded: false)]
        let flags =
            ["-emit-const-values"] + frontend.flatMap { ["-Xfrontend", $0] }
            + ["-emit-symbol-graph", "-emit-symbol-graph-dir", graphs.path(percentEncoded: false)]
            // With `private`, the compiler of Swift 6.3 reports false errors in closures of private types.
            + ["-symbol-graph-minimum-access-level", "internal", "-symbol-graph-skip-synthesized-members"]
        // Another build system puts the compiler's outputs elsewhere.
        return ["--build-system", "native"] + flags.flatMap { ["-Xswiftc", $0] }
    }

    /// Runs the package manager.
    ///
    /// - Returns: Its output.
    /// - Throws: ``CommandFailure`` with the text and the package manager's own message if it fails.
    private func run(_ words: [String], joinsErrors: Bool, _ failure: String) throws(CommandFailure) -> Data {
        // The subcommand comes before the options: `swift package --package-path … describe`.
        let folders = ["--package-path", package, "--scratch-path", scratch.path(percentEncoded: false)]
        let all = ["swift", words[0]] + folders + words.dropFirst()
        let ended = try CommandFailure.explaining("'swift \(words[0])' can't be run") {
            try Program.run(all, in: scratch, joinsErrors: joinsErrors)
        }
        guard ended.status == 0 else {
            let output = Self.text(ended.errors.isEmpty ? ended.output : ended.errors)
            throw CommandFailure("\(failure):\n\(lines: output)")
        }
        return ended.output
    }

    private static func text(_ data: Data) -> String {
        var text = String(decoding: data, as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
#endif
