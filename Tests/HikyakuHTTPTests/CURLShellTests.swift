import Foundation
import HikyakuHTTP
import Testing

/// The lines are run by real shells, in which a command that slips out would leave a file behind.
@Suite struct CURLShellTests {
    /// What Swift joins with the character before it, and a shell doesn't.
    private static let marks = [
        "", "\u{301}", "\u{308}\u{302}", "\u{20DD}", "\u{338}", "\u{200D}", "\u{200C}", "\u{FE0F}", "\u{1F3FD}",
        "\u{903}", "\u{E0101}", "\u{E007F}", "\u{1F1EF}\u{1F1F5}", "\u{1161}", "\u{11A8}", "\u{1B44}", "\u{94D}",
    ]
    /// What means something to a shell or to curl.
    private static let specials = [
        "'", "''", "\"", "`", "\\", "$", "$(", "${", ";", "&", "&&", "|", "||", "<", ">", ">>", "(", ")", "{", "}", "[",
        "*", "?", "~", "#", "!", "@", "-", "--", "=", "%", "^", ",", " ", "\t", "\n", "\r", "\r\n", "\n\n", "\u{1B}",
        "\u{7F}", "\u{85}", "\u{9B}", "\u{1}", "'\\''", "';", "\")",
    ]
    private static let shells = ["/bin/sh", "/bin/bash"].filter { FileManager.default.isExecutableFile(atPath: $0) }

    /// A text that runs a command in a shell that reads any of its special characters.
    private static func texts(_ mark: String) -> [String] {
        specials.map { "\($0)\(mark)touch ran\($0)\(mark);touch ran;\($0)\(mark)" }
            + specials.map { "a\($0)\(mark);touch ran #" }
            + ["'\(mark)", "@\(mark)", "\(mark)", "\(mark)'", "\n", "a\n\n"]
    }

    private static func request(with text: String) throws -> HTTPRequest {
        var headers: HTTPHeaders = ["Content-Type": text, "X-Value": text]
        headers.append(HTTPHeaderName(text), text)
        var components = try #require(URLComponents(string: "https://a.example/"))
        components.path = "/\(text)"
        components.queryItems = [URLQueryItem(name: text, value: text)]
        components.fragment = text
        let url = try #require(components.url)
        return HTTPRequest(method: HTTPMethod("M\(text)"), url: url, headers: headers, body: HTTPBody(text))
    }

    private static func field(_ name: String, _ value: String) -> String {
        let name = name.utf8.first == UInt8(ascii: "@") ? "‹\(name)›" : name
        let isBlank = value.utf8.allSatisfy { $0 == 0x20 || $0 == 0x09 }
        return isBlank ? "\(name);" : "\(name): \(value)"
    }

    @Test(arguments: marks, shells)
    func aRevealedLineGivesTheTextsByteByByte(_ mark: String, _ shell: String) throws {
        let requests = try Self.texts(mark).map(Self.request)
        let calls = try Self.calls(of: requests.map { $0.curlCommand(revealingSecrets: true) }, in: shell)
        try #require(calls.count == requests.count)
        for (request, call) in zip(requests, calls) {
            var words = ["--globoff", "--path-as-is", "-X", request.method.rawValue, request.url.absoluteString]
            for field in request.headers { words += ["-H", Self.field(field.name.rawName, field.value)] }
            words.append("--data-binary")
            #expect(call.words.dropLast().elementsEqual(words) { $0.utf8.elementsEqual($1.utf8) })
            #expect(call.body == request.body?.bytes)
        }
    }

    @Test(arguments: marks, shells)
    func aRedactedLineGivesOnlyWhatIsShown(_ mark: String, _ shell: String) throws {
        let requests = try Self.texts(mark).map(Self.request)
        let calls = try Self.calls(of: requests.map { $0.curlCommand() }, in: shell)
        try #require(calls.count == requests.count)
        for (request, call) in zip(requests, calls) {
            let type = Redaction.printable(request.headers[.contentType] ?? "")
            var words = ["--globoff", "--path-as-is", "-X", "\(request.method)", Redaction.text(of: request.url)]
            let name = "\(request.headers[2].name)"
            words += ["-H", Self.field("Content-Type", type), "-H", "X-Value: ‹redacted›"]
            words += ["-H", Self.field(name, "‹redacted›"), "--data-binary"]
            let body = try "‹\(Redaction.text(of: #require(request.body), headers: request.headers))›"
            words.append(body)
            #expect(call.words.elementsEqual(words) { $0.utf8.elementsEqual($1.utf8) }, "\(call.words) \(words)")
        }
    }

