import Foundation
import HikyakuJSON
import Testing

/// Where this decoder differs from Foundation's on purpose, since that one is wrong, or loses something.
///
/// All else is the same, which ``DecodingDifferentialTests``, ``DecodingErrorTests`` and others look at.
@Suite struct DecodingDifferenceTests {
    /// A document, and what comes of it.
    struct Difference: Sendable, CustomTestStringConvertible {
        let document: Data
        let ours: String
        let foundations: String

        init(_ document: String, _ ours: String, _ foundations: String) {
            self.init(Data(document.utf8), ours, foundations)
        }

        init(_ document: Data, _ ours: String, _ foundations: String) {
            (self.document, self.ours, self.foundations) = (document, ours, foundations)
        }

        var testDescription: String {
            String(decoding: document, as: UTF8.self).unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        }
    }

    func expect<Value: Decodable>(
        _ type: Value.Type,
        _ difference: Difference,
        sourceLocation: SourceLocation = #_sourceLocation,
        ours set: (inout HikyakuJSONDecoder) -> Void = { _ in },
        foundation setFoundation: (JSONDecoder) -> Void = { _ in },
    ) {
        var ours = HikyakuJSONDecoder()
        set(&ours)
        let foundation = JSONDecoder()
        setFoundation(foundation)
        let document = difference.document
        #expect("\(ours.outcome(type, document))" == difference.ours, sourceLocation: sourceLocation)
        #expect("\(foundation.outcome(type, document))" == difference.foundations, sourceLocation: sourceLocation)
    }
}

// MARK: - Numbers

extension DecodingDifferenceTests {
    private static let corrupted = "dataCorrupted at /"

    @Test(arguments: [
        Difference("1e-400", "0.0", corrupted),
        Difference("-1e-400", "-0.0", corrupted),
        Difference("2.4703282292062327e-324", "0.0", corrupted),
        Difference("1e-999999999999999999999", "0.0", corrupted),
    ])
    func aNumberNextToZeroIsRoundedToIt(_ difference: Difference) {
        expect(Double.self, difference)
        expect(Float.self, difference)
    }

    /// Foundation takes digits of the exponent for some of the number.
    @Test(arguments: [Difference("0e5", "0.0", corrupted), Difference("-0.0E-1", "-0.0", corrupted)])
    func aZeroMayHaveAnExponent(_ difference: Difference) {
        expect(Double.self, difference)
        expect(Float.self, difference)
    }

    @Test func aNumberNextToZeroIsRoundedToItByFloatSooner() {
        expect(Float.self, Difference("1e-50", "0.0", Self.corrupted))
        #expect(JSONDecoder().outcome(Double.self, "1e-50") == .value(1e-50))
    }

    @Test(arguments: [
        Difference("9223372036854775807.0", "9223372036854775807", corrupted),
        Difference("922337203685477580.7e1", "9223372036854775807", corrupted),
        Difference("9223372036854775807000e-3", "9223372036854775807", corrupted),
    ])
    func anIntegerHasAllItsDigitsHoweverItIsWritten(_ difference: Difference) {
        expect(Int.self, difference)
    }

    @Test func soHasANaturalNumber() {
        expect(UInt64.self, Difference("18446744073709551615.0", "18446744073709551615", Self.corrupted))
        expect(UInt64.self, Difference("1844674407370955161.5e1", "18446744073709551615", Self.corrupted))
    }

    @Test(arguments: [
        Difference("1.0000000000000000001", corrupted, "1"),
        Difference("0.9999999999999999999999", corrupted, "1"),
        Difference("1e-400", corrupted, "0"),
        Difference("4503599627370497.0625", corrupted, "4503599627370497"),
    ])
    func aNumberWithAFractionIsNotAnInteger(_ difference: Difference) {
        expect(Int.self, difference)
    }

    @Test(arguments: [
        Difference("340282366920938463463374607431768211456", corrupted, "340282366920938463463374607431768211450"),
        Difference(
            "0.1234567890123456789012345678901234567891",
            corrupted,
            "0.123456789012345678901234567890123456789",
        ),
        Difference(
            "123456789012345678901234567890123456789012345",
            corrupted,
            "123456789012345678901234567890123456789000000",
        ),
    ])
    func aDecimalLosesNoDigits(_ difference: Difference) {
        expect(Decimal.self, difference)
    }
}

// MARK: - Objects

