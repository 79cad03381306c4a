import Testing

@testable import HikyakuURLSession

@Suite struct SplitCookiesTests {
    @Test(
        arguments: [
            ("a=1", ["a=1"]),
            ("a=1; Path=/, b=2", ["a=1; Path=/", "b=2"]),
            (
                "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure, b=2; Expires=Thu, 22 Oct 2026 07:28:00 GMT",
                [
                    "a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT; Secure",
                    "b=2; Expires=Thu, 22 Oct 2026 07:28:00 GMT",
                ],
            ),
            ("a=x,y", ["a=x,y"]),
            // A mark hides neither the comma nor the sign.
            ("a=1, b=\u{301}", ["a=1", "b=\u{301}"]),
            ("a=1,\u{301}b=2", ["a=1,\u{301}b=2"]),
            ("a=\u{301}, b=2; x=\u{200D}", ["a=\u{301}", "b=2; x=\u{200D}"]),
            ("", [""]),
        ]
    )
    func splitsAtCommasThatBeginACookie(joined: String, cookies: [String]) {
        #expect(joined.splitCookies == cookies)
    }
}
