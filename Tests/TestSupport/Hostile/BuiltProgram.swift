import Foundation

/// A program of the package, beside the tests that were built with it.
package struct BuiltProgram: Sendable {
    private let path: String

    /// Finds a program.
    ///
    /// - Throws: `NotBuilt` if it isn't there: a test that needs it must not pass without it.
    package init(_ name: String) throws {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = tests.map { URL(filePath: $0).deletingLastPathComponent().appending(path: name).path() }
        guard let path, FileManager.default.isExecutableFile(atPath: path) else {
            throw NotBuilt(name: name)
        }
        self.path = path
    }

    package struct NotBuilt: Error, CustomStringConvertible {
        package var name: String
        package var description: String { "there is no \(name) beside the tests: `swift build` makes it" }
    }

    /// What a run wrote, and how it ended.
    package struct Output: Sendable {
        package var status: Int32
        package var text: String
        package var errors: String
    }

    /// Runs the program to its end.
    ///
    /// - Throws: An error of the system.
    package func run(_ words: [String], in folder: URL) throws -> Output {
        let process = Process()
        process.executableURL = URL(filePath: path)
        process.arguments = words
        process.currentDirectoryURL = folder
        process.standardInput = FileHandle.nullDevice
        // A file can't fill up like a pipe that is not read.
        let files = try ["out", "err"].map { name in
            let file = folder.appending(path: ".\(name)-\(UUID().uuidString)")
            try Data().write(to: file)
            return file
        }
        defer { for file in files { try? FileManager.default.removeItem(at: file) } }
        process.standardOutput = try FileHandle(forWritingTo: files[0])
        process.standardError = try FileHandle(forWritingTo: files[1])
        try process.run()
        process.waitUntilExit()
        let texts = try files.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
        return Output(status: process.terminationStatus, text: texts[0], errors: texts[1])
    }
}
