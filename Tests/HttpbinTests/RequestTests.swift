#if os(Linux)
import Foundation
import Hikyaku
import TestSupport
import Testing

/// What a server of others makes of our requests.
@Suite(.enabled(if: HttpbinServer.isInstalled, "run scripts/setup test"), .timeLimit(.minutes(10)))
struct RequestTests {
    @Test(arguments: [HTTPMethod.get, .post, .put, .patch, .delete, .trace])
    func methodArrives(method: HTTPMethod) async throws {
        let received = try await Httpbin.client.send(Httpbin.Echo(method: method))
        #expect(received.method == method.rawValue)
        #expect(received.data.isEmpty)
    }

    @Test(arguments: ["get", "post", "put", "patch", "delete"])
    func methodReachesItsOwnRoute(name: String) async throws {
        let method = HTTPMethod(name.uppercased())
        let response = try await Httpbin.client.bind(Httpbin.Probe(method: method, path: "/\(name)")).response()
        #expect(response.status == .ok)
    }

    @Test
    func headHasTheFieldsWithoutTheBody() async throws {
        let request = Httpbin.Bytes(path: "/bytes/100")
        let whole = try await Httpbin.client.bind(request).response()
        let head = try await Httpbin.client.bind(Httpbin.Probe(method: .head, path: "/bytes/100")).response()
        #expect(whole.value.count == 100)
        #expect(head.status == .ok)
        #expect(head.headers[.contentLength] == whole.headers[.contentLength])
    }

    @Test
    func optionsReturnsTheAllowedMethods() async throws {
        let response = try await Httpbin.client.bind(Httpbin.Probe(method: .options, path: "/get")).response()
        let allowed = response.headers["Allow"]?.split(separator: ", ").sorted()
        #expect(allowed == ["GET", "HEAD", "OPTIONS"])
    }

