import Foundation
import HikyakuBase
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

/// Two steps that a contributor might add: each is one type, and no other step changes.
struct CallStepTests {
    /// Adds the number of the attempt to each request.
    private struct AttemptCounter: CallStep {
        var stage: CallStage { .attempt }

        nonisolated(nonsending) func send(
            _ request: HTTPRequest,
            _ context: RequestContext,
            _ next: CallNext,
        ) async throws -> HTTPResponse {
            var request = request
            request.headers["X-Attempt"] = "\(context.attempt + 1)"
            return try await next(request, context)
        }
    }

    /// Answers from a dictionary of paths, before anything is sent.
    private struct DictionaryStep: CallStep {
        let bodies: [String: String]
        var source: ResponseSource?

        var stage: CallStage { .call }

        func applies(to call: CallInformation) -> Bool { call.questions.method == .get }

        nonisolated(nonsending) func send(
            _ request: HTTPRequest,
            _ context: RequestContext,
            _ next: CallNext,
        ) async throws -> HTTPResponse {
            guard let body = bodies[request.url.path()] else { return try await next(request, context) }
            if let source { context.noteSource(source) }
            return HTTPResponse(status: .ok, body: HTTPBody(body))
        }

        func explain(_ explanation: inout ExplainedSteps, of request: HTTPRequest, _ context: RequestContext) {
            explanation.notes.append("dictionary: \(bodies.count)")
        }
    }

    private func client(_ steps: [any CallStep], _ transport: MockTransport) -> APIClient<Public> {
        let options = ClientOptions(retryPolicy: RetryPolicy(delay: .zero))
        return steps.reduce(APIClient(transport: transport, options: options)) { $0.adding($1) }
    }

    @Test func aStepOfAttemptsSeesEach() async throws {
        let transport = MockTransport { request in
            HTTPResponse(status: request.headers["X-Attempt"] == "3" ? 200 : 503)
        }
        let response = try await client([AttemptCounter()], transport).bind(AnyRequest()).response()
        #expect(response.status == .ok)
        #expect(transport.requests.map { $0.headers["X-Attempt"] } == ["1", "2", "3"])
    }

    @Test func aStepOfCallsMayAnswer() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: 404) }
        let client = client([DictionaryStep(bodies: ["/v1/dishes": #"[{"id": 1, "name": "Udon"}]"#])], transport)
        let response = try await client.bind(Shop.Dishes()).response()
        #expect(response.value.count == 1 && response.source == .middleware && transport.requests.isEmpty)
    }

    @Test func aStepThatAnswersMayStateTheSource() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok, body: HTTPBody("[]")) }
        let stored = ["/v1/dishes": #"[{"id": 1, "name": "Udon"}]"#]
        let client = client([DictionaryStep(bodies: stored, source: .local)], transport)
        #expect(try await client.bind(Shop.Dishes()).response().source == .local)
        // What is sent comes from the network.
        let other = self.client([DictionaryStep(bodies: [:], source: .local)], transport)
        #expect(try await other.bind(Shop.Dishes()).response().source == .network)
    }

    @Test func aNoteOfAStepIsALineOfTheExplanation() async throws {
        let transport = MockTransport { _ in HTTPResponse(status: .ok) }
        let steps: [any CallStep] = [DictionaryStep(bodies: [:]), AttemptCounter(), DictionaryStep(bodies: ["/": ""])]
        let lines = "\(try await client(steps, transport).explain(AnyRequest()))".split(separator: "\n")
        let notes = lines.drop { $0 != "├─ dictionary: 0" }
        #expect(notes.prefix(2) == ["├─ dictionary: 0", "├─ dictionary: 1"])
        #expect(notes.dropFirst(2).first?.hasPrefix("└─ transport: ") == true)
    }

    @Test func aStepThatDoesNotApplyIsNotInTheChain() throws {
        let core = client([DictionaryStep(bodies: [:])], MockTransport { _ in HTTPResponse(status: 200) }).core
        let get = core.call(CallPlan(of: AnyRequest(), by: core))
        let post = core.call(CallPlan(of: AnyRequest(method: .post), by: core))
        #expect(core.chain.next(for: get, by: core)?.count == 1)
        #expect(core.chain.next(for: post, by: core) == nil, "only the steps of every call, in their short form")
    }

    /// The short form makes the first exchange before the steps; the steps then take it over as theirs.
    @Test(arguments: [0, 1, 2]) func theShortFormDoesWhatTheStepsDo(_ index: Int) async throws {
        let first = [
            HTTPResponse(status: 503),
            HTTPResponse(status: 302, headers: ["Location": "/else"]),
            HTTPResponse(status: 206, headers: ["Content-Range": "bytes 3-4/9"]),
        ][index]
        func outcome(_ steps: [any CallStep]) async -> (paths: [String], text: String) {
            let count = Lock(0)
            let transport = MockTransport { _ in
                count.withLock {
                    $0 += 1; return $0
                } == 1 ? first : HTTPResponse(status: 200, body: HTTPBody("{}"))
            }
            let result = await Result { try await client(steps, transport).bind(AnyRequest()).response() }
            let text: String =
                switch result {
                case .success(let response): "\(response.status), \(response.redirects)"
                case .failure(let error): "\((error as? any APIFailure)?.reason ?? .other)"
                }
            return (transport.requests.map { $0.url.path() }, text)
        }
        let short = await outcome([])
        let long = await outcome([AttemptCounter()])
        #expect(short == long && !short.paths.isEmpty)
    }
}
