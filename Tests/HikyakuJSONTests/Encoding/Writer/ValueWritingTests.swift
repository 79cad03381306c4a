import Foundation
import HikyakuJSON
import TestSupport
import Testing

@Suite struct ValueWritingTests {
    private static func date(_ seconds: Double) -> Date {
        Date(timeIntervalSince1970: seconds)
    }

    @Test(arguments: [
        (0, "1970-01-01T00:00:00Z"), (-62_135_596_800, "0001-01-01T00:00:00Z"),
        (-0.5, "1969-12-31T23:59:59.500Z"), (1_709_208_000.25, "2024-02-29T12:00:00.250Z"),
        (1_709_251_199, "2024-02-29T23:59:59Z"), (1_709_251_200, "2024-03-01T00:00:00Z"),
        (951_782_400, "2000-02-29T00:00:00Z"), (-2_203_891_200, "1900-03-01T00:00:00Z"),
        (-2_203_891_201, "1900-02-28T23:59:59Z"), (253_402_300_799, "9999-12-31T23:59:59Z"),
        (253_402_300_799.999, "9999-12-31T23:59:59.999Z"), (253_402_300_799.9999, "9999-12-31T23:59:59.999Z"),
        (1_763_717_400.001, "2025-11-21T09:30:00.001Z"), (1_763_717_400.0004, "2025-11-21T09:30:00Z"),
        (1_763_717_400.9996, "2025-11-21T09:30:00.999Z"), (-62_135_596_799.999, "0001-01-01T00:00:00.001Z"),
        (-62_135_769_600, "0000-12-30T00:00:00Z"), (-62_162_035_200, "0000-03-01T00:00:00Z"),
        (-62_162_035_201, "0000-02-29T23:59:59Z"), (-62_167_219_200, "0000-01-01T00:00:00Z"),
    ])
    func datesAreWrittenInUTC(seconds: Double, text: String) throws {
        #expect(try written(Self.date(seconds)) == "\"\(text)\"")
    }

    @Test(arguments: [Double.nan, .infinity, -.infinity, 253_402_300_800, -62_167_219_200.5, 1e300, -1e300])
    func datesThatTheFormatCannotHoldAreErrors(seconds: Double) throws {
        let dates = [Self.date(0), Self.date(seconds)]
        let error = #expect(throws: EncodingError.self) { try written(["a": dates]) }
        #expect(path(of: try #require(error)) == "a.1")
    }

    @Test func everyDayOfFourCenturiesHasItsDate() throws {
        let style = Date.ISO8601FormatStyle()
        for day in 0..<146_097 {
            let date = Self.date(Double(day) * 86_400 + 43_201)
            let text = try written(date)
            if text != "\"\(date.formatted(style))\"" {
                Issue.record("day \(day): \(text)")
                return
            }
        }
    }

