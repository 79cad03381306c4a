import Dispatch
import Foundation
import Hikyaku
import HikyakuBase
import HikyakuOpenAPI

/// Loads the documents that URLs name, while the generator waits.
///
/// A document may name any number of URLs, so that their number, size and time are limited.
final class URLDocuments: Sendable {
    /// What all URLs of a run may use.
    struct Limits: Sendable {
        var urlsMax = 200
        var bytesMax = 64 << 20
        var timeout = Duration.seconds(30)
        var totalTime = Duration.seconds(180)
    }

    private let limits: Limits
    private let client: APIClient<Public>
    private let start = ContinuousClock.now
    private let count = Counter()

    init(limits: Limits = Limits()) {
        self.limits = limits
        var options = ClientOptions()
        options.timeout = limits.timeout
        options.bodyBytesMax = limits.bytesMax
        options.userAgent = ProgramVersion.userAgent
        client = APIClient(options: options)
    }

    /// The bytes of a document; the thread waits for them, so it must not be one of the tasks' own.
    ///
    /// - Throws: `LoadingFailure` for other URLs than those of the web, at the limits, and for a call that fails.
    func bytes(of text: String) throws(LoadingFailure) -> [UInt8] {
        guard let url = URL(string: text), let scheme = url.scheme?.lowercased(), ["http", "https"].contains(scheme),
            let origin = HTTPOrigin(url), origin.host.isURLHost
        else { throw LoadingFailure("only http and https are loaded") }
        guard count.increment() <= limits.urlsMax else {
            throw LoadingFailure("a run loads at most \(limits.urlsMax) URLs")
        }
        let left = limits.totalTime - start.duration(to: .now)
        guard left > .zero else { throw LoadingFailure("the URLs took longer than \(limits.totalTime)") }
        let request = DocumentRequest(url: url, origin: origin, timeout: min(left, limits.timeout))
        let nothing = Result<[UInt8], LoadingFailure>.failure(LoadingFailure("nothing was received"))
        let (done, outcome) = (DispatchSemaphore(value: 0), Lock(nothing))
        Task.detached { [client] in
            let result = await Self.bytes(of: request, client)
            outcome.withLock { $0 = result }
            done.signal()
        }
        done.wait()
        return try outcome.withLock(\.self).get()
    }

    private static func bytes(
        of request: DocumentRequest,
        _ client: APIClient<Public>,
    ) async -> Result<[UInt8], LoadingFailure> {
        do {
            return .success([UInt8](try await client.send(request)))
        } catch {
            let parts = [error.localizedDescription, error.failureReason, error.hint].compactMap(\.self)
            return .failure(LoadingFailure(parts.joined(separator: " ")))
        }
    }
}

/// A document at a URL that is known only when the program runs.
private struct DocumentRequest: APIRequest {
    typealias Definition = RawResponse

    private let url: URL
    let environment: APIEnvironment
    let timeout: Duration?

    init(url: URL, origin: HTTPOrigin, timeout: Duration) {
        (self.url, self.timeout) = (url, timeout)
        environment = APIEnvironment(baseURL: origin.description)
    }

    var path: RequestPath { "/" }
    var headers: HTTPHeaders { [.accept: "application/yaml, application/json, */*;q=0.5"] }

    func prepare(_ request: inout HTTPRequest) { request.url = url }
}
