import Foundation
import Testing

@testable import HikyakuJSON

/// Errors that carry their place, as our decoder throws them.
@Suite struct PlacedErrorTests {
    private static func diagnosis(
        _ body: String,
        _ error: DecodingError,
        revealing: Bool = false,
    ) -> DecodingDiagnosis {
        DecodingDiagnosis(error, body: Data(body.utf8), revealingValues: revealing)
    }

    /// Of each body the first value is meant, behind the bracket.
    private static let mismatches: [(String, any Any.Type, DecodingDiagnosis.Kind, masked: String, whole: String)] = [
        ("null", Int.self, .typeMismatch, "expected Int, found null", "expected Int, found null"),
        ("true", Int.self, .typeMismatch, "expected Int, found a boolean", "expected Int, found true"),
        (
            #""2026-01-15T10:30""#, Int.self, .typeMismatch,
            #"expected Int, found a string masked as "9999-99-99A99:99""#,
            #"expected Int, found the string "2026-01-15T10:30""#,
        ),
        (
            #""é\n飛 Ü\u0041😀""#, Int.self, .typeMismatch, #"expected Int, found a string masked as "a?a AA?""#,
            "expected Int, found the string \"é\u{FFFD}飛 ÜA😀\"",
        ),
        (
            "1.5", String.self, .typeMismatch, "expected String, found a number masked as 9.9",
            "expected String, found the number 1.5",
        ),
        ("{}", [Int].self, .typeMismatch, "expected an array, found an object", "expected an array, found an object"),
        (
            "[]", [String: Int].self, .typeMismatch, "expected an object, found an array",
            "expected an object, found an array",
        ),
        (
            "300", Int8.self, .outOfRange, "expected Int8, found a number that is out of range (-128...127)",
            "expected Int8, found the number 300, which is out of range (-128...127)",
        ),
        (
            "-1", UInt.self, .outOfRange,
            "expected UInt, found a number that is out of range (0...18446744073709551615)",
            "expected UInt, found the number -1, which is out of range (0...18446744073709551615)",
        ),
        (
            "1.5", Int.self, .typeMismatch, "expected Int, found a number that has a fraction",
            "expected Int, found the number 1.5, which has a fraction",
        ),
        (
            "1.50e1", Int.self, .typeMismatch, "expected Int, found a number that has an unsupported notation",
            "expected Int, found the number 1.50e1, which has an unsupported notation",
        ),
        (
            "1e400", Double.self, .outOfRange,
            "expected Double, found a number that is out of range (±1.7976931348623157e+308)",
            "expected Double, found the number 1e400, which is out of range (±1.7976931348623157e+308)",
        ),
    ]

    /// What the snippet shows of each.
    private static let shapes = [
        "null", "true", #""9999-99-99A99:99""#, #""a?a AA?""#, "9.9", "{}", "[]", "999", "-9", "9.9", "9.99e9",
        "9e999",
    ]

    @Test(arguments: mismatches.indices)
    func aValueIsShownByItsShapeOrWhole(_ index: Int) {
        let (value, type, kind, masked, whole) = Self.mismatches[index]
        let error = DecodingError.typeMismatch(type, .at(1))
        let diagnosis = Self.diagnosis("[\(value)]", error)
        let shape = Self.shapes[index]
        let mark = ["null", "true", "{}", "[]"].contains(shape) ? "" : " (values masked)"
        #expect(diagnosis.description == "at /0: \(masked) (line 1, column 2, byte 1), in `[\(shape)]`\(mark)")
        #expect(diagnosis.kind == kind)
        let revealed = Self.diagnosis("[\(value)]", error, revealing: true)
        #expect(revealed.description == "at /0: \(whole) (line 1, column 2, byte 1), in `[\(value)]`")
    }

    @Test(arguments: [
        ("127", false), ("128", true), ("-128", false), ("-129", true), ("1.28e2", true), ("12800e-2", true),
        ("0e999999999999999999999", false), ("1e999999999999999999999", true), ("0.0", false), ("-0", false),
        ("1" + String(repeating: "0", count: 500), true), ("1" + String(repeating: "0", count: 500) + "e-500", false),
    ])
    func theRangeIsComparedWithAnyNumber(_ number: String, _ isBeyond: Bool) {
        let diagnosis = Self.diagnosis(number, .typeMismatch(Int8.self, .at(0)))
        #expect((diagnosis.kind == .outOfRange) == isBeyond)
        #expect(diagnosis.found?.hasSuffix("a fraction") == false)
    }

