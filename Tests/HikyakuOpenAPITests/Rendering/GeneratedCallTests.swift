import Foundation
import Hikyaku
import HikyakuMockServer
import Testing

/// Calls of generated requests, against a server.
@Suite struct GeneratedCallTests {
    private let server: MockServer
    private let client: APIClient<Public>

    init() throws {
        server = try MockServer()
        client = APIClient()
            .substituting(APIEnvironment(baseURL: server.baseURL), for: .petstore)
            .substituting(APIEnvironment(baseURL: server.baseURL), for: .features())
    }

    private func authorized(for environment: APIEnvironment) -> APIClient<Authorized> {
        let local = APIEnvironment(baseURL: server.baseURL, allowingCredentialsOverPlainHTTP: true)
        return APIClient().substituting(local, for: environment).authorized(by: .bearer("token"), for: local)
    }

    @Test func aModelIsSentAndRead() async throws {
        server.route(.post, "/pet") { request in .json(request.bodyText) }
        let pet = Pet(name: "Hachi", category: Category(id: 1, name: "dogs"), photoURLs: ["a"], status: .available)
        let client = authorized(for: .petstore)
        let found = try await client.send(PetAPI.AddPet(pet: pet))
        #expect(found == pet)
        #expect(found.status == .available && found.tags == nil)
    }

