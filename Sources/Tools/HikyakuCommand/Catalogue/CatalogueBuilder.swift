import HikyakuGenerate
import HikyakuOpenAPI

/// Builds a catalogue from the compiler's values, comments and locations.
struct CatalogueBuilder {
    let package: String
    /// The package's folder; file names are relative to it.
    let root: String
    /// The source files whose requests are listed, with their modules.
    let sources: [String: String]
    /// The types from constant extraction, including those of the build's other modules.
    let types: [ConstType]
    let graphs: [SymbolGraph]
    /// For each module of the package, the others that it doesn't depend on: their extensions don't apply to it.
    var hiddenModules: [String: Set<String>] = [:]
    /// Reads a source file, at most once; returns `nil` if that fails.
    let readSource: (String) -> String?

    func catalogue() -> Catalogue {
        let files = SourceFiles(readSource)
        let symbols = SymbolIndex(graphs, hidden: hiddenModules)
        let types = ConstType.merged(types.map { $0.checked(files) }).map { $0.withGetters(symbols) }
        let requirements = RequirementFinder(symbols: symbols, sources: sources, files: files)
        let values = ValueReader(finder: requirements, types: types)
        // The keys are the module's name and the names of the types that the requests are nested in.
        var groups: [[String]: [CatalogueRequest]] = [:]
        for type in types where Self.isRequest(type) {
            guard let module = sources[type.file] else { continue }
            let symbol = symbols.symbol(of: type)
            let path = symbol?.path ?? Array(TypeName.components(of: type.name).dropFirst())
            groups[[module] + path.dropLast(), default: []].append(
                request(type, symbol, name: path.last ?? type.name, values)
            )
        }
        let chapters = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { names, requests in
            let documentation = symbols.symbol(named: names)?.documentation
            return Catalogue.Chapter(
                module: names[0],
                path: Array(names.dropFirst()),
                documentation: documentation.flatMap(Self.text),
                requests: requests.sorted { ($0.file, $0.line, $0.name) < ($1.file, $1.line, $1.name) },
            )
        }
        let misspelled = misspelled(in: types.filter(Self.isRequest), symbols, values)
        return Catalogue(package: package, chapters: chapters, misspelled: misspelled.isEmpty ? nil : misspelled)
    }

    /// What has no effect in requests, sorted by file and line.
    private func misspelled(in types: [ConstType], _ symbols: SymbolIndex, _ values: ValueReader) -> [MisspelledName] {
        let uses = NameUses(files: values.finder.files, paths: sources.keys.sorted())
        let found =
            NearMissFinder(symbols: symbols, types: types, sources: sources, uses: uses).found()
            + AccessAliasFinder(symbols: symbols, sources: sources, uses: uses).found()
            + IgnoredFunctionFinder(symbols: symbols, sources: sources, uses: uses).found()
            + IgnoredPropertyFinder(symbols: symbols, types: types, sources: sources, uses: uses).found()
            + BodyOfGetFinder(values: values, types: types, sources: sources).found()
        return found.map { $0.inFile(relative($0.file)) }
            .sorted { ($0.file, $0.line, $0.name) < ($1.file, $1.line, $1.name) }
    }

    /// A proxy isn't listed: it wraps other requests.
    private static func isRequest(_ type: ConstType) -> Bool {
        type.conformances.contains("Hikyaku.APIRequest") && !type.conformances.contains("Hikyaku.RequestProxy")
    }

    private func request(
        _ type: ConstType,
        _ symbol: SymbolGraph.Symbol?,
        name: String,
        _ values: ValueReader,
    ) -> CatalogueRequest {
        let names = TypeName(genericParametersOf: type.name)
        func associated(_ name: String) -> String { names.short(type.associatedType(name) ?? "?") }
        // The generic parameters of the type itself, but not those of its outer types.
        let bracket = type.name.hasSuffix(">") ? type.name.lastIndex(of: "<") : nil
        return CatalogueRequest(
            name: name + (bracket.map { type.name[$0...] } ?? ""),
            documentation: Self.text(symbol?.documentation ?? []),
            file: relative(type.file),
            line: type.line,
            method: values.method(of: type),
            path: values.path(of: type),
            query: values.keys(.query, of: type),
            parameters: values.keys(.parameters, of: type),
            body: values.body(of: type),
            environment: values.environment(of: type),
            access: associated("Access"),
            requiresAuthorization: values.requiresAuthorization(of: type, access: associated("Access")),
            response: associated("Response"),
            failure: associated("Failure"),
        )
    }

    private static func text(_ lines: [String]) -> String? {
        let text = lines.joined(separator: "\n")
        return text.allSatisfy(\.isWhitespace) ? nil : text
    }

    /// The file's path relative to the package's folder; only the name of a file elsewhere, so that no local path is
    /// shown.
    private func relative(_ file: String) -> String {
        let folder = root.hasSuffix("/") ? root : root + "/"
        if file.hasPrefix(folder) { return String(file.dropFirst(folder.count)) }
        return file.split(separator: "/").last.map(String.init) ?? file
    }
}

extension CatalogueBuilder {
    /// The catalogue of some targets of a package that was built.
    ///
    /// - Throws: ``CommandFailure`` for an output of the compiler that can't be read.
    static func joining(
        _ products: CompilerProducts,
        of targets: [PackageDescription.Target],
        in package: PackageDescription,
        readSource: @escaping (String) -> String?,
    ) throws(CommandFailure) -> Catalogue {
        let owners = package.modulesOfFiles(in: package.targets)
        let types = try products.types(owners: owners)
        // Defaults are supplied by the modules that declare the protocols, or by those that extend them.
        var modules = Set(package.targets.map(\.module))
        for type in types where isRequest(type) {
            modules.formUnion(type.conformances.map { String($0.prefix { $0 != "." }) })
        }
        // The library's symbol graph is large, and is needed only if the library itself is listed.
        if !package.targets.contains(where: { $0.module == "Hikyaku" }) {
            modules.subtract(["Hikyaku", "HikyakuEngine"])
        }
        return CatalogueBuilder(
            package: package.name,
            root: package.path,
            sources: package.modulesOfFiles(in: targets),
            types: types,
            graphs: try products.graphs(of: modules, owners: owners),
            hiddenModules: package.hiddenModules,
            readSource: readSource,
        ).catalogue()
    }
}
