import Foundation

/// What a build left of the compiler's knowledge, in the build's folders.
struct CompilerProducts: Sendable {
    /// The folder with a `Module.build` for each module.
    let products: URL
    /// The folder with the descriptions of the modules.
    let graphs: URL

    /// The lists of values of all modules that were built, the package's and its dependencies'.
    ///
    /// - Throws: ``CommandFailure`` for a list that can't be read.
    func types() throws(CommandFailure) -> [ConstType] {
        let modules = Self.contents(of: products).filter { $0.pathExtension == "build" }
        let lists = modules.flatMap { Self.contents(of: $0) }.filter { $0.pathExtension == "swiftconstvalues" }
        guard !lists.isEmpty else {
            throw CommandFailure("the compiler wrote no values; this takes the compiler of Swift 6.2 or later")
        }
        var types: [ConstType] = []
        for list in lists { types += try Self.read(list, ConstType.list) }
        return types
    }

    /// The descriptions of some modules, and what any module adds to the library's own protocols.
    ///
    /// A module that isn't there has nothing to say: it may be the system's.
    ///
    /// - Throws: ``CommandFailure`` for a description that can't be read.
    func graphs(of modules: Set<String>) throws(CommandFailure) -> [SymbolGraph] {
        var read: [SymbolGraph] = []
        for file in Self.contents(of: graphs) where file.lastPathComponent.hasSuffix(".symbols.json") {
            // `Module.symbols.json`, and `Module@Other.symbols.json` for extensions of another module's types.
            let module = file.lastPathComponent.prefix { $0 != "@" && $0 != "." }
            let extendsLibrary = file.lastPathComponent.hasSuffix("@Hikyaku.symbols.json")
            if extendsLibrary || modules.contains(String(module)) {
                read.append(try Self.read(file, SymbolGraph.init(from:)))
            }
        }
        return read
    }

    private static func read<Value>(_ file: URL, _ decode: (Data) throws -> Value) throws(CommandFailure) -> Value {
        do {
            return try decode(try Data(contentsOf: file))
        } catch {
            throw CommandFailure(
                """
                what the compiler wrote can't be read: \(file.path(percentEncoded: false)): \(error)
                Remove the folder and try again; if that doesn't help, this compiler writes another form.
                """
            )
        }
    }

    /// In the order of names, so that the result doesn't depend on the disk.
    private static func contents(of folder: URL) -> [URL] {
        let entries = try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
        return (entries ?? []).sorted { $0.lastPathComponent < $1.lastPathComponent }
    }
}