    @Test func anUnknownValueIsKept() throws {
        let pet = try HikyakuJSONDecoder().read(
            Pet.self,
            from: Data(#"{"status":"flying","photoUrls":[],"x":{},"name":"a","id":7}"#.utf8),
        )
        #expect(pet.status?.rawValue == "flying" && pet.id == 7)
        #expect(try JSONDecoder().decode(Pet.self, from: JSONEncoder().encode(pet)) == pet)
    }

    @Test func unionsAreReadByTheirDiscriminator() throws {
        func shape(_ text: String) throws -> FeaturesShape {
            try HikyakuJSONDecoder().read(FeaturesShape.self, from: Data(text.utf8))
        }
        let round = try shape(#"{"radius":2,"kind":"round","color":"+1"}"#)
        #expect(round == .circle(Circle(kind: "round", radius: 2, color: .plus1)))
        guard case .square(let square) = try shape(#"{"kind":"Square","side":null}"#) else {
            Issue.record("no square")
            return
        }
        #expect(square.side == nil && square.kind == .square)
        #expect(try shape(#"{"kind":"cone"}"#) == .unknown(["kind": "cone"]))
        #expect(try shape("[1]") == .unknown([1]))
    }

    @Test func typesThatContainThemselvesAreReadAndWritten() throws {
        let text =
            #"{"name":"a","parent":{"name":"b","value":["x"],"n":1},"children":[{"name":"c","value":3}],"#
            + #""byName":{"k":{"name":"d","value":{"name":"e"}}},"secret":"s","quoted \"key\"":true,"any":null,"more":5}"#
        let node = try HikyakuJSONDecoder().read(Node.self, from: Data(text.utf8))
        #expect(
            node.parent?.name == "b" && node.parent?.value == .texts(["x"])
                && node.parent?.additionalProperties == ["n": 1]
        )
        let inner = try HikyakuJSONDecoder().read(Node.self, from: Data(#"{"name":"e"}"#.utf8))
        #expect(node.children?.first?.value == .integer(3) && node.byName?["k"]?.value == .node(inner))
        #expect(node.secret?.reveal() == "s" && node.quotedKey == true && node.additionalProperties == ["more": 5])
        #expect(!"\(node)".contains("\"s\""))
        let written = try HikyakuJSONEncoder().write(node)
        #expect(try HikyakuJSONDecoder().read(Node.self, from: written) == node)
        var moved = node
        moved.parent = nil
        #expect(moved != node)
    }

    @Test func parametersAreWhereTheyBelong() async throws {
        server.route(.get, "/shapes/:id") { request in
            #expect(request.headers["X-Trace"] == "7" && request.headers["Cookie"] == "session=s")
            #expect(request.target.contains("path=p&ids=1%7C2&colors=red,%2B1&filter%5Ba%5D=b"))
            return .json(#"{"kind":"cone"}"#)
        }
        let id = try #require(UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"))
        let request = ShapesAPI.Get(
            shapeID: id,
            xTrace: 7,
            pathParameter: "p",
            ids: [1, 2],
            colors: [.red, .plus1],
            filter: ShapesGetFilter(a: "b"),
            session: "s",
        )
        let client = authorized(for: .features())
        #expect(try await client.send(request) == .unknown(["kind": "cone"]))
    }

    @Test func errorsAreTyped() async throws {
        server.route(.put, "/shapes/:id") { _ in .json(#"{"faults":["a"]}"#, status: 422) }
        do {
            _ = try await client.send(ShapesAPI.Put(shapeID: UUID(), shape: .unknown([:])))
            Issue.record("no error")
        } catch .service(.faults(let faults), _) {
            #expect(faults.faults == ["a"])
        } catch {
            Issue.record("\(error)")
        }
    }

    @Test func theResultDependsOnTheStatus() async throws {
        server.route(.put, "/shapes/:id") { request in .json(#"{"at":"1970-01-01T00:00:00Z"}"#, status: 201) }
        let request = ShapesAPI.Put(shapeID: UUID(), shape: .unknown([:]))
        guard case .created(let response) = try await client.send(request) else {
            Issue.record("not created")
            return
        }
        #expect(response.at == Date(timeIntervalSince1970: 0))
    }

    @Test func formsAreSent() async throws {
        server.route(.post, "/login") { request in .text(request.bodyText) }
        let login = UsersAPI.Login(user: "a b", password: Secret("p"), scopes: ["x", "y"])
        #expect(!String(reflecting: login).contains("\"p\""))
        let body = try await client.send(login)
        var bytes = Data()
        for try await piece in body { bytes += piece }
        #expect(String(decoding: bytes, as: UTF8.self) == "user=a+b&password=p&scopes=x&scopes=y")
    }

    private let point = Point(x: 1, y: 2)

    @Test func valuesAreWrittenInTheirStyles() async throws {
        server.route(.get, "/grids/:origin/:cells") { request in
            #expect(request.headers["X-Cells"] == "3,4" && request.headers["X-Point"] == "x=1,y=2")
            #expect(request.headers["X-Exact"] == "true")
            #expect(request.headers["Cookie"] == "theme=dark%20one; layers=a; layers=b")
            return .text("", status: 204)
        }
        let request = GridsAPI.Get(
            origin: point,
            cells: [1, 2],
            at: 7,
            near: point,
            xExact: true,
            theme: "dark one",
            area: point,
            from: point,
            next: "/a/b",
            where: point,
            size: .integers([1, 2]),
            xCells: [3, 4],
            xPoint: point,
            layers: ["a", "b"],
        )
        try await client.send(request)
        let target = try #require(server.requests.first?.target)
        let parts = target.split(separator: "?").map(String.init)
        #expect(parts.first == "/grids/x=1,y=2/1,2;at=7")
        let query =
            "near%5Bx%5D=1&near%5By%5D=2&x=1&y=2&from=x,1,y,2&next=/a/b"
            + "&where=%7B%22x%22%3A1%2C%22y%22%3A2%7D&size=1&size=2"
        #expect(parts.last == query)
    }

    @Test func specialMediaTypesAreSentAndRequested() async throws {
        server.route(.patch, "/shapes") { request in
            #expect(request.headers["Content-Type"] == "application/merge-patch+json")
            #expect(request.headers["Accept"] == "application/hal+json")
            return .json(request.bodyText)
        }
        #expect(try await client.send(ShapesAPI.Patch(point: point)) == point)
    }

    @Test func fieldsAreEncodedAsTheDocumentSays() async throws {
        for method in [HTTPMethod.post, .put] {
            server.route(method, "/grids/:values") { _ in .text("", status: 204) }
        }
        let post = GridsAPI.Post(
            scale: 1.5,
            ids: ["a", "b"],
            corner: point,
            point: point,
            center: point,
            names: ["a", "b"],
            limits: [1, 2],
        )
        try await client.send(post)
        let put = GridsAPI.Put(
            scale: 1.5,
            ids: ["a", "b"],
            corner: point,
            point: point,
            names: ["a", "b"],
            pointHeaders: ["X-Unit": "mm"],
            table: "1,2",
            points: [point],
            limits: [1, 2],
        )
        try await client.send(put)
        #expect(server.requests.allSatisfy { $0.target == "/grids/1.5.a.b;corner=x,1,y,2" })
        let bodies = server.requests.map(\.bodyText)
        let form = "point=%7B%22x%22%3A1%2C%22y%22%3A2%7D&center%5Bx%5D=1&center%5By%5D=2&names=a%7Cb"
        #expect(bodies.first == form + "&limits=%5B1%2C2%5D")
        let multipart = try #require(bodies.last)
        for part in [
            "name=\"point\"\r\nContent-Type: application/json\r\nX-Unit: mm\r\n\r\n{\"x\":1,\"y\":2}",
            "name=\"names\"\r\n\r\na\r\n", "name=\"names\"\r\n\r\nb\r\n",
            "name=\"table\"\r\nContent-Type: text/csv\r\n\r\n1,2\r\n",
            "name=\"points\"\r\nContent-Type: application/json\r\n", "name=\"limits\"\r\n\r\n1,2\r\n",
        ] { #expect(multipart.contains(part), "\(part)") }
    }
}
