import Foundation
import Hikyaku
import Testing

@testable import HikyakuOAuth

/// Figures of RFC 6234 (section 8.5), RFC 4231 (section 4) and RFC 7636 (appendix B).
struct DigestTests {
    @Test(arguments: [
        ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
        ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
        (
            "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1",
        ),
    ])
    func digestMatchesTheStandard(text: String, digest: String) throws {
        #expect(try Digest.sha256(Data(text.utf8)).hex == digest)
    }

    @Test
    func digestOfPiecesIsThatOfTheWhole() throws {
        var running = try RunningDigest()
        for _ in 0..<1000 { try running.update(Data(repeating: UInt8(ascii: "a"), count: 1000)) }
        try running.update(Data())
        let digest = try running.finish().hex
        #expect(digest == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0")
    }

    @Test(arguments: [
        (
            Data(repeating: 0x0B, count: 20), Data("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7",
        ),
        (
            Data("Jefe".utf8), Data("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
        ),
        (
            Data(repeating: 0xAA, count: 20), Data(repeating: 0xDD, count: 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
        ),
        (
            Data(1...25), Data(repeating: 0xCD, count: 50),
            "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b",
        ),
        (
            Data(repeating: 0xAA, count: 131),
            Data("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
        ),
        (Data(), Data(), "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad"),
    ])
    func keyedDigestMatchesTheStandard(key: Data, bytes: Data, digest: String) throws {
        #expect(try Digest.hmac(bytes, key: key).hex == digest)
    }

    @Test
    func challengeMatchesTheStandard() throws {
        let octets: [UInt8] = [
            116, 24, 223, 180, 151, 153, 224, 37, 79, 250, 96, 125, 216, 173, 187, 186, 22, 212, 37, 77, 105, 214, 191,
            240, 91, 88, 5, 88, 83, 132, 141, 121,
        ]
        let verifier = Base64URL.text(of: Data(octets))
        #expect(verifier == "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk")
        let challenge = Base64URL.text(of: try Digest.sha256(Data(verifier.utf8)))
        #expect(challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "c", false), ("c", "a", false), ("ab", "a", false), ("飛脚", "飛脚", true),
        ("é", "e\u{301}", false),
    ])
    func textsAreComparedByTheirBytes(left: String, right: String, areEqual: Bool) {
        #expect(Digest.areEqual(left, right) == areEqual)
    }

    @Test
    func randomTextsDiffer() {
        let texts = (0..<100).map { _ in RandomSource.system.text() }
        #expect(Set(texts).count == 100)
        #expect(texts.allSatisfy { $0.utf8.count == 43 && Base64URL.bytes(of: $0)?.count == 32 })
        #expect(RandomSource.system.bytes(-1).isEmpty)
    }
}

struct Base64URLTests {
    @Test(
        arguments: [
            ([], ""), ([0], "AA"), ([0, 0], "AAA"), ([0, 0, 0], "AAAA"), ([0xFB, 0xFF, 0xBF], "-_-_"),
            ([3, 236, 255, 224, 193], "A-z_4ME"),
        ] as [([UInt8], String)]
    )
    func bytesComeBack(bytes: [UInt8], text: String) {
        #expect(Base64URL.text(of: Data(bytes)) == text)
        #expect(Base64URL.bytes(of: text) == Data(bytes))
    }

    @Test(arguments: ["A", "AAAAA", "AA==", "A+/A", "AA A", "AA\n", "é", "AA.AA"])
    func otherTextsAreNone(text: String) {
        #expect(Base64URL.bytes(of: text) == nil)
    }
}

extension Data {
    fileprivate var hex: String {
        map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
