#if os(macOS) || os(Linux)
import Foundation
import Testing

/// `--help` of the scripts, and unknown options, with stand-ins for the programs that install and build.
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
            let (status, output) = try await run(script, words, folder)
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
            let (_, output) = try await run("bench", ["json", "--only", "encode", "--help"], folder)
            #expect(output.contains("--instructions"))
            #expect(try ran(in: folder).isEmpty)
        }
    }

    // MARK: Unknown options

    @Test(arguments: [
        ("demo", ["--hlep"], "demo: there is no option --hlep: did you mean --help?"),
        ("demo", ["items", "--par-page=3"], "demo: there is no option --par-page: did you mean --per-page?"),
        ("demo", ["-hlep"], "demo: there is no option -hlep: did you mean --help?"),
        ("demo", ["--quack"], "demo: there is no option --quack"),
        ("test", ["--fitler", "X"], "test: there is no option --fitler: did you mean --filter?"),
        ("test", ["--hlep"], "test: there is no option --hlep: did you mean --help?"),
        ("test", ["--num-worker=3"], "test: there is no option --num-worker: did you mean --num-workers?"),
        ("sanitize", ["thread", "--skpi", "A"], "sanitize: there is no option --skpi: did you mean --skip?"),
        ("sanitize", ["adress"], "sanitize: there are thread and address, not adress: did you mean address?"),
        ("explore", ["--paralel"], "explore: there is no option --paralel: did you mean --parallel?"),
        ("simulate", ["--hlep"], "simulate: there is no option --hlep: did you mean --help?"),
        ("install", ["--hlep"], "install: there is no option --hlep: did you mean --help?"),
        ("soak", ["--request", "3"], "soak: there is no option --request: did you mean --requests?"),
        ("bench", ["json", "--ronuds=3"], "bench: there is no option --ronuds: did you mean --rounds?"),
        ("fuzz", ["decodr"], "not 'decodr': did you mean decoder?"),
        ("fuzz", ["--hlep"], "fuzz: there is no option --hlep: did you mean --help?"),
        ("check-plugins", ["--hlep"], "check-plugins: there is no option --hlep: did you mean --help?"),
        ("lint", ["--hlep"], "lint: there is no option --hlep: did you mean --help?"),
        ("lint", ["--selftest"], "lint: there is no option --selftest: did you mean --self-test?"),
        ("docs", ["--hlep"], "docs: there is no option --hlep: did you mean --help?"),
        ("docs", ["--minuets=3"], "docs: there is no option --minuets: did you mean --minutes?"),
        ("corpus", ["--relaese", "spotify"], "corpus: there is no option --relaese: did you mean --release?"),
        ("corpus-count", ["--hlep"], "corpus-count: there is no option --hlep: did you mean --help?"),
        ("corpus-count", ["x.yaml", "--quack"], "corpus-count: there is no option --quack"),
        ("setup", ["--hlep"], "not '--hlep': did you mean --help?"),
        ("setup", ["tset"], "setup: the groups are build, test and bench, not 'tset': did you mean test?"),
    ])
    func unknownOptionsAreRejectedBeforeAnythingIsDone(script: String, words: [String], message: String) async throws {
        try await Fixture.withTemporaryFolder { folder in
            let (status, output) = try await run(script, words, folder)
            #expect(status == 2)
            #expect(output.split(separator: "\n").first?.hasSuffix(message) == true, "\(output)")
            #expect(try ran(in: folder).isEmpty)
        }
    }

    /// `swift test` has more options than the script knows, and values may begin with a hyphen.
    @Test(arguments: [
        ["--filter", "X", "--skip-build"], ["--configuration=release"], ["-c", "release", "-v"], ["-Xswiftc", "-DX"],
        ["--test-output", "x"], ["--netrc"], ["--pkg-config-path", "x"], ["--show-code-coverage-path"], ["--quack"],
    ])
    func rareOptionsOfTheTestsPass(words: [String]) async throws {
        try await Fixture.withTemporaryFolder { folder in
            let (status, output) = try await run("help", ["--test", "scripts/test"] + words, folder)
            #expect(status == 0 && output.isEmpty, "\(output)")
        }
    }

    @Test
    func optionsOfTheHelpPass() async throws {
        try await Fixture.withTemporaryFolder { folder in
            let words = [
                "--only", "--more", Self.root.appending(path: "scripts/bench").path(), "json", "--rounds", "3",
                "--only=a", "--check", "--more", "-x",
            ]
            let (status, output) = try await run("help", words, folder)
            #expect(status == 0 && output.isEmpty, "\(output)")
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
            let (_, output) = try await run("demo", ["--help"], folder)
            #expect(output.hasSuffix(usage + "\n"))
        }
    }

    /// The programs that a script has run, with their arguments.
    private func ran(in folder: URL) throws -> [String] {
        let log = folder.appending(path: "log").path(percentEncoded: false)
        guard FileManager.default.fileExists(atPath: log) else { return [] }
        return try String(contentsOfFile: log, encoding: .utf8).split(separator: "\n").map(String.init)
    }

    private func run(_ script: String, _ words: [String], _ folder: URL) async throws -> (status: Int32, String) {
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