    /// What no terminal should get as a key, and what no shell can hold.
    @Test(
        arguments: [
            [0x00], [0x61, 0x1B, 0x5B], [0x0D], [0x0D, 0x0A], [0x7F], [0xC2, 0x80], [0xC2, 0x9F], [0x08], [0xFF],
            [0xEF, 0xBB, 0xBF], Array("@\\r\\\\n\r\n\\c%s'\\".utf8), [0x40], [0x40, 0xCC, 0x81], [0x09, 0x0A],
            [0xC2, 0xA0], [0xED, 0xA0, 0x80],
        ] as [[UInt8]]
    )
    func bodiesArriveByteByByte(_ bytes: [UInt8]) throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let line = HTTPRequest(method: .post, url: url, body: HTTPBody(Data(bytes))).curlCommand(revealingSecrets: true)
        let isControl = String(decoding: bytes, as: UTF8.self).unicodeScalars.contains {
            $0.properties.generalCategory == .control && $0 != "\t" && $0 != "\n"
        }
        let isText = String(bytes: bytes, encoding: .utf8) != nil && bytes.first != UInt8(ascii: "@")
        #expect(line.utf8.starts(with: "printf %".utf8) == (isControl || !isText))
        for shell in Self.shells {
            let calls = try Self.calls(of: [line], in: shell)
            #expect(calls.first?.body == Data(bytes))
        }
    }

    /// Names that a shell, `cat` or curl would read as something else.
    @Test(arguments: ["a.jpg", "it's $(touch ran).jpg", "飛 脚\n\u{1B}"])
    func filesAreReadFromTheirPaths(_ name: String) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "files-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = "\(folder.path)/\(name)"
        try Data([0xFF, 0x00, 0x0A]).write(to: URL(filePath: path))
        let file = try HTTPBody.file(at: path)
        let url = try #require(URL(string: "https://a.example/i"))
        let bodies = [file, HTTPBody(joining: ["--x\r\n", HTTPBody(joining: [file, "y"], count: nil)], count: nil)]
        for shell in Self.shells {
            let lines = bodies.map {
                HTTPRequest(method: .post, url: url, body: $0).curlCommand(revealingSecrets: true)
            }
            // They run in another folder than this process.
            let calls = try Self.calls(of: lines, in: shell)
            try #require(calls.count == 2)
            #expect(calls[0].words.last == "@\(path)")
            #expect(calls[1].body == Data("--x\r\n".utf8) + [0xFF, 0x00, 0x0A] + Data("y".utf8))
            #expect(lines[1].hasPrefix("{ printf %b '--x\\r\\n'; cat "))
        }
        #expect(!HTTPRequest(method: .post, url: url, body: file).curlCommand().contains(folder.path))
    }

    /// The line may be run in another folder, where the same name is that of another file.
    @Test func aRelativePathIsThatOfThisProcess() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "file-\(UInt64.random(in: 0 ... .max))")
        try Data("abc".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let folder = FileManager.default.currentDirectoryPath
        let up = Array(repeating: "..", count: folder.split(separator: "/").count).joined(separator: "/")
        let body = try HTTPBody.file(at: "\(up)\(file.path)")
        let url = try #require(URL(string: "https://a.example/i"))
        for body in [body, HTTPBody(joining: [body], count: 3)] {
            let line = HTTPRequest(method: .post, url: url, body: body).curlCommand(revealingSecrets: true)
            #expect(line.contains("\(folder)/../"))
        }
        let joined = HTTPRequest(method: .post, url: url, body: HTTPBody(joining: [body], count: 3))
        let calls = try Self.calls(of: [joined.curlCommand(revealingSecrets: true)], in: "/bin/sh")
        #expect(calls.first?.body == Data("abc".utf8))
    }

    /// Linux takes no argument of 128 KiB, and nobody pastes a megabyte.
    @Test func aLongBodyIsNotAnArgument() throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let long = HTTPBody(String(repeating: "a", count: 200_000))
        let line = HTTPRequest(method: .post, url: url, body: long).curlCommand(revealingSecrets: true)
        #expect(try Self.calls(of: [line], in: "/bin/sh").first?.body == long.bytes)
        for body in [
            HTTPBody(Data(count: 1 << 20 + 1)), HTTPBody(joining: [HTTPBody(Data(count: 1 << 21))], count: nil),
        ] {
            let line = HTTPRequest(method: .post, url: url, body: body).curlCommand(revealingSecrets: true)
            #expect(line.utf8.count < 200 && line.hasSuffix(" --data-binary @-"))
        }
    }

    /// Only this process can read a stream or a part of a file, so the user gives the body.
    @Test func whatNoCommandReadsComesFromStandardInput() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "part-\(UInt64.random(in: 0 ... .max))")
        try Data("abc".utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let stream = HTTPBody(AsyncStream<Data> { $0.finish() })
        let bodies = [
            stream, HTTPBody(joining: [], count: 0), HTTPBody(joining: ["a", stream], count: nil),
            try HTTPBody.file(at: file.path).part(1..<2),
        ]
        let url = try #require(URL(string: "https://a.example/i"))
        for body in bodies {
            let line = HTTPRequest(method: .post, url: url, body: body).curlCommand(revealingSecrets: true)
            #expect(line.hasPrefix("curl ") && line.hasSuffix(" --data-binary @-"))
        }
    }

    @Test(arguments: ["gzip, br": true, "Identity": false, "zstd": true, "*": true])
    func aCompressedResponseIsShownAsText(codings: String, isCompressed: Bool) throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let line = HTTPRequest(url: url, headers: ["Accept-Encoding": codings]).curlCommand()
        #expect(line.contains(" --compressed ") == isCompressed)
    }

    @Test func aRelativeURLIsNotAnOption() throws {
        let url = try #require(URL(string: "-oX"))
        let calls = try Self.calls(of: [HTTPRequest(url: url).curlCommand(revealingSecrets: true)], in: "/bin/sh")
        #expect(calls.first?.words == ["--globoff", "--path-as-is", "--url", "-oX"])
    }

    @Test(arguments: ["", " ", "\t "])
    func aFieldWithoutAValueIsSentAndNotRemoved(_ value: String) throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let request = HTTPRequest(url: url, headers: ["X-Empty": value])
        #expect(request.curlCommand(revealingSecrets: true).hasSuffix(" -H 'X-Empty;'"))
    }
}

