import Foundation
import HikyakuGenerate
import HikyakuOpenAPI

/// The files that the compiler wrote during a build: constant values and symbol graphs.
struct CompilerProducts: Sendable {
    /// The folder with a `Module.build` for each module.
    let products: URL
    /// The folder with the modules' symbol graphs.
    let graphs: URL

    /// Reads the constant values of all modules of the build, including those of dependencies.
    ///
    /// - Parameter owners: The package's own source files with their modules.
    /// - Returns: The types of all lists; a type is repeated if the lists of several files contain it.
    /// - Throws: ``CommandFailure`` for a list that can't be read.
    func types(owners: [String: String]) throws(CommandFailure) -> [ConstType] {
        let lists = try lists(owners: owners).values.flatMap(\.self).sorted { $0.path() < $1.path() }
        guard !lists.isEmpty else {
            throw CommandFailure("the compiler wrote no constant values; Swift 6.2 or later is required")
        }
        var types: [ConstType] = []
        for list in lists { types += try Self.read(list, ConstType.list) }
        return types
    }

    /// The lists of the modules' current files.
    ///
    /// The package manager doesn't remove the list of a renamed or deleted file, or the folder of such a module.
    private func lists(owners: [String: String]) throws(CommandFailure) -> [String: [URL]] {
        var lists: [String: [URL]] = [:]
        for folder in Self.contents(of: products) where folder.pathExtension == "build" {
            // `Module.build`, and `Module-tool.build` for a module that runs during the build.
            let module = String(folder.lastPathComponent.prefix { $0 != "." && $0 != "-" })
            let found = try Self.lists(in: folder) { file in owners[file].map { $0 == module } ?? true }
            if !found.isEmpty { lists[module, default: []] += found }
        }
        return lists
    }

    /// The existing lists of a module's own files in the last build.
    ///
    /// The package manager names the files in its map of the compiler's outputs.
    private static func lists(in module: URL, isOwn: (String) -> Bool) throws(CommandFailure) -> [URL] {
        let map = module.appending(path: "output-file-map.json")
        guard exists(map.path(percentEncoded: false)) else { return [] }
        let outputs = try read(map) { try JSONDecoder().decode([String: Outputs].self, from: $0) }
        let files = outputs.keys.filter { isOwn($0) && exists($0) }
        let names = files.map { URL(filePath: $0).lastPathComponent + ".swiftconstvalues" }
        let known = Set(names)
        return contents(of: module).filter { known.contains($0.lastPathComponent) }
    }

    /// The compiler's outputs for a file; only the file's name is used.
    private struct Outputs: Decodable {}

    private static func exists(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: path)
    }

    /// The symbol graphs of some modules, and those of all modules' extensions of the library.
    ///
    /// A module without a symbol graph is skipped: it may be the system's.
    ///
    /// - Parameters:
    ///   - modules: The modules.
    ///   - owners: The package's own source files with their modules.
    /// - Returns: The symbol graphs, sorted by file name.
    /// - Throws: ``CommandFailure`` for a symbol graph that can't be read.
    func graphs(of modules: Set<String>, owners: [String: String]) throws(CommandFailure) -> [SymbolGraph] {
        let built = try lists(owners: owners)
        var read: [SymbolGraph] = []
        for file in Self.contents(of: graphs) where file.lastPathComponent.hasSuffix(".symbols.json") {
            // `Module.symbols.json`, and `Module@Other.symbols.json` for extensions of another module's types.
            let module = file.lastPathComponent.prefix { $0 != "@" && $0 != "." }
            let extendsLibrary =
                built[String(module)] != nil
                && ["@Hikyaku.", "@HikyakuEngine."].contains { file.lastPathComponent.contains($0) }
            if (extendsLibrary || modules.contains(String(module))) && !isLeftOver(file, of: String(module)) {
                read.append(try Self.read(file, SymbolGraph.init(from:)))
            }
        }
        return read
    }

    /// Whether the symbol graph of a module's extensions of another module is from an earlier compilation.
    ///
    /// The compiler writes all symbol graphs of a module at once, but doesn't remove one that is no longer needed. A
    /// compilation takes longer than a second, the precision of some file systems' and archives' times.
    private func isLeftOver(_ file: URL, of module: String) -> Bool {
        let own = graphs.appending(path: "\(module).symbols.json")
        guard file.lastPathComponent != own.lastPathComponent, let written = Self.time(of: file),
            let ownWritten = Self.time(of: own)
        else { return false }
        return written.addingTimeInterval(1) < ownWritten
    }

    private static func time(of file: URL) -> Date? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path(percentEncoded: false))
        return attributes?[.modificationDate] as? Date
    }

    private static func read<Value>(_ file: URL, _ decode: (Data) throws -> Value) throws(CommandFailure) -> Value {
        do {
            return try decode(try Data(contentsOf: file))
        } catch {
            throw CommandFailure(
                """
                what the compiler wrote can't be read: \(file.path(percentEncoded: false)): \("\(error)")
                Remove the folder and try again; if that doesn't help, this compiler writes another form.
                """
            )
        }
    }

    /// Sorted by name, so that the result doesn't depend on the file system.
    private static func contents(of folder: URL) -> [URL] {
        let entries = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (entries ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
