import Foundation
import HikyakuJSON
import TestSupport
import Testing

@Suite struct NumberWritingTests {
    @Test(arguments: [
        (0, "0"), (7, "7"), (-7, "-7"), (10, "10"), (99, "99"), (100, "100"), (-1000, "-1000"), (12_345, "12345"),
        (999_999, "999999"), (Int64.max, "9223372036854775807"), (Int64.min, "-9223372036854775808"),
    ])
    func signedIntegersAreWrittenWithAllDigits(value: Int64, text: String) throws {
        #expect(try written(value) == text)
        #expect(try written([value]) == "[\(text)]")
    }

    @Test func everyWidthReachesItsBounds() throws {
        #expect(try written([Int8.min, .max]) == "[-128,127]")
        #expect(try written([Int16.min, .max]) == "[-32768,32767]")
        #expect(try written([Int32.min, .max]) == "[-2147483648,2147483647]")
        #expect(try written([Int.min, .max]) == "[-9223372036854775808,9223372036854775807]")
        #expect(try written([UInt8.min, .max]) == "[0,255]")
        #expect(try written([UInt16.max]) == "[65535]")
        #expect(try written([UInt32.max]) == "[4294967295]")
        #expect(try written([UInt64.max]) == "[18446744073709551615]")
        #expect(try written([UInt.max]) == "[18446744073709551615]")
    }

    @available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *)
    @Test func integersOf128BitsKeepTheirDigits() throws {
        let values: [Int128] = [0, -1, .min, .max, 10_000_000_000_000_000_000, 9_999_999_999_999_999_999]
        for value in values { #expect(try written(value) == value.description) }
        #expect(try written(UInt128.max) == "340282366920938463463374607431768211455")
        #expect(try written(UInt128(100_000_000_000_000_000_000)) == "100000000000000000000")
    }

    @Test func everyPowerOfTenAndItsNeighboursHaveTheirDigits() throws {
        var power: UInt64 = 1
        for _ in 0..<20 {
            for value in [power &- 1, power, power &+ 1] { #expect(try written(value) == String(value)) }
            power = power &* 10
        }
    }

    @Test(arguments: [
        (0.0, "0"), (-0.0, "-0"), (1.0, "1"), (-1.0, "-1"), (0.1, "0.1"), (0.5, "0.5"), (1.5, "1.5"), (-2.25, "-2.25"),
        (12.34, "12.34"), (0.3, "0.3"), (0.1 + 0.2, "0.30000000000000004"), (1.0 / 3.0, "0.3333333333333333"),
        (100.0, "100"), (99_999_999.5, "99999999.5"), (100_000_000.5, "100000000.5"),
        (123_456_789_012.125, "123456789012.125"), (999_999_999_999.9999, "999999999999.9999"),
        (35.689487, "35.689487"), (139.6917064, "139.6917064"), (139.69170641, "139.69170641"),
        (0.001, "0.001"), (0.0001, "0.0001"), (0.00001, "1e-05"), (1.05, "1.05"), (0.0010001, "0.0010001"),
        (9_007_199_254_740_991.0, "9007199254740991"), (9_007_199_254_740_992.0, "9007199254740992"),
        (9_007_199_254_740_994.0, "9.007199254740994e+15"), (1e16, "1e+16"), (1e300, "1e+300"),
        (2.2250738585072014e-308, "2.2250738585072014e-308"),
        (1.7976931348623157e308, "1.7976931348623157e+308"), (4_503_599_627_370_495.5, "4503599627370495.5"),
    ])
    func doublesAreWrittenWithTheFewestDigits(value: Double, text: String) throws {
        #expect(try written(value) == text)
    }

    @Test(arguments: [
        (Float(0), "0"), (-0.0, "-0"), (1, "1"), (0.1, "0.1"), (-2.5, "-2.5"), (16_777_215, "16777215"),
        (16_777_216, "16777216"), (16_777_218, "1.6777218e+07"), (3.4028235e38, "3.4028235e+38"),
    ])
    func floatsAreWrittenWithTheFewestDigits(value: Float, text: String) throws {
        #expect(try written(value) == text)
    }

    @Test func doublesOfAllKindsReadAsSwiftWritesThem() throws {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for _ in 0..<Effort.rounds(20_000) {
            let places = Int.random(in: 0...9, using: &random)
            let whole = Double(Int64.random(in: -10_000_000_000_000...10_000_000_000_000, using: &random))
            let shift = pow(10, Double(Int.random(in: 0...12, using: &random)))
            for value in [
                Double(bitPattern: random.next()), whole / pow(10, Double(places)), (whole / shift).rounded() / 100,
                Double.random(in: 0..<1, using: &random), (whole / 1e13).nextUp,
            ] where value.isFinite {
                let description = value.description
                let text = description.hasSuffix(".0") ? String(description.dropLast(2)) : description
                #expect(try written(value) == text, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [
        "0", "1.1", "-1.1", "123456789012345678901234567890.5", "0.00000000000000000000000000000000000001", "1e20",
    ])
    func decimalsKeepTheirDigits(text: String) throws {
        let value = try #require(Decimal(string: text))
        #expect(try written(value) == value.description)
    }

    @Test func nonFiniteNumbersFailWithoutAReplacementText() throws {
        for value in [Double.nan, .infinity, -.infinity] {
            #expect(throws: EncodingError.self) { try written(value) }
            #expect(throws: EncodingError.self) { try written([Float(value)]) }
        }
        #expect(throws: EncodingError.self) { try written(Decimal.nan) }
        let texts = HikyakuJSONEncoder.NonConformingFloatEncodingStrategy.convertToString(
            positiveInfinity: "+∞",
            negativeInfinity: "-∞",
            nan: "\"?\"",
        )
        let prepare: (inout HikyakuJSONEncoder) -> Void = { $0.nonConformingFloatEncodingStrategy = texts }
        #expect(try written([1, Double.infinity, -.infinity, .nan], prepare) == #"[1,"+∞","-∞","\"?\""]"#)
        #expect(try written([Float.infinity, -.infinity, .nan], prepare) == #"["+∞","-∞","\"?\""]"#)
        #expect(try written(Decimal.nan, prepare) == #""\"?\"""#)
    }
}
