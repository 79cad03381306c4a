import Foundation
import Hikyaku
import HikyakuMockServer
import Testing

/// What generated models read, write and send.
@Suite struct GeneratedModelTests {
    private func read<Model: JSONReadable>(_ text: String, as type: Model.Type = Model.self) throws -> Model {
        try HikyakuJSONDecoder().read(Model.self, from: Data(text.utf8))
    }

    private func text(_ value: some JSONWritable) throws -> String {
        String(decoding: try HikyakuJSONEncoder().write(value), as: UTF8.self)
    }

    // MARK: Directions

    @Test func whatOnlyTheServiceSetsIsReadAndStoredButNotSent() async throws {
        let server = try MockServer()
        server.route(.post, "/boxes") { request in
            .json("{\"labels\":{\"main\":\(String(reflecting: request.bodyText))}}")
        }
        let client = APIClient().substituting(APIEnvironment(baseURL: server.baseURL), for: .models)
        let account: SampleAccount = try read(#"{"id":7,"name":"Momo","kind":"account"}"#)
        #expect(account.id == 7 && account.password == nil)
        #expect(try text(account) == #"{"id":7,"name":"Momo","kind":"account","limit":20}"#)
        let sent = try await client.send(BoxesAPI.AddBox(sampleAccount: account)).labels?.main
        #expect(sent == #"{"kind":"account","limit":20,"name":"Momo"}"#)
    }

    @Test func whatTheServiceNeverSendsIsWritten() throws {
        let account = SampleAccount(name: "Momo", password: Secret("pass"))
        #expect(try text(account) == #"{"name":"Momo","password":"pass","kind":"account","limit":20}"#)
    }

    // MARK: Choices

    @Test func choicesThatAllApplyAreReadOneInTheOther() throws {
        let found: SampleRoute = try read(#"{"id":2,"to":"a","cabin":"b"}"#)
        guard case .sampleReturn(.sampleShip(let route)) = found else {
            Issue.record("another case")
            return
        }
        #expect(route.id == 2 && route.to == "a" && route.cabin == "b")
        let unknown: SampleRoute = try read(#"{"from":"a"}"#)
        #expect(unknown == .unknown(["from": "a"]))
    }

    @Test func textsOfSeveralFormatsAreDistinguished() throws {
        let id = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"
        let keys: [SampleKey] = try read(#"["\#(id)","2026-11-21","https://example.com/a",1]"#)
        #expect(keys.map { "\($0)".prefix { $0 != "(" } } == ["uuid", "day", "url", "integer"])
    }

    @Test func aSubtypeThatAddsNothingIsOneOfTheSubtypes() throws {
        #expect(try read(#"{"kind":"cow"}"#, as: AnySampleAnimal.self) == .sampleCow(SampleCow(kind: "cow")))
    }

    // MARK: Defaults

    @Test(arguments: [
        "{}",
        #"{"count":null,"large":null,"ratio":null,"isOpen":null,"order":null,"side":null,"level":null,"tags":null,"notes":null}"#,
    ])
    func whatIsMissingIsTheDefault(_ document: String) throws {
        let settings: SampleSettings = try read(document)
        #expect(settings.count == 20 && settings.large == 9_007_199_254_740_993 && settings.ratio == 0.5)
        #expect(settings.isOpen && settings.order == #"as "is""# && settings.side == .right)
        #expect(settings.level == .high && settings.tags.isEmpty && settings.notes.isEmpty)
        // Null is allowed, or the default is not simple, or of another type.
        #expect(settings.maybe == nil && settings.when == nil && settings.wrong == nil)
    }

    @Test func aChangeSendsNoDefault() throws {
        #expect(try text(SampleChange(name: "a")) == #"{"name":"a"}"#)
    }

    // MARK: Tuples

    @Test func elementsOfATupleAreProperties() throws {
        let place: SamplePlace = try read("[139.5, 35.5]")
        #expect(place.longitude == 139.5 && place.latitude == 35.5 && place.altitude == nil)
        let row: SampleRow = try read(#"["a",null,["b",2],true,false]"#)
        #expect(row.second == nil && row.third?.first == "b" && row.others == [true, false])
        #expect(throws: (any Error).self) { try read("[139.5]", as: SamplePlace.self) }
    }

    // MARK: Unions

    @Test func constantsDistinguishAlternatives() throws {
        guard case .sampleCircle(let circle) = try read(#"{"radius":1,"type":"round"}"#, as: SampleShape.self) else {
            Issue.record("no circle")
            return
        }
        #expect(circle.radius == 1)
        #expect(try read(#""point""#, as: SampleShape.self) == .text("point"))
        #expect(
            try read(#"{"type":"cone","radius":1}"#, as: SampleShape.self) == .unknown(["type": "cone", "radius": 1])
        )
        // A known kind that differs from its model is an error, not an unknown kind.
        #expect(throws: (any Error).self) { try read(#"{"type":"round"}"#, as: SampleShape.self) }
    }

    @Test func booleansDistinguishAlternatives() throws {
        if case .okTrue = try read(#"{"value":"a","ok":true}"#, as: SampleReply.self) {
        } else {
            Issue.record("not true")
        }
        if case .okFalse = try read(#"{"value":"a","ok":false}"#, as: SampleReply.self) {
        } else {
            Issue.record("not false")
        }
        if case .unknown = try read(#"{"value":"a"}"#, as: SampleReply.self) {} else { Issue.record("not unknown") }
    }

    @Test(arguments: [
        (#"{"a":"x","b":"y"}"#, "full"), (#"{"a":"x"}"#, "short"), (#"{"name":"n"}"#, "named"),
        (#"{"age":1}"#, "aged"),
        (#"{"age":"1"}"#, "named"), ("{}", "aged"), ("[]", "unknown"),
    ])
    func membersDistinguishAlternatives(_ document: String, _ expected: String) throws {
        let name =
            switch try read(document, as: SampleVague.self) {
            case .full: "full"
            case .short: "short"
            case .named: "named"
            case .aged: "aged"
            case .unknown: "unknown"
            }
        #expect(name == expected)
    }

    @Test func aChoiceAmongOthersIsKnownOrNot() throws {
        #expect(try read(#""point""#, as: SampleNested.self) == .sampleShape(.text("point")))
        #expect(try read("true", as: SampleNested.self) == .boolean(true))
        #expect(try read("5", as: SampleNested.self) == .unknown(5))
    }

    @Test func alternativesWithTheSameTextAreDistinguishedByAnother() throws {
        let notice: SampleItem = try read(#"{"text":"a","role":"notice","type":"message"}"#)
        if case .sampleNotice(let value) = notice { #expect(value.text == "a") } else { Issue.record("no notice") }
        let order: SampleItem = try read(#"{"text":"a","role":"order","type":"message"}"#)
        if case .sampleOrder = order {} else { Issue.record("no order") }
        let other: SampleItem = try read(#"{"role":"other","type":"message"}"#)
        #expect(other == .unknown(["role": "other", "type": "message"]))
    }

    @Test func theFallbackIsForOtherTexts() throws {
        guard case .sampleContact(let contact) = try read(#"{"type":"x","email":"e"}"#, as: SampleFallback.self) else {
            Issue.record("no contact")
            return
        }
        #expect(contact.email == "e")
    }

    @Test func aBaseIsReadAsItsSubtype() throws {
        guard
            case .sampleDog(let dog) = try read(
                #"{"kind":"SampleDog","bark":"b","friend":{"kind":"cat","claws":1}}"#,
                as: AnySampleAnimal.self,
            )
        else {
            Issue.record("no dog")
            return
        }
        guard case .sampleCat(let cat) = dog.friend else {
            Issue.record("no cat")
            return
        }
        #expect(dog.bark == "b" && cat.claws == 1)
        #expect(try read(#"{"kind":"Cow"}"#, as: AnySampleAnimal.self) == .unknown(["kind": "Cow"]))
        guard case .sampleTree(let tree) = try read(#"{"kind":"SampleTree","height":2}"#, as: SamplePlant.self) else {
            Issue.record("no tree")
            return
        }
        #expect(tree.height == 2)
    }

    // MARK: Names and keys

    @Test func membersOfPatternsAreKept() throws {
        let labels: SampleLabels = try read(#"{"main":"a","x-a":"b","n-a":1,"z":[]}"#)
        #expect(labels.additionalProperties["x-a"] == .text("b") && labels.additionalProperties["n-a"] == .integer(1))
        #expect(labels.additionalProperties["z"] == .unknown([]))
    }

    // MARK: Options

    @Test func aClosedSetHasNoOtherValues() throws {
        let game: Game = try read(#"{"side":"top-left"}"#)
        #expect(game.side == .topLeft && game.level == .value1)
        #expect(GameSide.allCases == [.left, .topLeft, .default])
        #expect(try text(game) == #"{"side":"top-left","level":1}"#)
        do {
            _ = try read(#"{"side":"right"}"#, as: Game.self)
            Issue.record("it was read")
        } catch {
            #expect("\(error)".contains("/side"), "\(error)")
        }
    }

    @Test func closedSetsAreInPathsAndQueries() async throws {
        let server = try MockServer()
        server.route(.get, "/games/top-left") { request in .json(#"{"side":"left","result":"\#(request.target)"}"#) }
        let client = APIClient().substituting(APIEnvironment(baseURL: server.baseURL), for: .choices)
        let game = try await client.send(GamesAPI.FindGames(side: .topLeft, level: .minus1))
        #expect(game.result == .text("/games/top-left?level=-1"))
    }

    @Test func theCompilerComparesBoxesTuplesAndUnions() throws {
        let document = #"{"side":"left","next":{"side":"left","score":[1,2]},"result":{"side":"default"},"secret":"s"}"#
        let game: Game = try read(document)
        #expect(try read(document) == game && Set([game, game]).count == 1)
        #expect(try read(document.replacing("[1,2]", with: "[1,3]")) != game)
        #expect(try read(document.replacing(#""s""#, with: #""t""#)) != game)
    }
}