extension DecodingDifferenceTests {
    @Test(arguments: [
        Difference(#"{"a":1,"a":2}"#, #"["a": 2]"#, #"["a": 1]"#),
        Difference(#"{"a":1,"\u0061":2}"#, #"["a": 2]"#, #"["a": 1]"#),
        // One key for a dictionary, which has room for one value only.
        Difference("{\"\u{E9}\":1,\"e\u{301}\":2}", "[\"\u{E9}\": 2]", "[\"\u{E9}\": 1]"),
    ])
    func ofEqualKeysTheLastWins(_ difference: Difference) {
        expect([String: Int].self, difference)
    }

    @Test(arguments: [
        Difference(#"{"aB":1,"a_b":2}"#, #"["aB": 2]"#, #"["aB": 1]"#),
        Difference(#"{"a_b":1,"aB":2}"#, #"["aB": 2]"#, #"["aB": 1]"#),
    ])
    func ofKeysThatBecomeEqualTheLastWins(_ difference: Difference) {
        struct Members: Decodable, CustomStringConvertible {
            let aB: Int
            var description: String { "\(["aB": aB])" }
        }
        expect(Members.self, difference) {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        } foundation: {
            $0.keyDecodingStrategy = .convertFromSnakeCase
        }
    }

    /// RFC 8259, section 8.3: names are compared by their characters, which Unicode's equivalence isn't.
    @Test func aKeyIsFoundByItsBytes() {
        struct Member: Decodable, CustomStringConvertible {
            enum CodingKeys: String, CodingKey { case name = "\u{E9}" }
            let name: Int
            var description: String { "\(name)" }
        }
        expect(Member.self, Difference("{\"e\u{301}\":1}", "keyNotFound(\u{E9}) at /", "1"))
        expect(Member.self, Difference("{\"\u{E9}\":1,\"e\u{301}\":2}", "1", "1"))
        expect(Member.self, Difference("{\"e\u{301}\":1,\"\u{E9}\":2}", "2", "1"))
    }

    @Test func keysAreGivenInTheOrderOfTheDocument() throws {
        struct Keys: Decodable {
            let keys: [String]
            init(from decoder: any Decoder) throws {
                keys = try decoder.container(keyedBy: TextKey.self).allKeys.map(\.stringValue)
            }
        }
        let names = (0..<100).map { "key \($0)" }
        let document = Data(("{" + names.map { "\"\($0)\":0" }.joined(separator: ",") + "}").utf8)
        #expect(try HikyakuJSONDecoder().decode(Keys.self, from: document).keys == names)
        let foundations = try JSONDecoder().decode(Keys.self, from: document).keys
        #expect(foundations != names && foundations.sorted() == names.sorted())
    }
}

// MARK: - Bytes

extension DecodingDifferenceTests {
    @Test(arguments: [
        Difference("[1,]", corrupted, "[1]"),
        Difference("[1 , ]", corrupted, "[1]"),
        Difference("\u{FEFF}[1]", corrupted, "[1]"),
        Difference(Data([0x5B, 0, 0x31, 0, 0x5D, 0]), corrupted, "[1]"),
        Difference(Data([0xFE, 0xFF, 0, 0x5B, 0, 0x31, 0, 0x5D]), corrupted, "[1]"),
        Difference(Data([0, 0, 0, 0x5B, 0, 0, 0, 0x31, 0, 0, 0, 0x5D]), corrupted, "[1]"),
    ])
    func invalidJSONInUTF8IsRejected(_ difference: Difference) {
        expect([Int].self, difference)
    }

    @Test func anObjectEndsWithAMember() {
        expect([String: Int].self, Difference(#"{"a":1,}"#, Self.corrupted, #"["a": 1]"#))
    }

    /// Foundation validates texts and numbers when they are read, or never.
    @Test(arguments: [
        "01", "-01", "1.", "1.e1", "1e", "1e+", "-", "--1", "1-2", #""\x""#, #""\ud800""#, "\"\n\"", "\"\u{1}\"",
        "[1,]", #"{"x":1,}"#,
    ])
    func unreadValuesMustBeValidJSONToo(_ value: String) {
        struct Member: Decodable, CustomStringConvertible {
            let a: Int
            var description: String { "\(a)" }
        }
        expect(Member.self, Difference(#"{"b":\#(value),"a":1}"#, Self.corrupted, "1"))
    }

    @Test func unreadTextsMustBeValidUTF8Too() {
        let document = Data(#"[1,""#.utf8) + [0xFF] + Data(#""]"#.utf8)
        struct First: Decodable, CustomStringConvertible {
            let first: Int
            var description: String { "\(first)" }
            init(from decoder: any Decoder) throws {
                var array = try decoder.unkeyedContainer()
                first = try array.decode(Int.self)
            }
        }
        expect(First.self, Difference(document, Self.corrupted, "1"))
    }

    /// Types that try one kind after another take Foundation's error for that of another kind.
    @Test(arguments: [#"["\x"]"#, #"["\ud800"]"#, "[\"\t\"]"])
    func aBrokenTextIsNoneOfAnotherKind(_ document: String) {
        expect([JSONAny].self, Difference(document, Self.corrupted, "typeMismatch(Double) at /Index 0"))
    }
}

// MARK: - Dates and data

extension DecodingDifferenceTests {
    private static let start = "2026-01-01 00:00:00 +0000"

    @Test(arguments: [
        Difference("2026-02-30T00:00:00Z", corrupted, "2026-03-02 00:00:00 +0000"),
        Difference("2025-02-29T00:00:00Z", corrupted, "2025-03-01 00:00:00 +0000"),
        Difference("2025-12-31T24:00:00Z", corrupted, start),
        Difference("2025-12-31T23:60:00Z", corrupted, start),
        Difference("2025-12-31T23:59:61Z", corrupted, "2026-01-01 00:00:01 +0000"),
        Difference("2026-01-01T00:00:00Z and more", corrupted, start),
        Difference("2026-1-1T0:0:0Z", corrupted, start),
        // The second that a leap adds is still of its day.
        Difference("2016-12-31T23:59:60Z", "2016-12-31 23:59:59 +0000", "2017-01-01 00:00:00 +0000"),
        Difference("2026-01-01t00:00:00z", start, corrupted),
        Difference("2026-01-01 00:00:00Z", start, corrupted),
        // The format has no other calendar than the Gregorian one.
        Difference("1000-01-01T00:00:00Z", "1000-01-01 00:00:00 +0000", "1000-01-06 00:00:00 +0000"),
    ])
    func aDateIsOneOfTheCalendarAndNothingElse(_ difference: Difference) {
        let quoted = Difference(#""\#(difference.testDescription)""#, difference.ours, difference.foundations)
        expect(Date.self, quoted) { _ in
        } foundation: {
            $0.dateDecodingStrategy = .iso8601
        }
    }

    @Test(arguments: [
        Difference(#"{"a":"Zh=="}"#, "dataCorrupted at /a", #"["a": 1 bytes]"#),
        Difference(#"{"a":"===="}"#, "dataCorrupted at /a", #"["a": 1 bytes]"#),
        Difference(#"{"a":"Zm9v="}"#, "dataCorrupted at /a", #"["a": 3 bytes]"#),
    ])
    func base64HasOneTextForEachData(_ difference: Difference) {
        expect([String: Data].self, difference)
    }
}

// MARK: - Errors

extension DecodingDifferenceTests {
    @Test func anErrorOfADateHasItsPath() {
        let difference = Difference(#"[{"a":"then"}]"#, "dataCorrupted at /Index 0/a", "dataCorrupted at /Index 0")
        expect([[String: Date]].self, difference) { _ in
        } foundation: {
            $0.dateDecodingStrategy = .iso8601
        }
    }

    @Test func anErrorOfAByteHasItsPath() {
        expect([Data].self, Difference("[[1,256]]", "dataCorrupted at /Index 0/Index 1", Self.corrupted)) {
            $0.dataDecodingStrategy = .deferredToData
        } foundation: {
            $0.dataDecodingStrategy = .deferredToData
        }
    }

    /// So that a diagnosis can say that a number was expected.
    @Test func whereADateIsANumberTheNumberIsMissing() {
        let difference = Difference("[null]", "valueNotFound(Double) at /Index 0", "valueNotFound(Date) at /Index 0")
        expect([Date].self, difference) {
            $0.dateDecodingStrategy = .secondsSince1970
        } foundation: {
            $0.dateDecodingStrategy = .secondsSince1970
        }
    }

    /// Foundation reads the text that the value is made from.
    @Test func whereAValueIsATextTheValueIsMissing() {
        expect(
            [UUID].self,
            Difference("[null]", "valueNotFound(UUID) at /Index 0", "valueNotFound(String) at /Index 0"),
        )
    }
}
