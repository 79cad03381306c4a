import Foundation
import HikyakuHTTP
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// The styles of parameters that OpenAPI describes, by the examples of RFC 6570 and of the specification.
@Suite struct ParameterStyleTests {
    private struct Color: Codable, Sendable {
        var r = 100, g = 200
        var names: [String]?
        var inner: [String: Double]?
    }

    private static let object: RequestQuery = ["R": 100, "G": nil, "B": 150]

    private static func query(_ query: RequestQuery) throws -> String {
        try AnyRequest(query: query).httpRequest().url.query(percentEncoded: true) ?? ""
    }

    @Test(arguments: [
        (QueryListStyle.repeated, "color=blue&color=black%20x"),
        (.bracketed, "color%5B%5D=blue&color%5B%5D=black%20x"),
        (.commaSeparated, "color=blue,black%20x"), (.spaceSeparated, "color=blue%20black%20x"),
        (.pipeSeparated, "color=blue%7Cblack%20x"), (.tabSeparated, "color=blue%09black%20x"),
    ])
    func listsInAQuery(_ style: QueryListStyle, _ expected: String) throws {
        let none: String? = nil
        #expect(try Self.query(["color": .list(["blue", none, "black x"], style)]) == expected)
        #expect(try Self.query(["color": .list([], style)]) == "")
    }

    @Test(arguments: [
        (QueryObjectStyle.bracketed, "color%5BR%5D=100&color%5BB%5D=150"), (.exploded, "R=100&B=150"),
        (.commaSeparated, "color=R,100,B,150"), (.spaceSeparated, "color=R%20100%20B%20150"),
        (.pipeSeparated, "color=R%7C100%7CB%7C150"),
    ])
    func objectsInAQuery(_ style: QueryObjectStyle, _ expected: String) throws {
        #expect(try Self.query(["color": .object(Self.object, style)]) == expected)
        #expect(try Self.query(["color": .object([:], style)]) == "")
    }

    @Test func reservedCharactersAreKeptByChoice() throws {
        let text = "/a?b:c@d;e,f!$'()*=&#+[]% é"
        let kept = "/a?b:c@d;e,f!$'()*=%26%23%2B%5B%5D%25%20%C3%A9"
        #expect(try Self.query(["q": .allowingReserved(text)]) == "q=\(kept)")
        #expect(try Self.query(["q": .allowingReserved([text, "/"]), "r": "/"]) == "q=\(kept)&q=/&r=%2F")
        let form = try RequestBody.form(["q": .allowingReserved("a/b c")]).content(by: HikyakuJSONEncoder()).body
        #expect(form.bytes == Data("q=a%2Fb+c".utf8))
        // A comma between values stays one that is not inside of them.
        #expect(try Self.query(["q": .allowingReserved(.list(["a,b", "c"], .commaSeparated))]) == "q=a%2Cb,c")
    }

    @Test func modelsAreWrittenAsTheyAreEncoded() throws {
        let color = Color(names: ["a b", "c"], inner: ["x": 0.5])
        #expect(try Self.query(["c": .json(Color())]) == "c=%7B%22r%22%3A100%2C%22g%22%3A200%7D")
        let nested = "c%5Bg%5D=200&c%5Binner%5D%5Bx%5D=0.5&c%5Bnames%5D=a%20b&c%5Bnames%5D=c&c%5Br%5D=100"
        #expect(try Self.query(["c": .encoded(color)]) == nested)
        #expect(try Self.query(["c": .encoded(Color(), .commaSeparated)]) == "c=g,200,r,100")
        #expect(try Self.query(["c": .encoded([1, 2]), "d": .encoded("x")]) == "c=1&c=2&d=x")
        #expect(try Self.query(RequestQuery(encoding: Color())) == "g=200&r=100")
        let value: JSONValue = ["a": [true, nil, 1.5], "b": nil, "c": 1e20]
        #expect(try Self.query(["v": value]) == "v%5Ba%5D=true&v%5Ba%5D=1.5&v%5Bc%5D=100000000000000000000")
    }

    @Test(arguments: [
        RequestQuery(dictionaryLiteral: ("price", .json(Double.nan))), ["price": .encoded([Double.infinity])],
        ["price": .list([.object(["a": 1])], .pipeSeparated)], ["price": .object(["a": [1]], .commaSeparated)],
        ["price": .allowingReserved(Double.nan)],
    ])
    func valuesThatCannotBeWrittenAreRejectedByName(query: RequestQuery) async throws {
        let error = try await failure { () throws(APIError<ProblemDetails>) in
            try AnyRequest(query: query).httpRequest()
        }
        #expect(error.reason == .query)
        #expect(error.failureReason?.contains("price") == true)
    }

