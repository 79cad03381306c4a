import HikyakuHTTP
import Testing

@Suite struct MediaTypeTests {
    @Test(arguments: [
        ("application/json", "application/json"),
        (" Application/Problem+JSON ; charset=utf-8", "application/problem+json"),
        ("text/html;charset=utf-8", "text/html"), ("", ""), (";a=b", ""),
    ])
    func theEssenceIsInLowerCaseWithoutParameters(value: String, essence: String) {
        #expect(MediaType(value).essence == essence)
    }

    @Test(
        "A parameter's value may be quoted, and its name has any case",
        arguments: [
            ("text/html; charset=utf-8", "utf-8"), ("text/html; CharSet=\"utf-8\"", "utf-8"),
            ("text/html; a=\";charset=no\"; charset=yes", "yes"), ("text/html; charset=\"a\\\"b\"", "a\"b"),
            ("text/html; charset=; charset=b", "b"), ("text/html;charset = c", "c"),
        ],
    )
    func parameters(value: String, charset: String) {
        #expect(MediaType(value).parameter("charset") == charset)
    }

    @Test(arguments: ["text/html", "charset=utf-8", "text/html; charset", "text/html; charset=\"\""])
    func whatIsNotThereIsNil(value: String) {
        #expect(MediaType(value).parameter("charset") == nil)
    }

    @Test func aBlockWithoutTheFieldHasNone() {
        #expect(HTTPHeaders().mediaType == nil)
        #expect((["Content-Type": "image/PNG"] as HTTPHeaders).mediaType?.essence == "image/png")
    }
}
