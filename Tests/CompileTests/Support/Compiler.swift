#if os(macOS) || os(Linux)
import Foundation
import Testing

/// Runs the compiler on a program that uses the modules of this build.
///
/// Programs see what a user sees: the package's own declarations stay hidden from them.
struct Compiler: Sendable {
    /// The folder of the repository.
    static let repository = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// How many seconds of a processor a compiler may use: `scripts/nightly programs` allows less.
    private static let secondsMax = ProcessInfo.processInfo.environment["HIKYAKU_COMPILE_SECONDS"] ?? "60"

    /// At most two compilers run at once: each takes a core and some hundred megabytes.
    private static let gate = Gate(width: 2)

    /// Where further modules are looked for.
    var moduleFolders: [URL] = []

    /// What the compiler says of a program.
    ///
    /// - Parameters:
    ///   - files: The program's files. A single one is a script, which may have statements at its top level.
    ///   - isolation: To what its declarations are isolated by default.
    ///   - options: Further arguments of the compiler.
    /// - Returns: Errors and warnings in the compiler's order, with their notes.
    /// - Throws: ``CompilerFailure`` if the compiler fails without a diagnostic.
    func diagnose(_ files: [URL], isolation: DefaultIsolation, options: [String] = []) async throws -> [Diagnostic] {
        // Data races are found after type checking, so the program is taken as far as its intermediate form.
        let arguments = ["-emit-sil", "-o", "/dev/null", "-wmo"] + isolation.arguments + options
        let (status, output) = try await run(arguments + files.map { $0.path() })
        let diagnostics = Diagnostic.parse(output)
        guard status == 0 || diagnostics.contains(where: { $0.kind == .error }) else {
            throw CompilerFailure(status: status, output: output)
        }
        return diagnostics
    }

    /// Makes a module, for programs that are compiled with its folder in ``moduleFolders``.
    func makeModule(
        _ name: String,
        from files: [URL],
        in folder: URL,
        isolation: DefaultIsolation = .nonisolated,
        options: [String] = [],
    ) async throws {
        let module = folder.appending(path: "\(name).swiftmodule").path()
        let arguments = ["-emit-module", "-parse-as-library", "-module-name", name, "-o", module]
        let (status, output) = try await run(arguments + isolation.arguments + options + files.map { $0.path() })
        guard status == 0 else { throw CompilerFailure(status: status, output: output) }
    }

    /// The description of what a module exports, as documentation is made from it.
    func extractSymbols(of module: String, into folder: URL) async throws -> URL {
        var arguments = ["swift-symbolgraph-extract", "-module-name", module, "-minimum-access-level", "public"]
        #if os(macOS)
        // Xcode's tools aren't on the path, except those that have a stand-in there.
        let (_, sdk) = try await Command.run(["xcrun", "--show-sdk-path"])
        arguments = ["xcrun"] + arguments + ["-sdk", sdk.filter { !$0.isNewline }]
        #endif
        arguments += [
            "-skip-inherited-docs", "-target", try await information().target.triple, "-output-dir", folder.path(),
        ]
        let (status, output) = try await Self.gate.run { [arguments] in
            try await Command.run(arguments + Self.moduleArguments(moduleFolders))
        }
        guard status == 0 else { throw CompilerFailure(status: status, output: output) }
        return folder.appending(path: "\(module).symbols.json")
    }

    /// The options that make the module of package manifests importable.
    func manifestOptions() async throws -> [String] {
        let folder = try await information().paths.runtimeResourcePath
        return ["-package-description-version", "6.2", "-I", "\(folder)/pm/ManifestAPI"]
    }

    private struct Information: Decodable {
        struct Target: Decodable { var triple: String }
        struct Paths: Decodable { var runtimeResourcePath: String }
        var target: Target
        var paths: Paths
    }

    private func information() async throws -> Information {
        let (_, output) = try await Command.run(["swiftc", "-print-target-info"])
        return try JSONDecoder().decode(Information.self, from: Data(output.utf8))
    }

    func run(_ arguments: [String]) async throws -> (status: Int32, output: String) {
        var command = ["swiftc", "-swift-version", "6", "-diagnostic-style=llvm", "-no-color-diagnostics"]
        #if os(macOS)
        command += ["-target", "\(Self.architecture)-apple-macosx14.0"]
        #endif
        command += Self.moduleArguments(moduleFolders)
        // A compiler that doesn't end is killed by the time that it has used, however many others run beside it.
        command = ["bash", "-c", "ulimit -t \(Self.secondsMax); exec \"$@\"", "swiftc"] + command
        return try await Self.gate.run { [command] in try await Command.run(command + arguments) }
    }

    /// The options that make the modules of this build importable, with the C modules that they import.
    private static func moduleArguments(_ folders: [URL]) -> [String] {
        let products = BuildProducts.folder
        var arguments = ["-module-cache-path", products.appending(path: "ModuleCache").path()]
        // Theirs first: a build of other packages in the same folder may have left modules of the same names.
        for folder in folders + [products.appending(path: "Modules")] {
            arguments += ["-I", folder.path()]
        }
        for map in BuildProducts.moduleMaps {
            arguments += ["-Xcc", "-fmodule-map-file=\(map.path())"]
        }
        return arguments
    }

    #if arch(arm64)
    private static let architecture = "arm64"
    #else
    private static let architecture = "x86_64"
    #endif
}

/// To what a module's declarations are isolated where they say nothing: both ways are common among users.
enum DefaultIsolation: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case nonisolated
    case mainActor = "MainActor"

    var arguments: [String] { ["-default-isolation", rawValue] }
    var testDescription: String { rawValue }
}

/// The compiler ended without a diagnostic that says why.
struct CompilerFailure: Error, CustomStringConvertible {
    var status: Int32
    var output: String
    var description: String { "the compiler ended with \(status): \(output)" }
}
#endif
