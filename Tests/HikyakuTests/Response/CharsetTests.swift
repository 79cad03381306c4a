import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// Text in the charsets that services still use, by the labels by which they name them.
struct CharsetTests {
    private struct Page: APIRequest {
        typealias Definition = TextResponse
        var environment: APIEnvironment { .shop }
        var path: RequestPath { "/page" }
    }

    private func text(_ bytes: [UInt8], charset: String) async throws(APIError<ProblemDetails>) -> String {
        let response = HTTPResponse(
            status: .ok,
            headers: ["Content-Type": "text/plain; charset=\(charset)"],
            body: HTTPBody(Data(bytes)),
        )
        return try await APIClient(transport: MockTransport { _ in response }).send(Page())
    }

    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue)
        return stride(from: 0, to: digits.count, by: 2).map { (index: Int) -> UInt8 in
            UInt8(digits[index] << 4 | digits[index + 1])
        }
    }

    @Test(arguments: [
        ("Shift_JIS", "日本語カナ①", "93fa967b8cea834a83698740"),
        ("sjis", "ﾃｽﾄ", "c3bdc4"),
        ("EUC-JP", "日本語", "c6fccbdcb8ec"),
        ("ISO-2022-JP", "日本語 text", "1b2442467c4b5c386c1b28422074657874"),
        ("gb2312", "中文", "d6d0cec4"),
        ("GBK", "中文€", "d6d0cec4a2e3"),
        ("gb18030", "中文𠀀", "d6d0cec495328236"),
        ("Big5", "中文", "a4a4a4e5"),
        ("EUC-KR", "한국어 똠", "c7d1b1b9beee208c63"),
        ("windows-1251", "Привет", "cff0e8e2e5f2"),
        ("koi8-r", "Привет", "f0d2c9d7c5d4"),
        ("koi8-u", "Київ", "ebc9a7d7"),
        ("ISO-8859-2", "Łódź", "a3f364bc"),
        ("iso-8859-15", "Prix €", "5072697820a4"),
        ("iso-8859-7", "Ελλάδα", "c5ebebdce4e1"),
        ("iso-8859-8", "שלום", "f9ece5ed"),
        ("iso-8859-9", "İstanbul", "dd7374616e62756c"),
        ("windows-1250", "Žluť", "8e6c759d"),
        ("windows-1252", "“quoted” €", "9371756f746564942080"),
        ("latin1", "“é”", "93e994"),
        ("US-ASCII", "plain", "706c61696e"),
        ("tis-620", "ไทย", "e4b7c2"),
        ("ibm866", "Привет", "8fe0a8a2a5e2"),
        ("macintosh", "Üben", "8662656e"),
        ("utf-16", "héllo", "6800e9006c006c006f00"),
        ("utf-16be", "héllo", "006800e9006c006c006f"),
        ("UTF8", "héllo", "68c3a96c6c6f"),
        ("utf-32be", "h😀", "000000680001f600"),
    ])
    func textIsReadInItsCharset(_ label: String, _ text: String, _ hexadecimal: String) async throws {
        let bytes = Self.bytes(hexadecimal)
        #expect(try await self.text(bytes, charset: label) == text)
        #expect(try await self.text(bytes, charset: "\" \(label.uppercased()) \"") == text)
        // A failure's body is shown in the same way.
        let failed = HTTPResponse(
            status: .badRequest,
            headers: ["Content-Type": "text/plain; charset=\(label)"],
            body: HTTPBody(Data(bytes)),
        )
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await APIClient(transport: MockTransport { _ in failed }).send(Page())
        }
        // UTF-8 is tried first, since a label is often wrong.
        #expect(error?.response?.text == String(bytes: bytes, encoding: .utf8) ?? text)
    }

    /// Each byte is a character, also the five that the registry leaves open.
    @Test func westernTextHasAllBytes() async throws {
        let text = try await text(Array(0...255), charset: "iso-8859-1")
        #expect(text.unicodeScalars.count == 256)
        #expect(text.unicodeScalars.contains("\u{81}") && text.unicodeScalars.contains("€"))
    }

    @Test(arguments: ["iso-8859-1", "utf-8", "shift_jis", "utf-16be"])
    func aByteOrderMarkDecides(label: String) async throws {
        #expect(try await text([0xEF, 0xBB, 0xBF] + Array("é".utf8), charset: label) == "é")
        #expect(try await text([0xFF, 0xFE, 0xE9, 0x00], charset: label) == "é")
        #expect(try await text([0xFE, 0xFF, 0x00, 0xE9], charset: label) == "é")
    }

    @Test(arguments: ["utf8mb4", "latin-1", "none", "x-unknown", "\u{1B}[2J"])
    func anUnknownCharsetIsNamed(label: String) async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await text([0x41], charset: label)
        }
        #expect(error?.reason == .wrongCharset)
        let description = error?.description ?? ""
        #expect(label.contains("\u{1B}") || description.contains("\"\(label)\""), "\(description)")
        #expect(description.contains("RawResponse") && !description.contains("offset"), "\(description)")
        #expect(!description.contains("\u{1B}"))
    }

    @Test(
        arguments: [
            ("utf-8", [0xFF]), ("shift_jis", [0x81]), ("euc-jp", [0x8E]), ("gbk", [0xFF]), ("utf-16", [0x00]),
            ("utf-32", [0, 0, 0]), ("utf-16le", [0x00, 0xD8]), ("iso-2022-jp", [0x1B, 0x24, 0x42, 0xFF]),
            ("big5", [0x81, 0x00]),
        ] as [(String, [UInt8])]
    )
    func bytesThatDontFitAreNeverReplaced(_ label: String, _ bytes: [UInt8]) async throws {
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await text(bytes, charset: label) }
        #expect(error?.reason == .wrongCharset)
        let description = error?.description ?? ""
        #expect(description.contains("RawResponse") && !description.contains("offset"), "\(description)")
    }

    /// Longer than the converter's pieces, and divided inside of characters.
    @Test func longTextIsWhole() async throws {
        let text = String(repeating: "日本語カナ", count: 5_000)
        let unit: [UInt8] = [0x93, 0xFA, 0x96, 0x7B, 0x8C, 0xEA, 0x83, 0x4A, 0x83, 0x69]
        let bytes = (0..<5_000).flatMap { _ in unit }
        #expect(try await self.text(bytes, charset: "shift_jis") == text)
    }
}
