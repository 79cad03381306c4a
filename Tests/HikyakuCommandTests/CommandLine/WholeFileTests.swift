import Foundation
import HikyakuGenerate
import Testing

@testable import HikyakuCommand

struct WholeFileTests {
    @Test
    func putsAFileInThePlaceOfAnother() throws {
        try Fixture.withTemporaryFolder { folder in
            let path = folder.appending(path: "page.html").path(percentEncoded: false)
            try WholeFile.write("a longer text", to: path)
            try WholeFile.write("é", to: path)
            #expect(try Data(contentsOf: URL(filePath: path)) == Data("é".utf8))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path(percentEncoded: false)).count == 1)
        }
    }

    @Test
    func leavesAloneWhatAReaderOfTheOldFileHas() throws {
        try Fixture.withTemporaryFolder { folder in
            let page = folder.appending(path: "page.html")
            let same = folder.appending(path: "same.html")
            try WholeFile.write("old", to: page.path(percentEncoded: false))
            try FileManager.default.linkItem(at: page, to: same)
            try WholeFile.write("new", to: page.path(percentEncoded: false))
            #expect(try String(contentsOf: same, encoding: .utf8) == "old")
        }
    }

    @Test
    func followsALinkAndLeavesItThere() throws {
        try Fixture.withTemporaryFolder { folder in
            let page = folder.appending(path: "page.html")
            let link = folder.appending(path: "link.html")
            try WholeFile.write("old", to: page.path(percentEncoded: false))
            try FileManager.default.createSymbolicLink(at: link, withDestinationURL: page)
            try WholeFile.write("new", to: link.path(percentEncoded: false))
            #expect(try String(contentsOf: page, encoding: .utf8) == "new")
            let type = try type(of: link.path(percentEncoded: false))
            #expect(type == .typeSymbolicLink)
        }
    }

    /// Checks the path without writing: a failed test must not replace a device of the machine.
    @Test(arguments: ["/dev/stdout", "//dev/stdout", "/dev/../dev/null", "/dev/fd/1", "/proc/self/fd/1", "/tmp"])
    func putsNoFileInThePlaceOfWhatIsTheSystems(path: String) {
        #expect(!WholeFile.isReplaceable(path))
    }

    /// The writer of a pipe waits for its reader, so each has a thread.
    @Test
    func writesIntoAPipe() async throws {
        try await Fixture.withTemporaryFolder { folder in
            let path = folder.appending(path: "pipe").path(percentEncoded: false)
            try #require(mkfifo(path, 0o600) == 0)
            async let written: Void = Fixture.aside { try WholeFile.write("text", to: path) }
            let read = try await Fixture.aside { try FileHandle(forReadingFrom: URL(filePath: path)).readToEnd() }
            try await written
            #expect(read == Data("text".utf8))
        }
    }

    @Test
    func putsNoFileInThePlaceOfAFolder() throws {
        try Fixture.withTemporaryFolder { folder in
            let path = folder.path(percentEncoded: false)
            let failure = #expect(throws: CommandFailure.self) { try WholeFile.write("text", to: path) }
            #expect(failure?.message.hasPrefix("\(path) can't be written: ") == true)
            let type = try type(of: path)
            #expect(type == .typeDirectory)
        }
    }

    private func type(of path: String) throws -> FileAttributeType? {
        try FileManager.default.attributesOfItem(atPath: path)[.type] as? FileAttributeType
    }

    @Test
    func namesTheFolderThatIsNotThere() throws {
        try Fixture.withTemporaryFolder { folder in
            let path = folder.appending(path: "none/page.html").path(percentEncoded: false)
            let failure = #expect(throws: CommandFailure.self) { try WholeFile.checkFolder(of: path) }
            let missing = folder.appending(path: "none/").path(percentEncoded: false)
            #expect(failure == CommandFailure("\(path) can't be written: there is no folder \(missing)"))
            try WholeFile.checkFolder(of: folder.appending(path: "page.html").path(percentEncoded: false))
            let itself = folder.path(percentEncoded: false)
            let other = #expect(throws: CommandFailure.self) { try WholeFile.checkFolder(of: itself) }
            #expect(other == CommandFailure("\(itself) can't be written: it is a folder"))
        }
        try WholeFile.checkFolder(of: "page.html")
    }

    @Test
    func namesTheFileThatCanNotBeWritten() throws {
        try Fixture.withTemporaryFolder { folder in
            let path = folder.appending(path: "none/page.html").path(percentEncoded: false)
            let failure = #expect(throws: CommandFailure.self) { try WholeFile.write("text", to: path) }
            #expect(failure?.status == .failure)
            #expect(failure?.message.hasPrefix("\(path) can't be written: ") == true)
        }
    }
}
