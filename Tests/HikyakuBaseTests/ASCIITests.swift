import HikyakuBase
import Testing

@Suite struct ASCIITests {
    private let all = (0...255).map { UInt8($0) }
    private let letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

    @Test func aDigitIsOneOfTen() {
        #expect(all.filter(ASCII.isDigit) == Array("0123456789".utf8))
    }

    @Test func lettersAreThoseOfASCII() {
        #expect(Set(all.filter(ASCII.isLetter)) == Set(letters.utf8))
        #expect(all.filter(ASCII.isUppercase) == Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
        #expect(all.filter { ASCII.lowercased($0) != $0 } == Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ".utf8))
        #expect("ABCXYZ".utf8.map(ASCII.lowercased) == Array("abcxyz".utf8))
    }

    @Test("A token's bytes are those of RFC 9110, section 5.6.2") func tokens() {
        #expect(Set(all.filter(ASCII.isToken)) == Set((letters + "0123456789!#$%&'*+-.^_`|~").utf8))
    }

    @Test("Unreserved are the bytes of RFC 3986, section 2.3") func unreserved() {
        #expect(Set(all.filter(ASCII.isUnreserved)) == Set((letters + "0123456789-._~").utf8))
    }

    @Test("A field's value has no control character but tab") func fieldContent() {
        #expect(all.filter { !ASCII.isFieldContent($0) } == Array(0...8) + Array(10...31) + [127])
    }

    @Test func aHexadecimalDigitHasItsValue() {
        #expect("0123456789abcdef".utf8.map(ASCII.hexadecimalValue) == (0...15).map { $0 })
        #expect("ABCDEF".utf8.map(ASCII.hexadecimalValue) == (10...15).map { $0 })
        #expect(all.count { ASCII.hexadecimalValue($0) != nil } == 22)
    }

    @Test func aNumberHasOnlyDigitsAndFits() {
        #expect(ASCII.decimal("0042".utf8) == 42)
        #expect(ASCII.decimal("9223372036854775807".utf8) == Int.max)
        for text in ["", "+1", "-1", " 1", "1 ", "0x1", "１", "9223372036854775808", "99999999999999999999"] {
            #expect(ASCII.decimal(text.utf8) == nil, "\(text)")
        }
    }
}
