import Foundation
import HikyakuHTTP
import Testing

@Suite struct CURLCommandTests {
    @Test func aRevealedLineGivesAShellTheRequestWordForWord() throws {
        let url = try #require(URL(string: "https://a.example/i?q=%27a&b=1"))
        let body = "it's $HOME `date` \"x\"\n! ünï"
        let headers: HTTPHeaders = ["Content-Type": "text/plain", "X-Quote": "a'b", "X-Empty": ""]
        let request = HTTPRequest(method: .put, url: url, headers: headers, body: HTTPBody(body))
        let words = try shellWords(of: request.curlCommand(revealingSecrets: true))
        #expect(
            words == [
                "--globoff", "--path-as-is", "-X", "PUT", "https://a.example/i?q=%27a&b=1", "-H",
                "Content-Type: text/plain", "-H", "X-Quote: a'b", "-H", "X-Empty;", "--data-binary", body,
            ]
        )
    }

    @Test func aBodyThatIsNotTextGoesThroughAPipe() throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let request = HTTPRequest(method: .post, url: url, body: HTTPBody(Data([0xFF, 0x00])))
        let line = request.curlCommand(revealingSecrets: true)
        #expect(line.hasPrefix("printf %s '/wA=' | base64 -d | curl "))
        #expect(line.hasSuffix("--data-binary @-"))
    }

    @Test func aPartIsWrittenAsText() throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let request = HTTPRequest(method: .post, url: url, body: HTTPBody("--x\r\na\\b"))
        #expect(request.curlCommand(revealingSecrets: true).hasPrefix(#"printf %b '--x\r\na\\b' | curl "#))
    }

    @Test func aTextThatBeginsWithAnAtSignIsNotTakenForAFile() throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let request = HTTPRequest(method: .post, url: url, body: "@/etc/passwd")
        #expect(try shellWords(of: request.curlCommand(revealingSecrets: true)).last == "@-")
    }

    @Test func aRedactedLineIsQuotedToo() throws {
        let url = try #require(URL(string: "https://a.example/i"))
        let headers: HTTPHeaders = ["Content-Type": "a'; touch /tmp/x; echo '"]
        let request = HTTPRequest(method: .post, url: url, headers: headers, body: "b")
        #expect(try shellWords(of: request.curlCommand()).last == "‹a'; touch /tmp/x; echo ', 1 byte›")
    }

    @Test func headRequestsUseTheHeadOption() throws {
        let url = try #require(URL(string: "https://a.example/i"))
        #expect(HTTPRequest(method: .head, url: url).curlCommand().contains(" --head "))
    }

    /// What a shell makes of the line's words, `curl` being a function that prints them.
    private func shellWords(of line: String) throws -> [String] {
        let process = Process()
        let output = Pipe()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", "curl() { printf '%s\\000' \"$@\"; }\n\(line)"]
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: bytes, as: UTF8.self).split(separator: "\0", omittingEmptySubsequences: false)
            .dropLast().map(String.init)
    }
}
