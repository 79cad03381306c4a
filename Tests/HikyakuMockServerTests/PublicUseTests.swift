// Without `@testable`: what a user of the library writes.
import HikyakuMockServer
import Testing

private struct Item: Codable, Equatable {
    var id: Int
    var path: String
}

@Suite struct PublicUseTests {
    @Test func makesAnswersOfTextBytesAndValues() throws {
        #expect(MockAnswer.json(#"{"a":1}"#).body == MockAnswer.bytes(#"{"a":1}"#.utf8, type: nil).body)
        #expect(MockAnswer.json("{}").headers[.contentType] == "application/json")
        #expect(try MockAnswer.json(Item(id: 1, path: "/a")) == .json(#"{"id":1,"path":"/a"}"#))
        #expect(try MockAnswer.json([1, 2]) == .json("[1,2]"))
        #expect(MockAnswer.text("a", status: .notFound).status == 404)
        #expect(MockAnswer.status(.noContent, headers: ["A": "b"]).headers["a"] == "b")
        #expect(MockAnswer.bytes([1, 2]).headers[.contentType] == "application/octet-stream")
        #expect(MockAnswer.text("abc").dripping(pieceBytes: 2, over: .seconds(1)).chunked().body.count == 3)
    }

    @Test func takesHandlersOfOneOrMoreLines() throws {
        let server = try MockServer { request in .json(#"{"path": "\#(request.path)"}"#) }
        defer { server.stop() }
        server.route(.post, "/items") { request in
            let item = try request.json(as: Item.self)
            guard item.id > 0 else { return .status(.unprocessableContent) }
            return try .json(item, status: .created).header("Location", "/items/\(item.id)")
        }
        server.route(.get, "/items/:id") { try .json(Item(id: Int($0.parameters["id"] ?? "") ?? 0, path: $0.path)) }
        server.enqueue(.status(503), .raw([.write("HTTP/1.1 ", pieceBytes: 1), .pause(.milliseconds(5)), .reset]))
        #expect(server.baseURL == "http://127.0.0.1:\(server.port)")
    }
}
