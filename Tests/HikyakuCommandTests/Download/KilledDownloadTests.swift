#if os(Linux)
import Foundation
import HikyakuMockServer
import TestSupport
import Testing

/// The program `hikyaku`, beside the tests that were built with it.
private enum Command {
    static let path: String? = {
        let tests = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let path = tests.map { URL(filePath: $0).deletingLastPathComponent().appending(path: "hikyaku-cli").path() }
        guard let path, FileManager.default.isExecutableFile(atPath: path) else {
            print("not found: hikyaku-cli beside the tests; `swift build` makes it")
            return nil
        }
        return path
    }()

    /// Starts a download.
    static func start(_ words: [String], errors: Pipe? = nil) throws -> Process {
        let process = Process()
        process.executableURL = URL(filePath: try #require(path))
        process.arguments = ["download"] + words
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        if let errors { process.standardError = errors } else { process.standardError = FileHandle.nullDevice }
        try process.run()
        return process
    }
}

/// A folder, a service of files that are sent slowly, and downloads of them.
private final class SlowFiles: Sendable {
    static let size = 1 << 20
    private static let piece = 16 * 1024

    let server: MockServer
    let folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)/").path()

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        server = try MockServer { request in
            let number = try #require(request.pathSegments.last.flatMap { Int($0) })
            let offset = request.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0
            let body = Self.content(number)[offset...]
            var head = "HTTP/1.1 \(offset > 0 ? "206 Partial Content" : "200 OK")\r\nETag: \"v\(number)\"\r\n"
            if offset > 0 { head += "Content-Range: bytes \(offset)-\(Self.size - 1)/\(Self.size)\r\n" }
            head += "Content-Length: \(body.count)\r\n\r\n"
            // What is requested again is sent at once.
            guard offset == 0, request.pathSegments.count == 1 else { return .raw([.write(head), .write(body)]) }
            // The end never comes, so that no process ends before it is killed.
            let pieces = stride(from: 0, to: Self.size * 7 / 8, by: Self.piece).flatMap { start -> [MockStep] in
                [.write(body[start..<min(Self.size, start + Self.piece)]), .pause(.milliseconds(4))]
            }
            return .raw([.write(head)] + pieces + [.stall])
        }
    }

    deinit {
        server.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    static func content(_ number: Int) -> Data {
        var generator = SeededGenerator(seed: UInt64(number))
        var bytes = Data(capacity: size)
        while bytes.count < size { withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) } }
        return bytes
    }

    func start(_ number: Int, errors: Pipe? = nil) throws -> Process {
        let url = "\(server.baseURL)/\(number)"
        return try Command.start(["--output", path(number)], errors: errors, url: url)
    }

    func path(_ number: Int) -> String { "\(folder)\(number)" }

    /// The size of the draft in the folder.
    var draftSize: Int? {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        guard let name = names.first(where: { $0.hasSuffix(".part") }) else { return nil }
        return ((try? FileManager.default.attributesOfItem(atPath: folder + name))?[.size] as? NSNumber)?.intValue
    }

    /// The first bytes of the ranges that were requested of a file; 0 for the whole.
    func offsets(_ number: Int) -> [Int] {
        server.requests.filter { $0.path == "/\(number)" }
            .map { $0.headers["Range"].flatMap { Int($0.dropFirst("bytes=".count).dropLast()) } ?? 0 }
    }
}

extension Command {
    fileprivate static func start(_ words: [String], errors: Pipe?, url: String) throws -> Process {
        try start(words + [url], errors: errors)
    }
}

@Suite(.timeLimit(.minutes(10)), .serialized, .enabled(if: Command.path != nil)) struct KilledDownloadTests {
    /// Waits for a process on a thread of its own.
    private static func status(of process: Process) async -> Int32 {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread {
                process.waitUntilExit()
                continuation.resume(returning: process.terminationStatus)
            }
        }
    }

    @Test func fiftyDownloadsThatAreKilledResumeToTheRightBytes() async throws {
        let seed = testSeed()
        print("seed of the killed downloads: \(seed)")
        var generator = SeededGenerator(seed: seed)
        let targets = (0..<50).map { _ in Int.random(in: 1...(SlowFiles.size * 3 / 4), using: &generator) }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, target) in targets.enumerated() {
                // A few at once, so that each is killed at its own moment.
                if number >= 5 { try await group.next() }
                group.addTask { try await Self.killAndResume(number, at: target) }
            }
            try await group.waitForAll()
        }
    }

    private static func killAndResume(_ number: Int, at target: Int) async throws {
        let files = try SlowFiles()
        let process = try files.start(number)
        #expect(try await holds { (files.draftSize ?? 0) >= target }, "of file \(number)")
        kill(process.processIdentifier, SIGKILL)
        _ = await status(of: process)
        let left = try #require(files.draftSize)
        #expect(!FileManager.default.fileExists(atPath: files.path(number)))
        #expect(try await status(of: files.start(number)) == 0)
        let found = try Data(contentsOf: URL(filePath: files.path(number)))
        #expect(found == SlowFiles.content(number), "file \(number), killed at \(left)")
        #expect(files.offsets(number) == [0, left], "no byte of a file is fetched twice")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder) == ["\(number)"])
    }

    @Test(arguments: [SIGINT, SIGTERM])
    func anInterruptedDownloadSaysHowToGoOn(signal: Int32) async throws {
        let files = try SlowFiles()
        let errors = Pipe()
        let process = try files.start(1, errors: errors)
        #expect(try await holds { (files.draftSize ?? 0) > 100_000 })
        kill(process.processIdentifier, signal)
        #expect(await Self.status(of: process) == 130)
        let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.contains("hikyaku: interrupted\n") && text.contains("run the same command again"), "\(text)")
        let left = try #require(files.draftSize)
        #expect(try await Self.status(of: files.start(1)) == 0)
        #expect(files.offsets(1) == [0, left])
        #expect(try Data(contentsOf: URL(filePath: files.path(1))) == SlowFiles.content(1))
    }

    @Test func anotherDigestLeavesNothing() async throws {
        let files = try SlowFiles()
        let errors = Pipe()
        let words = ["--sha256", String(repeating: "0", count: 64), "--output", files.path(1)]
        let process = try Command.start(words, errors: errors, url: "\(files.server.baseURL)/whole/1")
        #expect(await Self.status(of: process) == 1)
        let text = String(decoding: errors.fileHandleForReading.availableData, as: UTF8.self)
        #expect(text.contains("digest"), "\(text)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: files.folder).isEmpty)
    }
}
#endif
