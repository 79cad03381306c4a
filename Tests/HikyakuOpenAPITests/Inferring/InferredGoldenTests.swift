import Foundation
import Hikyaku
import HikyakuJSON
import HikyakuMockServer
import Testing

@testable import HikyakuOpenAPI
@testable import InferredModels

/// What is inferred of the samples and lines is what is kept in `Tests/InferredModels`, a module of its own.
///
/// After a change on purpose: `hikyaku model SAMPLE --force --output FILE` and
/// `hikyaku request - --force --output FILE <LINE`, with `--response Samples/issues.json` for `github.sh`.
@Suite struct InferredGoldenTests {
    @Test(arguments: InferredFiles.samples)
    func modelsAreAsKept(sample: String) throws {
        let stem = String(sample.prefix { $0 != "." })
        let file = SampleFile(path: sample, bytes: try InferredFiles.bytes(of: sample))
        let result = try ModelInference(name: ModelInference.name(from: stem)).models(of: [file])
        #expect(result.text == (try InferredFiles.kept("Models/\(stem)")))
    }

    @Test(arguments: InferredFiles.lines)
    func requestsAreAsKept(line: String) throws {
        let responses =
            line == "github.sh"
            ? [SampleFile(path: "issues.json", bytes: try InferredFiles.bytes(of: "issues.json"))] : []
        let result = try RequestInference().request(
            line: try InferredFiles.text(of: "Lines/\(line)"),
            responses: responses,
        )
        #expect(result.text == (try InferredFiles.kept("Requests/\(line.prefix { $0 != "." })")))
    }

    // MARK: Samples

    /// Reads a sample by its model, writes the values, and compares what was written with the sample.
    private func expectRoundTrip<Model: Codable & Hashable>(of sample: String, _ type: Model.Type) throws {
        let bytes = Data(try InferredFiles.bytes(of: sample))
        let decoder = HikyakuJSONDecoder()
        let value = try decoder.decode(type, from: bytes)
        let written = try HikyakuJSONEncoder().encode(value)
        #expect(try decoder.decode(type, from: written) == value)
        let (before, after) = (
            try decoder.decode(JSONValue.self, from: bytes), try decoder.decode(JSONValue.self, from: written),
        )
        expectSame(before, after, at: sample)
    }

    /// Whether nothing is lost: null may be missing, and dates and identifiers may be written in another form.
    private func expectSame(_ before: JSONValue, _ after: JSONValue?, at place: String) {
        switch before {
        case .null: #expect(after == nil || after == .null, "\(place)")
        case .object(let members):
            for (key, value) in members { expectSame(value, after?[key], at: "\(place)/\(key)") }
        case .array(let elements):
            for (index, value) in elements.enumerated() { expectSame(value, after?[index], at: "\(place)/\(index)") }
        case .string(let text):
            let written = after?.string ?? ""
            let isDate = SampleTexts.isDateTime(text) && SampleTexts.isDateTime(written)
            #expect(isDate || written.lowercased() == text.lowercased(), "\(place)")
        case .number(let number):
            #expect(after?.double == number.double, "\(place)")
        case .bool: #expect(after == before, "\(place)")
        }
    }

    @Test func modelsReadTheirSamplesAndLoseNothing() throws {
        try expectRoundTrip(of: "repositories.json", [InferredModels.Repository].self)
        try expectRoundTrip(of: "articles.json", [InferredModels.Article].self)
        try expectRoundTrip(of: "folder.json", InferredModels.Folder.self)
        try expectRoundTrip(of: "mixed.json", [InferredModels.Mixed].self)
        try expectRoundTrip(of: "moments.json", [InferredModels.Moment].self)
        try expectRoundTrip(of: "maps.json", InferredModels.Map.self)
        try expectRoundTrip(of: "issues.json", [InferredModels.Issue].self)
        let text = try InferredFiles.text(of: "events.jsonl")
        for line in text.split(separator: "\n") {
            let event = try HikyakuJSONDecoder().decode(InferredModels.Event.self, from: Data(line.utf8))
            #expect([.push, .fork, .star].contains(event.kind))
        }
    }

    @Test func aValueThatNoSampleHasIsNotAnError() throws {
        let event = try HikyakuJSONDecoder().decode(
            InferredModels.Event.self,
            from: Data(
                #"{"id":1,"kind":"new","actor":{"login":"a","id":1},"class":"x","default":1,"self":true,"init":1}"#.utf8
            ),
        )
        #expect(event.kind.rawValue == "new")
    }

    // MARK: Calls

    @Test func requestsSendWhatTheLineSends() async throws {
        let server = try MockServer { request in
            .json(request.target.contains("issues") ? "[]" : "{}")
        }
        let local = APIEnvironment(baseURL: server.baseURL, allowingCredentialsOverPlainHTTP: true)
        let github = APIClient().substituting(local, for: .github).authorized(by: .bearer("t"), for: local)
        #expect(try await github.send(GetIssues(state: "open", page: 2, labels: ["bug", "ui"])).isEmpty)
        let stripe = APIClient().substituting(local, for: .stripe)
            .authorized(by: .basic(user: "u", password: "p"), for: local)
        _ = try await stripe.send(
            CreateCharge(
                amount: 2000,
                currency: "usd",
                capture: false,
                metadataOrderID: 6735,
                expand: ["customer", "invoice"],
                description: "My first & best charge",
            )
        )
        let sent = server.requests
        #expect(sent[0].target == "/repos/octocat/hello-world/issues?state=open&page=2&labels=bug&labels=ui")
        #expect(sent[0].headers["X-GitHub-Api-Version"] == "2022-11-28")
        #expect(sent[0].headers["Accept"] == "application/vnd.github+json")
        #expect(sent[0].headers["Authorization"] == "Bearer t")
        #expect(sent[1].method == "POST")
        #expect(
            String(decoding: sent[1].body, as: UTF8.self)
                == "amount=2000&currency=usd&capture=false&metadata%5Border_id%5D=6735&expand%5B%5D=customer"
                + "&expand%5B%5D=invoice&description=My+first+%26+best+charge"
        )
    }
}
