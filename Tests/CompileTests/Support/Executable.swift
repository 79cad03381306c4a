#if os(Linux)
import Foundation

/// Runs a program that uses the modules of this build.
enum Executable {
    /// The modules whose objects are linked, and the libraries of the system that these need.
    private static let modules = [
        "Hikyaku", "HikyakuBase", "HikyakuCompression", "HikyakuEngine", "HikyakuHTTP", "HikyakuJSON", "HikyakuWire",
    ]
    private static let libraries = ["ssl", "crypto", "nghttp2", "z", "brotlidec", "zstd"]

    /// Whether the source of an object is still there: a build folder keeps the objects of removed files.
    private static func isOfSource(_ object: URL, _ module: String) -> Bool {
        sources[module, default: []].contains(object.deletingPathExtension().lastPathComponent)
    }

    /// The names of the source files of each module.
    private static let sources: [String: Set<String>] = Dictionary(
        uniqueKeysWithValues: modules.map { module in
            let folder = Compiler.repository.appending(path: "Sources/Client/\(module)").path()
            let paths = (try? FileManager.default.subpathsOfDirectory(atPath: folder)) ?? []
            return (module, Set(paths.map { URL(filePath: $0).lastPathComponent }))
        }
    )

    /// Compiles files and runs the program.
    ///
    /// - Parameters:
    ///   - files: The files, of which one is `main.swift`.
    ///   - folder: Where the program is made.
    /// - Returns: How it ended, and what it or the compiler wrote.
    /// - Throws: An error of the system if a program can't be run.
    static func run(_ files: [URL], in folder: URL) async throws -> (status: Int32, output: String) {
        let program = folder.appending(path: "program")
        let objects = modules.flatMap { module in
            BuildProducts.contents(of: BuildProducts.folder.appending(path: "\(module).build"))
                .filter { $0.pathExtension == "o" && isOfSource($0, module) }.map { $0.path() }
        }
        let built = try await Compiler().build(files, options: objects + libraries.map { "-l" + $0 }, to: program)
        guard built.status == 0 else { return built }
        return try await Command.run([program.path()])
    }
}

extension Compiler {
    /// Makes a program.
    func build(_ files: [URL], options: [String], to program: URL) async throws -> (status: Int32, output: String) {
        try await run(["-o", program.path(), "-module-name", "Program"] + files.map { $0.path() } + options)
    }
}
#endif