    @Test func aQueryIsMadeOfObjectsOnly() async throws {
        let error = try await failure { () throws(APIError<ProblemDetails>) in
            try AnyRequest(query: RequestQuery(encoding: [1, 2])).httpRequest()
        }
        #expect(error.reason == .query)
    }

    private static func path(_ value: (any QueryValue)?, _ style: PathValueStyle) throws -> String {
        try AnyRequest(path: "/x\(value, style)/y").httpRequest().url.path(percentEncoded: true)
    }

    /// RFC 6570, section 3.2, and the table of OpenAPI's styles.
    @Test(arguments: [
        (PathValueStyle.simple(), "/xblue,b%2Ca", "/xR,100,B,150", "/xa%2Fb"),
        (.simple(exploded: true), "/xblue,b%2Ca", "/xR=100,B=150", "/xa%2Fb"),
        (.label(), "/x.blue,b%2Ca", "/x.R,100,B,150", "/x.a%2Fb"),
        (.label(exploded: true), "/x.blue.b%2Ca", "/x.R=100.B=150", "/x.a%2Fb"),
        (.matrix("c"), "/x;c=blue,b%2Ca", "/x;c=R,100,B,150", "/x;c=a%2Fb"),
        (.matrix("c", exploded: true), "/x;c=blue;c=b%2Ca", "/x;R=100;B=150", "/x;c=a%2Fb"),
    ])
    func valuesInAPath(_ style: PathValueStyle, _ list: String, _ object: String, _ text: String) throws {
        #expect(try Self.path(["blue", "b,a"], style) == list + "/y")
        #expect(try Self.path(.object(Self.object), style) == object + "/y")
        #expect(try Self.path("a/b", style) == text + "/y")
        #expect(try Self.path(1.0, .simple()) == "/x1/y")
    }

    @Test func aValueWithoutPartsIsRejected() async throws {
        let paths: [RequestPath] = [
            "/x\([String](), .simple())", "/x\("", .label())", "/x\(Double.nan, .simple())", "/x\(nil, .matrix("a"))",
            "/\(".", .label())", "/\("..", .simple())", "/x\(.list([[1]]), .simple())",
        ]
        for path in paths {
            let error = try await failure { () throws(APIError<ProblemDetails>) in
                try AnyRequest(path: path).httpRequest()
            }
            #expect(error.reason == .path, "\(path)")
        }
    }

    @Test func valuesInFields() async throws {
        var headers = HTTPHeaders()
        headers.set("X-List", to: [1, 2])
        headers.set("X-Object", to: .object(Self.object))
        headers.set("X-Exploded", to: .object(Self.object), exploded: true)
        headers.set("X-None", to: nil)
        headers.addCookies(["a": "x y;", "b": [1, 2]])
        headers.addCookies(["c": 1.0])
        let request = try AnyRequest(headers: headers).httpRequest()
        #expect(request.headers["X-List"] == "1,2" && request.headers["X-Object"] == "R,100,B,150")
        #expect(request.headers["X-Exploded"] == "R=100,B=150" && request.headers["X-None"] == nil)
        #expect(request.headers[.cookie] == "a=x%20y%3B; b=1; b=2; c=1")
        for change in [
            { (headers: inout HTTPHeaders) in headers.set("X-A", to: Double.nan) },
            { (headers: inout HTTPHeaders) in headers.addCookies(["a": Double.nan]) },
        ] {
            var headers = HTTPHeaders()
            change(&headers)
            let invalid = headers
            let error = try await failure { () throws(APIError<ProblemDetails>) in
                try AnyRequest(headers: invalid).httpRequest()
            }
            #expect(error.reason == .header)
        }
    }

    @Test func partsHaveFieldsAndValues() async throws {
        let part = MultipartPart.value("at", Date(timeIntervalSince1970: 0), type: "text/plain")
            .adding(["X-Id": "1", "Content-Type": "a/b", "content-disposition": "form-data"])
        let encoded = try part.encoded(by: HikyakuJSONEncoder())
        let head = "Content-Disposition: form-data; name=\"at\"\r\nContent-Type: text/plain\r\nX-Id: 1"
        #expect(encoded.head == head)
        #expect(encoded.body.bytes == Data("1970-01-01T00:00:00Z".utf8))
        let list = try MultipartPart.value("a", [1, 2]).encoded(by: HikyakuJSONEncoder())
        #expect(list.body.bytes == Data("1,2".utf8))
        #expect(throws: TransportError.self) {
            try MultipartPart.text("a", "b").adding(["X-Id": "1\r\n\r\nx"]).encoded(by: HikyakuJSONEncoder())
        }
        #expect(throws: TransportError.self) {
            try MultipartPart.value("a", Double.nan).encoded(by: HikyakuJSONEncoder())
        }
    }
}
