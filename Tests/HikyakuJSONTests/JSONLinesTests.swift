import Foundation
@_spi(Benchmarks) import HikyakuJSON
import Testing

@Suite struct JSONLinesTests {
    private struct Event: Decodable, Sendable, Equatable {
        let id: Int
    }

    /// A sequence of pieces that counts how many were read.
    private struct Pieces: AsyncSequence, AsyncIteratorProtocol {
        typealias Element = Data

        var rest: [String]
        var failure: (any Error)?
        let taken: Counter

        mutating func next() async throws -> Data? {
            guard !rest.isEmpty else {
                if let failure { throw failure }
                return nil
            }
            taken.count += 1
            return Data(rest.removeFirst().utf8)
        }

        func makeAsyncIterator() -> Pieces { self }
    }

    private final class Counter {
        var count = 0
    }

    private struct Broken: Error {}

    private static func pieces(_ pieces: String..., failure: (any Error)? = nil) -> Pieces {
        Pieces(rest: pieces, failure: failure, taken: Counter())
    }

    private static func events(
        _ pieces: Pieces,
        _ invalidLines: JSONLines<Pieces, Event>.InvalidLines = .stop,
    ) -> JSONLines<Pieces, Event> {
        JSONLines(pieces, invalidLines: invalidLines) { try JSONDecoder().decode(Event.self, from: $0) }
    }

    private static func all<Lines: AsyncSequence>(_ lines: Lines) async throws -> [Lines.Element] {
        try await lines.reduce(into: []) { $0.append($1) }
    }

    @Test func eachLineGivesAValue() async throws {
        let events = Self.events(Self.pieces("{\"id\":1}\n{\"i", "d\":2}\r\n", "", "\n\n{\"id\":", "3}"))
        #expect(try await Self.all(events) == [Event(id: 1), Event(id: 2), Event(id: 3)])
        #expect(try await Self.all(Self.events(Self.pieces())) == [])
        #expect(try await Self.all(Self.events(Self.pieces("\n", " "))) == [])
    }

    @Test func aPieceIsTakenOnlyWhenItIsNeeded() async throws {
        let pieces = Self.pieces("{\"id\":1}\n{\"id\":2}\n{\"i", "d\":3}", "\n{\"id\":4}\n", "{\"id\":5}")
        var iterator = Self.events(pieces).makeAsyncIterator()
        var counts: [Int] = []
        while let event = try await iterator.next() { counts.append(event.id * 10 + pieces.taken.count) }
        #expect(counts == [11, 21, 33, 43, 54])
        #expect(try await iterator.next() == nil)
    }

    @Test func anInvalidLineStopsAndIsNamed() async throws {
        let pieces = Self.pieces("{\"id\":1}\n\n{\"id\":\"hunter2\"}\n{\"id\":3}\n")
        var iterator = Self.events(pieces).makeAsyncIterator()
        #expect(try await iterator.next() == Event(id: 1))
        let error = await #expect(throws: JSONLineError.self) { _ = try await iterator.next() }
        #expect(error?.reason == .undecodable)
        #expect(error?.line == 3)
        #expect(error?.byteOffset == 10)
        let diagnosis = try #require(error?.underlyingError as? DecodingDiagnosis)
        #expect(diagnosis.pointer == "/id")
        #expect(error?.description == "line 3 can't be decoded: \(diagnosis)")
        #expect(error?.localizedDescription == "The stream can't be decoded: line 3 can't be decoded: \(diagnosis)")
        #expect(error?.failureReason == error?.description)
        #expect(error?.description.contains("hunter2") == false)
        #expect(try await iterator.next() == nil)
    }

