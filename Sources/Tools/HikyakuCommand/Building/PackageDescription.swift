import Foundation
import HikyakuGenerate
import HikyakuOpenAPI

/// The package manager's description of a package.
struct PackageDescription: Equatable, Sendable, Decodable {
    let name: String
    /// The folder of the package.
    let path: String
    let targets: [Target]

    struct Target: Equatable, Sendable, Decodable {
        let name: String
        /// The module's name, which is a valid identifier.
        let module: String
        /// `library`, `executable`, `test` and others.
        let type: String
        /// The kind of module, such as `SwiftTarget`.
        let moduleType: String
        /// The folder of the sources, relative to the package's.
        let path: String
        /// The files, relative to the target's folder.
        let sources: [String]
        /// The names of the package's own targets that it depends on; missing if there is none.
        let dependencies: [String]?

        private enum CodingKeys: String, CodingKey {
            case name, type, path, sources
            case module = "c99name"
            case moduleType = "module_type"
            case dependencies = "target_dependencies"
        }
    }

    /// Reads the output of `swift package describe --type json`.
    init(from data: Data) throws {
        self = try JSONDecoder().decode(PackageDescription.self, from: data)
    }

    /// The source files of some targets with their modules.
    func modulesOfFiles(in targets: [Target]) -> [String: String] {
        let files = targets.flatMap { target in
            target.sources.map { ("\(path)/\(target.path)/\($0)", target.module) }
        }
        return Dictionary(files) { first, _ in first }
    }

    /// For each module, the package's other modules that it doesn't depend on.
    var hiddenModules: [String: Set<String>] {
        let byName = Dictionary(targets.map { ($0.name, $0) }) { first, _ in first }
        let modules = Set(targets.map(\.module))
        let hidden = targets.map { target in
            let visible = reachable(from: target.name) { byName[$0]?.dependencies ?? [] }
            return (target.module, modules.subtracting(visible.compactMap { byName[$0]?.module } + [target.module]))
        }
        return Dictionary(hidden) { first, _ in first }
    }

    /// The targets to list: the named ones, or all except tests, plugins, macros and snippets.
    ///
    /// - Throws: ``CommandFailure`` for a name that no Swift target has.
    func listed(_ names: [String]) throws(CommandFailure) -> [Target] {
        let own = targets.filter { $0.moduleType == "SwiftTarget" && $0.type != "plugin" && $0.type != "macro" }
        guard !names.isEmpty else { return own.filter { $0.type != "test" && $0.type != "snippet" } }
        for name in names where !own.contains(where: { $0.name == name }) {
            let known = own.map(\.name).sorted().joined(separator: ", ")
            throw CommandFailure("the package \(self.name) has no target \(name) of Swift code; it has \(known)")
        }
        return own.filter { names.contains($0.name) }
    }
}

/// The nodes of a graph that can be reached from a node.
func reachable(from node: String, _ edges: (String) -> some Collection<String>) -> Set<String> {
    var found: Set<String> = []
    var open = [node]
    while let next = open.popLast() {
        for target in edges(next) where found.insert(target).inserted { open.append(target) }
    }
    return found
}
