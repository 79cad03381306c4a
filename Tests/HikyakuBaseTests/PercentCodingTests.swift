import HikyakuBase
import Testing

@Suite struct PercentCodingTests {
    @Test(arguments: [
        ("a b/é~*", PercentCoding.Allowed.unreserved, "a%20b%2F%C3%A9~%2A"),
        ("a b/é~*%41", .path, "a%20b/%C3%A9~*%41"),
        ("a b/é~*+", .form, "a+b%2F%C3%A9%7E*%2B"),
    ])
    func encodesWhatIsNotAllowed(text: String, allowed: PercentCoding.Allowed, encoded: String) {
        #expect(PercentCoding.encoded(text, allowing: allowed) == encoded)
    }

    @Test func aPlainTextIsAppendedAsItIs() {
        var output = "/"
        #expect(PercentCoding.appendPlain("items", to: &output, allowing: .unreserved))
        #expect(!PercentCoding.appendPlain("a/b", to: &output, allowing: .unreserved))
        #expect(output == "/items")
    }

    @Test(
        "A broken triplet stays as it is, or makes the text unreadable",
        arguments: ["%", "%4", "%4G", "100%", "%%41"],
    )
    func brokenTriplets(text: String) {
        #expect(PercentCoding.repairedText(of: text.utf8) == text.replacing("%41", with: "A"))
        #expect(PercentCoding.text(of: text.utf8) == nil)
    }

    @Test func bothCasesOfDigitsAreRead() {
        #expect(PercentCoding.text(of: "%c3%A9".utf8) == "é")
        #expect(PercentCoding.decoded("%2541".utf8) == Array("%41".utf8), "one round alone")
    }

    @Test func aPlusIsASpaceInFormsAlone() {
        #expect(PercentCoding.text(of: "a+b%2B".utf8) == "a+b+")
        #expect(PercentCoding.text(of: "a+b%2B".utf8, plusIsSpace: true) == "a b+")
    }

    @Test func invalidUTF8IsRepairedOrRejected() {
        #expect(PercentCoding.text(of: "%FF".utf8) == nil)
        #expect(PercentCoding.repairedText(of: "%FF".utf8) == "\u{FFFD}")
        #expect(PercentCoding.decoded("%FF".utf8) == [0xFF])
    }

    @Test func everyByteComesBack() {
        for byte in UInt8.min...UInt8.max {
            var encoded: [UInt8] = []
            PercentCoding.appendTriplet(of: byte, to: &encoded)
            #expect(PercentCoding.byte(at: 0, in: encoded) == byte)
            #expect(PercentCoding.byte(at: 0, in: encoded.dropLast()) == nil)
        }
    }
}
