import HikyakuBase
import Testing

@Suite struct DocumentKeyTests {
    @Test(arguments: [
        "id", "created_at", "createdAt", "Content-Type", "_links", "@type", "$ref", "#text", "dc:title", "service.name",
        "größe", "名前", "iso8601", "sha256_hash", "price_24h", "changePercent24Hr", "base64Encoded", "24h", "address1",
        "year_2026", "", "-",
    ])
    func aNameIsWrittenInWords(_ key: String) {
        #expect(DocumentKey.isName(key))
    }

    @Test(arguments: [
        "bob@example.com", "First Name", "4111111111111111", "4111-1111-1111-1111", "7", "2026-01-01",
        "2026-01-01T10:00:00Z", "cus_9s6XKzkNRiz8i3", "f47ac10b-58cc-4372-a567-0e02b2c3d479", "a8f3c9e1b2d4",
        "01ARZ3NDEKTSV4RRFFQ69G5FAV", "192.168.0.1", "2001:db8::1", "+491701234567", "order_12345", "a/b", "a\nb",
        "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "sk_live_4eC39HqLyjWDarjtT1zdp7dc", "a\u{202E}b", "😀",
        String(repeating: "a", count: 41),
    ])
    func aKeyThatMayBeDataIsNotAName(_ key: String) {
        #expect(!DocumentKey.isName(key))
    }

    @Test func anIdentifierIsMadeByAMachine() {
        for text in ["7", "deadbee1", "cus_9s6XKzkNRiz8i3", "k3x9q7w1", "Zk19QpLmNbv"] {
            #expect(DocumentKey.isIdentifier(text), "\(text)")
        }
        for text in ["", "id", "deadbeef", "changePercent24Hr", "line_2", "bob@example.com"] {
            #expect(!DocumentKey.isIdentifier(text), "\(text)")
        }
    }
}
