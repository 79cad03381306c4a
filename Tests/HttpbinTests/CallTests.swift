#if os(Linux)
import Foundation
import Hikyaku
import Testing

/// Credentials, time, and many calls at once.
@Suite(.enabled(if: HttpbinServer.isInstalled, "run scripts/setup test"), .timeLimit(.minutes(10)))
struct CallTests {
    @Test
    func basicCredentialIsAcceptedOrRejected() async throws {
        func request(_ credential: String) -> Httpbin.Document<BasicUser> {
            let encoded = Data(credential.utf8).base64EncodedString()
            return Httpbin.Document(path: "/basic-auth/hermes/wings", headers: ["Authorization": "Basic \(encoded)"])
        }
        let user = try await Httpbin.client.send(request("hermes:wings"))
        #expect(user == BasicUser(authenticated: true, user: "hermes"))
        let error = await #expect(throws: APIError<ProblemDetails>.self) {
            try await Httpbin.client.send(request("hermes:sandals"))
        }
        #expect(error?.response?.status == .unauthorized)
        #expect(error?.response?.headers[.wwwAuthenticate] == "Basic realm=\"Fake Realm\"")
    }

    @Test
    func bearerTokenIsSent() async throws {
        let environment = try await HttpbinServer.shared.environment
        let client = try await Httpbin.client.authorized(by: .bearer("winged-sandals"), for: environment)
        #expect(try await client.send(Httpbin.Bearer()) == Token(authenticated: true, token: "winged-sandals"))
        let asking = try await Httpbin.client.authorized(by: AskedToken { "issued" }, for: environment)
        #expect(try await asking.send(Httpbin.Bearer()) == Token(authenticated: true, token: "issued"))
    }

    @Test
    func publicRequestCarriesNoCredential() async throws {
        let environment = try await HttpbinServer.shared.environment
        let client = try await Httpbin.client.authorized(by: .bearer("winged-sandals"), for: environment)
        #expect(try await client.send(Httpbin.Echo()).headers["Authorization"] == nil)
    }

    @Test
    func missingTokenEndsTheCall() async throws {
        let environment = try await HttpbinServer.shared.environment
        let client = try await Httpbin.client.authorized(by: .bearer(nil), for: environment)
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await client.send(Httpbin.Bearer()) }
        #expect(error?.reason == .missingToken)
    }

    @Test
    func slowAnswerIsWaitedFor() async throws {
        let response = try await Httpbin.client.bind(Httpbin.Probe(path: "/delay/0.2")).response()
        #expect(response.status == .ok)
        #expect(response.timings.total >= .milliseconds(200))
    }

    @Test(arguments: ["/delay/10", "/drip?duration=10&numbytes=5&delay=0"])
    func answerThatIsTooSlowTimesOut(target: String) async throws {
        let parts = target.split(separator: "?")
        var request = Httpbin.Bytes(path: RequestPath(String(parts[0])), timeout: .milliseconds(300))
        if parts.count == 2 { request.query = ["duration": 10, "numbytes": 5] }
        // Getting the client may start the server, which is not a part of the call.
        let client = try await Httpbin.client
        let start = ContinuousClock.now
        let slow = request
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await client.send(slow) }
        guard case .timedOut = error else {
            Issue.record("not .timedOut but \(String(describing: error))")
            return
        }
        #expect(error?.reason == .deadline)
        #expect(start.duration(to: .now) < .seconds(9))
    }

    @Test
    func cancelledCallEndsAtOnce() async throws {
        let client = try await Httpbin.client
        let start = ContinuousClock.now
        let task = Task { () -> Result<Data, APIError<ProblemDetails>> in
            do throws(APIError<ProblemDetails>) {
                return .success(try await client.send(Httpbin.Bytes(path: "/delay/10")))
            } catch {
                return .failure(error)
            }
        }
        task.cancel()
        guard case .failure(.cancelled) = await task.value else {
            Issue.record("not .cancelled but \(await task.value)")
            return
        }
        #expect(start.duration(to: .now) < .seconds(9))
    }

    @Test
    func dripIsCollected() async throws {
        let query: RequestQuery = ["duration": 0.2, "numbytes": 10, "delay": 0.1, "code": 200]
        #expect(try await Httpbin.client.send(Httpbin.Bytes(path: "/drip", query: query)) == Data("**********".utf8))
    }

    @Test
    func dripWithAnErrorKeepsItsBody() async throws {
        let request = Httpbin.Bytes(path: "/drip", query: ["duration": 0.1, "numbytes": 3, "delay": 0, "code": 503])
        let error = await #expect(throws: APIError<ProblemDetails>.self) { try await Httpbin.client.send(request) }
        #expect(error?.response?.status == .serviceUnavailable)
        #expect(error?.response?.body == Data("***".utf8))
    }

    @Test
    func callsAtOnceGetTheirOwnAnswers() async throws {
        let client = try await Httpbin.client
        try await withThrowingTaskGroup(of: (Int, Received).self) { group in
            for number in 0..<100 {
                group.addTask { (number, try await client.send(Httpbin.Echo(query: ["number": number]))) }
            }
            for try await (number, received) in group {
                #expect(received.args == ["number": .one(String(number))])
            }
        }
    }
}
#endif
