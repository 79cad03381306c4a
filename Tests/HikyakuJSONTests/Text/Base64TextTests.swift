import Foundation
import TestSupport
import Testing

@testable import HikyakuJSON

@Suite struct Base64TextTests {
    private static func data(_ text: String, _ alphabet: Base64Text.Alphabet) -> Data? {
        NumberTexts.withBytes(text) { Base64Text.data($0, $1, alphabet) }
    }

    /// RFC 4648, section 10.
    @Test(arguments: [
        ("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("fooba", "Zm9vYmE="),
        ("foobar", "Zm9vYmFy"),
    ])
    func vectorsAreRead(bytes: String, text: String) {
        #expect(Self.data(text, .standard) == Data(bytes.utf8))
        #expect(Self.data(text, .url) == Data(bytes.utf8))
        #expect(Self.data(text.filter { $0 != "=" }, .url) == Data(bytes.utf8))
    }

    @Test func eachAlphabetHasItsOwnCharacters() {
        #expect(Self.data("++//", .standard) == Data([0xFB, 0xEF, 0xFF]))
        #expect(Self.data("--__", .url) == Data([0xFB, 0xEF, 0xFF]))
        #expect(Self.data("++//", .url) == nil)
        #expect(Self.data("--__", .standard) == nil)
        #expect(Self.data("-_", .standard) == nil)
        #expect(Self.data("+w", .url) == nil)
    }

    @Test(arguments: [
        "Z", "Zg", "Zg=", "Zm8", "Zm9vYg", "Zm9vYg=", "=", "==", "===", "====", "Z===", "Zm9=v", "Zg==Zg==", "Zg===",
        "Zm9v=", "Zm9v==", "Zm9v====", "Z=g=", " Zm9v", "Zm9v ", "Zm9v\n", "Zm\n9v", "Zm9 ", "Zm9v\0\0\0\0", "Zm9é",
        // Bits that say nothing aren't 0.
        "Zh==", "Zo==", "Zm9=", "Zm+=", "//==",
    ])
    func invalidTextsAreRejected(text: String) {
        #expect(Self.data(text, .standard) == nil)
    }

    @Test(arguments: ["Z", "Zg=", "Zh", "Zm9", "Zm9vY", "=", "==", "===", "====", "Zm9v=", "Zm9v==", "Zg===", "Zm8=="])
    func invalidURLSafeTextsAreRejected(text: String) {
        #expect(Self.data(text, .url) == nil)
    }

    @Test func bytesOutsideTheAlphabetAreRejected() {
        for byte in UInt8.min...UInt8.max {
            for place in 0..<4 {
                var text = Array("AAAA".utf8)
                text[place] = byte
                let isOfAlphabet = Data(base64Encoded: Data(text)) != nil && byte != UInt8(ascii: "=")
                let read = text.withUnsafeBufferPointer { text in
                    text.baseAddress.flatMap { Base64Text.data($0, text.count, .standard) }
                }
                // At the end, one `=` makes a shorter group.
                let isPadding = byte == UInt8(ascii: "=") && place == 3
                #expect((read != nil) == (isOfAlphabet || isPadding), "byte \(byte) at \(place)")
            }
        }
    }

    @Test func whatFoundationWritesIsRead() {
        let seed = testSeed()
        var random = SeededGenerator(seed: seed)
        for count in 0..<400 {
            let data = Data((0..<count).map { _ in UInt8.random(in: 0...255, using: &random) })
            let text = data.base64EncodedString()
            let urlText = text.replacing("+", with: "-").replacing("/", with: "_")
            #expect(Self.data(text, .standard) == data, "seed \(seed), \(count) bytes")
            #expect(Self.data(urlText, .url) == data, "seed \(seed), \(count) bytes")
            #expect(Self.data(urlText.replacing("=", with: ""), .url) == data, "seed \(seed), \(count) bytes")
        }
    }
}