    @Test func millisecondsAreWrittenAsTheyWereGiven() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(20_000) {
            let milliseconds = Int64.random(in: -62_167_219_200_000..<253_402_300_800_000, using: &random)
            let seconds = milliseconds >= 0 ? milliseconds / 1000 : (milliseconds - 999) / 1000
            let rest = milliseconds - seconds * 1000
            let fraction = rest == 0 ? "" : "." + String(1000 + rest).dropFirst()
            let text = try written(Self.date(Double(milliseconds) / 1000))
            #expect(text.hasSuffix(fraction + "Z\""), "seed \(seed), \(milliseconds)")
            #expect(text.count == 22 + fraction.count, "seed \(seed), \(milliseconds)")
        }
    }

    @Test(arguments: [
        (0.25, "1970-01-01T00:00:00Z"), (-0.25, "1969-12-31T23:59:59Z"), (1, "1970-01-01T00:00:01Z"),
        (1_763_717_400.9996, "2025-11-21T09:30:00Z"), (253_402_300_799.999, "9999-12-31T23:59:59Z"),
    ])
    func secondsAreWholeByChoice(seconds: Double, text: String) throws {
        let date = Self.date(seconds)
        #expect(try written([date]) { $0.dateEncodingStrategy = .iso8601WholeSeconds } == "[\"\(text)\"]")
        #expect(try encoded([date]) { $0.dateEncodingStrategy = .iso8601WholeSeconds } == "[\"\(text)\"]")
        #expect(try foundation([date]) == "[\"\(text)\"]")
    }

    @Test func datesAreNumbersByOtherStrategies() throws {
        let date = Self.date(1_763_717_400.25)
        #expect(try written(date) { $0.dateEncodingStrategy = .secondsSince1970 } == "1763717400.25")
        #expect(try written(date) { $0.dateEncodingStrategy = .millisecondsSince1970 } == "1763717400250")
        #expect(try written(date) { $0.dateEncodingStrategy = .deferredToDate } == "785410200.25")
        #expect(throws: EncodingError.self) {
            try written(Self.date(.nan)) { $0.dateEncodingStrategy = .secondsSince1970 }
        }
    }

    @Test(arguments: [
        ([], "", ""), ([0], "AA==", "AA"), ([0, 1], "AAE=", "AAE"), ([251, 255, 191], "+/+/", "-_-_"),
        ([1, 2, 3, 4], "AQIDBA==", "AQIDBA"), ([255, 255, 255, 255, 255], "//////8=", "______8"),
    ])
    func dataIsWrittenInBothAlphabets(bytes: [UInt8], standard: String, url: String) throws {
        let data = Data(bytes)
        #expect(try written(data) == "\"\(standard)\"")
        #expect(try written(data) { $0.dataEncodingStrategy = .base64URL } == "\"\(url)\"")
        let numbers = "[" + bytes.map(String.init).joined(separator: ",") + "]"
        #expect(try written(data) { $0.dataEncodingStrategy = .deferredToData } == numbers)
    }

    @Test func base64IsThatOfFoundation() throws {
        for length in 0...200 {
            let data = Data((0..<length).map { UInt8(truncatingIfNeeded: $0 &* 151 &+ length) })
            #expect(try written(data) == "\"\(data.base64EncodedString())\"")
            let slice = (Data([9, 9]) + data).dropFirst(2)
            #expect(try written(slice) == "\"\(data.base64EncodedString())\"")
        }
    }

    @Test func identifiersAndAddressesAreTexts() throws {
        let uuid = try #require(UUID(uuidString: "01234567-89ab-cdef-0123-456789ABCDEF"))
        #expect(try written(uuid) == #""01234567-89AB-CDEF-0123-456789ABCDEF""#)
        let url = try #require(URL(string: "https://example.com/a?b=c#d"))
        #expect(try written(url) == #""https://example.com/a?b=c#d""#)
        let relative = try #require(URL(string: "e", relativeTo: URL(string: "https://example.com/d/")))
        #expect(try written(relative) == #""https://example.com/d/e""#)
    }

    @Test func collectionsAndOptionalsAreWritten() throws {
        #expect(try written([Int]()) == "[]")
        #expect(try written([[true], [], [false, true]]) == "[[true],[],[false,true]]")
        #expect(try written([Int?.none, 1]) == "[null,1]")
        #expect(try written(String?.none) == "null")
        #expect(try written(Int??.some(.none)) == "null")
        #expect(try written(Set([5])) == "[5]")
        #expect(try written([String: Int]()) == "{}")
        #expect(try written(["a\n": ["b": 1.5]]) == #"{"a\n":{"b":1.5}}"#)
        #expect(try written(["a": Int?.none]) == #"{"a":null}"#)
    }

    @Test func rawValuesNeedOnlyTheConformance() throws {
        #expect(try written([Suit.hearts, .spades]) == #"["hearts","spades"]"#)
    }

    private enum Suit: String, JSONWritable {
        case hearts, spades
    }
}
