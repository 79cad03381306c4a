import Foundation
import Testing

@testable import HikyakuCommand

struct NearMissTests {
    @Test(arguments: [
        ("Acces", "Access"), ("Acess", "Access"), ("Accesss", "Access"), ("access", "Access"), ("Accses", "Access"),
        ("Reponse", "Response"), ("Responce", "Response"), ("Responses", "Response"), ("Respones", "Response"),
        ("Respone", "Response"), ("Defintion", "Definition"), ("Definitions", "Definition"),
        ("Defnitoin", "Definition"),
        ("Failiure", "Failure"), ("Failures", "Failure"), ("Failur", "Failure"),
    ])
    func nearlyRightAliasesAreFound(name: String, meant: String) {
        #expect(RequestName.meant(by: name, .typealias, type: nil) == meant)
    }

    @Test(arguments: [
        "Access", "Response", "Definition", "Failure", "AccessLevel", "Accent", "Responder", "Model", "Base", "Success",
        "ID", "", "Event", "Error", "Result", "Feature", "É",
    ])
    func otherAliasesAreNot(name: String) {
        #expect(RequestName.meant(by: name, .typealias, type: nil) == nil)
    }

    @Test(arguments: [
        ("querry", "String", "query"), ("qeury", "RequestQuery", "query"), ("Query", "String?", "query"),
        ("quer", "RequestQuery", "query"), ("querys", "[String: Int]", "query"),
        ("header", "HTTPHeaders", "headers"), ("header", "[String: String]", "headers"),
        ("haeders", "Int", "headers"), ("methode", "HTTPMethod", "method"), ("boddy", "Data", "body"),
        ("bdoy", "RequestBody?", "body"), ("paht", "RequestPath", "path"), ("parameter", "RequestQuery", "parameters"),
        ("paramters", "RequestQuery", "parameters"), ("timeot", "Double", "timeout"),
        ("timeOut", "Int", "timeout"), ("timout", "Duration?", "timeout"),
        ("decodr", "any ResponseDecoder", "decoder"),
        ("encodeer", "JSONEncoder", "encoder"), ("requireAuthorisation", "Bool", "requiresAuthorization"),
        ("requiresAuthorisation", "Bool", "requiresAuthorization"), ("requiredScope", "Set<String>", "requiredScopes"),
        ("isIdempotant", "Bool", "isIdempotent"), ("shareExchange", "Bool", "sharesExchange"),
        ("idempotentKey", "IdempotencyKey", "idempotencyKey"), ("limitGroups", "LimitGroup", "limitGroup"),
        ("redirectPolcy", "RedirectPolicy?", "redirectPolicy"), ("enviroment", "APIEnvironment", "environment"),
        ("diagnosticDetail", "DiagnosisDetail", "diagnosisDetail"),
    ])
    func nearlyRightPropertiesAreFound(name: String, type: String, meant: String) {
        #expect(RequestName.meant(by: name, .property, type: type) == meant)
    }

    @Test(arguments: [
        ("header", "String"), ("methods", "[HTTPMethod]"), ("parameter", "String"), ("patch", "RequestPath"),
        ("path", "String"), ("paths", "[String]"), ("bath", "Int"), ("boy", "String"), ("bodies", "[RequestBody]"),
        ("encoded", "Data"), ("decoded", "Bool"), ("timeouts", "[Duration]"), ("environments", "[APIEnvironment]"),
        ("quota", "Int"), ("queue", "RequestQuery"), ("id", "Int"), ("", "Int"), ("limit", "Int"), ("login", "String"),
        ("memory", "HTTPMethod"), ("quay", "RequestQuery"), ("baseBody", "RequestBody"),
    ])
    func ordinaryWordsAreNot(name: String, type: String) {
        #expect(RequestName.meant(by: name, .property, type: type) == nil)
    }

    @Test
    func nestedTypesAreNotReportedForAPlural() {
        #expect(RequestName.meant(by: "Failur", .type, type: nil) == "Failure")
        #expect(RequestName.meant(by: "Failures", .type, type: nil) == nil)
        #expect(RequestName.meant(by: "Responses", .type, type: nil) == nil)
    }

    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        .standardizedFileURL

