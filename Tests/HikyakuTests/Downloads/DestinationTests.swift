import Foundation
import HikyakuBase
import HikyakuTesting
import TestSupport
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// What may be at the path of a file that is downloaded.
///
/// No test names a device of the machine: one that failed would replace it.
@Suite(.timeLimit(.minutes(10))) struct DestinationTests {
    enum Kind {
        case pipe, unixSocket, folder, device, linkToPipe, linkToFolder, linkToSocket

        var words: String {
            switch self {
            case .pipe, .linkToPipe: "is a pipe"
            case .unixSocket, .linkToSocket: "is a socket"
            case .folder, .linkToFolder: "is a folder"
            case .device: "is a device"
            }
        }

        /// The others are made by some users and systems only.
        static let usual: [Self] = [.pipe, .folder, .linkToPipe, .linkToFolder]
        static let sockets: [Self] = [.unixSocket, .linkToSocket]

        func make(at path: String) throws {
            switch self {
            case .pipe: try #require(mkfifo(path, 0o600) == 0)
            case .folder: try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            case .unixSocket: try #require(SpecialFile.makeSocket(at: path))
            case .device: try #require(SpecialFile.makeDevice(at: path))
            case .linkToPipe, .linkToFolder, .linkToSocket:
                let target: Kind = self == .linkToPipe ? .pipe : self == .linkToFolder ? .folder : .unixSocket
                try target.make(at: path + ".target")
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: path + ".target")
            }
        }
    }

    private struct Export: FileRequest {
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/export" }
        var method: HTTPMethod = .get
        var destination: FileDestination
    }

    private let folder: TestFolder
    private let transport = MockTransport { _ in HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: "new") }

    init() throws {
        folder = try TestFolder()
    }

    private var path: String { folder.path + "file" }

    /// The file itself, whatever its name leads to.
    private func number(at path: String) -> UInt64 {
        var status = stat()
        return lstat(path, &status) == 0 ? UInt64(status.st_ino) : 0
    }

    private func expectRefusal(of request: Export, _ words: String) async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(request)
        }
        #expect(error.reason == .fileNotWritten && error.failureReason == "the destination \(words)", "\(error)")
        #expect(transport.requests.isEmpty)
    }

    @Test(arguments: Kind.usual)
    func whatIsNotAFileIsRefusedBeforeTheRequest(kind: Kind) async throws {
        try await expectNothingIsReplaced(kind)
    }

    @Test(.enabled(if: SpecialFile.makesSockets, "the path of a socket may be too long"), arguments: Kind.sockets)
    func aSocketIsRefusedBeforeTheRequest(kind: Kind) async throws {
        try await expectNothingIsReplaced(kind)
    }

    @Test(.enabled(if: SpecialFile.devices.areMade, "only root can make a device, and not on each file system"))
    func aDeviceIsRefusedBeforeTheRequest() async throws {
        try await expectNothingIsReplaced(.device)
    }

    private func expectNothingIsReplaced(_ kind: Kind) async throws {
        try kind.make(at: path)
        let (before, names) = (number(at: path), try folder.names)
        try await expectRefusal(of: Export(destination: .file(at: path)), kind.words)
        try await expectRefusal(of: Export(destination: .resumable(at: path)), kind.words)
        try await expectRefusal(of: Export(method: .post, destination: .resumable(at: path)), kind.words)
        let file = try await FileResponse.write(HTTPResponse(status: 200, body: "new"), to: .temporary)
        let error = #expect(throws: TransportError.self) { try file.move(to: path) }
        #expect(error?.reason == .fileNotWritten && error?.message.hasSuffix(kind.words) == true)
        #expect(file.isTemporary && FileManager.default.fileExists(atPath: file.path))
        await #expect(throws: TransportError.self) {
            try await FileResponse.write(HTTPResponse(status: 200, body: "new"), to: .file(at: path))
        }
        #expect(try number(at: path) == before && folder.names == names)
    }

    @Test func aLinkToAFileOrToNothingIsReplacedItself() async throws {
        for target in ["file.target", "none"] {
            try folder.write(Data("old".utf8), to: "file.target")
            for destination in [FileDestination.file(at: path), .resumable(at: path)] {
                try? FileManager.default.removeItem(atPath: path)
                try FileManager.default.createSymbolicLink(atPath: path, withDestinationPath: folder.path + target)
                _ = try await APIClient(transport: transport).send(Export(destination: destination))
                #expect(try folder.contents("file") == Data("new".utf8))
                #expect(try folder.contents("file.target") == Data("old".utf8))
                #expect(try folder.names == ["file", "file.target"])
            }
        }
    }

    /// Nothing is written: a failed test must not replace a link of the machine.
    @Test(arguments: [
        "/proc/self/exe", "//proc/self/exe", "/proc/self/../self/exe", "/proc/self/./exe", "/proc/self/status",
    ])
    func aFileOfTheSystemIsNotReplaced(path: String) {
        guard FileManager.default.fileExists(atPath: path) else { return }
        #expect(FileTarget.problem(at: path) == "is a file of the system")
    }

    @Test func aNULCutsNoPath() async throws {
        let cut = path + "\0.csv"
        try await expectRefusal(of: Export(destination: .file(at: cut)), "has a NUL in its path")
        try await expectRefusal(of: Export(destination: .resumable(at: cut)), "has a NUL in its path")
        try await expectRefusal(of: Export(destination: .file(at: "\0")), "has a NUL in its path")
        let file = try await FileResponse.write(HTTPResponse(status: 200, body: "new"), to: .temporary)
        #expect(throws: TransportError.self) { try file.move(to: cut) }
        #expect(FileDestination.resumable(at: cut).keptBytes == nil)
        let error = #expect(throws: TransportError.self) { try FileDestination.resumable(at: cut).removeKeptBytes() }
        #expect(error?.reason == .fileNotWritten)
        #expect(try folder.names.isEmpty)
    }

    // MARK: - A file that stays

    private func draft(_ resource: String = "r", replaces: Bool = false) throws -> ResumableDraft {
        let any = FileDestination.resumable(at: path)
        let destination = replaces ? any : any.keepingFile()
        let draft = try #require(try ResumableDraft.take(for: destination, at: path, resource: resource))
        try draft.begin(HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: "new"))
        try draft.append(Data("new".utf8))
        return draft
    }

    @Test func aFileThatNobodyHasBegunStays() throws {
        try folder.write(Data("mine".utf8), to: "file")
        let error = #expect(throws: TransportError.self) { try draft() }
        #expect(error?.reason == .fileNotWritten && error?.message == "there is a file at the destination")
        #expect(try folder.contents("file") == Data("mine".utf8) && folder.names == ["file"])
    }

    @Test func aFileThatAppearsMeanwhileStays() throws {
        let draft = try draft()
        try folder.write(Data("mine".utf8), to: "file")
        let error = #expect(throws: TransportError.self) { try draft.finish() }
        #expect(error?.reason == .fileNotWritten)
        #expect(try folder.contents("file") == Data("mine".utf8))
        #expect(FileDestination.resumable(at: path).keptBytes == 3)
    }

    @Test func aFileWithoutAnotherGetsItsName() throws {
        #expect(try draft().finish().count == 3)
        #expect(try folder.contents("file") == Data("new".utf8) && folder.names == ["file"])
    }

    /// A record of the same URL says whether the download may replace a file; one of another URL says nothing.
    @Test func aRecordOfTheSameURLAllowsToReplaceAFile() throws {
        try draft().keep()
        try folder.write(Data("mine".utf8), to: "file")
        #expect(throws: TransportError.self) { try draft() }
        try draft(replaces: true).keep()
        #expect(throws: TransportError.self) { try draft("other") }
        #expect(FileDestination.resumable(at: path).keptBytes == 3, "the draft of the first URL is kept")
        #expect(try draft().finish().count == 3)
        #expect(try folder.contents("file") == Data("new".utf8) && folder.names == ["file"])
    }
}