    @Test func invalidLinesAreSkippedByChoice() async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let pieces = Self.pieces("{\"id\":1}\nnull\n{\"id\":3}\n{\"id\":", "4}\n{", "}\n{\"id\":6}\n{")
        let events = Self.events(pieces, .skip { continuation.yield("\($0.line)@\($0.byteOffset)") })
        #expect(try await Self.all(events) == [Event(id: 1), Event(id: 3), Event(id: 4), Event(id: 6)])
        continuation.finish()
        #expect(await reports.reduce(into: []) { $0.append($1) } == ["2@9", "5@32", "7@44"])
    }

    @Test func linesThatAreTooLongAreSkippedToo() async throws {
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let pieces = Self.pieces("{\"id\":1}\n{\"id\":100000000", "0000}\n{\"id\":3}")
        let events = JSONLines(
            pieces,
            splitter: JSONLineSplitter(lineBytesMax: 10),
            invalidLines: .skip { continuation.yield($0.description) },
            decode: { try JSONDecoder().decode(Event.self, from: $0) },
        )
        #expect(try await Self.all(events) == [Event(id: 1), Event(id: 3)])
        continuation.finish()
        #expect(
            await reports.reduce(into: []) { $0.append($1) }
                == ["line 2 is longer than the limit: raise the limit, or check whether the stream is JSON Lines"]
        )
    }

    @Test func aByteOrderMarkIsNamed() async throws {
        let error = await #expect(throws: JSONLineError.self) {
            _ = try await Self.all(Self.events(Self.pieces("\u{FEFF}{\"id\":1}\n")))
        }
        #expect(error?.reason == .byteOrderMark)
        #expect(
            error?.description
                == "line 1 begins with a byte order mark: allow it by the decoder's leniency, or remove it at the sender"
        )
        var decoder = HikyakuJSONDecoder()
        decoder.leniency = .byteOrderMark
        let lines = Self.pieces("\u{FEFF}{\"id\":1}\n{\"id\":2}").jsonLines(of: Event.self, decoder: decoder)
        #expect(try await Self.all(lines) == [Event(id: 1), Event(id: 2)])
    }

    @Test func errorsOfTheStreamPassAsTheyAre() async throws {
        for invalidLines in [JSONLines<Pieces, Event>.InvalidLines.stop, .skip { _ in }] {
            let events = Self.events(Self.pieces("{\"id\":1}\n{\"id\":2}", failure: Broken()), invalidLines)
            var iterator = events.makeAsyncIterator()
            #expect(try await iterator.next() == Event(id: 1))
            await #expect(throws: Broken.self) { _ = try await iterator.next() }
            // The line that was cut gives nothing.
            #expect(try await iterator.next() == nil)
        }
    }

    @Test func errorsOfOtherTypesAreReportedByTheirType() async throws {
        let lines = JSONLines(Self.pieces("1")) { _ -> Int in throw Broken() }
        let error = await #expect(throws: JSONLineError.self) { _ = try await Self.all(lines) }
        #expect(error?.underlyingError is Broken)
        #expect(error?.description == "line 1 can't be decoded: its type threw Broken")
    }

    @Test func aSequenceIsReadAnewByEachIterator() async throws {
        let events = Self.events(Self.pieces("{\"id\":1}\n{\"id\":2}"))
        #expect(try await Self.all(events).count == 2)
        #expect(try await Self.all(events).count == 2)
    }

    private struct DirectEvent: JSONReadable, Equatable {
        let id: Int

        init(id: Int) {
            self.id = id
        }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            try reader.endObject()
        }
    }

    @Test func ourOwnDecoderReadsEachLine() async throws {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .custom { $0.lowercased() }
        let lines = Self.pieces("{\"ID\":1}\n{\"I", "D\":2}").jsonLines(of: Event.self, decoder: decoder)
        #expect(try await Self.all(lines) == [Event(id: 1), Event(id: 2)])
        let values = Self.pieces("1\n[2.0", "0]\n").jsonLines(of: JSONValue.self)
        #expect(try await Self.all(values).map(\.description) == ["1", "[2.00]"])
    }

    @Test func typesThatReadThemselvesAreReadDirectly() async throws {
        let pieces = Self.pieces("{\"id\":1}\n{\"i", "d\":2}")
        let lines = pieces.jsonLines(reading: DirectEvent.self)
        #expect(try await Self.all(lines) == [DirectEvent(id: 1), DirectEvent(id: 2)])
    }

    @Test func bothWaysToReadTakeWhatALineMayBe() async throws {
        let pieces = Self.pieces("{\"id\":1}\n{\"id\":10000}\n{\"id\":3}")
        let (reports, continuation) = AsyncStream.makeStream(of: String.self)
        let decoded = pieces.jsonLines(
            of: Event.self,
            lineBytesMax: 10,
            invalidLines: .skip { continuation.yield($0.reason.rawValue) },
        )
        #expect(try await Self.all(decoded) == [Event(id: 1), Event(id: 3)])
        let read = pieces.jsonLines(
            reading: DirectEvent.self,
            lineBytesMax: 10,
            invalidLines: .skip { continuation.yield($0.reason.rawValue) },
        )
        #expect(try await Self.all(read) == [DirectEvent(id: 1), DirectEvent(id: 3)])
        continuation.finish()
        #expect(await reports.reduce(into: []) { $0.append($1) } == ["tooLong", "tooLong"])
    }

    @Test func placesInALineAreThoseOfTheStream() async throws {
        let lines = JSONLines(Self.pieces("1\n\n[2,", "3]\n")) { line -> Int in
            guard line.count > 1 else { return 1 }
            var diagnosis = DecodingDiagnosis(kind: .invalidValue, pointer: "/1", expected: "2")
            (diagnosis.byteOffset, diagnosis.line, diagnosis.column) = (3, 1, 4)
            diagnosis.further = [diagnosis]
            throw diagnosis
        }
        let error = await #expect(throws: JSONLineError.self) { _ = try await Self.all(lines) }
        #expect(error?.line == 3)
        #expect(error?.byteOffset == 3)
        let diagnosis = try #require(error?.underlyingError as? DecodingDiagnosis)
        #expect(diagnosis.line == 3)
        #expect(diagnosis.column == 4)
        #expect(diagnosis.byteOffset == 6)
        #expect(diagnosis.further.map(\.byteOffset) == [6])
    }

    @Test func ourOwnDecoderReportsThePositionInTheStream() async throws {
        let lines = Self.pieces("[1]\n\n[2,", "\"hunter2\"]\n[3]").jsonLines(of: [Int].self)
        let error = await #expect(throws: JSONLineError.self) { _ = try await Self.all(lines) }
        let diagnosis = try #require(error?.underlyingError as? DecodingDiagnosis)
        #expect(diagnosis.pointer == "/1")
        #expect(diagnosis.line == 3)
        #expect(diagnosis.byteOffset == 8)
        #expect(error?.description.contains("hunter2") == false)
    }

    @Test func aLineThatIsCutOffEndsWhereTheStreamDoes() async throws {
        for lines in [
            Self.pieces("[1]\n\n[2,", "3").jsonLines(of: [Int].self),
            JSONLines(Self.pieces("[1]\n\n[2,3")) { try JSONDecoder().decode([Int].self, from: $0) },
        ] {
            let error = await #expect(throws: JSONLineError.self) { _ = try await Self.all(lines) }
            #expect(
                error?.description
                    == "line 3 can't be decoded: at /1: expected the rest of the JSON document, found the end of the "
                    + "data, truncated at byte 9 (line 3, column 5, byte 9), in `[9,9` (values masked)"
            )
        }
    }

    @Test func driftIsReportedWithItsPositionInTheStream() async throws {
        let (drifts, continuation) = AsyncStream.makeStream(of: String.self)
        var decoder = HikyakuJSONDecoder()
        decoder.onDrift = { drift in
            let place = [drift.byteOffset, drift.diagnosis?.line, drift.diagnosis?.byteOffset].map { $0 ?? -1 }
            continuation.yield("\(drift.kind.rawValue) \(drift.pointer) \(place)")
        }
        let pieces = Self.pieces("[1]\n\n[2,", "\"x\"]\n", "[null]")
        let decoded = pieces.jsonLines(of: LossyArray<Int>.self, decoder: decoder)
        #expect(try await Self.all(decoded).map(\.count) == [1, 1, 0])
        let read = pieces.jsonLines(reading: LossyArray<Int>.self, decoder: decoder)
        #expect(try await Self.all(read).map(\.count) == [1, 1, 0])
        continuation.finish()
        let expected = ["lossyElement /1 [8, 3, 8]", "lossyElement /0 [14, 4, 14]"]
        #expect(await drifts.reduce(into: []) { $0.append($1) } == expected + expected)
    }
}
