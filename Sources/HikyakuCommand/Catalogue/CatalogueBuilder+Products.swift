extension CatalogueBuilder {
    /// The catalogue of some targets of a package that was built.
    ///
    /// - Throws: ``CommandFailure`` for what the compiler wrote and can't be read.
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
        // Its description is a large one, of which nothing is needed unless it is listed itself.
        if !package.targets.contains(where: { $0.module == "Hikyaku" }) { modules.remove("Hikyaku") }
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