// MARK: - Shells

extension CURLShellTests {
    struct Call {
        let words: [String]
        /// The word behind `--data-binary`, or what came by a pipe.
        let body: Data?
    }

    /// Runs lines, `curl` being a function that writes down its words, and expects that nothing else is done.
    private static func calls(of lines: [String], in shell: String) throws -> [Call] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "curl-\(UInt64.random(in: 0 ... .max))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let curl = """
            curl() {
                printf '%s\\000' "$@"
                for last; do :; done
                if [ "$last" = '@-' ]; then base64 | tr -d '\\n'; printf '\\000'; fi
                printf 'END\\000'
            }
            """
        let process = Process()
        let (output, input) = (Pipe(), Pipe())
        process.executableURL = URL(fileURLWithPath: shell)
        process.currentDirectoryURL = folder
        process.environment = ["PATH": "/usr/bin:/bin"]
        process.standardInput = input
        process.standardOutput = output
        // A script in a file, and not an argument: it may be too long for one.
        let script = folder.deletingLastPathComponent().appending(path: folder.lastPathComponent + ".sh")
        try Data((curl + "\n" + lines.joined(separator: "\n") + "\n").utf8).write(to: script)
        defer { try? FileManager.default.removeItem(at: script) }
        process.arguments = [script.path]
        try process.run()
        try input.fileHandleForWriting.close()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.isEmpty, "a command ran")
        return bytes.split(separator: 0, omittingEmptySubsequences: false).split(separator: Data("END".utf8)).dropLast()
            .map { words in
                let words = words.map { String(decoding: $0, as: UTF8.self) }
                guard words.dropLast().last == "@-" else {
                    return Call(words: words, body: words.last.map { Data($0.utf8) })
                }
                return Call(words: words.dropLast(), body: Data(base64Encoded: words.last ?? ""))
            }
    }
}
