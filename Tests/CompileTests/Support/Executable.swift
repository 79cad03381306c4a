#if os(Linux)
import Foundation

/// Runs a program that uses the modules of this build.
enum Executable {
    /// The modules whose objects are linked, and the libraries of the system that these need.
    private static let modules = [
        "Hikyaku", "HikyakuBase", "HikyakuCompression", "HikyakuHTTP", "HikyakuJSON", "HikyakuWire",
    ]
    private static let libraries = ["ssl", "crypto", "nghttp2", "z", "brotlidec", "zstd"]

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
                .filter { $0.pathExtension == "o" }.map { $0.path() }
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
