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
        let output = try TemporaryFile(in: folder)
        let errors = joinsErrors ? nil : try TemporaryFile(in: folder)
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output.handle
        process.standardError = (errors ?? output).handle
        try process.run()
        SharedEnd.begin(with: process)
        process.waitUntilExit()
        SharedEnd.end()
        return Ended(
            status: process.terminationReason == .uncaughtSignal
                ? 128 + process.terminationStatus : process.terminationStatus,
            output: try output.contents(),
            errors: try errors?.contents() ?? Data(),
        )
    }
}

/// A file that a program writes into, which has no name any more: whatever happens, nothing of it is left.
private struct TemporaryFile {
    let handle: FileHandle

    init(in folder: URL) throws {
        let url = folder.appending(path: "output-\(UUID().uuidString)")
        try Data().write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        handle = try FileHandle(forUpdating: url)
    }

    /// What was written.
    func contents() throws -> Data {
        try handle.seek(toOffset: 0)
        let data = try handle.readToEnd() ?? Data()
        try handle.close()
        return data
    }
}

/// Ends a program together with this one, so that no build goes on that nobody waits for.
///
/// Foundation starts a program in a process group of its own, so that a terminal's interrupt doesn't reach it.
private enum SharedEnd {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    // A signal's handler can't be given anything, nor take a lock. It is set before the handler and read by it alone; a
    // build has one program at a time.
    private nonisolated(unsafe) static var group: pid_t = 0

    static func begin(with process: Process) {
        group = process.processIdentifier
        for number in signals {
            signal(number) { number in
                kill(-SharedEnd.group, SIGINT)
                signal(number, SIG_DFL)
                raise(number)
            }
        }
    }

    static func end() {
        for number in signals { signal(number, SIG_DFL) }
    }
}
#endif
