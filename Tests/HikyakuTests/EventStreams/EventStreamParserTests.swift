import Foundation
import Hikyaku
import TestSupport
import Testing

/// The rules of the HTML standard, section 9.2.6.
@Suite struct EventStreamParserTests {
    struct Example: Sendable, CustomTestStringConvertible {
        let name: String
        let stream: Data
        let events: [ServerSentEvent]

        init(_ name: String, _ stream: String, _ events: ServerSentEvent...) {
            (self.name, self.stream, self.events) = (name, Data(stream.utf8), events)
        }

        init(_ name: String, bytes: [UInt8], _ events: ServerSentEvent...) {
            (self.name, stream, self.events) = (name, Data(bytes), events)
        }

        var testDescription: String { name }
    }

    static let examples = [
        Example("one line", "data: a\n\n", ServerSentEvent(data: "a")),
        Example("without a space", "data:a\n\n", ServerSentEvent(data: "a")),
        Example("one of two spaces", "data:  a\n\n", ServerSentEvent(data: " a")),
        Example("a tab stays", "data:\ta\n\n", ServerSentEvent(data: "\ta")),
        Example("several lines", "data: a\ndata\ndata: b\n\n", ServerSentEvent(data: "a\n\nb")),
        Example("no data, and no colon", "data\n\n", ServerSentEvent(data: "")),
        Example("two empty lines of data", "data\ndata\n\n", ServerSentEvent(data: "\n")),
        Example("an empty value", "data:\n\n", ServerSentEvent(data: "")),
        Example("an event without data", "event: a\n\ndata: b\n\n", ServerSentEvent(data: "b")),
        Example(
            "a name, and none after it",
            "event: a\ndata: 1\n\ndata: 2\n\n",
            ServerSentEvent(name: "a", data: "1"),
            ServerSentEvent(data: "2"),
        ),
        Example("the last name", "event: a\nevent: b\ndata: 1\n\n", ServerSentEvent(name: "b", data: "1")),
        Example("an empty name", "event:\ndata: 1\n\n", ServerSentEvent(data: "1")),
        Example(
            "an id stays",
            "id: 1\ndata: a\n\ndata: b\n\nid\ndata: c\n\n",
            ServerSentEvent(data: "a", id: "1"),
            ServerSentEvent(data: "b", id: "1"),
            ServerSentEvent(data: "c", id: ""),
        ),
        Example("an id without data", "id: 7\n\ndata: a\n\n", ServerSentEvent(data: "a", id: "7")),
        Example("an id with NUL", "id: 1\nid: 2\u{0}3\ndata: a\n\n", ServerSentEvent(data: "a", id: "1")),
        Example("a comment", ": data: x\n:\ndata: a\n\n", ServerSentEvent(data: "a")),
        Example("unknown fields", "dat: x\ndatax: y\nDATA: z\n data: w\ndata: a\n\n", ServerSentEvent(data: "a")),
        Example("a colon in a value", "data: a: b\n\n", ServerSentEvent(data: "a: b")),
        Example("CR", "data: a\rdata: b\r\rdata: c\r\r", ServerSentEvent(data: "a\nb"), ServerSentEvent(data: "c")),
        Example("CR LF", "data: a\r\ndata: b\r\n\r\n", ServerSentEvent(data: "a\nb")),
        Example("mixed", "data: a\r\r\ndata: b\n\r", ServerSentEvent(data: "a"), ServerSentEvent(data: "b")),
        Example("LF CR are two", "data: a\n\rdata: b\n\n", ServerSentEvent(data: "a"), ServerSentEvent(data: "b")),
        Example("an event that is not complete", "data: a\n\ndata: b\n", ServerSentEvent(data: "a")),
        Example("a byte order mark", "\u{FEFF}data: a\n\n", ServerSentEvent(data: "a")),
        Example("two of them", "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n", ServerSentEvent(data: "b")),
        Example("one later", "data: a\n\n\u{FEFF}data: b\n\n", ServerSentEvent(data: "a")),
        Example("one in a value", "data: \u{FEFF}\n\n", ServerSentEvent(data: "\u{FEFF}")),
        Example("retry", "retry: 1500\ndata: a\n\n", ServerSentEvent(data: "a", retry: .milliseconds(1500))),
        Example("retry that is not a number", "retry: 1.5\nretry: -1\nretry\ndata: a\n\n", ServerSentEvent(data: "a")),
        Example("other digits", "retry: \u{0664}\ndata: a\n\n", ServerSentEvent(data: "a")),
        Example("beyond ASCII", "data: 駅🚉é\n\n", ServerSentEvent(data: "駅🚉é")),
        Example(
            "invalid UTF-8",
            bytes: Array("data: a".utf8) + [0xFF, 0xE9, 0xA7] + Array("b\n\n".utf8),
            ServerSentEvent(data: "a\u{FFFD}\u{FFFD}b"),
        ),
        Example(
            "overlong UTF-8 and a surrogate",
            bytes: Array("data: ".utf8) + [0xF0, 0x80, 0x80, 0xED, 0xA0, 0x80] + Array("\n\n".utf8),
            ServerSentEvent(data: String(repeating: "\u{FFFD}", count: 6)),
        ),
        Example("nothing", ""),
        Example("empty lines", "\n\r\n\r\n\n"),
    ]

