import Foundation
import Hikyaku
import HikyakuTesting
import Testing

@testable import struct Hikyaku.RunningDigest

@Suite(.timeLimit(.minutes(10))) struct DownloadDigestTests {
    private let folder: TestFolder
    private let server: RangeServer
    private static let content = Data("0123456789".utf8)
    private static let sha256 = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882"
    private static let sha512 =
        "bb96c2fc40d2d54617d6f276febe571f623a8dadf0b734855299b0e107fda32c"
        + "f6b69f2da32b36445d73690b93cbd0f7bfc20e0f7f28553d2a4428f23b716e90"
    private static let wrong = String(repeating: "0", count: 64)

    init() throws {
        folder = try TestFolder()
        server = try RangeServer(Self.content)
    }

    private func destination(_ digest: ContentDigest? = nil, isResumable: Bool = true) -> FileDestination {
        let path = folder.path + "file"
        return isResumable ? .resumable(at: path, digest: digest) : .file(at: path, digest: digest)
    }

    private func download(to destination: FileDestination) async throws(APIError<ProblemDetails>) {
        var options = ClientOptions()
        options.retryPolicy = .never
        _ = try await APIClient(options: options).send(ServedFile(from: server, to: destination))
    }

    private func failure(to destination: FileDestination) async throws -> APIError<ProblemDetails> {
        try await HikyakuTests.failure { () async throws(APIError<ProblemDetails>) in
            try await download(to: destination)
        }
    }

    private func send(_ fields: HTTPHeaders) {
        server.state.withLock { $0.fields.replace(with: fields) }
    }

    private static func base64(_ hexadecimal: String) -> String {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        let bytes = stride(from: 0, to: digits.count, by: 2).map { (index: Int) -> UInt8 in
            UInt8(digits[index] << 4 | digits[index + 1])
        }
        return Data(bytes).base64EncodedString()
    }

    @Test(arguments: [true, false], [ContentDigest.sha256(sha256), .sha256(sha256.uppercased()), .sha512(sha512)])
    func aFileWithTheExpectedDigestIsKept(isResumable: Bool, digest: ContentDigest) async throws {
        try await download(to: destination(digest, isResumable: isResumable))
        #expect(try folder.contents("file") == Self.content)
        #expect(try folder.names == ["file"])
    }

    @Test(arguments: [true, false])
    func aFileWithAnotherDigestIsRemoved(isResumable: Bool) async throws {
        try folder.write(Data("old".utf8), to: "file")
        let error = try await failure(to: destination(.sha256(Self.wrong), isResumable: isResumable))
        #expect(error.reason == .digestMismatch && error.phase == .transport && !error.isRetryable)
        #expect(try folder.names == ["file"])
        #expect(try folder.contents("file") == Data("old".utf8))
    }

    @Test(arguments: [true, false], ["", "12", "xyz", String(sha256.dropLast()) + "g", sha512])
    func anInvalidDigestIsReportedBeforeAnythingIsSent(isResumable: Bool, text: String) async throws {
        let error = try await failure(to: destination(.sha256(text), isResumable: isResumable))
        #expect(error.reason == .digestMismatch)
        if isResumable { #expect(server.server.requests.isEmpty) }
        #expect(try folder.names.isEmpty)
    }

    @Test(arguments: [true, false])
    func theDigestOfTheServiceIsChecked(isResumable: Bool) async throws {
        let destination = destination(isResumable: isResumable)
        let right: [HTTPHeaders] = [
            ["Repr-Digest": "sha-256=:\(Self.base64(Self.sha256)):"],
            ["Repr-Digest": "md5=:AAAA:, sha-512=:\(Self.base64(Self.sha512)):;q=1"],
            ["Content-MD5": "eB5eJF1ptWaXm4bijSPyxw=="],
            // What can't be read isn't checked.
            ["Repr-Digest": "sha-256=:AAAA:"], ["Repr-Digest": "sha-256=nonsense"], ["Content-MD5": "AAAA"],
        ]
        for fields in right {
            send(fields)
            try await download(to: destination)
            server.state.withLock { $0.fields = ["ETag": "\"v1\""] }
        }
        let wrong: [HTTPHeaders] = [
            ["Repr-Digest": "sha-256=:\(Self.base64(Self.wrong)):"],
            ["Content-MD5": "AAAAAAAAAAAAAAAAAAAAAA=="],
        ]
        for fields in wrong {
            send(fields)
            #expect(try await failure(to: destination).reason == .digestMismatch)
            server.state.withLock { $0.fields = ["ETag": "\"v1\""] }
        }
        #expect(try folder.names == ["file"])
    }

    @Test(arguments: 1..<10)
    func aResumedFileIsCheckedAsAWhole(offset: Int) async throws {
        server.state.withLock { $0.cuts = [offset, nil, offset, nil] }
        _ = try await failure(to: destination(.sha256(Self.sha256)))
        try await download(to: destination(.sha256(Self.sha256)))
        #expect(server.offsets == [nil, offset])
        #expect(try folder.contents("file") == Self.content)
        _ = try await failure(to: destination(.sha256(Self.wrong)))
        #expect(try await failure(to: destination(.sha256(Self.wrong))).reason == .digestMismatch)
        #expect(try folder.names == ["file"])
    }

    @Test func damageInTheDraftIsFoundByTheServicesDigestOfTheFirstResponse() async throws {
        send(["Repr-Digest": "sha-256=:\(Self.base64(Self.sha256)):"])
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(to: destination())
        try folder.write(Data("0x23".utf8), to: folder.draft)
        server.state.withLock { $0.fields = ["ETag": "\"v1\""] }
        #expect(try await failure(to: destination()).reason == .digestMismatch)
        #expect(try folder.names.isEmpty)
        try await download(to: destination())
        #expect(try folder.contents("file") == Self.content)
    }

    @Test func theDigestOfAPartIsThatOfTheWholeFile() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(to: destination())
        send(["Repr-Digest": "sha-256=:\(Self.base64(Self.sha256)):"])
        try await download(to: destination())
        server.state.withLock { ($0.fields, $0.cuts) = (["ETag": "\"v1\""], [4]) }
        _ = try await failure(to: destination())
        send(["Repr-Digest": "sha-256=:\(Self.base64(Self.wrong)):"])
        #expect(try await failure(to: destination()).reason == .digestMismatch)
    }

    @Test func aCompleteDraftIsCheckedToo() async throws {
        server.state.withLock { $0.cuts = [4] }
        _ = try await failure(to: destination())
        try folder.write(Self.content, to: folder.draft)
        try await download(to: destination(.sha256(Self.sha256)))
        #expect(server.offsets == [nil, 9])
        #expect(try folder.contents("file") == Self.content)
    }
}
