import HikyakuHTTP
import Testing

struct PunycodeTests {
    @Test(arguments: [
        ("bücher.example", "xn--bcher-kva.example"), ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
        ("a。bü.example", "a.xn--b-eha.example"),
        ("münchen.example", "xn--mnchen-3ya.example"), ("faß.example", "xn--fa-hia.example"),
        ("BÜCHER.example", "xn--bcher-kva.example"), ("日本語.jp", "xn--wgv71a119e.jp"),
        ("пример.рф", "xn--e1afmkfd.xn--p1ai"),
        ("😀.example", "xn--e28h.example"), ("plain.example", "plain.example"),
    ])
    func aNameIsWrittenInASCII(_ name: String, _ written: String) {
        #expect(Punycode.written(name) == written)
    }

    @Test(arguments: [
        "bü cher.example", "bü/x", String(repeating: "ü", count: 64), String(repeating: "aü", count: 31),
    ])
    func whatIsNotANameHasNoForm(_ name: String) {
        #expect(Punycode.written(name) == nil)
    }

    /// Whatever a user writes.
    @Test func anyTextIsRead() {
        var text = ""
        for value in stride(from: UInt32(1), through: 0x10FFFF, by: 997) {
            guard let scalar = Unicode.Scalar(value) else { continue }
            text.unicodeScalars.append(scalar)
            if text.unicodeScalars.count > 60 { text = "" }
            _ = Punycode.written(text)
        }
    }
}