    @Test func eachTypeOfNumberNamesItsRange() {
        var ranges: [(any Any.Type, String)] = [
            (Int8.self, "-128...127"), (Int16.self, "-32768...32767"), (Int32.self, "-2147483648...2147483647"),
            (Int64.self, "-9223372036854775808...9223372036854775807"), (UInt8.self, "0...255"),
            (UInt16.self, "0...65535"), (UInt32.self, "0...4294967295"), (UInt64.self, "0...18446744073709551615"),
            (Float.self, "±3.4028235e+38"), (Decimal.self, "38 digits, with exponents up to ±127"),
        ]
        if #available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *) {
            ranges += [
                (Int128.self, "\(Int128.min)...\(Int128.max)"), (UInt128.self, "\(UInt128.min)...\(UInt128.max)"),
            ]
        }
        let number = "1" + String(repeating: "0", count: 200)
        for (type, range) in ranges {
            let diagnosis = Self.diagnosis(number, .dataCorrupted(.at(0, .type(type))))
            #expect(diagnosis.found == "a number that is out of range (\(range))")
            #expect(diagnosis.kind == .outOfRange)
        }
    }

    @Test func expectationsUseTheTermsOfTheDecoder() {
        let error = DecodingError.dataCorrupted(.at(9, .words("a date in ISO 8601 with an offset"), "hunter2"))
        #expect(
            Self.diagnosis(#"{"since":"2026-02-30T10:00"}"#, error).description
                == #"at /since: expected a date in ISO 8601 with an offset, found a string masked as "9999-99-99A99:99" (line 1, column 10, byte "#
                + #"9), in `{"since":"9999-99-99A99:99"}` (values masked)"#
        )
    }

    @Test func aPlaceInsideOfATextIsTheText() {
        let error = DecodingError.typeMismatch(Int.self, .at(8))
        #expect(Self.diagnosis(#"{"a": "xyz"}"#, error).found == #"a string masked as "aaa""#)
    }

    @Test func aMissingKeyListsThoseThatAreThere() {
        let error = DecodingError.keyNotFound(PathKey.name("id"), .at(1))
        let keys = (1...12).map { #""k\#($0)":{"id":0}"# }.joined(separator: ",")
        #expect(
            Self.diagnosis("[{\(keys)}]", error).found
                == #"an object with the keys "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9", "k10", and 2 more"#
        )
        let long = String(repeating: "x", count: 41)
        #expect(
            Self.diagnosis(#"[{"\#(long)":1}]"#, error).found
                == #"an object with the key "\#(String(repeating: "a", count: 40))…""#
        )
    }

    @Test func aLongValueIsCut() {
        let long = String(repeating: "a", count: 100)
        let error = DecodingError.typeMismatch(Int.self, .at(0))
        #expect(Self.diagnosis("\"\(long)\"", error).found == #"a string masked as "\#(long.prefix(40))…""#)
        #expect(Self.diagnosis("\"\(long)\"", error, revealing: true).found == #"the string "\#(long.prefix(80))…""#)
        let digits = String(repeating: "9", count: 100)
        #expect(
            Self.diagnosis(digits, .typeMismatch(Bool.self, .at(0))).found == "a number masked as \(digits.prefix(40))…"
        )
    }

    @Test(arguments: [-1, 4, Int.max])
    func aPlaceThatIsNoneIsPassedOver(_ offset: Int) {
        let error = DecodingError.typeMismatch(Int.self, .at(offset))
        #expect(Self.diagnosis("null", error).description == "in the body as a whole: expected Int")
    }

    @Test func aPlaceInAByteOrderMarkIsPassedOver() {
        let error = DecodingError.keyNotFound(PathKey.name("id"), .at(1))
        #expect(Self.diagnosis("\u{FEFF}", error).found == "an object without this key")
    }

    @Test func equalityLooksAtAllButTheError() {
        let one = Self.diagnosis("[1]", .typeMismatch(String.self, .at(1)))
        var other = one
        other.error = nil
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        other.line = 7
        #expect(one != other)
    }

    @Test func aDumpShowsNoMoreThanTheText() {
        let context = DecodingError.Context.at(1, nil, "hunter2 is wrong")
        let diagnosis = Self.diagnosis(#"["hunter2"]"#, .dataCorrupted(context))
        var text = ""
        dump(diagnosis, to: &text)
        #expect(!text.contains("hunter2"))
        #expect(text.contains("at /0: expected a valid value"))
    }
}
