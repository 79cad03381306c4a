import Testing

@testable import HikyakuJSON

@Suite struct PowersOfFiveTests {
    @Test(
        arguments: [
            (0, 0x8000_0000_0000_0000, 0), (1, 0xA000_0000_0000_0000, 0), (2, 0xC800_0000_0000_0000, 0),
            (27, 0xCECB_8F27_F420_0F3A, 0), (28, 0x813F_3978_F894_0984, 0x4000_0000_0000_0000),
            (-1, 0xCCCC_CCCC_CCCC_CCCC, 0xCCCC_CCCC_CCCC_CCCC), (-2, 0xA3D7_0A3D_70A3_D70A, 0x3D70_A3D7_0A3D_70A3),
            (308, 0x8E67_9C2F_5E44_FF8F, 0x570F_09EA_A7EA_7648), (-342, 0xEEF4_53D6_923B_D65A, 0x113F_AA29_06A1_3B3F),
        ] as [(Int, UInt64, UInt64)]
    )
    func theFirstBitsAreRight(exponent: Int, high: UInt64, low: UInt64) {
        #expect(PowersOfFive.leadingBits(exponent) == (high, low))
    }

    @Test func eachPowerIsFiveTimesTheOneBefore() {
        for exponent in PowersOfFive.exponents.dropFirst() {
            let (before, now) = (PowersOfFive.leadingBits(exponent - 1), PowersOfFive.leadingBits(exponent))
            #expect(now.high >> 63 == 1)
            // Five times is two bits more, or three where the product is beyond twice four times.
            let steps = PowersOfFive.binaryExponent(exponent) - PowersOfFive.binaryExponent(exponent - 1)
            let product = before.high.multipliedFullWidth(by: 5)
            let shifted = product.high << (64 - UInt64(steps)) | product.low >> UInt64(steps)
            #expect(shifted == now.high || shifted + 1 == now.high, "\(exponent)")
        }
    }
}
