import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuOpenAPI

@Suite("Requests of cURL lines")
struct RequestInferenceTests {
    private func request(
        _ line: String,
        response: String? = nil,
        files: [String: String] = [:],
        _ change: (inout RequestInference.Choices) -> Void = { _ in },
    ) throws -> RequestInference.Result {
        var choices = RequestInference.Choices()
        change(&choices)
        let responses = response.map { [SampleFile(path: "r.json", bytes: Array($0.utf8))] } ?? []
        return try RequestInference(choices) { files[$0].map { Array($0.utf8) } }.request(
            line: line,
            responses: responses,
        )
    }

    private func expect(_ line: String, has lines: String..., files: [String: String] = [:]) throws {
        let found = try request(line, files: files)
        for line in lines { #expect(found.text.contains("    \(line)\n"), "\(line) in\n\(found.text)") }
    }

    // MARK: URLs

    @Test(arguments: [
        ("http://[::1]:8080/a", "server", "http://[::1]:8080", "/a"),
        ("https://h.example/api/a^b/v1/x", "h", "https://h.example", "/api/a^b/v1/x"),
        ("x.example/v1/a/https://t/b", "x", "https://x.example/v1", #"/a/\(aID)/t/b"#),
        ("https://api.github.com/repos", "github", "https://api.github.com", "/repos"),
        ("https://qiita.com/api/v2/items", "qiita", "https://qiita.com/api/v2", "/items"),
        ("https://shop.co.uk/v1.2/a/b", "shop", "https://shop.co.uk/v1.2", "/a/b"),
        ("https://x.example/v1", "x", "https://x.example", "/v1"),
        ("https://x.example", "x", "https://x.example", "/"),
        ("https://x.example/a/", "x", "https://x.example", "/a/"),
        ("http://localhost:3000/a", "localhost", "http://localhost:3000", "/a"),
        ("http://127.0.0.1:8080/a", "server", "http://127.0.0.1:8080", "/a"),
        ("x.example/api/a#frag", "x", "https://x.example/api", "/a"),
        ("HTTPS://X.EXAMPLE/A%20b", "x", "https://x.example", "/A%20b"),
    ])
    func theOriginAndACommonBeginningAreTheEnvironment(url: String, name: String, base: String, path: String) throws {
        let found = try request("curl '\(url)'")
        #expect(found.environment == name)
        #expect(found.text.contains("    static let \(name): Self = \"\(base)\"\n"))
        #expect(found.text.contains("    var path: RequestPath { \"\(path)\" }\n"))
    }

    @Test(arguments: [
        ("/users/1", "/users/\\(userID)", "userID: Int"), ("/users/4294967296", "/users/\\(userID)", "userID: Int64"),
        ("/users/007", "/users/\\(userID)", "userID: String"),
        ("/a/8f9e1a7b-6e0d-4b1f-9a55-1d2c3b4a5e6f/b", "/a/\\(aID)/b", "aID: UUID"),
        ("/days/2026-11-21", "/days/\\(dayDay)", "dayDay: CalendarDate"), ("/1/2", "/\\(id)/\\(id2)", "id2: Int"),
        ("/users/{name}", "/users/\\(name)", "name: String"), ("/users/:name", "/users/\\(name)", "name: String"),
        ("/users/$USER_NAME", "/users/\\(userName)", "userName: String"), ("/u/<id>", "/u/\\(id)", "id: String"),
        ("/customers/cus_9s6XKzkNRiz8i3", "/customers/\\(customerID)", "customerID: String"),
        (
            "/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX", "/services/\\(serviceID)/\\(id)/\\(id2)",
            "id2: String",
        ),
    ])
    func valuesInThePathAreProperties(path: String, template: String, property: String) throws {
        let found = try request("curl 'https://x.example\(path)'")
        #expect(found.text.contains("    var path: RequestPath { \"\(template)\" }\n"), "\(found.text)")
        #expect(found.text.contains("    var \(property)\n"))
    }

    @Test(arguments: [
        "https://.x.example/a", "https://a..b/c", "https://./a", "https://x.example:70000/a", "https://[::1/a",
    ])
    func aMalformedHostIsRefused(url: String) {
        let failure = #expect(throws: InferenceFailure.self) { try request("curl '\(url)'") }
        #expect(failure?.message.contains("no valid host") == true, "\(failure?.message ?? "")")
    }

    @Test func theQueryHasTypedProperties() throws {
        try expect(
            "curl 'https://x.example/a?page=2&on=true&q=b%20c&ids=1&ids=2&tag[]=x&lat=1.5&day=2026-11-21&v=1.0&e='",
            has: "var page: Int?",
            "var on: Bool?",
            "var q: String?",
            "var ids: [Int]?",
            "var tag: [String]?",
            "var lat: Double?",
            "var day: CalendarDate?",
            "var v: String?",
            "var e: String?",
        )
    }

    @Test(arguments: [
        ("GET", "/users/1", "GetUser"), ("GET", "/users", "GetUsers"), ("POST", "/users", "CreateUser"),
        ("PATCH", "/users/1", "UpdateUser"), ("PUT", "/users/1", "UpdateUser"), ("DELETE", "/users/1", "DeleteUser"),
        ("POST", "/login", "PostLogin"), ("GET", "/users/1/posts", "GetPosts"), ("GET", "/", "GetX"),
        ("PURGE", "/cache", "PurgeCache"), ("GET", "/statuses.json", "GetStatuses"),
    ])
    func theNameSaysWhatIsDone(method: String, path: String, name: String) throws {
        #expect(try request("curl -X \(method) https://x.example\(path)").name == name)
    }

    // MARK: Authorization

    @Test(arguments: [
        ("-H 'Authorization: Bearer planted'", ".bearer(token)"),
        ("-H 'authorization: basic planted'", ".basic(user: user, password: password)"),
        ("-H 'Authorization: token planted'", #".apiKey(key, in: .authorization(scheme: "token"))"#),
        ("-H 'Authorization: planted two'", ".apiKey(key, in: .authorizationValue)"),
        ("-H 'Authorization: planted'", ".apiKey(key, in: .authorizationValue)"),
        ("-u planted:planted", ".basic(user: user, password: password)"),
        ("--oauth2-bearer planted", ".bearer(token)"),
        ("-H 'X-API-Key: planted'", #".apiKey(key, in: .header("X-API-Key"))"#),
        ("'https://x.example/a?api_key=planted'", #".apiKey(key, in: .query("api_key"))"#),
        ("'https://x.example/a?access_token=planted&b=1'", #".apiKey(key, in: .query("access_token"))"#),
        ("'https://planted:planted@x.example/a'", ".basic(user: user, password: password)"),
        ("-G -d api_key=planted", #".apiKey(key, in: .query("api_key"))"#),
        (
            "-u planted:a -H 'X-API-Key: planted'",
            #".all(.apiKey(key, in: .header("X-API-Key")), .basic(user: user, password: password))"#,
        ),
    ])
    func aCredentialMakesTheRequestAuthorizedAndIsNotInTheCode(words: String, provider: String) throws {
        let url = words.contains("https://") ? "" : "https://x.example/a"
        let found = try request("curl \(words) \(url)")
        #expect(found.provider?.text == provider)
        #expect(found.text.contains("    typealias Access = Authorized\n"))
        let isSeveral = provider.hasPrefix(".all")
        let call = isSeveral ? ".all(…)`, with 2 providers." : "client.authorized(by: \(provider), for: .x)`."
        #expect(found.text.contains("/// Authorized by `\(call)\n"))
        #expect(!"\(found)".contains("planted"))
    }

    @Test func anEnvironmentOfTheUserIsNotDeclared() throws {
        let line = "curl https://x.example/v1/a -H 'Authorization: Bearer t'"
        let found = try request(line) { $0.environment = "shop" }
        #expect(found.text.contains("var environment: APIEnvironment { .shop }") && found.environment == "shop")
        #expect(found.text.contains("var path: RequestPath { \"/a\" }"))
        #expect(found.diagnostics.map(\.message).contains("the base URL of .shop must be https://x.example/v1"))
        #expect(found.text.contains("for: .shop)") && !found.text.contains("extension"), "\(found.text)")
        #expect(try request(line).text.contains("extension APIEnvironment"))
    }

    @Test func withoutACredentialTheRequestIsPublic() throws {
        let found = try request("curl 'https://x.example/a?page_token=planted&keyboard=b&key=x'")
        #expect(found.provider == nil && !found.text.contains("Access"))
        #expect(!"\(found)".contains("planted"))
    }

    @Test(arguments: InferredFiles.lines)
    func nothingSecretGetsIntoCodeOrMessages(line: String) throws {
        let found = try request(try InferredFiles.text(of: "Lines/\(line)"))
        #expect(!"\(found)".contains("planted"))
    }

    @Test func aFailureShowsNothingSecret() {
        for line in [
            "curl 'ftp://planted:planted@x.example/planted'", "curl 'https://planted planted/'",
            "curl -X 'planted planted' x.example",
            "curl x.example --json '{\"planted\":'", "curl 'planted", "curl https://пример.example/planted",
        ] {
            let failure = #expect(throws: InferenceFailure.self) { try request(line) }
            #expect(failure?.message.contains("planted") == false, "\(line)")
        }
    }

    @Test(arguments: [
        "-d 'planted is my password'", "-d planted", "-d 'MIIEplanted1234567=='", "-d 'a=1&planted'",
        "-d 'plantedplantedplantedplantedplantedplantedplanted='", "-G -d 'planted is my password'",
        "'https://x.example/a?plantedMTI34=='", "'https://x.example/a?planted%20b'",
        "$'--planted\\e[31m'", "--data'{\"pin\":\"planted\"}'", "--dataplanted2", "--passwordplanted", "--planted2",
        "-F planted", "-F 'plantedMTI34='", "-F '=planted'", "-H planted", "-H 'planted1234567;'", "planted",
    ])
    func aValueWithoutANameStaysOutOfCodeAndMessages(words: String) throws {
        let found = try request("curl \(words) https://x.example/a")
        #expect(!"\(found)".lowercased().contains("planted"), "\(found.text)")
        #expect(found.diagnostics.count > 1)
        let isBody = words.hasPrefix("-d ")
        let body = #"var body: RequestBody? { .text(content, type: "application/x-www-form-urlencoded") }"#
        #expect(found.text.contains(body) == isBody, "\(found.text)")
    }

    @Test func aPathBeforeASchemeIsNotShownAsOne() throws {
        let found = try request("curl 'x.example/a b/planted/https://t.example/'")
        #expect(!found.diagnostics.map(\.description).joined().contains("planted"))
    }

    /// A field without quotes is several words; one of them must not be taken for the URL.
    @Test func theCredentialOfAFieldWithoutQuotesIsHidden() throws {
        let found = try request("curl -H Authorization: Bearer planted https://x.example/a")
        #expect(found.provider == ".bearer(token)" && found.text.contains(#": Self = "https://x.example""#))
        #expect(!"\(found)".contains("planted"))
    }

    @Test(arguments: [
        ("OWNER/REPO/issues", "/repos/\\(owner)/\\(repo)/issues"),
        ("OWNER/issues/ISSUE_NUMBER", "/repos/\\(owner)/issues/\\(issueNumber)"), ("AAPL", "/repos/AAPL"),
        ("_A", "/repos/_A"),
    ])
    func wordsThatDocumentationWritesInCapitalsAreProperties(path: String, expected: String) throws {
        let found = try request("curl https://api.x.example/repos/\(path)")
        #expect(found.text.contains("{ \"\(expected)\" }"), "\(found.text)")
    }

    @Test func aNameInCapitalsIsNotAValueInAQuery() throws {
        let found = try request("curl 'https://x.example/a?ITEM_ID=&USER=1'")
        #expect(found.text.contains(#"["ITEM_ID": itemID, "USER": user]"#), "\(found.text)")
    }

    @Test func aBodyThatLacksQuotesIsSaidToBeNoJSON() throws {
        let found = try request(#"curl https://x.example/a -d "{"a":1}""#)
        #expect(found.diagnostics.contains { $0.message == "the body begins like JSON, but isn't JSON" })
    }

    @Test func aFailureIsOneShortLineWithoutControlCharacters() {
        let text = String(repeating: "a\u{1B}\n", count: 1000)
        let message = InferenceFailure("\(text)the reason").message
        #expect(message.unicodeScalars.count == 600)
        #expect(message.hasSuffix("the reason"), "\(message)")
        #expect(!message.unicodeScalars.contains { $0.properties.generalCategory == .control })
        #expect(InferenceFailure("a file: no JSON").message == "a file: no JSON")
    }

    @Test func messagesHaveNoControlCharacters() throws {
        let found = try request("curl https://x.example/a -\u{7F} -\u{1B} \u{1B}[31m")
        #expect(found.diagnostics.count > 1)
        let isControl = found.diagnostics.contains {
            $0.description.unicodeScalars.contains { $0.properties.generalCategory == .control }
        }
        #expect(!isControl)
    }

    @Test(
        .timeLimit(.minutes(1)),
        arguments: [
            ("-F a1=b ", "parts of a form"), ("-d a=b ", "fields of a form"), ("-G -d a=b ", "items of the query"),
            ("-H 'X-A: b' ", "header fields"),
        ],
    )
    func moreThanAnyRequestHasIsRejected(words: String, what: String) throws {
        let many = String(repeating: words, count: 20_000)
        let failure = #expect(throws: InferenceFailure.self) { try request("curl https://x.example/a \(many)") }
        #expect(failure?.message == "the line has 20000 \(what); no more than 500 are read")
        _ = try request("curl https://x.example/a \(String(repeating: words, count: 500))")
    }

    @Test func aPathHasALimit() {
        let path = String(repeating: "/1", count: 501)
        let failure = #expect(throws: InferenceFailure.self) { try request("curl https://x.example\(path)") }
        #expect(failure?.message == "the line has 501 segments of the path; no more than 500 are read")
    }

    // MARK: Fields

    @Test func fieldsAreConstantsPropertiesOrLeftOut() throws {
        let found = try request(
            """
            curl https://x.example/a -H 'X-Version: 2' -H 'Accept: text/plain' -H 'X-Client: planted' -H 'User-Agent: a' \
            -H 'Sec-Fetch-Mode: cors' -H 'X-CSRF-Token: planted' -H 'Bad Name: a'
            """
        )
        #expect(found.text.contains("    typealias Definition = TextResponse\n"))
        #expect(found.text.contains(#"headers["X-Version"] = "2""#))
        #expect(found.text.contains("    var xClient: String?\n    var xCSRFToken: Secret<String>?\n"))
        let messages = found.diagnostics.map(\.message)
        #expect(messages.contains("fields that a client or a browser sets are left out: user-agent, sec-fetch-mode"))
        #expect(messages.contains("a header field has no valid name"))
    }

    // MARK: Bodies

    @Test func bodiesInJSONHaveModels() throws {
        let json = #"{"a_b":1,"list":[{"c":true}]}"#
        for words in [
            "--json '\(json)'", "-d '\(json)' -H 'Content-Type: application/json; charset=utf-8'",
            "--data-raw '\(json)'",
            "--json '{\"a_b\":1,' --json '\"list\":[{\"c\":true}]}'",
        ] {
            try expect(
                "curl https://x.example/items \(words)",
                has: "var content: CreateItemBody",
                "var method: HTTPMethod { .post }",
                "var body: RequestBody? { .json(content) }",
                "var aB: Int",
                "var list: [List]".replacing("List", with: "CreateItemBodyList"),
            )
        }
        try expect(
            "curl https://x.example/items -H 'Content-Type: application/merge-patch+json' -X PATCH -d '{\"a\":1}'",
            has: #"var body: RequestBody? { .json(content, type: "application/merge-patch+json") }"#,
        )
        try expect("curl https://x.example/items --json '[1,2]'", has: "var content: [Int]")
        try expect("curl https://x.example/items --json '\"x\"'", has: "var content: String")
    }

    @Test func aFileOfTheBodyIsReadAsASample() throws {
        try expect("curl https://x.example/items --json @b.json", has: "var x: Int", files: ["b.json": "{\"x\":1}"])
        try expect(
            "curl https://x.example/items -d @b -H 'Content-Type: application/json'",
            has: "var content: JSONValue",
        )
    }

    @Test func formsHaveAPropertyForEachField() throws {
        try expect(
            "curl https://x.example/a -d x=1 -d 'y=b&z[k]=true' --data-urlencode 'w=a&b' --data-urlencode 'v@f' -d 'password=p'",
            has: "var x: Int",
            "var y: String",
            "var zK: Bool",
            "var w: String",
            "var v: String",
            "var password: Secret<String>",
            files: ["f": "text & more"],
        )
        let found = try request("curl https://x.example/a -d max_tokens=100 -d q=")
        #expect(found.text.contains("    var maxTokens: Int\n    var q: String\n"))
    }

    /// As curl, which sends a form unless the line has another media type.
    @Test(arguments: [
        ("-d @missing.json", ".text(content, type: \"application/x-www-form-urlencoded\")"),
        ("--data-urlencode name@missing", ".text(content, type: \"application/x-www-form-urlencoded\")"),
        ("--data-binary @missing", ".stream(content, type: \"application/x-www-form-urlencoded\")"),
        ("-d @missing -H 'Content-Type: application/xml'", ".stream(content, type: \"application/xml\")"),
        ("--json @missing", ".json(content)"),
    ])
    func aBodyOfAMissingFileHasTheTypeThatCurlSends(words: String, body: String) throws {
        let found = try request("curl https://x.example/a \(words)")
        #expect(found.text.contains("    var body: RequestBody? { \(body) }\n"), "\(found.text)")
        #expect(found.diagnostics.contains { $0.message == "a file of the body can't be read" })
    }

    @Test func anItemOfTheQueryMayBeAnOption() throws {
        let found = try request(
            """
            curl 'https://x.example/a?z=1' --url-query 'x=a b' --url-query '+y=a%20b' --url-query 'api_key=planted' \
            --url-query w@missing --url-query u@f --url-query @missing -d n=1
            """,
            files: ["f": "1"],
        )
        #expect(found.text.contains("    var z: Int?\n    var x: String?\n    var y: String?\n    var w: String?\n"))
        #expect(found.text.contains("    var u: Int?\n") && found.text.contains("    var n: Int\n"), "\(found.text)")
        #expect(found.provider == #".apiKey(key, in: .query("api_key"))"# && !"\(found)".contains("planted"))
        #expect(found.diagnostics.contains { $0.message == "a file of the query can't be read" })
    }

    @Test func partsAreFilesTextsAndModels() throws {
        try expect(
            "curl https://x.example/a -F a=1 -F f=@x.png -F f=@y.png -F 't=<n' -F 'j={\"k\":1};type=application/json'",
            has: "var a: Int",
            "var f: [MultipartPart]",
            "var t: String",
            "var j: PostAJ",
            "var k: Int",
            files: ["n": "x"],
        )
        try expect("curl https://x.example/a --form-string 'a=@b;c'", has: "var a: String")
    }

    /// A blank that is encoded is a part of the name; one that is written ends a sentence.
    @Test func aFieldsNameMayHaveABlankThatIsEncoded() throws {
        try expect("curl https://x.example/a -d 'first+name=A'", has: "var firstName: String")
        try expect("curl https://x.example/a -d 'the first name=A'", has: "var content: String")
    }

    @Test(arguments: [
        ("-d '<a/>' -H 'Content-Type: application/xml'", ".stream(content, type: \"application/xml\")"),
        ("-d 'a' -H 'Content-Type: text/plain'", ".text(content, type: \"text/plain\")"),
        ("-T file", ".stream(content, type: \"application/octet-stream\")"),
        (
            "-H 'Content-Type: application/x-ndjson' --data-binary $'{\"a\":1}\\n{\"a\":2}'",
            ".jsonLines(content, type: \"application/x-ndjson\")",
        ),
    ])
    func otherBodiesAreTextsAndBytes(words: String, body: String) throws {
        try expect("curl https://x.example/a \(words)", has: "var body: RequestBody? { \(body) }")
    }

    /// Lines of this package with a body that goes through a pipe.
    @Test(arguments: [
        (HTTPBody(Data([0xFF, 0x00])), "application/octet-stream", ".stream(content, type"),
        (HTTPBody("it’s “x^\"y\r\n"), "application/octet-stream", ".stream(content, type"),
        (
            HTTPBody(joining: ["--x\r\n", "a\r\n", "--x--\r\n"], count: nil), "multipart/form-data; boundary=x",
            ".multipart(",
        ),
    ])
    func aLineOfThisPackageIsRead(body: HTTPBody, type: String, written: String) throws {
        let url = try #require(URL(string: "https://x.example/a"))
        let request = HTTPRequest(method: .put, url: url, headers: ["Content-Type": type], body: body)
        let found = try self.request(request.curlCommand(revealingSecrets: true))
        #expect(
            found.text.contains("var method: HTTPMethod { .put }") && found.text.contains(written),
            "\(found.text)",
        )
    }

    /// What is not a form is given as a whole.
    @Test(arguments: ["<a b=\"c\"/>", "{a=b}", "two words=1", "say \"a\"=b"])
    func aTextWithAnEqualsSignIsNotAForm(body: String) throws {
        let text = try request("curl https://x.example -d '\(body)'").text
        #expect(!text.contains(".form("), "\(text)")
    }

    @Test(arguments: [
        #"curl https://x.example/chat -H 'Content-Type: application/json' -d '{"q":"a","stream" : true}'"#,
        "curl -N https://x.example/events",
    ])
    func aLineThatRequestsAStreamGetsOne(line: String) throws {
        let text = try request(line).text
        #expect(text.contains("EventStreamRequest") && text.contains("typealias Event = JSONValue"), "\(text)")
    }

    @Test func anEmptyBodyIsNone() throws {
        #expect(!(try request("curl https://x.example/a -d ''").text.contains("body")))
    }

    @Test func aBodyThatShouldBeJSONSaysWhereItIsNone() {
        let failure = #expect(throws: InferenceFailure.self) { try request("curl x.example --json '{\"a\":$ID}'") }
        #expect(failure?.message == "the body:1:6: error: this is not JSON: a value is missing")
    }

    // MARK: Responses

    @Test func aSampleOfTheResponseIsAModel() throws {
        let one = try request("curl https://x.example/users/1", response: #"{"id":1}"#)
        #expect(one.text.contains("typealias Response = User\n") && one.text.contains("struct User: "))
        let many = try request("curl https://x.example/users", response: #"[{"id":1},{"id":null}]"#)
        #expect(many.text.contains("typealias Response = [User]\n") && many.text.contains("var id: Int?"))
        let map = try request("curl https://x.example/rates", response: #"{"2026-01-01":1.5,"2026-01-02":2}"#)
        #expect(map.text.contains("typealias Response = [String: Double]\n"))
        let named = try request("curl https://x.example/users", response: #"{"users":[{"a":1}]}"#) {
            ($0.name, $0.responseName) = ("Everyone", "UserPage")
        }
        #expect(named.text.contains("struct Everyone: APIRequest {"))
        #expect(named.text.contains("typealias Response = UserPage\n"))
    }

    @Test func aModelOfTheResponseDoesNotTakeAnotherTypesName() throws {
        let found = try request(
            #"curl https://x.example/items --json '{"user":{"a":1,"b":2}}'"#,
            response: #"{"user":{"c":1,"d":2}}"#,
        )
        #expect(
            found.text.contains("struct User: ") && found.text.contains("struct ItemUser: ")
        )
    }

    @Test(arguments: [
        ("curl https://x.example/a", "typealias Response = JSONValue"),
        ("curl -I https://x.example/a", "typealias Response = Void"),
        ("curl -X DELETE https://x.example/a", "typealias Response = Void"),
        ("curl https://x.example/a -H 'Accept: image/png'", "typealias Definition = StreamedResponse"),
        ("curl https://x.example/a -H 'Accept: text/event-stream'", "typealias Event = JSONValue"),
        ("curl https://x.example/a -H 'Accept: text/html,*/*'", "typealias Response = JSONValue"),
    ])
    func withoutASampleTheResponseIsThatOfTheAcceptedType(line: String, declaration: String) throws {
        try expect(line, has: declaration)
    }

    @Test func aTimeLimitIsThatOfTheRequest() throws {
        try expect("curl -m 10 x.example", has: "var timeout: Duration? { .seconds(10) }")
        try expect("curl --max-time 0.25 x.example", has: "var timeout: Duration? { .milliseconds(250) }")
        #expect(!(try request("curl -m nan x.example").text.contains("timeout")))
    }
}
