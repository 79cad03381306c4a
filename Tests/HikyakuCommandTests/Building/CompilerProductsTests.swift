import Foundation
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
            let types = try CompilerProducts(products: folder, graphs: folder).types()
            #expect(types.map(\.name) == ["App.A b", "App.C"])
        }
    }

    @Test
    func saysWhichCompilerItTakesWhereThereIsNoList() throws {
        try Fixture.withTemporaryFolder { folder in
            try writeModule("App", of: [source("A", in: folder)], lists: [], in: folder)
            let failure = #expect(throws: CommandFailure.self) {
                try CompilerProducts(products: folder, graphs: folder).types()
            }
            #expect(failure?.message.contains("the compiler of Swift 6.2 or later") == true)
        }
    }

    @Test
    func namesAMapThatCanNotBeRead() throws {
        try Fixture.withTemporaryFolder { folder in
            try writeModule("App", of: [source("A", in: folder)], lists: ["A"], in: folder)
            let map = folder.appending(path: "App.build/output-file-map.json")
            try Data("[".utf8).write(to: map)
            let failure = #expect(throws: CommandFailure.self) {
                try CompilerProducts(products: folder, graphs: folder).types()
            }
            #expect(failure?.message.contains("App.build/output-file-map.json") == true)
        }
    }
}
