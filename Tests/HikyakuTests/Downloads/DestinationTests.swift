import Foundation
import HikyakuBase
import HikyakuTesting
import Testing

@testable import Hikyaku

/// What may be at the path of a file that is downloaded.
@Suite(.timeLimit(.minutes(10))) struct DestinationTests {
    private struct Export: FileRequest {
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/export" }
        var destination: FileDestination
    }

    private let folder: TestFolder
    private let transport = MockTransport { _ in HTTPResponse(status: 200, headers: ["ETag": "\"1\""], body: "new") }

    init() throws {
        folder = try TestFolder()
    }

    private var path: String { folder.path + "file" }

    private func expectRefusal(of request: Export, _ words: String) async throws {
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await APIClient(transport: transport).send(request)
        }
        #expect(error.reason == .fileNotWritten && error.failureReason == "the destination \(words)", "\(error)")
        #expect(transport.requests.isEmpty)
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
}
