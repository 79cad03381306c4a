#if os(Linux)
@testable import HikyakuWire
import Glibc
import HikyakuHTTP
import Testing

/// The header block line by line.
@Suite struct ResponseHeadTests {
    private func headers(_ lines: [String]) throws -> [String] {
        var head = ResponseHead()
        for line in ["HTTP/1.1 200 OK\r\n"] + lines + ["\r\n"] {
            try Array(line.utf8).withUnsafeBytes { try head.append($0) }
        }
        return try head.headers().map { "\($0.name.rawName)=\($0.value)" }
    }

    @Test func foldsAreSpaces() throws {
        #expect(
            try headers(["A: b \t\r\n", " \t c\r\n", " \r\n", "\td:\n", "E:\r\n", " f\r\n"]) == ["A=b c d:", "E=f"]
        )
    }

    /// The loop, which serves all hosts, has to do nothing else meanwhile.
    @Test func manyFoldsTakeNoLongerThanTheirBytes() throws {
        let fold = " " + String(repeating: "a", count: 500) + "\r\n"
        let lines = ["A:\r\n"] + Array(repeating: fold, count: 498)
        let begin = Self.processorTime
        for _ in 0..<10 {
            let fields = try headers(lines)
            #expect(fields[0].utf8.count == 1 + 498 * 501)
        }
        // To look for the line's beginning at each fold takes some 15 seconds.
        #expect(Self.processorTime - begin < .seconds(5))
    }

    /// How long this thread has run, whatever else the machine does.
    private static var processorTime: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    @Test(arguments: [
        ["A\r\n", " : b\r\n"], ["A: b\r\n", "C\r\n", "\t: d\r\n"], ["A: b\r\r\n", " c\r\n"], ["A: b\r\n", " c\rd\r\n"],
        ["A: b\0\r\n", " c\r\n"], ["A\r\n"], [": a\r\n"], ["A b: c\r\n"],
    ])
    func rejectsInvalidFields(lines: [String]) {
        let problem = #expect(throws: TransportError.self) { try headers(lines) }
        #expect(problem?.reason == .malformedResponse)
    }
}
#endif
