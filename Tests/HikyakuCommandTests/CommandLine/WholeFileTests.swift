import Foundation
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
    func writesToWhatIsNoFile() throws {
        try WholeFile.write("text", to: "/dev/null")
        let type = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(type == .typeCharacterSpecial)
    }

    @Test
    func namesTheFolderThatIsNotThere() throws {
        try Fixture.withTemporaryFolder { folder in
            let path = folder.appending(path: "none/page.html").path(percentEncoded: false)
            let failure = #expect(throws: CommandFailure.self) { try WholeFile.checkFolder(of: path) }
            let missing = folder.appending(path: "none/").path(percentEncoded: false)
            #expect(failure == CommandFailure("\(path) can't be written: there is no folder \(missing)"))
            try WholeFile.checkFolder(of: folder.appending(path: "page.html").path(percentEncoded: false))
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
