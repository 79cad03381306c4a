import TestSupport
import Testing

@Suite struct TestSeedTests {
    @Test func theEnvironmentHasTheSeed() {
        #expect(testSeed(["HIKYAKU_TEST_SEED": "14237"]) == 14237)
        #expect(testSeed(["HIKYAKU_TEST_SEED": "\(UInt64.max)"]) == .max)
        #expect(testSeed([:]) != testSeed([:]))
    }

    @Test(arguments: ["", "x", "-1", "18446744073709551616"])
    func whatIsNotASeedIsNotPassedOver(_ text: String) {
        withKnownIssue { _ = testSeed(["HIKYAKU_TEST_SEED": text]) }
    }
}
