import Foundation
import HikyakuJSON
import Testing

/// Where this encoder differs from Foundation's on purpose.
///
/// All else is the same, which ``EncodingDifferentialTests`` looks at.
@Suite struct FoundationDifferenceTests {
    @Test func slashesAreNotEscaped() throws {
        #expect(try encoded("a/b") == #""a/b""#)
        #expect(try foundation("a/b") { $0.outputFormatting = [] } == #""a\/b""#)
    }

    @Test func datesKeepTheirMilliseconds() throws {
        let date = Date(timeIntervalSince1970: 0.25)
        #expect(try encoded(date) == #""1970-01-01T00:00:00.250Z""#)
        #expect(try foundation(date) == #""1970-01-01T00:00:00Z""#)
    }

    @Test func datesBeforeTheGregorianCalendarAreCountedByIt() throws {
        // RFC 3339 has no other calendar.
        let date = Date(timeIntervalSince1970: -30_610_224_000)
        #expect(try encoded(date) == #""1000-01-01T00:00:00Z""#)
        #expect(try foundation(date) == #""0999-12-27T00:00:00Z""#)
    }

    @Test func theDistantPastIsInTheYear0() throws {
        #expect(try encoded(Date.distantPast) == #""0000-12-30T00:00:00Z""#)
        #expect(try foundation(Date.distantPast) == #""0001-01-01T00:00:00Z""#)
        let document = Data(#""0000-12-30T00:00:00Z""#.utf8)
        #expect(try HikyakuJSONDecoder().decode(Date.self, from: document) == .distantPast)
    }

    @Test func datesThatTheFormatCannotHoldAreErrors() throws {
        let date = Date(timeIntervalSince1970: 253_402_300_800)
        #expect(throws: EncodingError.self) { try encoded(date) }
        #expect(try foundation(date) == #""10000-01-01T00:00:00Z""#)
    }

    @Test func aDecimalThatIsNotANumberIsAnError() throws {
        #expect(throws: EncodingError.self) { try encoded(Decimal.nan) }
        #expect(try foundation(Decimal.nan) == "NaN")
    }

    @Test func keysOfDifferentBytesAreDifferentKeys() throws {
        // Both are one key by Unicode's rules, by which Swift compares texts; RFC 8259, section 8.3 has another.
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(1, forKey: "\u{E9}")
            try object.encode(2, forKey: "e\u{301}")
        }
        #expect(Array(try encoded(value).utf8) == Array("{\"\u{E9}\":1,\"e\u{301}\":2}".utf8))
        #expect(try JSONDecoder().decode([String: Int].self, from: Data(try foundation(value).utf8)).count == 1)
    }

    @Test func pendingSuperEncodersKeepTheirPositions() throws {
        let value = Encoded { encoder in
            var array = encoder.unkeyedContainer()
            var encoders = [array.superEncoder(), array.superEncoder()]
            try 1.encode(to: encoders[0])
            try 2.encode(to: encoders[1])
            encoders.removeFirst()
            try array.encode(3)
        }
        #expect(try encoded(value) == "[1,2,3]")
        // Foundation puts each in when it is released, at the place that was the array's end when it was made.
        #expect(try foundation(value) == "[2,1,3]")
    }

    @Test func aCodingPathHasAllItsKeys() throws {
        var path: [String] = []
        let value = Encoded { encoder in
            var array = encoder.unkeyedContainer()
            var inner = array.nestedUnkeyedContainer()
            try inner.encode(
                Encoded { encoder in
                    path = encoder.codingPath.map(\.stringValue)
                    try 1.encode(to: encoder)
                }
            )
        }
        _ = try encoded(["a": value])
        #expect(path == ["a", "Index 0", "Index 0"])
        _ = try foundation(["a": value])
        #expect(path == ["a", "Index 0"])
    }

    @Test func valuesAreNestedAsDeepAsTheDecoderReads() throws {
        struct Nest: Encodable {
            let depth: Int
            func encode(to encoder: any Encoder) throws {
                var container = encoder.unkeyedContainer()
                if depth > 1 { try container.encode(Nest(depth: depth - 1)) }
            }
        }
        #expect(try encoded(Nest(depth: 512)).count == 1024)
        #expect(throws: EncodingError.self) { try foundation(Nest(depth: 512)) }
    }
}
