#if os(Linux)
@testable import HikyakuCurl
import HikyakuHTTP
import Testing

/// The header block line by line, with what libcurl refuses by itself.
@Suite struct ResponseHeadTests {
    private func headers(_ lines: [String]) throws -> [String] {
        var head = ResponseHead()
        for line in ["HTTP/1.1 200 OK\r\n"] + lines + ["\r\n"] {
            if let problem = Array(line.utf8).withUnsafeBytes({ head.append($0) }) { throw problem }
        }
        return try head.headers().map { "\($0.name.rawName)=\($0.value)" }
    }

    @Test func foldsAreSpaces() throws {
        #expect(
            try headers(["A: b \t\r\n", " \t c\r\n", " \r\n", "\td:\n", "E:\r\n", " f\r\n"]) == ["A=b c d:", "E=f"]
        )
    }

    @Test(arguments: [
        ["A\r\n", " : b\r\n"], ["A: b\r\n", "C\r\n", "\t: d\r\n"], ["A: b\r\r\n", " c\r\n"], ["A: b\r\n", " c\rd\r\n"],
        ["A: b\0\r\n", " c\r\n"], ["A\r\n"], [": a\r\n"], ["A b: c\r\n"],
    ])
    func refusesWhatIsNoField(lines: [String]) {
        let problem = #expect(throws: ResponseProblem.self) { try headers(lines) }
        #expect(problem?.reason == .malformedResponse)
    }
}
#endif
