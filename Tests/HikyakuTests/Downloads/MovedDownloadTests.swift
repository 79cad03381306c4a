import Foundation
import Hikyaku
import HikyakuBase
import HikyakuMockServer
import HikyakuTesting
import Testing

/// A service that redirects the requests for one file to other origins, whose files differ and have the same tag.
@Suite(.timeLimit(.minutes(10))) struct MovedDownloadTests {
    private struct Export: FileRequest {
        var environment: APIEnvironment
        var path: RequestPath { "/export" }
        var destination: FileDestination
    }

    private let folder: TestFolder
    private let first: RangeServer
    private let second: RangeServer
    /// The servers of the next redirects, in order.
    private let targets = Lock<[RangeServer]>([])
    private let front: MockServer

    init() throws {
        folder = try TestFolder()
        (first, second) = (try RangeServer(Data("0123456789".utf8)), try RangeServer(Data("abcdefghij".utf8)))
        front = try MockServer { [targets] _ in
            let target = targets.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            return .status(302).header(.location, target.map { "\($0.server.baseURL)/file" } ?? "/none")
        }
    }

    private var destination: FileDestination { .resumable(at: folder.path + "file") }

    private func download(attemptsMax: Int) async throws(APIError<ProblemDetails>) {
        let policy = RetryPolicy(attemptsMax: attemptsMax, delay: .zero, budget: nil)
        let client = APIClient(options: ClientOptions(retryPolicy: policy))
        let environment = APIEnvironment(baseURL: front.baseURL)
        _ = try await client.send(Export(environment: environment, destination: destination))
    }

    /// Downloads in one call, or in a second one after the first has failed.
    private func downloadOverACut(inOneCall: Bool) async throws {
        defer { front.stop() }
        if !inOneCall {
            _ = try await failure { () async throws(APIError<ProblemDetails>) in try await download(attemptsMax: 1) }
        }
        try await download(attemptsMax: 3)
    }

    @Test(arguments: [true, false])
    func aPartOfAnotherOriginIsNotAppended(inOneCall: Bool) async throws {
        first.state.withLock { $0.cuts = [4] }
        targets.withLock { $0 = [first, second, second] }
        try await downloadOverACut(inOneCall: inOneCall)
        #expect(try folder.contents("file") == Data("abcdefghij".utf8))
        #expect(first.offsets == [nil] && second.offsets == [4, nil])
        #expect(try folder.names == ["file"])
    }

    @Test(arguments: [true, false])
    func aPartOfTheSameOriginIsAppended(inOneCall: Bool) async throws {
        first.state.withLock { $0.cuts = [4] }
        targets.withLock { $0 = [first, first] }
        try await downloadOverACut(inOneCall: inOneCall)
        #expect(try folder.contents("file") == Data("0123456789".utf8))
        #expect(first.offsets == [nil, 4])
    }

    /// The other origin says that there is nothing after what the draft has.
    @Test func anotherOriginDoesNotCompleteADraft() async throws {
        first.state.withLock { ($0.cuts, $0.isChunked) = ([10], true) }
        targets.withLock { $0 = [first, second, second] }
        try await downloadOverACut(inOneCall: false)
        #expect(try folder.contents("file") == Data("abcdefghij".utf8))
        #expect(second.offsets == [10, nil])
    }

    @Test func originsThatAlternateEndTheCall() async throws {
        for server in [first, second] { server.state.withLock { $0.cuts = [4, 4, 4, 4, 4, 4] } }
        targets.withLock { $0 = (0..<20).map { $0.isMultiple(of: 2) ? first : second } }
        let error = try await failure { () async throws(APIError<ProblemDetails>) in
            try await download(attemptsMax: 10)
        }
        #expect(error.reason == .unexpectedPart && error.failureReason?.contains("another origin") == true, "\(error)")
        #expect(try folder.names.isEmpty)
        front.stop()
    }
}
