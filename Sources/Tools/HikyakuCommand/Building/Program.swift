#if os(macOS) || os(Linux)
import Foundation

/// A program that runs to its end.
enum Program {
    struct Ended: Sendable {
        let status: Int32
        let output: Data
        /// Its standard error; empty if that is part of the output.
        let errors: Data
    }

    /// Runs a program that is found by the search path.
    ///
    /// - Parameters:
    ///   - words: Its name and its arguments.
    ///   - folder: The folder for temporary files with its output.
    ///   - joinsErrors: Whether its standard error is added to its output, in order.
    /// - Returns: Its exit status and its output.
    /// - Throws: An error if it can't be started.
    static func run(_ words: [String], in folder: URL, joinsErrors: Bool) throws -> Ended {
        // A pipe that isn't read fills up and blocks the program; a file doesn't.
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

/// A file for a program's output, which is deleted at once, so that nothing is left after a crash.
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

/// Ends a program together with this one, so that no build continues in the background.
///
/// Foundation starts a program in its own process group, which a terminal's interrupt doesn't reach.
private enum SharedEnd {
    private static let signals = [SIGINT, SIGTERM, SIGHUP]

    // A signal handler has no context and must not lock. The group is set before the handler, and only the handler
    // reads it; one program runs at a time. It can go when Foundation can start a program in this one's group.
    private nonisolated(unsafe) static var group: pid_t = 0

    static func begin(with process: Process) {
        unsafe group = process.processIdentifier
        for number in signals {
            signal(number) { number in
                unsafe kill(-SharedEnd.group, SIGINT)
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
