import Foundation
import Testing

/// Which modules import which: a manifest declares it, and does not enforce it.
struct LayerTests {
    private static let sources = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")

    @Test(arguments: [
        ("MenuDomain", []),
        ("MenuScreens", ["MenuDomain", "Observation"]),
        ("MenuTour", ["MenuCore", "MenuDomain", "MenuScreens"]),
    ])
    func targetImportsNothingElse(target: String, modules: [String]) throws {
        #expect(try imports(of: target) == Set(modules))
    }

    @Test
    func screensImportNoNetworking() throws {
        #expect(try imports(of: "MenuCore").contains("Hikyaku"))
        #expect(try imports(of: "MenuScreens").isDisjoint(with: ["Hikyaku", "Foundation", "MenuCore"]))
    }

    private func imports(of target: String) throws -> Set<String> {
        let folder = Self.sources.appending(path: target)
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path()).filter { $0.hasSuffix(".swift") }
        try #require(!files.isEmpty)
        return try files.reduce(into: []) { modules, file in
            let text = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
            for line in text.split(separator: "\n") where line.hasPrefix("import ") {
                modules.insert(line.split(separator: " ").last.map(String.init) ?? "")
            }
        }
    }
}
