import Foundation
import Hikyaku
import HikyakuMockServer
import Testing

/// What is sent in each style, by the table of OpenAPI 3.1.1, section 4.8.12.2.
///
/// The members of objects are sent in the order of their keys.
@Suite struct StyleCallTests {
    private let server: MockServer
    private let client: APIClient<Public>
    private let color = StylesColor(b: 150, g: 200, r: 100)
    private let list = ["blue", "black", "brown"]

    init() throws {
        server = try MockServer { _ in .status(204) }
        client = APIClient().substituting(APIEnvironment(baseURL: server.baseURL), for: .styles)
    }

    @Test func pathsHaveEachStyle() async throws {
        try await client.send(StylesAPI.Simple(s: "blue", a: list, ae: list, o: color, oe: color))
        try await client.send(StylesAPI.Label(s: "blue", a: list, ae: list, o: color, oe: color))
        try await client.send(StylesAPI.Matrix(s: "blue", a: list, ae: list, o: color, oe: color))
        #expect(
            server.requests.map(\.target) == [
                "/simple/blue/blue,black,brown/blue,black,brown/B,150,G,200,R,100/B=150,G=200,R=100",
                "/label/.blue/.blue,black,brown/.blue.black.brown/.B,150,G,200,R,100/.B=150.G=200.R=100",
                "/matrix/;s=blue/;a=blue,black,brown/;ae=blue;ae=black;ae=brown/;o=B,150,G,200,R,100/;B=150;G=200;R=100",
            ]
        )
    }

    @Test func anEmptyTextInAPathIsSentOnlyWithItsName() async throws {
        try await client.send(StylesAPI.Matrix(s: "", a: list, ae: list, o: color, oe: color))
        #expect(server.requests[0].target.hasPrefix("/matrix/;s/"))
        // A dot by itself would be a part of the path that clients remove.
        await #expect(throws: APIError<ProblemDetails>.self) {
            try await client.send(StylesAPI.Label(s: "", a: list, ae: list, o: color, oe: color))
        }
        #expect(server.requests.count == 1)
    }

    @Test func reservedCharactersInPathsAreEncoded() async throws {
        try await client.send(StylesAPI.Simple(s: "a/b?c#d,e", a: ["a,b", "c"], ae: ["ä"], o: color, oe: color))
        #expect(server.requests[0].target.hasPrefix("/simple/a%2Fb%3Fc%23d%2Ce/a%2Cb,c/%C3%A4/"))
    }

    private func query(_ request: StylesAPI.Query) async throws -> String? {
        try await client.send(request)
        let target = try #require(server.requests.last?.target)
        return target.split(separator: "?", maxSplits: 1).dropFirst().first.map(String.init)
    }

    @Test func queriesHaveEachStyle() async throws {
        #expect(try await query(.init(s: "blue")) == "s=blue")
        #expect(try await query(.init(a: list)) == "a=blue,black,brown")
        #expect(try await query(.init(ae: list)) == "ae=blue&ae=black&ae=brown")
        #expect(try await query(.init(o: color)) == "o=B,150,G,200,R,100")
        #expect(try await query(.init(oe: color)) == "B=150&G=200&R=100")
        #expect(try await query(.init(sa: list)) == "sa=blue%20black%20brown")
        #expect(try await query(.init(so: color)) == "so=B%20150%20G%20200%20R%20100")
        #expect(try await query(.init(pa: list)) == "pa=blue%7Cblack%7Cbrown")
        #expect(try await query(.init(po: color)) == "po=B%7C150%7CG%7C200%7CR%7C100")
        #expect(try await query(.init(d: color)) == "d%5BB%5D=150&d%5BG%5D=200&d%5BR%5D=100")
    }

    @Test func queriesOfOtherValuesAreWritten() async throws {
        #expect(try await query(.init()) == nil)
        #expect(try await query(.init(s: "")) == "s=")
        #expect(try await query(.init(empty: "")) == "empty=")
        #expect(try await query(.init(ae: [])) == nil)
        #expect(try await query(.init(s: "a&b=c+d/e?")) == "s=a%26b%3Dc%2Bd%2Fe%3F")
        #expect(try await query(.init(reserved: "/a?b:c")) == "reserved=/a?b:c")
        #expect(try await query(.init(a: ["a,b", "c d"])) == "a=a%2Cb,c%20d")
        #expect(try await query(.init(json: color)) == "json=%7B%22B%22%3A150%2C%22G%22%3A200%2C%22R%22%3A100%7D")
        #expect(try await query(.init(at: Date(timeIntervalSince1970: 0))) == "at=1970-01-01T00%3A00%3A00Z")
        #expect(try await query(.init(numbers: [1, 2.5])) == "numbers=1,2.5")
    }

    @Test func nestedObjectsAreBracketed() async throws {
        let nested = Nested(color: color, names: ["a", "b"])
        let text = try #require(try await query(.init(nested: nested))?.removingPercentEncoding)
        #expect(text.hasPrefix("nested[color][B]=150&nested[color][G]=200&nested[color][R]=100&nested[names]"))
        #expect(!text.contains("none"))
    }

    @Test func fieldsHaveTheirStyles() async throws {
        let (start, second) = (Date(timeIntervalSince1970: 0), Date(timeIntervalSince1970: 1))
        try await client.send(
            StylesAPI.Fields(
                xS: "a, b",
                xA: [1, 2],
                xO: color,
                xOe: color,
                xAt: start,
                xDates: [start, second],
                xFlag: true,
                xJSON: color,
                s: "a b",
                a: ["x", "y"],
                o: color,
            )
        )
        let headers = try #require(server.requests.first).headers
        #expect(headers["X-S"] == "a, b" && headers["X-A"] == "1,2" && headers["X-Flag"] == "true")
        #expect(headers["X-O"] == "B,150,G,200,R,100" && headers["X-OE"] == "B=150,G=200,R=100")
        #expect(headers["X-At"] == "1970-01-01T00:00:00Z")
        #expect(headers["X-Dates"] == "1970-01-01T00:00:00Z,1970-01-01T00:00:01Z")
        #expect(headers["X-JSON"] == #"{"B":150,"G":200,"R":100}"#)
        #expect(headers["Cookie"] == "s=a%20b; a=x,y; o=B,150,G,200,R,100")
    }
}
