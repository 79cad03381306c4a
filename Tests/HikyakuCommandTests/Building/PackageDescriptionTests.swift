import Foundation
import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct PackageDescriptionTests {
    private func description() throws -> PackageDescription {
        let targets = [
            #"{"name": "App", "c99name": "App", "type": "executable", "target_dependencies": ["Core-Parts"]"#,
            #"{"name": "Core-Parts", "c99name": "Core_Parts", "type": "library", "target_dependencies": ["Base"]"#,
            #"{"name": "Base", "c99name": "Base", "type": "library""#,
            #"{"name": "AppTests", "c99name": "AppTests", "type": "test", "target_dependencies": ["App"]"#,
            #"{"name": "Gen", "c99name": "Gen", "type": "plugin""#,
        ].map { $0 + #", "module_type": "SwiftTarget", "path": "Sources/A", "sources": ["A.swift"]}"# }
        let system =
            #"{"name": "CZ", "c99name": "CZ", "type": "system-target", "module_type": "SystemLibraryTarget","#
            + #" "path": "Sources/CZ", "sources": []}"#
        let json = #"{"name": "Shop", "path": "/shop", "targets": [\#((targets + [system]).joined(separator: ","))]}"#
        return try PackageDescription(from: Data(json.utf8))
    }

    @Test
    func listsWhatAProgramIsMadeOf() throws {
        #expect(try description().listed([]).map(\.module) == ["App", "Core_Parts", "Base"])
    }

    @Test
    func listsTestsWhenTheyAreNamed() throws {
        #expect(try description().listed(["AppTests", "Core-Parts"]).map(\.name) == ["Core-Parts", "AppTests"])
    }

    @Test(arguments: ["CZ", "Gen", "Core_Parts", ""])
    func rejectsTargetsWithoutSwiftCode(name: String) {
        #expect(throws: CommandFailure.self) { try description().listed([name]) }
    }

    @Test
    func knowsWhatAModuleCanNotSee() throws {
        let hidden = try description().hiddenModules
        #expect(hidden["App"] == ["AppTests", "Gen", "CZ"])
        #expect(hidden["Core_Parts"] == ["App", "AppTests", "Gen", "CZ"])
        #expect(hidden["Base"] == ["App", "Core_Parts", "AppTests", "Gen", "CZ"])
    }
}
