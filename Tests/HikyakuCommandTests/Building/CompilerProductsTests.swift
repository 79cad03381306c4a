import Foundation
import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct CompilerProductsTests {
    /// Writes what a build leaves of a module: a map of its files, and lists with a type each.
    private func writeModule(_ name: String, of sources: [URL], lists: [String], in products: URL) throws {
        let module = products.appending(path: "\(name).build")
        try FileManager.default.createDirectory(at: module, withIntermediateDirectories: true)
        var map = ["": ["swift-dependencies": "primary.swiftdeps"]]
        for source in sources { map[source.path(percentEncoded: false)] = ["object": "\(source.lastPathComponent).o"] }
        try JSONEncoder().encode(map).write(to: module.appending(path: "output-file-map.json"))
        for list in lists {
            let type = #"[{"typeName": "\#(name).\#(list)", "kind": "struct", "properties": []}]"#
            try Data(type.utf8).write(to: module.appending(path: "\(list).swift.swiftconstvalues"))
        }
    }

    private func source(_ name: String, in folder: URL) throws -> URL {
        let file = folder.appending(path: "\(name).swift")
        try Data().write(to: file)
        return file
    }

    @Test
    func readsTheListsOfFilesThatAreThere() throws {
        try Fixture.withTemporaryFolder { folder in
            let present = try [source("A b", in: folder), source("C", in: folder)]
            let gone = folder.appending(path: "Gone.swift")
            try writeModule("App", of: present, lists: ["A b", "Before", "C"], in: folder)
            try writeModule("Removed", of: [gone], lists: ["Gone"], in: folder)
            let types = try CompilerProducts(products: folder, graphs: folder).types(owners: [:])
            #expect(types.map(\.name) == ["App.A b", "App.C"])
        }
    }

    /// The folder of the target is the same, the module is another.
    @Test
    func overlooksWhatWasBuiltOfATargetUnderItsFormerName() throws {
        try Fixture.withTemporaryFolder { folder in
            let file = try source("A", in: folder)
            let tool = try source("Tool", in: folder)
            try writeModule("Shop", of: [file], lists: ["A"], in: folder)
            try writeModule("Store", of: [file], lists: ["A"], in: folder)
            try writeModule("Tool-tool", of: [tool], lists: ["Tool"], in: folder)
            for module in ["Shop", "Store", "System"] {
                let graph = #"{"module": {"name": "\#(module)"}, "symbols": [], "relationships": []}"#
                try Data(graph.utf8).write(to: folder.appending(path: "\(module)@Hikyaku.symbols.json"))
            }
            let products = CompilerProducts(products: folder, graphs: folder)
            let paths = [file, tool].map { $0.path(percentEncoded: false) }
            let owners = [paths[0]: "Store", paths[1]: "Tool"]
            #expect(try products.types(owners: owners).map(\.name) == ["Store.A", "Tool-tool.Tool"])
            #expect(try products.graphs(of: [], owners: owners).map(\.module) == ["Store"])
        }
    }

    /// The compiler doesn't remove what it wrote of an extension that is gone.
    @Test(arguments: [(-60.0, ["Shop"]), (-0.5, ["Shop", "Shop"]), (0.5, ["Shop", "Shop"])])
    func overlooksDescriptionsOfAnEarlierCompilation(age: TimeInterval, modules: [String]) throws {
        try Fixture.withTemporaryFolder { folder in
            try writeModule("Shop", of: [source("A", in: folder)], lists: ["A"], in: folder)
            let time = Date(timeIntervalSince1970: 1_800_000_000)
            for (name, time) in [("Shop", time), ("Shop@Hikyaku", time.addingTimeInterval(age))] {
                let file = folder.appending(path: "\(name).symbols.json")
                try Data(#"{"module": {"name": "Shop"}, "symbols": [], "relationships": []}"#.utf8).write(to: file)
                let path = file.path(percentEncoded: false)
                try FileManager.default.setAttributes([.modificationDate: time], ofItemAtPath: path)
            }
            let products = CompilerProducts(products: folder, graphs: folder)
            #expect(try products.graphs(of: ["Shop"], owners: [:]).map(\.module) == modules)
        }
    }

    @Test
    func namesTheRequiredCompilerWithoutAList() throws {
        try Fixture.withTemporaryFolder { folder in
            try writeModule("App", of: [source("A", in: folder)], lists: [], in: folder)
            let failure = #expect(throws: CommandFailure.self) {
                try CompilerProducts(products: folder, graphs: folder).types(owners: [:])
            }
            #expect(failure?.message.contains("Swift 6.2 or later is required") == true)
        }
    }

    @Test
    func namesAMapThatCanNotBeRead() throws {
        try Fixture.withTemporaryFolder { folder in
            try writeModule("App", of: [source("A", in: folder)], lists: ["A"], in: folder)
            let map = folder.appending(path: "App.build/output-file-map.json")
            try Data("[".utf8).write(to: map)
            let failure = #expect(throws: CommandFailure.self) {
                try CompilerProducts(products: folder, graphs: folder).types(owners: [:])
            }
            #expect(failure?.message.contains("App.build/output-file-map.json") == true)
        }
    }
}
