import Foundation
import HikyakuJSON
import Testing

/// JSON text sequences, RFC 7464.
@Suite struct JSONSequenceTests {
    enum Part: Equatable, Sendable {
        case record(Int, at: Int, String)
        case error(JSONLineError.Reason, Int)
    }

    struct Example: Sendable {
        let stream: String
        let parts: [Part]

        init(_ stream: String, _ parts: Part...) {
            self.stream = stream.replacing("^", with: "\u{1E}")
            self.parts = parts
        }
    }

    static let examples = [
        Example(""),
        Example("^{}\n", .record(1, at: 1, "{}\n")),
        Example("^{}\n^[1]\n", .record(1, at: 1, "{}\n"), .record(2, at: 5, "[1]\n")),
        // Several separators are not several records, but they count.
        Example("^^\n^1\n", .record(3, at: 4, "1\n")),
        Example("^{\n \"a\": [\n]}\n^2\n", .record(1, at: 1, "{\n \"a\": [\n]}\n"), .record(2, at: 15, "2\n")),
        Example("^\"}\\\"{\"\n", .record(1, at: 1, "\"}\\\"{\"\n")),
        Example("^\n1\n", .record(1, at: 1, "\n1\n")),
        // A complete value needs no LF, but a value that may be the beginning of a longer one does.
        Example("^{}^[]", .record(1, at: 1, "{}"), .record(2, at: 4, "[]")),
        Example("^\"a\"^1 ^2", .record(1, at: 1, "\"a\""), .record(2, at: 5, "1 "), .error(.truncated, 3)),
        Example("^12^true^null\n", .error(.truncated, 1), .error(.truncated, 2), .record(3, at: 9, "null\n")),
        Example("^{\"a\": 1^{}\n", .error(.truncated, 1), .record(2, at: 9, "{}\n")),
        Example("^\"abc\n^1\n", .error(.truncated, 1), .record(2, at: 7, "1\n")),
        Example("^[1", .error(.truncated, 1)),
        Example(" \n 1 2\n^3\n", .error(.missingSeparator, 0), .record(1, at: 8, "3\n")),
        Example(
            "^1\n2\n3\n^4\n",
            .record(1, at: 1, "1\n"),
            .error(.missingSeparator, 1),
            .record(2, at: 8, "4\n"),
        ),
        Example("^}\n^1\n", .record(1, at: 1, "}\n"), .record(2, at: 4, "1\n")),
    ]

    @Test(arguments: examples)
    func recordsAreThoseOfTheStandardHoweverTheyAreSplit(_ example: Example) {
        let bytes = Data(example.stream.utf8)
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(Self.parts(of: pieces) == example.parts, "split at \(first) and \(second)")
            }
        }
    }

    @Test func aRecordIsPassedOnBeforeTheNextOneBegins() throws {
        var splitter = JSONSequenceSplitter()
        splitter.feed(Data("\u{1E}{\"a\": 1}\n".utf8))
        #expect(try splitter.next()?.number == 1)
    }

    @Test func aRecordHasALimit() {
        let stream = Data("\u{1E}[12345]\n\u{1E}[1]\n\u{1E}[12345".utf8)
        let parts = Self.parts(of: [stream], JSONSequenceSplitter(recordBytesMax: 6))
        #expect(
            parts == [.error(.tooLong, 1), .record(2, at: 10, "[1]\n"), .record(3, at: 15, "[12345")].dropLast() + [
                .error(.truncated, 3)
            ]
        )
    }

    @Test func valuesAreDecodedAndBadRecordsAreSkippedByChoice() async throws {
        let stream = AsyncStream<Data> { continuation in
            for piece in ["\u{1E}1\n\u{1E}\"x\"\n\u{1E}2", "3\n\u{1E}4"] { continuation.yield(Data(piece.utf8)) }
            continuation.finish()
        }
        let (errors, report) = AsyncStream.makeStream(of: JSONLineError.self)
        var values: [Int] = []
        for try await value in stream.jsonSequence(of: Int.self, invalidRecords: .skip { report.yield($0) }) {
            values.append(value)
        }
        report.finish()
        #expect(values == [1, 23])
        var found: [JSONLineError] = []
        for await error in errors { found.append(error) }
        #expect(found.map(\.line) == [2, 4])
        #expect(found.map(\.reason) == [.undecodable, .truncated])
        #expect(found.first?.description.hasPrefix("record 2 can't be decoded: ") == true)
    }

    @Test func aBadRecordStopsTheSequenceByDefault() async throws {
        let stream = AsyncStream<Data> { continuation in
            continuation.yield(Data("\u{1E}1\n\u{1E}[2\n".utf8))
            continuation.finish()
        }
        var values: [Int] = []
        let error = await #expect(throws: JSONLineError.self) {
            for try await value in stream.jsonSequence(of: Int.self) { values.append(value) }
        }
        #expect(values == [1] && error?.reason == .truncated && error?.line == 2)
    }

    private static func parts(of pieces: [Data], _ splitter: JSONSequenceSplitter = JSONSequenceSplitter()) -> [Part] {
        var splitter = splitter
        var parts: [Part] = []
        func drain(_ step: (inout JSONSequenceSplitter) throws(JSONLineError) -> JSONLineSplitter.Line?) {
            while true {
                do throws(JSONLineError) {
                    guard let line = try step(&splitter) else { return }
                    parts.append(
                        .record(line.number, at: line.byteOffset, String(decoding: line.bytes, as: UTF8.self))
                    )
                } catch {
                    parts.append(.error(error.reason, error.line))
                }
            }
        }
        for piece in pieces {
            splitter.feed(piece)
            drain { splitter throws(JSONLineError) in try splitter.next() }
        }
        drain { splitter throws(JSONLineError) in try splitter.finish() }
        return parts
    }
}
