#if os(Linux)
import Foundation
import Hikyaku
import HikyakuCompression
import HikyakuMockServer
import TestSupport
import Testing

/// Coded bodies over a real wire and the default transport.
@Suite struct WireTests {
    @Test(arguments: SupportedCodings.names)
    func eachCodingComesOverTheWire(encoding: String) async throws {
        let text = sampleText(bytes: 300_000)
        let coding = try #require(ContentCoding(name: encoding))
        let coded = try Encoders.encode(text, coding)
        let server = try MockServer { _ in .bytes(coded).header("Content-Encoding", encoding) }
        defer { server.stop() }
        let environment = APIEnvironment(baseURL: server.baseURL)
        let response = try await APIClient().bind(Fetch(environment: environment)).response()
        #expect(response.value == text)
        #expect(response.headers[.contentLength] == nil)
        var streamed = Data()
        for try await piece in try await APIClient().send(Download(environment: environment)) { streamed += piece }
        #expect(streamed == text)
        let accepted = server.requests.map { $0.headers["Accept-Encoding"] }
        #expect(accepted == [SupportedCodings.acceptEncoding, SupportedCodings.acceptEncoding])
    }

    @Test func aCodedBodyInChunksMayEndAnywhereInThem() async throws {
        let text = sampleText(bytes: 2_000)
        let coded = try Encoders.gzip(text)
        let server = try MockServer { _ in
            MockAnswer.bytes(coded).header("Content-Encoding", "gzip").chunked(coded.map { Data([$0]) })
        }
        defer { server.stop() }
        #expect(try await APIClient().send(Fetch(environment: APIEnvironment(baseURL: server.baseURL))) == text)
    }

    @Test func aBodyWithoutALengthThatIsCutIsFoundByItsCoding() async throws {
        let coded = try Encoders.gzip(sampleText(bytes: 2_000))
        let head = Data("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\n".utf8)
        for count in [0, 1, 10, coded.count / 2, coded.count - 1] {
            let server = try MockServer { _ in .raw([.write(head + coded.prefix(count)), .close]) }
            defer { server.stop() }
            let request = Fetch(environment: APIEnvironment(baseURL: server.baseURL))
            let error = try await #require(throws: APIError<ProblemDetails>.self) {
                try await APIClient().send(request)
            }
            #expect(error.reason == .truncatedResponse)
        }
    }

    /// Each in its own process, so that the peak of memory is its own.
    @Test(arguments: [Bomb.gzip, .gzipTwice, .brotli, .zstd])
    func aBombOverTheWireGoesNowhere(bomb: Bomb) async {
        await #expect(processExitsWith: .success) { [bomb] in
            let coded = try bomb.make()
            let server = try MockServer { _ in .bytes(coded).header("Content-Encoding", bomb.contentEncoding) }
            defer { server.stop() }
            let environment = APIEnvironment(baseURL: server.baseURL)
            let client = APIClient()
            server.enqueue(.text("warm"))
            _ = try await client.send(Fetch(environment: environment))
            PeakMemory.reset()
            let before = PeakMemory.bytes
            let error = await #expect(throws: APIError<ProblemDetails>.self) {
                try await client.send(Fetch(environment: environment))
            }
            #expect(error?.reason == .compressionRatio)
            let body = try await client.send(Download(environment: environment))
            let streamed = await #expect(throws: APIError<ProblemDetails>.self) { for try await _ in body {} }
            #expect(streamed?.reason == .compressionRatio)
            let growth = PeakMemory.bytes - before
            #expect(before > 0 && growth < 32 << 20 || !PeakMemory.isMeaningful, "grew by \(growth) bytes")
        }
    }
}
#endif
