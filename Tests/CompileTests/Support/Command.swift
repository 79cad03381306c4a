#if os(macOS) || os(Linux)
import Foundation
import TestSupport

/// A program that runs to its end.
enum Command {
    /// How long a program may take before it is ended.
    private static let patience = Duration.seconds(180)

    /// Runs a program that is looked for on the path.
    ///
    /// - Returns: How it ended, and what it wrote, errors included.
    static func run(_ words: [String]) async throws -> (status: Int32, output: String) {
        // A file can't fill up like a pipe that is not read.
        let folder = try BuildProducts.makeTemporaryFolder()
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "output")
        try Data().write(to: file)
        let output = try FileHandle(forWritingTo: file)
        defer { try? output.close() }

        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/env")
        process.arguments = words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = output
        try await end(of: process)
        return (process.terminationStatus, String(decoding: try Data(contentsOf: file), as: UTF8.self))
    }

    private static func end(of process: Process) async throws {
        let ended = AsyncStream<Void>.makeStream()
        process.terminationHandler = { _ in ended.continuation.finish() }
        try process.run()
        let identifier = process.processIdentifier
        let watchdog = Task.detached {
            // Nothing says that a program hangs but the time.
            try await spendRealTime(patience)
            kill(identifier, SIGKILL)
        }
        for await _ in ended.stream {}
        watchdog.cancel()
    }
}

/// Lets a limited number pass at once; the others wait in order.
actor Gate {
    private var free: Int
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(width: Int) {
        free = width
    }

    func run<Result: Sendable>(_ action: @Sendable () async throws -> Result) async throws -> Result {
        await enter()
        defer { leave() }
        return try await action()
    }

    private func enter() async {
        if free > 0 {
            free -= 1
        } else {
            await withCheckedContinuation { waiting.append($0) }
        }
    }

    private func leave() {
        if waiting.isEmpty {
            free += 1
        } else {
            waiting.removeFirst().resume()
        }
    }
}
#endif
