import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct DoubleTextTests {
    private static func double(_ text: String) -> Double? { NumberTexts.withBytes(text, DoubleText.double) }
    private static func float(_ text: String) -> Float? { NumberTexts.withBytes(text, DoubleText.float) }

    /// The nearest number's bits as Swift finds it, with `nil` in place of infinity.
    private static func expectedDouble(_ text: String) -> UInt64? {
        Double(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
    }

    private static func expectedFloat(_ text: String) -> UInt32? {
        Float(text).flatMap { $0.isFinite ? $0.bitPattern : nil }
    }

    @Test(
        arguments: [
            ("0", 0x0000_0000_0000_0000), ("-0", 0x8000_0000_0000_0000), ("-0.0e-5", 0x8000_0000_0000_0000),
            ("1", 0x3FF0_0000_0000_0000), ("-1.5E+2", 0xC062_C000_0000_0000), ("0.1", 0x3FB9_9999_9999_999A),
            ("9007199254740991", 0x433F_FFFF_FFFF_FFFF), ("9007199254740992", 0x4340_0000_0000_0000),
            // A tie between two numbers, of which the even one is taken, and what lies just beside it.
            ("9007199254740993", 0x4340_0000_0000_0000), ("9007199254740995", 0x4340_0000_0000_0002),
            ("9007199254740993.0000000000000000000000001", 0x4340_0000_0000_0001),
            ("9007199254740992.9999999999999999999999999", 0x4340_0000_0000_0000),
            ("900719925474099.25", 0x4309_9999_9999_999A), ("18014398509481985", 0x4350_0000_0000_0000),
            ("1e22", 0x4480_F0CF_064D_D592), ("1e23", 0x44B5_2D02_C7E1_4AF6),
            ("123456789012345678", 0x437B_69B4_BA63_0F35),
            ("18446744073709551615", 0x43F0_0000_0000_0000), ("18446744073709551616", 0x43F0_0000_0000_0000),
            ("1.7976931348623157e308", 0x7FEF_FFFF_FFFF_FFFF), ("1.7976931348623158e308", 0x7FEF_FFFF_FFFF_FFFF),
            ("2.2250738585072014e-308", 0x0010_0000_0000_0000), ("2.2250738585072011e-308", 0x000F_FFFF_FFFF_FFFF),
            ("2.2250738585072012e-308", 0x0010_0000_0000_0000), ("4.9406564584124654e-324", 1), ("3e-324", 1),
            ("2.4703282292062328e-324", 1), ("2.4703282292062327e-324", 0), ("-2e-324", 0x8000_0000_0000_0000),
            ("7.4109846876186981626485318930233205854758970392148714663837852376e-324", 2),
            ("0e999999999999999999999999", 0), ("0.000e-999999999999999999999999", 0), ("1e-400", 0),
            ("1e-999999999999999999999999", 0), ("-123e-99999999999999999999", 0x8000_0000_0000_0000),
        ] as [(String, UInt64)]
    )
    func numbersAreTheNearestDoubles(text: String, bits: UInt64) {
        #expect(Self.double(text)?.bitPattern == bits)
    }

    @Test(arguments: [
        "1.7976931348623159e308", "1e309", "-1e309", "1e400", "123456789e301", "1e999999999999999999999999",
        "-9.9e18446744073709551616", "179769313486231580793728971405304e276",
    ])
    func numbersAboveTheFiniteRangeAreRejected(text: String) {
        #expect(Self.double(text) == nil)
        #expect(Self.float(text) == nil)
    }

    @Test(
        arguments: [
            ("0", 0), ("-0", 0x8000_0000), ("1", 0x3F80_0000), ("0.1", 0x3DCC_CCCD), ("-16777217", 0xCB80_0000),
            ("16777219", 0x4B80_0002), ("3.4028235e38", 0x7F7F_FFFF), ("1.1754944e-38", 0x0080_0000),
            ("1.4e-45", 1), ("7.0064923216240854e-46", 1), ("7.0064923216240853e-46", 0), ("1e-60", 0),
            // As a Double they are the middle between two Floats, and aren't it.
            ("1.00000005960464477540", 0x3F80_0001), ("1.00000005960464477538", 0x3F80_0000),
            ("1.000000059604644775390625", 0x3F80_0000),
        ] as [(String, UInt32)]
    )
    func numbersAreTheNearestFloats(text: String, bits: UInt32) {
        #expect(Self.float(text)?.bitPattern == bits)
    }

    @Test(arguments: ["3.4028236e38", "340282356779733661637539395458142568448", "1e39", "-1e300"])
    func numbersAboveTheFiniteFloatsAreRejected(text: String) {
        #expect(Self.float(text) == nil)
        #expect(Self.double(text) != nil)
    }

    @Test func placesOfDigitsDoNotMatter() {
        for zeros in [0, 1, 7, 8, 9, 18, 19, 20, 100, 5000] {
            let none = String(repeating: "0", count: zeros)
            #expect(Self.double("0.\(none)125e\(zeros)") == 0.125, "\(zeros) zeros")
            #expect(Self.double("125\(none)e-\(zeros + 3)") == 0.125, "\(zeros) zeros")
            #expect(Self.double("0.125\(none)") == 0.125, "\(zeros) zeros")
            #expect(Self.float("0.\(none)125\(none)e\(zeros)") == 0.125, "\(zeros) zeros")
        }
    }

    @Test func powersOfTenAreTheNearest() {
        for exponent in -345...310 {
            for digits in ["1", "9", "12345678901234567", "18446744073709551615"] {
                let text = "\(digits)e\(exponent)"
                #expect(Self.double(text)?.bitPattern == Self.expectedDouble(text), "\(text)")
                #expect(Self.float(text)?.bitPattern == Self.expectedFloat(text), "\(text)")
            }
        }
    }

    @Test func generatedNumbersAreAsSwiftReadsThem() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for index in 0..<Effort.rounds(150_000) {
            let text =
                index.isMultiple(of: 2)
                ? NumberTexts.any(digits: 1...25, exponents: -345...310, &random)
                : NumberTexts.any(digits: 1...19, exponents: -60...45, &random)
            if Self.double(text)?.bitPattern != Self.expectedDouble(text) { wrong.append(text) }
            if Self.float(text)?.bitPattern != Self.expectedFloat(text) { wrong.append(text) }
        }
        #expect(wrong.prefix(5) == [], "seed \(seed)")
    }

    @Test func whatSwiftWritesIsReadBackAsTheSame() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        var wrong: [String] = []
        for _ in 0..<Effort.rounds(100_000) {
            let double = Double(bitPattern: random.next())
            if double.isFinite, Self.double("\(double)")?.bitPattern != double.bitPattern { wrong.append("\(double)") }
            let float = Float(bitPattern: UInt32(truncatingIfNeeded: random.next()))
            if float.isFinite, Self.float("\(float)")?.bitPattern != float.bitPattern { wrong.append("\(float)") }
        }
        #expect(wrong.prefix(5) == [], "seed \(seed)")
    }

    /// Middles between two numbers, cut after some digits, whole, and with a digit far behind.
    @Test func hardCasesOfDoublesAreDecidedRight() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for round in 0..<450 {
            // Every third one is below the normal numbers, and some are close to 1.
            let exponents: ClosedRange<UInt64> = round % 3 == 0 ? 0...0 : round % 3 == 1 ? 0...2046 : 950...1150
            let floor = UInt64.random(in: exponents, using: &random) << 52 | random.next() & (1 << 52 - 1)
            let (digits, exponent) = NumberTexts.middle(above: floor, Double.self)
            let even = Double(bitPattern: floor & 1 == 1 ? floor + 1 : floor)
            check(digits, exponent, floor, even, &random, seed)
        }
    }

    private func check(
        _ digits: String,
        _ exponent: Int,
        _ floor: UInt64,
        _ even: Double,
        _ random: inout SeededGenerator,
        _ seed: UInt64,
    ) {
        let (below, above) = (Double(bitPattern: floor), Double(bitPattern: floor + 1))
        #expect(Self.double("\(digits)e\(exponent)") == (even.isFinite ? even : nil), "seed \(seed), \(floor)")
        let tail = String(repeating: "0", count: Int.random(in: 0...900, using: &random)) + "1"
        let larger = "-\(digits).\(tail)e\(exponent)"
        #expect(Self.double(larger) == (above.isFinite ? -above : nil), "seed \(seed), \(floor)")
        let smaller = "\(NumberTexts.decremented(digits)).\(String(repeating: "9", count: tail.count))e\(exponent)"
        #expect(Self.double(smaller) == below, "seed \(seed), \(floor)")
        let kept = Int.random(in: 1...digits.count, using: &random)
        let cut = "\(digits.prefix(kept))e\(exponent + digits.count - kept)"
        #expect(Self.double(cut)?.bitPattern == Self.expectedDouble(cut), "seed \(seed), \(cut)")
    }

    @Test func hardCasesOfFloatsAreDecidedRight() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(4000) {
            let floor = UInt64.random(in: 0..<0x7F7F_FFFF, using: &random)
            let (digits, exponent) = NumberTexts.middle(above: floor, Float.self)
            let (below, above) = (Float(bitPattern: UInt32(floor)), Float(bitPattern: UInt32(floor + 1)))
            #expect(Self.float("\(digits)e\(exponent)") == (floor & 1 == 1 ? above : below), "seed \(seed), \(floor)")
            #expect(Self.float("\(digits)00000000001e\(exponent - 11)") == above, "seed \(seed), \(floor)")
            let smaller = "\(NumberTexts.decremented(digits)).9999999999e\(exponent)"
            #expect(Self.float(smaller) == below, "seed \(seed), \(floor)")
        }
    }

    @Test func manyDigitsTakeTimeInProportion() {
        let digits = String(repeating: "1234567890", count: 50_000)
        #expect(Self.double("0.\(digits)") == 0.1234567890123456789)
        #expect(Self.double("\(digits)e-500000") == 0.1234567890123456789)
        #expect(Self.double("9007199254740993.\(String(repeating: "0", count: 500_000))1") == 9_007_199_254_740_994)
    }
}
