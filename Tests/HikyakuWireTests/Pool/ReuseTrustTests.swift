#if os(Linux)
import Testing

@testable import HikyakuWire

@Suite struct ReuseTrustTests {
    @Test func oneRequestForTenResponsesMayBeSentTwice() {
        var trust = ReuseTrust()
        var losses = 0
        for _ in 0..<1_000 {
            if trust.isGiven {
                trust.lose()
                losses += 1
            }
            trust.earn()
        }
        #expect(losses == 101)
    }

    @Test func aServerThatHasEndedIsTrustedAgain() {
        var trust = ReuseTrust()
        for _ in 0..<64 { trust.lose() }
        var responses = 0
        while !trust.isGiven, responses < 1_000 {
            trust.earn()
            responses += 1
        }
        #expect(responses == 330)
    }

    @Test func seldomLossesChangeNothing() {
        var trust = ReuseTrust()
        for _ in 0..<100 {
            trust.lose()
            #expect(trust.isGiven)
            for _ in 0..<10 { trust.earn() }
        }
    }
}
#endif
