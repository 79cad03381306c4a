import Testing

@testable import HikyakuTesting

@Suite struct TextExpectationTests {
    /// A transport that changes the spelling of a letter gives other bytes.
    @Test func checksCompareTextsByTheirBytes() throws {
        let (one, other) = ("\u{15B}", "s\u{301}")
        #expect(throws: (any Error).self) { try expect(one, is: other, "it") }
        #expect(throws: (any Error).self) { try expect(Optional(one), is: other, "it") }
        try expect(one, is: one, "it")
        try expect(Optional(other), is: other, "it")
        #expect { try expect("a", is: "b", "it") } throws: { "\($0)".contains("it to be b") }
    }
}