    @Test(arguments: examples)
    func theStandardsRulesHold(_ example: Example) throws {
        #expect(try Self.events(in: [example.stream]) == example.events)
    }

    /// At every two places, which includes each byte for itself in the shorter ones.
    @Test(arguments: examples)
    func everySplitGivesTheSameEvents(_ example: Example) throws {
        let bytes = example.stream
        for first in 0...bytes.count {
            for second in first...bytes.count {
                let pieces = [bytes[..<first], bytes[first..<second], bytes[second...]]
                #expect(try Self.events(in: pieces) == example.events, "split at \(first) and \(second)")
            }
        }
        #expect(try Self.events(in: bytes.map { Data([$0]) }) == example.events)
    }

    @Test func randomStreamsGiveTheSameEventsInPieces() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        let words = [
            "data: x", "data:", "data", ":", "event: e", "id: 4", "id", "retry: 9", "\n", "\r", "\r\n", "\n\n",
            "\u{FEFF}",
            "駅", " ", "\u{0}",
        ]
        for _ in 0..<Effort.rounds(2000) {
            let text = (0..<Int.random(in: 0...30, using: &random)).map { _ in words.randomElement(using: &random) ?? ""
            }
            let stream = Data(text.joined().utf8)
            var pieces: [Data] = []
            var rest = stream
            while !rest.isEmpty {
                let size = Int.random(in: 0...5, using: &random)
                pieces.append(rest.prefix(size))
                rest = rest.dropFirst(size)
            }
            let whole = try Self.events(in: [stream])
            #expect(try Self.events(in: pieces) == whole, "seed \(seed)")
            #expect(try Self.events(in: pieces, isDrained: false) == whole, "seed \(seed)")
            #expect(Self.modelled(text.joined()) == whole, "seed \(seed), \(text)")
        }
    }

    @Test func theLastIDIsKnownOfEventsWithoutData() throws {
        var parser = EventStreamParser(lastEventID: "0")
        #expect(parser.lastEventID == "0")
        parser.feed(Data("data: a\n\nid: 1\n\nid: 2\n".utf8))
        #expect(try parser.next()?.id == "0")
        #expect(try parser.next() == nil)
        // The event with the second id is not complete.
        #expect(parser.lastEventID == "1")
    }

    @Test func theTimeToReconnectIsBounded() throws {
        var parser = EventStreamParser()
        parser.feed(Data("retry: 250\n".utf8))
        #expect(try parser.next() == nil)
        #expect(parser.retry == .milliseconds(250))
        parser.feed(Data("retry: \(String(repeating: "9", count: 400))\n".utf8))
        #expect(try parser.next() == nil)
        #expect(parser.retry == .seconds(100 * 365 * 86_400))
    }

    struct Bound: Sendable {
        let fits: String
        let exceeds: String
    }

    @Test(arguments: [
        Bound(fits: ": 3456789\n", exceeds: ": 34567890"),
        Bound(fits: "data: 678\n\n", exceeds: "data: 6789"),
        Bound(fits: "data: 12345\n\n", exceeds: "data: 123\ndata:34\n"),
        Bound(fits: "id: 1234\n", exceeds: "id: 12345\n"),
    ])
    func limitsAreErrors(_ bound: Bound) throws {
        let start = bound.exceeds.hasPrefix("data: 12") ? 5 : 100
        for isSplit in [false, true] {
            var parser = EventStreamParser(
                lineBytesMax: start == 5 ? 100 : 9 + (bound.fits.hasPrefix("id") ? 9 : 0),
                eventBytesMax: start,
                idBytesMax: 4,
            )
            func read(_ text: String) throws {
                for piece in isSplit ? text.utf8.map({ Data([$0]) }) : [Data(text.utf8)] {
                    parser.feed(piece)
                    while try parser.next() != nil {}
                }
            }
            try read(bound.fits)
            for _ in 0..<2 {
                let error = try #require(throws: TransportError.self) {
                    try read(bound.exceeds)
                    _ = try parser.next()
                }
                #expect(error.reason == .eventTooLarge)
            }
        }
    }

    @Test func anEventPrintsNoData() {
        let event = ServerSentEvent(name: "login", data: "hunter2")
        #expect("\(event)" == "login, 7 bytes")
        var dumped = ""
        dump(event, to: &dumped)
        #expect(!dumped.contains("hunter2"))
    }

    private static func events(in pieces: [Data], isDrained: Bool = true) throws -> [ServerSentEvent] {
        var parser = EventStreamParser()
        var events: [ServerSentEvent] = []
        for piece in pieces {
            parser.feed(piece)
            guard isDrained else { continue }
            while let event = try parser.next() { events.append(event) }
        }
        while let event = try parser.next() { events.append(event) }
        return events
    }

    /// The rules once more, for a whole text in valid UTF-8.
    private static func modelled(_ text: String) -> [ServerSentEvent] {
        var scalars = Array(text.unicodeScalars)
        if scalars.first == "\u{FEFF}" { scalars.removeFirst() }
        var lines: [[Unicode.Scalar]] = [[]]
        for (index, scalar) in scalars.enumerated() {
            if scalar == "\n", index > 0, scalars[index - 1] == "\r" { continue }
            if scalar == "\n" || scalar == "\r" { lines.append([]) } else { lines[lines.count - 1].append(scalar) }
        }
        lines.removeLast()
        var events: [ServerSentEvent] = []
        var (data, name, id, retry): (String?, String, String, Duration?) = (nil, "", "", nil)
        for line in lines {
            if line.isEmpty {
                if let data {
                    events.append(
                        ServerSentEvent(name: name.isEmpty ? "message" : name, data: data, id: id, retry: retry)
                    )
                }
                (data, name, retry) = (nil, "", nil)
                continue
            }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? Array(parts[1]) : []
            if value.first == " " { value.removeFirst() }
            let text = value.reduce(into: "") { $0.unicodeScalars.append($1) }
            switch parts[0].reduce(into: "", { $0.unicodeScalars.append($1) }) {
            case "data": data = data.map { $0 + "\n" + text } ?? text
            case "event": name = text
            case "id" where !value.contains("\u{0}"): id = text
            case "retry":
                if let number = Int64(text), number >= 0, !text.hasPrefix("+") { retry = .milliseconds(number) }
            default: break
            }
        }
        return events
    }
}
