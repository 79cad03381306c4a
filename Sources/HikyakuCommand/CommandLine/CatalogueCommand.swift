import Foundation
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku catalogue`.
enum CatalogueCommand {
    /// Creates the page with the options in the arguments.
    static func run(_ words: [String]) throws(CommandFailure) {
        let options = try CatalogueOptions(words)
        if options.showsHelp {
            try HikyakuCommand.show(Usage.catalogue + "\n")
            return
        }
        #if os(macOS) || os(Linux)
        if let output = options.output { try WholeFile.checkFolder(of: output) }
        let catalogue = try catalogue(options) {
            Console.tell("hikyaku: building \(options.package)\n")
        }
        for name in catalogue.misspelled ?? [] {
            Console.tell("\(name.warning)\n")
        }
        let text = try page(of: catalogue, options.format, links: links(options))
        if let output = options.output {
            try WholeFile.write(text, to: output)
        } else {
            try HikyakuCommand.show(text)
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
}

/// Writes a file completely or not at all.
enum WholeFile {
    /// Checks whether a file can be written at a path, before the build.
    ///
    /// - Throws: ``CommandFailure`` if its folder is missing, or it is a folder itself.
    static func checkFolder(of path: String) throws(CommandFailure) {
        let folder = URL(filePath: path).deletingLastPathComponent().path(percentEncoded: false)
        var isFolder: ObjCBool = false
        if unsafe FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            throw CommandFailure("\(path) can't be written: it is a folder")
        }
        guard unsafe FileManager.default.fileExists(atPath: folder, isDirectory: &isFolder), isFolder.boolValue else {
            throw CommandFailure("\(path) can't be written: there is no folder \(folder)")
        }
    }

    /// Writes a text to a temporary file, and then replaces the file with it.
    ///
    /// A symbolic link is followed, and kept. A device such as `/dev/stdout` is written to directly, since it must not
    /// be replaced.
    ///
    /// - Throws: ``CommandFailure`` that names the file.
    static func write(_ text: String, to path: String) throws(CommandFailure) {
        let file = URL(filePath: path).resolvingSymlinksInPath()
        let data = Data(text.utf8)
        try CommandFailure.explaining("\(path) can't be written") {
            if isReplaceable(path) {
                try data.write(to: file, options: .atomic)
            } else {
                let handle = try FileHandle(forWritingTo: URL(filePath: path))
                try handle.write(contentsOf: data)
                try handle.close()
            }
        }
    }

    /// Whether there is a regular file, which may be replaced, or nothing.
    static func isReplaceable(_ path: String) -> Bool { FileKind(at: path).words == nil }
}
