import Hikyaku
import Testing

@testable import QiitaReader

/// The output and the exit status of the program; one run at a time, since a tour shows calls that overlap.
@MainActor
@Suite(.serialized)
struct ReaderTests {
    private func run(
        _ words: String...,
        variables: [String: String] = [:],
    ) async -> (status: Int32, output: String, errors: String) {
        let output = Sink()
        let errors = Sink()
        let status = await Reader.run(words, variables: variables, output: output.output, errors: errors.output)
        return (status, output.text, errors.text)
    }

    @Test
    func tourRunsToItsEnd() async {
        let (status, output, errors) = await run()
        #expect(status == 0)
        #expect(errors.isEmpty)
        for step in 1...20 { #expect(output.contains("\n\(step). ")) }
        #expect(output.contains("Total-Count  400 items"))
        #expect(output.contains("message  Not found"))
        #expect(output.contains("unauthorized.emptyToken"))
        #expect(output.contains("refreshes  1\n") && output.contains("requests   51\n"))
        #expect(output.contains("/user/github_login_name"))
        #expect(output.contains("query=tag%3ASwift%20%E9%9D%9E%E5%90%8C%E6%9C%9F"))
        #expect(!output.contains("Unexpected"))
    }

    @Test
    func tourSendsGeneratedRequestsBesideThoseByHand() async throws {
        let (_, output, _) = await run("tour")
        let generated = try #require(output.firstRange(of: "18. Requests that are generated"))
        let lines = output[generated.lowerBound...].split(separator: "\n")
        #expect(lines.count { $0.hasPrefix("  equal  ") } == 3)
        #expect(lines.contains("  message  Not found") && lines.contains { $0.hasPrefix("  user  ") })
    }

    @Test
    func tourShowsCallsInFlight() async throws {
        let (_, output, _) = await run("tour")
        #expect(output.contains("kB/s") && output.contains("ms left\n"))
        #expect(output.contains("Qiita.Items(perPage: 66) → 66 items"))
        let links = ["  .progress  down", "  .then      Comments", "  .success   Array<Comment>", "  .finally"]
        var rest = output[...]
        for link in links { rest = rest[try #require(rest.firstRange(of: link)).upperBound...] }
        #expect(rest.contains("  .failure   Not found\n  .finally\n"))
        #expect(output.contains("{ $0.page > 3 } → 3\n"))
        for page in 1...3 { #expect(output.contains("  page \(page)  66 items\n")) }
        for page in 4...6 { #expect(output.contains("  page \(page)  cancelled\n")) }
    }

    @Test
    func tourShowsWhichSubscribersReceiveAChange() async throws {
        let (_, output, _) = await run("tour")
        let heard = try #require(output.firstRange(of: "hub.updates(of: Item.self) received\n"))
        let lines = output[heard.upperBound...].split(separator: "\n").filter { $0.contains(" stocks  ") }
        let sources = lines.map { $0.split(separator: " ").last ?? "" }
        #expect(sources == ["network", "network", "local", "network", "network", "local", "network"])
        #expect(Array(lines[4...]) == [lines[0], lines[2], lines[3]])
    }

    @Test
    func tourSurvivesAFailingService() async throws {
        let (_, output, _) = await run("tour")
        var rest = output[...]
        let parts = [
            "13. ", "Qiita.Items(perPage: 1) → 1 item", "─ retries: up to 3 attempts, since GET is idempotent",
            "─ attempt 1, ", ": 503 Service Unavailable\n", "─ paused, ", "─ attempt 2, ", ": transport.",
            "─ attempt 3, ",
            ": 200 OK\n",
        ]
        for part in parts { rest = rest[try #require(rest.firstRange(of: part), "\(part)").upperBound...] }
    }

    /// 900 KiB in parts of 256 KiB at most: a creation, four parts, one of them cut in half, and what follows it.
    @Test
    func tourUploadsAFileDespiteACut() async throws {
        let (_, output, _) = await run("tour")
        let upload = try #require(output.firstRange(of: "\n16. "))
        let text = output[upload.upperBound...]
        #expect(text.contains("up 921600 of 921600 bytes"))
        #expect(text.contains("received  921600 bytes\n") && text.contains("requests  7\n"))
    }

    @Test
    func tourResumesADownload() async throws {
        let (_, output, _) = await run("tour")
        let shown = #/→ (\d+) bytes\n  request 1  the whole file, which was cut\n  request 2  Range: bytes=(\d+)-\n/#
        let match = try #require(output.firstMatch(of: shown))
        let (size, offset) = (try #require(Int(match.1)), try #require(Int(match.2)))
        #expect(offset == size / 2)
    }

    @Test
    func tourFollowsAnEventStreamThroughADroppedConnection() async throws {
        let (_, output, _) = await run("tour")
        var rest = output[...]
        let parts = [
            "15. ", "  event 1  ", "  event 2  ", "  the connection was lost: transport.connectionReset\n",
            "  event 3  ",
            "  event 4  ", "  the service closed the stream\n", "Each item came once",
        ]
        for part in parts { rest = rest[try #require(rest.firstRange(of: part), "\(part)").upperBound...] }
    }

    @Test
    func tourWalksAList() async throws {
        let (_, output, _) = await run("tour")
        var rest = output[try #require(output.firstRange(of: "17. ")).upperBound...]
        let parts = [
            "page 1  5 items, then http://", "page=…", "page 2  5 items", "page 3  5 items", #"{"link":"http://"#,
            "page=4&per_page=5", "without the items that came before:\n  ",
        ]
        for part in parts { rest = rest[try #require(rest.firstRange(of: part), "\(part)").upperBound...] }
    }

    @Test
    func productionPointsTheSameRequestsAtTheRealService() throws {
        let service = try Service(Arguments(["--environment", "production", "--token", "t"], variables: [:]))
        #expect(service.embedded == nil)
        #expect(service.environment == .qiita)
        let request = try service.authorizedClient.bind(Qiita.AuthenticatedUser()).httpRequest()
        #expect(request.url.absoluteString == "https://qiita.com/api/v2/authenticated_user")
    }

    @Test
    func unsentRequestIsNotReceived() async throws {
        let (_, output, _) = await run("tour")
        let line = try #require(output.split(separator: "\n").first { $0.contains("server  received") })
        let counts = line.split(separator: " ").compactMap { Int($0) }
        #expect(counts.count == 2)
        #expect(counts.first == counts.last)
    }

    @Test
    func tokenOfTheEnvironmentAuthorizes() async {
        let (status, output, _) = await run("me", variables: ["QIITA_TOKEN": EmbeddedService.token])
        #expect(status == 0)
        #expect(output.contains("sato_hanako"))
    }

    @Test
    func aFailureExitsWithOneAndSuggestsWhatToDo() async {
        let (status, output, errors) = await run("item", "nosuch")
        #expect(status == 1)
        #expect(output.isEmpty)
        #expect(errors.contains("Not found (not_found)"))
        #expect(errors.contains("It may have been removed or renamed."))
    }

    @Test
    func loggingHidesTheToken() async {
        let (status, output, errors) = await run("me", "--token", EmbeddedService.token, "--log=bodies")
        #expect(status == 0)
        #expect(errors.contains("Authorization: ‹redacted›"))
        #expect(!(output + errors).contains(EmbeddedService.token))
    }

    @Test(arguments: [
        ["bogus"], ["--bogus"], ["item"], ["item", "a", "b"], ["items", "--page", "0"], ["items", "--page", "x"],
        ["items", "--page"], ["items", "--per-page=101"], ["me", "--page", "2"], ["--environment", "staging"],
        ["--log", "all"], ["me", "--token", "a", "--token", "b"],
    ])
    func badArgumentsEndWithUsage(words: [String]) async {
        let errors = Sink()
        let status = await Reader.run(words, variables: [:], output: Sink().output, errors: errors.output)
        #expect(status == 64)
        #expect(errors.text.contains("Usage: QiitaReader"))
    }

    @Test
    func helpGoesToStandardOutput() async {
        let (status, output, errors) = await run("items", "--help")
        #expect(status == 0)
        #expect(output.contains("QIITA_TOKEN"))
        #expect(errors.isEmpty)
    }
}

struct DisplayWidthTests {
    @Test(arguments: [("abc", 3), ("日本語", 6), ("Swift：入門", 11), ("はじめました🚀", 14), ("ｱｲｳ", 3), ("", 0)])
    func wideCharactersTakeTwoColumns(text: String, width: Int) {
        #expect(text.displayWidth == width)
    }

    @Test
    func cutTextFitsItsColumn() {
        #expect("日本語の題名".cut(to: 7) == "日本語…")
        #expect("日本語の題名".cut(to: 8).padded(to: 8) == "日本語… ")
        #expect("日本語".cut(to: 6) == "日本語")
    }

    @Test
    func textOfAServiceCannotSteerTheTerminal() {
        let sink = Sink()
        sink.output.line("\u{1B}[2J題名\r\u{9B}1m")
        #expect(sink.text == "\u{FFFD}[2J題名\u{FFFD}\u{FFFD}1m\n")
    }

    @Test
    func longLinesAreWrapped() {
        #expect("日本語、です".wrapped(to: 6) == ["日本語、", "です"])
        #expect("one two three".wrapped(to: 8) == ["one two", "three"])
        #expect("aaaaaaaaaa".wrapped(to: 4) == ["aaaa", "aaaa", "aa"])
    }
}

/// Stores the text that is written to it.
private final class Sink: Sendable {
    private let written = Guarded("")

    var text: String { written.withLock { $0 } }
    var output: Output { Output { text in self.written.withLock { $0 += text } } }
}
