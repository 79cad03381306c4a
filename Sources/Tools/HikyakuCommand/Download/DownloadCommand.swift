import Dispatch
import Foundation
import Hikyaku
import HikyakuBase
import HikyakuGenerate
import HikyakuOpenAPI

/// `hikyaku download`.
enum DownloadCommand {
    /// Downloads the file that the arguments name.
    static func run(_ words: [String]) async throws(CommandFailure) {
        let options = try DownloadOptions(words)
        if options.showsHelp {
            try StandardOutput.write(help + "\n")
            return
        }
        let target = try DownloadTarget(options)
        defer { target.close() }
        let request = try FileOfURL(options, target.destination)
        let call = client().call(request)
        // The first Ctrl-C would wait for the reader of a pipe.
        let interruption = request.destination.isResumable ? Interruption { call.cancel() } : nil
        if !options.isQuiet {
            var display = ProgressDisplay()
            for await progress in call.progress { display.show(progress, at: .now) }
            display.end()
        }
        switch await call.result {
        case .success(let file):
            let verb = request.destination.isResumable ? "saved" : "written to"
            if !options.isQuiet {
                let coding: TerminalText =
                    file.contentCoding.map { ", in the coding \($0), as the service sent it" } ?? ""
                Console.report("hikyaku: \(verb) \(options.output), \(ByteCount.text(of: file.count))\(coding)\n")
            }
        case .failure(let error):
            throw failure(error, request.destination, options, isInterrupted: interruption?.hasHappened == true)
        }
    }

    /// A long download is not a failure, but one in which nothing moves for a minute is.
    private static func client() -> APIClient<Public> {
        var options = ClientOptions()
        options.timeout = nil
        options.retryPolicy = RetryPolicy(attemptsMax: 5, budget: RetryBudget(reserve: 4))
        options.userAgent = ProgramVersion.userAgent
        return APIClient(options: options)
    }

    private static func failure(
        _ error: APIError<ProblemDetails>,
        _ destination: FileDestination,
        _ options: DownloadOptions,
        isInterrupted: Bool,
    ) -> CommandFailure {
        let path = options.output
        let goingOn: TerminalText? = destination.keptBytes.map {
            "\n\(ByteCount.text(of: $0)) are kept: run the same command again to download the rest"
        }
        if isInterrupted { return CommandFailure("interrupted\(goingOn ?? "")", status: .interrupted) }
        switch error.reason {
        case .fileInUse:
            return CommandFailure("\(path) can't be written: another download to it goes on; wait until it ends")
        case .fileNotWritten where !options.replaces && destination.isTaken(for: options.url):
            let advice = "move it, and run the same command again, or use --force"
            return CommandFailure("\(path) was made by another program meanwhile: \(advice)")
        case .fileNotWritten, .diskFull:
            return CommandFailure("\(path): \(error.failureReason ?? "it can't be written")\(goingOn ?? "")")
        default:
            let parts = [error.localizedDescription, error.failureReason, error.hint].compactMap(\.self)
            return CommandFailure("\(parts.map { TerminalText(line: $0) }.joined())\(goingOn ?? "")")
        }
    }

    static let help = """
        Downloads a file. It gets its name when it is complete and on the disk. If the
        download is cut, it goes on by itself. If it is interrupted, or fails, what was
        received is kept beside the file, and the same command downloads the rest.

        Usage: hikyaku download [OPTIONS] URL

        Options:
          --output FILE        the file (default: the last part of the URL's path, in
                               the current folder, unless it begins with a dot); a
                               device or a pipe, such as /dev/stdout, is written into
                               and not resumed
          --force              replace a file that is there already, and was not begun
                               by an earlier download of the same URL
          --sha256 HEX         fail unless the file has this digest; with another one,
                               nothing is kept
          --header FIELD       add a field, as 'Name: value'; may be repeated
          --quiet              show errors only
          -h, --help           show this text

        A terminal shows a bar; elsewhere, there is a line every ten seconds.
        """
}

/// The file of a URL that is known only when the program runs.
struct FileOfURL: FileRequest {
    private let url: URL
    private let fields: HTTPHeaders
    let environment: APIEnvironment
    let destination: FileDestination

    init(_ options: DownloadOptions, _ destination: FileDestination) throws(CommandFailure) {
        url = options.url
        guard let origin = HTTPOrigin(url) else {
            throw .usage("the URL has no host", command: "hikyaku download")
        }
        environment = APIEnvironment(baseURL: origin.description)
        var fields = HTTPHeaders()
        for field in options.fields { fields.append(HTTPHeaderName(field.name), field.value, isSecret: true) }
        // An archive is stored as it is, wherever it goes.
        if !fields.contains(.acceptEncoding) { fields[.acceptEncoding] = "identity" }
        self.fields = fields
        self.destination = destination
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
