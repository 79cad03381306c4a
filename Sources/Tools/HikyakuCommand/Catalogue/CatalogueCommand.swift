import Foundation
import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku catalogue`.
enum CatalogueCommand {
    /// Creates the page with the options in the arguments.
    static func run(_ words: [String]) throws(CommandFailure) {
        let options = try CatalogueOptions(words)
        if options.showsHelp {
            try StandardOutput.write(help + "\n")
            return
        }
        #if os(macOS) || os(Linux)
        if let output = options.output { try WholeFile.checkFolder(of: output) }
        let catalogue = try catalogue(options) {
            Console.report("hikyaku: building \(options.package)\n")
        }
        for name in catalogue.misspelled ?? [] {
            Console.report("\(name.warning)\n")
        }
        let text = try page(of: catalogue, options.format, links: links(options))
        if let output = options.output {
            try WholeFile.write(text, to: output)
        } else {
            try StandardOutput.write(text)
        }
        if options.isStrict { try checkWarnings(of: catalogue) }
        #else
        throw CommandFailure("'hikyaku catalogue' runs a compiler, so it works only on macOS and Linux")
        #endif
    }

    /// Checks that nothing in the requests is ignored.
    ///
    /// - Throws: ``CommandFailure`` with the number of warnings.
    static func checkWarnings(of catalogue: Catalogue) throws(CommandFailure) {
        guard let count = catalogue.misspelled?.count, count > 0 else { return }
        throw CommandFailure(
            count == 1
                ? "there is a warning, which --strict doesn't allow; correct the line that it names"
                : "there are \(count) warnings, which --strict doesn't allow; correct the lines that they name"
        )
    }

    /// The catalogue as a page.
    static func page(
        of catalogue: Catalogue,
        _ format: CatalogueOptions.Format,
        links: SourceLinks = .none,
    ) throws(CommandFailure) -> String {
        switch format {
        case .html: return HTMLPage.text(of: catalogue, links: links)
        case .markdown: return MarkdownPage.text(of: catalogue, links: links)
        case .json:
            return try CommandFailure.explaining("the catalogue can't be written as JSON") {
                try JSONPage.text(of: catalogue)
            }
        }
    }

    /// The links of the page: by the template, or to the files if the page is one too.
    static func links(_ options: CatalogueOptions) -> SourceLinks {
        if let links = options.sourceLinks { return links }
        guard let output = options.output, WholeFile.isReplaceable(output) else { return .none }
        return SourceLinks(
            from: URL(filePath: output).absoluteURL.deletingLastPathComponent(),
            to: URL(filePath: options.package, directoryHint: .isDirectory),
            current: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory),
        )
    }

    #if os(macOS) || os(Linux)
    /// Checks that there is a package to build.
    ///
    /// - Throws: ``CommandFailure`` if the folder is missing or has no manifest.
    private static func checkPackage(_ path: String) throws(CommandFailure) {
        let action = "use --package for the folder of a Swift package"
        var isFolder: ObjCBool = false
        guard unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
            throw CommandFailure("there is no folder \(path); \(action)")
        }
        guard isFolder.boolValue else { throw CommandFailure("\(path) is a file; \(action)") }
        let manifest = URL(filePath: path, directoryHint: .isDirectory).appending(path: "Package.swift")
        guard FileManager.default.fileExists(atPath: manifest.path(percentEncoded: false)) else {
            let place = path == "." ? "the current folder" : path
            throw CommandFailure("there is no Package.swift in \(place); \(action)")
        }
    }

    /// Builds the package, and creates the catalogue from the compiler's outputs.
    ///
    /// - Parameters:
    ///   - options: The options.
    ///   - onBuilding: Called before the build, if there is a package.
    /// - Returns: The catalogue.
    /// - Throws: ``CommandFailure`` if there is no package, if it doesn't build, or if it has no request.
    static func catalogue(
        _ options: CatalogueOptions,
        onBuilding: () -> Void = {},
    ) throws(CommandFailure) -> Catalogue {
        try checkPackage(options.package)
        onBuilding()
        let folder = URL(filePath: options.package, directoryHint: .isDirectory).absoluteURL
        let scratch = options.scratchPath.map { URL(filePath: $0, directoryHint: .isDirectory).absoluteURL }
        let build = PackageBuild(
            package: folder.path(percentEncoded: false),
            scratch: scratch ?? folder.appending(path: ".build/hikyaku-catalogue"),
        )
        let description = try build.describe()
        let listed = try description.listed(options.targets)
        let products = try build.build(targets: options.targets)
        let catalogue = try CatalogueBuilder.joining(products, of: listed, in: description) {
            try? String(contentsOfFile: $0, encoding: .utf8)
        }
        guard catalogue.requestCount > 0 else { throw nothingFound(listed.map(\.name), description.name) }
        return catalogue
    }

    private static func nothingFound(_ targets: [String], _ package: String) -> CommandFailure {
        CommandFailure(
            """
            no request was found in \(package), in \(targets.isEmpty ? "no target" : targets.joined(separator: ", ")).
            A request is a type that conforms to Hikyaku's APIRequest, itself or through a protocol of a service.
            Check that its target is one of these and is built. Without --target, tests are left out, and so is code
            inside an #if whose condition is false here.
            """
        )
    }
    #endif

    static let help = """
        Lists every request type of a package: method, path, query, access, response,
        failure, comment, file and line. Names that are probably misspelled, such as
        'typealias Acces', functions and properties without an effect, and bodies of
        GET are reported on standard error. The package is built in a separate folder,
        since only the compiler knows these facts; of its code, only the manifest,
        macros and plugins are run, as in each build.

        Usage: hikyaku catalogue [OPTIONS]

        Options:
          --package DIR        the package's folder (default: the current one)
          --target NAME        list only this target; may be repeated
                               (default: all except tests, plugins and macros)
          --format FORMAT      html, markdown or json (default: the extension of
                               the output file, otherwise html)
          --output FILE        write to this file, only after success
                               (default: standard output)
          --source-url URL     link each request to its source by this URL, in which
                               {path} is replaced by the file's path in the package,
                               and {line} by the line; for example
                               https://host/shop/blob/main/{path}#L{line}
                               (default: the file itself, if the page is written
                               below the package's folder or the current one)
          --scratch-path DIR   where to build (default: .build/hikyaku-catalogue in
                               the package's folder); kept, so that the next
                               build is faster
          --strict             exit with status 1 if there is a warning, after the
                               page is written; for CI
          -h, --help           show this text
        """
}
