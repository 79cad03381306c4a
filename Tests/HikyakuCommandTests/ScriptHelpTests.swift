#if os(macOS) || os(Linux)
import Foundation
import Testing

/// `--help` of the scripts, with stand-ins for the programs that install and build.
struct ScriptHelpTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
        .standardizedFileURL
    private static let programs = ["swift", "swiftc", "sudo", "apt-get", "brew", "pip", "pip3", "git", "docc", "curl"]

    /// The scripts that people run.
    static let scripts =
        ((try? FileManager.default.contentsOfDirectory(atPath: root.appending(path: "scripts").path())) ?? []).filter {
            !["apple-stubs", "docs", "help", "site", "sanitize-address.supp"].contains($0)
        }

    @Test
    func someScriptsAreThere() {
        #expect(Set(["demo", "test", "bench", "setup", "install"]).isSubset(of: Self.scripts))
    }

    @Test(arguments: scripts, [["--help"], ["-h"]])
    func helpDoesNothingElse(script: String, words: [String]) async throws {
        try await Fixture.withTemporaryFolder { folder in
            let (status, output) = try await help(script, words, folder)
            #expect(status == 0)
            // The usage of a Python script has no folder.
            #expect(output.contains(script == "check-apple" ? script : "scripts/\(script)"), "\(output)")
            #expect(!output.contains("#!"))
            #expect(try ran(in: folder).isEmpty)
        }
    }

    @Test
    func optionsMayComeBeforeIt() async throws {
        try await Fixture.withTemporaryFolder { folder in
            let (_, output) = try await help("bench", ["json", "--only", "encode", "--help"], folder)
            #expect(output.contains("--instructions"))
            #expect(try ran(in: folder).isEmpty)
        }
    }

    /// The program's own text has one home, its source.
    @Test
    func helpOfTheDemoIsThatOfItsProgram() async throws {
        let file = "Examples/QiitaReader/Sources/QiitaReader/CommandLine/Usage.swift"
        let source = try String(contentsOf: Self.root.appending(path: file), encoding: .utf8)
        let parts = source.components(separatedBy: "\"\"\"")
        try #require(parts.count > 2)
        let usage = parts[1].split(separator: "\n", omittingEmptySubsequences: false).dropFirst().dropLast()
            .map { $0.hasPrefix("        ") ? $0.dropFirst(8) : $0 }.joined(separator: "\n")
            .replacing("\\(EmbeddedService.token)", with: "embedded-token")
        try await Fixture.withTemporaryFolder { folder in
            let (_, output) = try await help("demo", ["--help"], folder)
            #expect(output.hasSuffix(usage + "\n"))
        }
    }

    /// The programs that a script has run, with their arguments.
    private func ran(in folder: URL) throws -> [String] {
        let log = folder.appending(path: "log").path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: log) else { return [] }
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func help(_ script: String, _ words: [String], _ folder: URL) async throws -> (status: Int32, String) {
        let log = folder.appending(path: "log").path(percentEncoded: false)
        for program in Self.programs {
            let file = folder.appending(path: program).path(percentEncoded: false)
            let text = Data("#!/bin/sh\necho \(program) \"$@\" >>'\(log)'\nexit 1\n".utf8)
            try text.write(to: URL(filePath: file))
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: file)
        }
        return try await Fixture.aside {
            let process = Process()
            process.executableURL = Self.root.appending(path: "scripts/\(script)")
            process.arguments = words
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            process.environment = ["PATH": folder.path(percentEncoded: false) + ":" + path]
            let output = folder.appending(path: "output").path(percentEncoded: false)
            try Data().write(to: URL(filePath: output))
            let handle = try #require(FileHandle(forWritingAtPath: output))
            process.standardInput = FileHandle.nullDevice
            process.standardOutput = handle
            process.standardError = handle
            try process.run()
            process.waitUntilExit()
            return (process.terminationStatus, try String(contentsOfFile: output, encoding: .utf8))
        }
    }
}
#endif
