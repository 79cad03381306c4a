import Dispatch
import Foundation
import Hikyaku
import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku download`.
enum DownloadCommand {
    /// Downloads the file that the arguments name.
    static func run(_ words: [String]) async throws(CommandFailure) {
        let options = try DownloadOptions(words)
        if options.showsHelp {
            try HikyakuCommand.show(Usage.download + "\n")
            return
        }
        try WholeFile.checkFolder(of: options.output)
        let request = try FileOfURL(options)
        let call = client().call(request)
        let interruption = Interruption { call.cancel() }
        if !options.isQuiet {
            var display = ProgressDisplay()
            for await progress in call.progress { display.show(progress, at: .now) }
            display.end()
        }
        switch await call.result {
        case .success(let file):
            if !options.isQuiet { tell("saved \(options.output), \(ByteCount.text(of: file.count))") }
        case .failure(let error):
            throw failure(error, request.destination, isInterrupted: interruption.hasHappened)
        }
    }

    /// A long download is no failure, but one in which nothing moves for a minute is.
    private static func client() -> APIClient<Public> {
        var options = ClientOptions()
        options.timeout = nil
        options.retryPolicy = RetryPolicy(attemptsMax: 5, budget: RetryBudget(reserve: 4))
        options.userAgent = "hikyaku/\(HikyakuCommand.version)"
        return APIClient(options: options)
    }

    private static func failure(
        _ error: APIError<ProblemDetails>,
        _ destination: FileDestination,
        isInterrupted: Bool,
    ) -> CommandFailure {
        let goingOn: TerminalText? = destination.keptBytes.map {
            "\n\(ByteCount.text(of: $0)) are kept: run the same command again to download the rest"
        }
        if isInterrupted { return CommandFailure("interrupted\(goingOn ?? "")", status: .interrupted) }
        let parts = [error.localizedDescription, error.failureReason, error.hint].compactMap(\.self)
        return CommandFailure("\(lines: parts.joined(separator: "\n"))\(goingOn ?? "")")
    }

    private static func tell(_ text: String) {
        Console.tell("hikyaku: \(lines: text)\n")
    }
}

/// The file of a URL that is known only when the program runs.
private struct FileOfURL: FileRequest {
    private let url: URL
    private let fields: HTTPHeaders
    let environment: APIEnvironment
    let destination: FileDestination

    init(_ options: DownloadOptions) throws(CommandFailure) {
        url = options.url
        guard let scheme = url.scheme, let host = url.host(percentEncoded: true) else {
            throw .usage("the URL has no host", command: "hikyaku download")
        }
        environment = APIEnvironment(baseURL: "\(scheme)://\(host)\(url.port.map { ":\($0)" } ?? "")")
        var fields = HTTPHeaders()
        for field in options.fields { fields.append(HTTPHeaderName(field.name), field.value, isSecret: true) }
        self.fields = fields
        destination = .resumable(
            at: options.output,
            bytesMax: .max,
            digest: options.sha256.map { .sha256($0) },
        )
    }

    var path: RequestPath { "/" }
    var headers: HTTPHeaders { fields }

    func prepare(_ request: inout HTTPRequest) { request.url = url }
}

/// Calls a closure at the first Ctrl-C or `kill`, and ends the program at the second.
private final class Interruption {
    private let sources: [any DispatchSourceSignal]
    private let count: Counter

    init(_ interrupt: @escaping @Sendable () -> Void) {
        let count = Counter()
        self.count = count
        sources = [SIGINT, SIGTERM].map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            source.setEventHandler {
                if count.increment() > 1 { exit(CommandFailure.Status.interrupted.rawValue) }
                interrupt()
            }
            source.resume()
            return source
        }
    }

    var hasHappened: Bool { count.value > 0 }
}
