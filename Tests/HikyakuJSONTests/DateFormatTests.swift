import Foundation
import HikyakuJSON
import Testing

/// Dates as services send them that leave something out of ISO 8601.
struct DateFormatTests {
    private func date(_ text: String, _ strategy: HikyakuJSONDecoder.DateDecodingStrategy) throws -> Date {
        var decoder = HikyakuJSONDecoder()
        decoder.dateDecodingStrategy = strategy
        return try decoder.decode([Date].self, from: Data("[\"\(text)\"]".utf8))[0]
    }

    private static func date(_ text: String) -> Date? { try? Date(text, strategy: .iso8601) }

    /// As Java writes it, if the seconds are zero.
    @Test(arguments: [
        ("2026-11-21T09:30Z", "2026-11-21T09:30:00Z"), ("2026-11-21 09:30+09:00", "2026-11-21T00:30:00Z"),
    ])
    func aTimeMayHaveNoSeconds(_ text: String, _ expected: String) throws {
        #expect(try date(text, .iso8601) == Self.date(expected))
        for other in ["2026-11-21T09:30.5Z", "2026-11-21T09:30", "2026-11-21T09:30:Z", "2026-11-21T09Z"] {
            #expect(throws: (any Error).self) { try date(other, .iso8601) }
        }
    }

    @Test(arguments: [
        ("2026-11-21T09:30:00", "2026-11-21T09:30:00Z"), ("2026-11-21 09:30:00", "2026-11-21T09:30:00Z"),
        ("2026-11-21T09:30:00.000", "2026-11-21T09:30:00Z"), ("2026-11-21T09:30:00+09:00", "2026-11-21T00:30:00Z"),
        ("2026-11-21T09:30:00Z", "2026-11-21T09:30:00Z"),
    ])
    func withoutAnOffsetADateIsInUTC(_ text: String, _ expected: String) throws {
        #expect(try date(text, .iso8601OrUTC) == Self.date(expected))
        if !text.hasSuffix("Z"), !text.contains("+") {
            #expect(throws: (any Error).self) { try date(text, .iso8601) }
        }
    }

    @Test(arguments: [
        ("yyyy-MM-dd", "2026-11-21", "2026-11-21T00:00:00Z"),
        ("yyyy-MM-dd HH:mm:ss", "2026-11-21 09:30:05", "2026-11-21T09:30:05Z"),
        ("dd.MM.yyyy", "21.11.2026", "2026-11-21T00:00:00Z"), ("d/M/yyyy", "1/2/2026", "2026-02-01T00:00:00Z"),
        ("d MMM yyyy", "21 Nov 2026", "2026-11-21T00:00:00Z"), ("dd/MM/yy", "01/05/24", "2024-05-01T00:00:00Z"),
        ("yyMMdd", "991231", "1999-12-31T00:00:00Z"), ("uuuu-MM-dd", "2026-11-21", "2026-11-21T00:00:00Z"),
        ("yyyyMMdd'T'HHmmssZ", "20261121T093005Z", "2026-11-21T09:30:05Z"),
        ("EEE, dd MMM yyyy HH:mm:ss Z", "Sat, 21 Nov 2026 09:30:05 +0900", "2026-11-21T00:30:05Z"),
        ("yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2026-11-21T09:30:05.000-02:30", "2026-11-21T12:00:05Z"),
        ("yyyy-MM-dd HH:mm", "2026-11-21 09:30", "2026-11-21T09:30:00Z"),
    ])
    func aFormatReadsItsTexts(_ pattern: String, _ text: String, _ expected: String) throws {
        #expect(try date(text, .format(pattern)) == Self.date(expected))
    }

    @Test(arguments: [
        ("yyyy-MM-dd", "2026-02-30"), ("yyyy-MM-dd", "2026-11-21T00:00:00Z"), ("yyyy-MM-dd", ""),
        ("yyyy-MM-dd", "26-11-21"),
        ("HH:mm", "25:00"), ("yyyy-QQ", "2026-04"), ("", "x"), ("dd MMM", "21 Foo"), ("yyyy", "99999"),
        ("MMMM", "November"), ("SSS", "abc"), ("Z", "+9"), ("yyyyyyyyyyyyyyyyyyyyyyyy", "999999999999999999999999"),
    ])
    func anotherTextIsRefused(_ pattern: String, _ text: String) {
        #expect(throws: (any Error).self) { try date(text, .format(pattern)) }
    }

    @Test func aZoneIsThatOfTheFormat() throws {
        let strategy = HikyakuJSONDecoder.DateDecodingStrategy.format("yyyy-MM-dd HH:mm", secondsFromUTC: 32_400)
        #expect(try date("2026-11-21 09:30", strategy) == Self.date("2026-11-21T00:30:00Z"))
        // A zone that can't be doesn't trap.
        for seconds in [Int.min, Int.max] {
            #expect(throws: Never.self) { try date("2026", .format("yyyy", secondsFromUTC: seconds)) }
        }
    }

    @Test func formatsAreTriedInOrder() throws {
        let strategy = HikyakuJSONDecoder.DateDecodingStrategy.iso8601.or(.format("yyyy-MM-dd")).or(
            .format("dd.MM.yyyy")
        )
        for text in ["2026-11-21T00:00:00Z", "2026-11-21", "21.11.2026"] {
            #expect(try date(text, strategy) == Self.date("2026-11-21T00:00:00Z"))
        }
        let error = #expect(throws: DecodingDiagnosis.self) { try date("soon", strategy) }
        #expect(error?.expected == "a date in ISO 8601 with an offset, or as yyyy-MM-dd, or as dd.MM.yyyy")
        // What isn't a text changes nothing.
        #expect(throws: (any Error).self) { try date("1", .iso8601.or(.secondsSince1970)) }
    }

    @Test func aTypesOwnWordsAreKept() throws {
        struct Even: Decodable {
            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                let value = try container.decode(String.self)
                throw DecodingError.dataCorruptedError(
                    in: container,
                    debugDescription: "an even order needs a partner, not \(value) of ada 42",
                )
            }
        }
        let error = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode([Even].self, from: Data(#"["hunter"]"#.utf8))
        }
        #expect(error?.message == "an even order needs a partner, not … of ada …")
        #expect(error?.description.contains("; the error says: an even order") == true)
    }
}