    private static func sources(_ folder: String) throws -> [String] {
        let folder = root.appending(path: folder)
        let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path(percentEncoded: false))
        return try names.filter { $0.hasSuffix(".swift") && !$0.contains(".build/") }.map {
            try String(contentsOf: folder.appending(path: $0), encoding: .utf8)
        }
    }

    /// More than requests have: every alias, nested type and property, of each type that it may have.
    @Test(arguments: ["Examples", "Tests/Petstores", "Tests/HikyakuOpenAPITests", "Sources/Client/Hikyaku"])
    func namesInRealSourcesAreNot(folder: String) throws {
        var found: Set<String> = []
        for source in try Self.sources(folder) {
            for match in source.matches(of: /\b(?:let|var) (\w+)(?:: ([^={\n]+))?/) {
                let type = match.2.map { String($0).trimmingCharacters(in: .whitespaces) } ?? "Int"
                let meant = RequestName.meant(by: String(match.1), .property, type: type)
                if let meant { found.insert("\(match.1): \(type), \(meant)") }
            }
            for match in source.matches(of: /\btypealias (\w+)/) {
                let meant = RequestName.meant(by: String(match.1), .typealias, type: nil)
                if let meant { found.insert("typealias \(match.1), \(meant)") }
            }
            for match in source.matches(of: /\b(?:struct|enum|class|actor) (\w+)/) {
                let meant = RequestName.meant(by: String(match.1), .type, type: nil)
                if let meant { found.insert("type \(match.1), \(meant)") }
            }
        }
        #expect(found.isEmpty, "\(found.sorted())")
    }

    /// The lists of names must grow with the protocol.
    @Test
    func knowsEveryNameOfTheProtocol() throws {
        let file = Self.root.appending(path: "Sources/Client/Hikyaku/Request/APIRequest.swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(source.firstRange(of: "public protocol APIRequest"))
        let end = try #require(source[start.lowerBound...].firstRange(of: "\n}\n"))
        let requirements = String(source[start.lowerBound..<end.lowerBound])
        let properties = requirements.matches(of: /\n    var (\w+): (.+) \{ get \}/)
        #expect(properties.map { String($0.1) } == RequestName.properties.map(\.key))
        for match in properties {
            // A letter too many; a swapped one for a short name.
            let (start, end) = (match.1.dropLast(2), match.1.suffix(2))
            let near = start + (match.1.count < 5 ? String(end.reversed()) : "x" + end)
            #expect(RequestName.meant(by: String(near), .property, type: String(match.2)) == String(match.1))
        }
        let types = requirements.matches(of: /\n    associatedtype (\w+)/)
        #expect(types.map { String($0.1) } == RequestName.associatedTypes)
    }

    /// So must those of the requests of a special kind.
    @Test(arguments: [
        ("FileRequest", "Downloads/FileResponse"), ("EventStreamRequest", "EventStreams/EventStreamRequest"),
        ("PagedRequest", "Pages/PagedRequest"),
    ])
    func knowsTheFurtherNamesOfSpecialRequests(name: String, path: String) throws {
        let file = Self.root.appending(path: "Sources/Client/Hikyaku/\(path).swift")
        let source = try String(contentsOf: file, encoding: .utf8)
        let start = try #require(source.firstRange(of: "public protocol \(name)"))
        let end = try #require(source[start.lowerBound...].firstRange(of: "\n}\n"))
        let properties = String(source[start.lowerBound..<end.lowerBound]).matches(
            of: /\n    var (\w+): (.+) \{ get \}/
        )
        #expect(properties.map { String($0.1) } == RequestName.furtherProperties[name]?.map(\.key))
        for match in properties {
            let near = String(match.1.dropLast(2) + "x" + match.1.suffix(2))
            #expect(RequestName.meant(by: near, .property, type: String(match.2), of: [name]) == String(match.1))
            #expect(RequestName.meant(by: near, .property, type: String(match.2)) == nil)
            #expect(RequestName.meant(by: String(match.1), .staticProperty, type: nil, of: [name]) == String(match.1))
        }
    }

    @Test
    func requestsAndProtocolsOfServicesAreLookedThrough() {
        let members: [SymbolGraph.Symbol] = [
            .member("typealias", "Acces", line: 9),
            .member("typealias", "Failur", of: "Request", line: 4),
            .member("typealias", "Response", line: 8),
            .member("enum", "Failuer", line: 10),
            .type("s:App.Other", "Shop", "Other"), .member("typealias", "Acces", of: "Other", line: 7),
            .member("property", "header", "var header: HTTPHeaders { get }", of: "Request", line: 5),
            .member("property", "parameter", "var parameter: String { get }", of: "Request", line: 6),
        ]
        let properties = [
            ConstProperty.sample("querry", "Hikyaku.RequestQuery", .runtime),
            .sample("methode", "HikyakuHTTP.HTTPMethod", .runtime, isStatic: true),
        ]
        let end = "is ignored by APIRequest: did you mean"
        #expect(
            warnings(members, properties: properties) == [
                "App.swift:1: warning: property querry in Shop.Items \(end) query?",
                "App.swift:4: warning: typealias Failur in Shop.Request \(end) Failure?",
                "App.swift:5: warning: property header in Shop.Request \(end) headers?",
                "App.swift:9: warning: typealias Acces in Shop.Items \(end) Access?",
                "App.swift:10: warning: type Failuer in Shop.Items \(end) Failure?",
            ]
        )
    }

    /// `var headers: HTTPHeaders { header }` uses the property.
    @Test
    func aNameBesideTheKnownOneIsLeftAlone() {
        let members: [SymbolGraph.Symbol] = [
            .member("typealias", "Acces", line: 9),
            .member("typealias", "Access", line: 8),
            .member("property", "header", "var header: HTTPHeaders", of: "Request", line: 5),
            .member("property", "headers", of: "Request", line: 6),
        ]
        let properties = [
            ConstProperty.sample("parameter", "Hikyaku.RequestQuery", .runtime),
            .sample("parameters", "Hikyaku.RequestQuery", .runtime),
            // What the service's protocol requires.
            .sample("header", "Hikyaku.HTTPHeaders", .runtime),
        ]
        #expect(warnings(members, properties: properties).isEmpty)
    }

    @Test
    func staticPropertiesAreReportedUnlessTheRequestOrItsProtocolUsesThem() {
        let required = SymbolGraph.Symbol.member("type.property", "path", "static var path", of: "Request")
        let properties = [
            ConstProperty.sample("method", "HikyakuHTTP.HTTPMethod", .runtime, isStatic: true),
            .sample("path", "Hikyaku.RequestPath", .runtime, isStatic: true),
            .sample("query", "Hikyaku.RequestQuery", .runtime, isStatic: true),
            .sample("query", "Hikyaku.RequestQuery", .runtime),
        ]
        #expect(
            warnings([required], properties: properties) == [
                "App.swift:1: warning: static property method in Shop.Items is ignored by APIRequest: remove static"
            ]
        )
    }

    @Test
    func staticPropertiesOfAProtocolsExtensionAreReportedUnlessTheyAreUsed() {
        func property(
            _ name: String,
            _ line: Int,
            kind: String = "type.property",
            extending module: String? = "App",
        ) -> SymbolGraph.Symbol {
            .member(kind, name, of: "Request", line: line, extending: module)
        }
        let members = [
            property("environment", 3), property("ordinary", 4),
            // A requirement, which the extension supplies.
            property("path", 5, extending: nil), property("path", 6),
            property("headers", 7), property("headers", 8, kind: "property"),
            // The request's own property may use it.
            property("query", 9),
        ]
        let properties = [ConstProperty.sample("query", "Hikyaku.RequestQuery", .runtime)]
        let end = "is ignored by APIRequest: remove static"
        #expect(
            warnings(members, properties: properties) == [
                "App.swift:3: warning: static property environment in Shop.Request \(end)"
            ]
        )
    }

    @Test
    func theNamesOfSpecialRequestsAreThoseOfTheirProtocols() {
        let member = SymbolGraph.Symbol.member(
            "property",
            "destinaton",
            "var destinaton: FileDestination",
            of: "Request",
            line: 5,
        )
        let properties = [ConstProperty.sample("idelTimeout", "Swift.Optional<Swift.Duration>", .runtime)]
        let end = "is ignored by APIRequest: did you mean"
        #expect(
            warnings([member], properties: properties, conformances: ["FileRequest", "EventStreamRequest"]) == [
                "App.swift:1: warning: property idelTimeout in Shop.Items \(end) idleTimeout?",
                "App.swift:5: warning: property destinaton in Shop.Request \(end) destination?",
            ]
        )
        #expect(warnings([member], properties: properties).isEmpty)
    }

    @Test
    func targetsThatAreNotListedAreNotReported() {
        let property = ConstProperty.sample("querry", "Hikyaku.RequestQuery", .runtime)
        let (alias, sources) = (SymbolGraph.Symbol.member("typealias", "Acces"), ["/shop/Other.swift": "App"])
        #expect(warnings([alias], properties: [property]).count == 2)
        #expect(warnings([alias], properties: [property], sources: sources).isEmpty)
    }

    // MARK: Names of other libraries

    @Test(arguments: [
        ("httpMethod", "HTTPMethod", ["method"]), ("queryItems", "RequestQuery", ["query", "parameters"]),
        ("queryItems", "[URLQueryItem]", ["query", "parameters"]),
        ("queryParameters", "[String: String]", ["query", "parameters"]),
        ("params", "[String: Any]", ["parameters", "query"]), ("params", "RequestQuery", ["parameters", "query"]),
        ("httpHeaders", "HTTPHeaders", ["headers"]), ("headerFields", "[String : String]", ["headers"]),
        ("scopes", "Set<String>", ["requiredScopes"]), ("timeoutInterval", "Duration?", ["timeout"]),
        ("timeoutInterval", "TimeInterval", ["timeout"]), ("timeoutInterval", "Double", ["timeout"]),
        ("httpBody", "RequestBody?", ["body"]), ("postBody", "RequestBody", ["body"]),
        ("baseURL", "APIEnvironment", ["environment"]),
    ])
    func namesOfOtherLibrariesAreFound(name: String, type: String, known: [String]) {
        #expect(RequestName.meant(byOtherName: name, type: type) == known)
    }

    @Test(arguments: [
        ("httpMethod", "String"), ("queryItems", "Int"), ("queryItems", "[Item]"), ("params", "Params"),
        ("params", "[String]"), ("scopes", "[Scope]"), ("scopes", "String"), ("timeoutInterval", "Int"),
        ("httpBody", "Data"), ("baseURL", "URL"), ("baseURL", "String"), ("method", "HTTPMethod"), ("", "HTTPMethod"),
        ("scopes", nil),
    ])
    func propertiesOfOtherTypesAreNot(name: String, type: String?) {
        #expect(RequestName.meant(byOtherName: name, type: type).isEmpty)
    }

    private static let scopes = ConstProperty.sample("scopes", "Swift.Set<Swift.String>", .runtime, isComputed: false)

    @Test
    func theNameOfAnotherLibraryIsReportedBesideNoneOfItsOwn() {
        let (end, type) = ("is ignored by APIRequest: did you mean", "Swift.Dictionary<Swift.String, Swift.String>")
        let params = ConstProperty.sample("params", type, .runtime)
        #expect(
            warnings([], properties: [params, Self.scopes]) == [
                "App.swift:1: warning: property params in Shop.Items \(end) parameters?",
                "App.swift:1: warning: property scopes in Shop.Items \(end) requiredScopes?",
            ]
        )
        for (other, type) in [("parameters", "Hikyaku.RequestQuery"), ("query", "Hikyaku.RequestQuery")] {
            #expect(warnings([], properties: [params, .sample(other, type, .runtime)]).isEmpty)
        }
        #expect(
            warnings([], properties: [Self.scopes, .sample("requiredScopes", "Swift.Set<Swift.String>", .runtime)])
                .isEmpty
        )
        #expect(
            warnings([], properties: [.sample("scopes", "Swift.Set<Swift.String>", .runtime, isStatic: true)]).isEmpty
        )
        let required: [SymbolGraph.Symbol] = [
            .type("s:App.Scoped", "Shop", "Scoped", kind: "protocol"), .member("property", "scopes", of: "Scoped"),
        ]
        let conformance = [("s:App.Items", "s:App.Scoped")]
        #expect(warnings(required, properties: [Self.scopes]).count == 1)
        #expect(warnings(required, properties: [Self.scopes], relationships: conformance).isEmpty)
    }

    /// The property is in line 1 of its file, in a type with the lines 1 to 3.
    @Test(arguments: [
        ("    var body: RequestBody? { .json(scopes) }", 0), ("    var text: String { scopes.joined() }", 0),
        ("    init(scopes: Set<String>) { self.scopes = scopes }", 1), ("    // scopes", 1),
        ("    var body: RequestBody? { .json([\"scopes\": 1]) }", 1), ("    let myscopes = 1, scopes2 = 2", 1),
        ("    #if DEBUG\n    var all: Set<String> { scopes }\n    #endif", 0),
        ("}\nfunc show(_ items: Shop.Items) {\n    print(items.scopes)", 0),
        ("}\nextension Shop.Items {\n    var body: RequestBody? { .json(scopes) }", 0),
    ])
    func aPropertyThatIsUsedIsLeftAlone(code: String, count: Int) {
        let text = "    let scopes: Set<String>\n\n\(code)\n}\n\nfunc scopes(_ scopes: Int) {}"
        let body = ConstProperty(
            name: "more",
            type: "Swift.Int",
            isStatic: false,
            isComputed: true,
            file: "/shop/App.swift",
            line: 5,
            value: .runtime,
        )
        let properties = [Self.scopes] + (code.contains("extension") ? [body] : [])
        #expect(warnings([], properties: properties, texts: ["/shop/App.swift": text]).count == count)
    }

    @Test
    func aPropertyOfAProtocolsExtensionIsReportedUnlessSomethingUsesIt() {
        func member(extending module: String?) -> SymbolGraph.Symbol {
            .member(
                "property",
                "httpHeaders",
                "var httpHeaders: HTTPHeaders { get }",
                of: "Request",
                extending: module,
            )
        }
        let warning =
            "App.swift:7: warning: property httpHeaders in Shop.Request is ignored by APIRequest: did you mean headers?"
        let other = ["/shop/App.swift": "App", "/shop/Other.swift": "App"]
        let texts = ["/shop/Other.swift": "    var headers: HTTPHeaders { httpHeaders }"]
        #expect(warnings([member(extending: "App")], sources: other) == [warning])
        #expect(warnings([member(extending: "App")], sources: other, texts: texts).isEmpty)
        #expect(warnings([member(extending: nil)]).isEmpty)
    }
}
