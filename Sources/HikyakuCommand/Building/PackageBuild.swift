#if os(macOS) || os(Linux)
import Foundation

/// Builds a package with a compiler that writes down what it knows of requests.
struct PackageBuild: Sendable {
    /// The folder of the package, as it was given.
    let package: String
    /// Where to build; nothing else of the package's folder is touched.
    let scratch: URL

    /// The protocols whose types the compiler tells of: requests; environments and methods with their static members.
    private static let protocols = #"["APIRequest", "ExpressibleByStringLiteral"]"#

    private var graphs: URL { scratch.appending(path: "symbol-graphs") }
    private var protocolsFile: URL { scratch.appending(path: "protocols.json") }

    /// What the package manager says of the package.
    ///
    /// - Throws: ``CommandFailure`` when there is none, or its manifest is broken.
    func describe() throws(CommandFailure) -> PackageDescription {
        try makeFolder()
        let ended = try run(["package", "describe", "--type", "json"], joinsErrors: false)
        guard ended.status == 0 else {
            throw CommandFailure(
                "the package in \(package) can't be read:\n"
                    + Self.text(ended.errors.isEmpty ? ended.output : ended.errors)
            )
        }
        // The package manager may say something else first.
        guard let start = ended.output.firstIndex(of: UInt8(ascii: "{")) else {
            throw CommandFailure("the package manager says nothing of the package in \(package)")
        }
        do {
            return try PackageDescription(from: ended.output[start...])
        } catch {
            throw CommandFailure("what the package manager says of \(package) can't be read: \(error)")
        }
    }

    /// Builds the package, or some of its targets.
    ///
    /// - Throws: ``CommandFailure`` with what the compiler said, when it doesn't build.
    func build(targets: [String]) throws(CommandFailure) -> CompilerProducts {
        do {
            try Data(Self.protocols.utf8).write(to: protocolsFile, options: .atomic)
        } catch {
            throw CommandFailure(
                "\(protocolsFile.path(percentEncoded: false)) can't be written: \(error.localizedDescription)"
            )
        }
        // The package manager builds one target at a time, or all.
        for target in targets.isEmpty ? [nil] : targets.map(Optional.some) {
            let ended = try run(["build"] + buildFlags + (target.map { ["--target", $0] } ?? []), joinsErrors: true)
            guard ended.status == 0 else {
                throw CommandFailure("the package in \(package) doesn't build:\n" + Self.text(ended.output))
            }
        }
        let ended = try run(["build", "--show-bin-path"] + buildFlags, joinsErrors: false)
        guard ended.status == 0 else {
            throw CommandFailure("the package manager doesn't say where it built:\n" + Self.text(ended.errors))
        }
        return CompilerProducts(products: URL(filePath: Self.text(ended.output)), graphs: graphs)
    }

    private var buildFlags: [String] {
        let frontend = ["-const-gather-protocols-file", protocolsFile.path(percentEncoded: false)]
        let flags =
            ["-emit-const-values"] + frontend.flatMap { ["-Xfrontend", $0] }
            + ["-emit-symbol-graph", "-emit-symbol-graph-dir", graphs.path(percentEncoded: false)]
            // With `private`, the compiler of 6.3 finds errors in closures of private types, where there are none.
            + ["-symbol-graph-minimum-access-level", "internal", "-symbol-graph-skip-synthesized-members"]
        // Another build system would put what the compiler writes elsewhere.
        return ["--build-system", "native"] + flags.flatMap { ["-Xswiftc", $0] }
    }

    private func makeFolder() throws(CommandFailure) {
        do {
            try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
        } catch {
            throw CommandFailure("\(scratch.path(percentEncoded: false)) can't be made: \(error.localizedDescription)")
        }
    }

    private func run(_ words: [String], joinsErrors: Bool) throws(CommandFailure) -> Program.Ended {
        // The command and its own word come first: `swift package describe`, `swift build`.
        let place = ["--package-path", package, "--scratch-path", scratch.path(percentEncoded: false)]
        do {
            return try Program.run(
                ["swift", words[0]] + place + words.dropFirst(),
                in: scratch,
                joinsErrors: joinsErrors,
            )
        } catch {
            throw CommandFailure("'swift \(words[0])' can't be run: \(error.localizedDescription)")
        }
    }

    private static func text(_ data: Data) -> String {
        var text = String(decoding: data, as: UTF8.self)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
#endif