    @Test
    func unknownMethodIsSentAsItIs() async throws {
        await #expect {
            try await Httpbin.client.send(Httpbin.Probe(method: "PURGE", path: "/get"))
        } throws: { error in
            (error as? any APIFailure)?.response?.status == 405
        }
    }

    @Test
    func queryArrivesAsItWasMeant() async throws {
        let tag: String? = nil
        let received = try await Httpbin.client.send(
            Httpbin.Echo(query: [
                "sum": "1+1=2", "space": "a b", "city": "東京", "emoji": "🏯", "reserved": "a&b=c/d?e#f%20",
                "page": 2, "draft": false, "tag": tag, "ids": [1, 2], "empty": "",
                "list": .list(["x", "y"], .bracketed), "comma": .list(["x", "y,z"], .commaSeparated),
                "filter": .object(["state": "open", "author": .object(["name": "飛脚"])]),
                "since": Date(timeIntervalSince1970: 0), "né": "é",
            ])
        )
        #expect(
            received.args == [
                "sum": "1+1=2", "space": "a b", "city": "東京", "emoji": "🏯", "reserved": "a&b=c/d?e#f%20",
                "page": "2", "draft": "false", "ids": ["1", "2"], "empty": "",
                "list[]": ["x", "y"], "comma": "x,y,z",
                "filter[state]": "open", "filter[author][name]": "飛脚",
                "since": "1970-01-01T00:00:00Z", "né": "é",
            ]
        )
    }

    // No percent sign: httpbin writes it unescaped into the URL that it returns.
    @Test(arguments: ["a/admin?x=1#y", "a/b", "日本語", "a b+c", "a&b=c;d"])
    func interpolatedValueStaysOneSegment(id: String) async throws {
        let received = try await Httpbin.client.send(Httpbin.Echo(path: "/anything/\(id)"))
        let path = try #require(received.url.split(separator: "/anything/", maxSplits: 1).last)
        #expect(path.removingPercentEncoding == id)
        #expect(received.args.isEmpty)
    }

    @Test
    func formArrivesAsItWasMeant() async throws {
        let form: RequestQuery = [
            "sum": "1+1=2", "space": "a b", "city": "東京", "line": "a\r\nb", "ids": [1, 2],
            "user": .object(["name": "飛脚"]),
        ]
        let received = try await Httpbin.client.send(Httpbin.Echo(method: .post, body: .form(form)))
        #expect(
            received.form == [
                "sum": "1+1=2", "space": "a b", "city": "東京", "line": "a\r\nb", "ids": ["1", "2"],
                "user[name]": "飛脚",
            ]
        )
        #expect(received.headers["Content-Type"] == "application/x-www-form-urlencoded")
        #expect(received.data.isEmpty)
    }

    @Test(arguments: [HTTPMethod.post, .put, .patch, .delete, .get])
    func jsonArrivesAsItWasMeant(method: HTTPMethod) async throws {
        let article = Article(title: "「飛脚」\n\"\\\u{1F3EF}", tags: ["a/b", ""], rating: 4.5)
        let body = RequestBody.json(article)
        let sent = method == .get ? body.allowedWithGet() : body
        let received = try await Httpbin.client.send(Httpbin.Echo(method: method, body: sent))
        #expect(received.json == article)
        #expect(received.headers["Content-Type"] == "application/json")
    }

    @Test
    func parametersGoWhereTheMethodWantsThem() async throws {
        let parameters: RequestQuery = ["title": "a b", "tags": ["x", "y"]]
        let read = try await Httpbin.client.send(Httpbin.Echo(parameters: parameters))
        let written = try await Httpbin.client.send(Httpbin.Echo(method: .post, parameters: parameters))
        #expect(read.args == ["title": "a b", "tags": ["x", "y"]])
        #expect(read.json == nil)
        #expect(written.args.isEmpty)
        #expect(written.json == Article(title: "a b", tags: ["x", "y"]))
    }

    @Test
    func textAndBytesArriveAsTheyAre() async throws {
        let text = try await Httpbin.client.send(Httpbin.Echo(method: .post, body: .text("走る 飛脚")))
        #expect(text.data == "走る 飛脚")
        #expect(text.headers["Content-Type"] == "text/plain; charset=utf-8")
        let bytes = Data((0..<100_000).map { UInt8(truncatingIfNeeded: $0) })
        let binary = try await Httpbin.client.send(Httpbin.Echo(method: .put, body: .bytes(bytes)))
        #expect(binary.data == "data:application/octet-stream;base64,\(bytes.base64EncodedString())")
        #expect(binary.headers["Content-Length"] == "100000")
    }

    @Test
    func partsArriveAsFieldsAndFiles() async throws {
        let bytes = Data((0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) })
        let parts: [MultipartPart] = [
            .text("title", "飛脚"), .text("tag", "a"), .text("tag", 2), .json("meta", ["title": "x"]),
            .bytes("note", Data("née\r\n--".utf8), filename: "a \"b\".txt"),
            .bytes("photo", bytes, filename: "写真.png"),
        ]
        let received = try await Httpbin.client.send(Httpbin.Echo(method: .post, body: .multipart(parts)))
        #expect(received.form == ["title": "飛脚", "tag": ["a", "2"], "meta": #"{"title":"x"}"#])
        #expect(received.files["note"] == "née\r\n--")
        #expect(received.files["photo"] == .one("data:image/png;base64,\(bytes.base64EncodedString())"))
        #expect(received.headers["Content-Type"]?.hasPrefix("multipart/form-data; boundary=hikyaku-") == true)
    }

    @Test
    func aLargeFileIsStreamedAsAPart() async throws {
        let path = FileManager.default.temporaryDirectory.path + "/hikyaku-part-\(UUID()).jpg"
        let bytes = Data((0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) })
        try bytes.write(to: URL(filePath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let parts: [MultipartPart] = [.text("title", "飛脚"), .file("photo", path: path, filename: "p.jpg")]
        let received = try await Httpbin.client.send(Httpbin.Echo(method: .post, body: .multipart(parts)))
        #expect(received.form == ["title": "飛脚"])
        #expect(received.files == ["photo": .one("data:image/jpeg;base64,\(bytes.base64EncodedString())")])
        // The length was known, so it was announced.
        #expect(received.headers["Content-Length"].flatMap(Int.init) ?? 0 > bytes.count)
    }

    @Test
    func headersArriveAsTheyWereGiven() async throws {
        let headers: HTTPHeaders = ["X-Trace": "a, b;c=\"d\"", "Accept-Language": "ja,en;q=0.5", "X-Empty": ""]
        let received = try await Httpbin.client.send(Httpbin.Echo(headers: headers)).headers
        #expect(received["X-Trace"] == "a, b;c=\"d\"")
        #expect(received["Accept-Language"] == "ja,en;q=0.5")
        #expect(received["X-Empty"] == "")
    }

    @Test
    func clientSendsUserAgentAndAccept() async throws {
        let received = try await Httpbin.client.send(Httpbin.Echo()).headers
        #expect(received["User-Agent"]?.hasPrefix("Hikyaku/") == true)
        #expect(received["Accept"] == "application/json")
        #expect(received["Accept-Encoding"] == SupportedCodings.acceptEncoding)
        #expect(received["Content-Type"] == nil)
        #expect(Set(received.keys).isSubset(of: ["User-Agent", "Accept", "Accept-Encoding", "Host", "Content-Length"]))
    }
}
#endif
