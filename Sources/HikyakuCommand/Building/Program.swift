#if os(macOS) || os(Linux)
import Foundation

/// A program that runs to its end.
enum Program {
    struct Ended: Sendable {
        let status: Int32
        let output: Data
        /// What it wrote to standard error; empty where that went with the output.
        let errors: Data
    }

    /// Runs a program that is looked for on the path.
    ///
    /// - Parameters:
    ///   - words: Its name and its arguments.
    ///   - folder: Where files can be made for what it writes.
    ///   - joinsErrors: Whether what it writes to standard error stands among its output, in order.
    /// - Returns: How it ended, and what it wrote.
    /// - Throws: When it can't be started.
    static func run(_ words: [String], in folder: URL, joinsErrors: Bool) throws -> Ended {
        // Files can't fill up as pipes do while nobody reads.
        let output = try TemporaryFile(in: folder, name: "output")
        let errors = joinsErrors ? nil : try TemporaryFile(in: folder, name: "errors")
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.handle
        process.standardError = (errors ?? output).handle
        let signals = ForwardedSignals(to: process)
        try process.run()
        signals.begin()
        process.waitUntilExit()
        signals.end()
        return Ended(
            status: process.terminationReason == .uncaughtSignal
                ? 128 + process.terminationStatus : process.terminationStatus,
            output: try output.contents(),
            errors: try errors?.contents() ?? Data(),
        )
    }
}

/// A file that a program writes into.
private struct TemporaryFile {
    let handle: FileHandle
    private let url: URL

    init(in folder: URL, name: String) throws {
        url = folder.appending(path: "\(name)-\(UUID().uuidString)")
        try Data().write(to: url)
        handle = try FileHandle(forWritingTo: url)
    }

    /// What was written; the file is gone then.
    func contents() throws -> Data {
        try handle.close()
        defer { try? FileManager.default.removeItem(at: url) }
        return try Data(contentsOf: url)
    }
}

/// Ends a program when this one is asked to end, so that no build goes on that nobody waits for.
private struct ForwardedSignals {
    private let sources: [any DispatchSourceSignal]

    init(to process: Process) {
        sources = [SIGINT, SIGTERM].map { number in
            let source = DispatchSource.makeSignalSource(signal: number, queue: .global())
            // The system's own reaction would come first, and end this program alone.
            source.setEventHandler {
                process.terminate()
                process.waitUntilExit()
                exit(128 + number)
            }
            return source
        }
    }

    func begin() {
        for number in [SIGINT, SIGTERM] { signal(number, SIG_IGN) }
        for source in sources { source.resume() }
    }

    func end() {
        for source in sources { source.cancel() }
        for number in [SIGINT, SIGTERM] { signal(number, SIG_DFL) }
    }
}
#endif
