import Foundation
import HikyakuBase
import HikyakuTesting
import Testing

@testable import Hikyaku
@testable import HikyakuEngine

private enum State: String, Sendable { case open }

private struct Ticket: Decodable, Sendable {
    let state: OpenEnum<State>
    @Defaulted.Empty var note: String
}

private struct TicketList: Decodable, Sendable {
    let items: LossyArray<Ticket>
}

private struct Tickets: APIRequest {
    typealias Response = TicketList
    typealias Failure = TicketFailure
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
}

/// A failure that drifts as well.
private struct TicketFailure: ServiceFailure, Decodable {
    let message: String
    let code: OpenEnum<State>
}

private struct Flags: APIRequest {
    typealias Response = [String: LossyArray<Int>]
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
}

@Suite struct DriftEventTests {
    /// The events of the calls of one client, and what it calls.
    private final class Heard: Sendable {
        private let heard = Lock<[TransportEvent]>([])

        func client(
            _ body: String,
            status: HTTPStatus = .ok,
            decoder: (any ResponseDecoder)? = nil,
        ) -> APIClient<Public> {
            let response = HTTPResponse(status: status, body: HTTPBody(Data(body.utf8)))
            let transport = MockTransport { _ in response }
            return APIClient(transport: transport, options: ClientOptions(decoder: decoder))
                .observing { [heard] event in heard.withLock { $0.append(event) } }
        }

        var events: [TransportEvent] { heard.withLock(\.self) }

        var drifts: [ResponseDrift] {
            events.compactMap { if case .drifted(let drift) = $0.kind { drift } else { nil } }
        }
    }

    private static let document =
        #"{"items":[{"state":"new","note":"secret"},{"state":"open"},7,{"state":"newer"},{"state":"open"}]}"#

    private static let drifts = [
        ResponseDrift(kind: "unknownEnumValue", typeName: "State", pointer: "/items/*/state", count: 2),
        ResponseDrift(kind: "defaultedKey", typeName: "String", pointer: "/items/*/note", count: 3),
        ResponseDrift(kind: "lossyElement", typeName: "Ticket", pointer: "/items/*", count: 1),
    ]

    @Test func driftIsCountedByKindTypeAndPlace() async throws {
        let heard = Heard()
        #expect(try await heard.client(Self.document).send(Tickets()).items.count == 4)
        #expect(heard.drifts == Self.drifts)
    }

    @Test func eventsFollowTheExchangeUnderItsNumber() async throws {
        let heard = Heard()
        let client = heard.client(Self.document)
        _ = try await client.bind(Tickets()).response()
        _ = try await client.send(Tickets())
        let events = heard.events
        let count = events.count / 2
        for call in [events.prefix(count), events.suffix(count)] {
            #expect(Set(call.map(\.exchange)).count == 1)
            let endings = call.suffix(4).map { event in
                switch event.kind {
                case .ended: "ended"
                case .drifted: "drifted"
                default: "other"
                }
            }
            #expect(endings == ["ended", "drifted", "drifted", "drifted"])
        }
        #expect(events.first?.exchange != events.last?.exchange)
        #expect(heard.drifts == Self.drifts + Self.drifts)
    }

    @Test func aResponseThatNoTransportBroughtHasANumberOfItsOwn() async throws {
        struct Answering: HTTPMiddleware {
            func intercept(
                _ request: HTTPRequest,
                context: RequestContext,
                next: MiddlewareNext,
            ) async throws -> HTTPResponse { .json(#"{"items":[1]}"#) }
        }
        let events = Lock<[TransportEvent]>([])
        let client = APIClient(transport: MockTransport { _ in .json("{}") }, middleware: [Answering()])
            .observing { event in events.withLock { $0.append(event) } }
        _ = try await client.send(Tickets())
        _ = try await client.send(Tickets())
        let numbers = events.withLock { $0.map(\.exchange) }
        #expect(numbers.count == 2 && Set(numbers).count == 2 && !numbers.contains(0))
    }

    @Test func aMatchingDocumentReportsNoDrift() async throws {
        let heard = Heard()
        _ = try await heard.client(#"{"items":[{"state":"open","note":""}]}"#).send(Tickets())
        #expect(heard.drifts.isEmpty && !heard.events.isEmpty)
    }

    @Test func aDecodersOwnClosureIsStillCalled() async throws {
        let own = Lock<[String]>([])
        var decoder = HikyakuJSONDecoder()
        decoder.onDrift = { drift in own.withLock { $0.append(drift.pointer) } }
        let heard = Heard()
        _ = try await heard.client(Self.document, decoder: decoder).send(Tickets())
        let pointers = [
            "/items/0/state", "/items/1/note", "/items/2", "/items/3/note", "/items/3/state", "/items/4/note",
        ]
        #expect(own.withLock { $0.sorted() } == pointers)
        #expect(heard.drifts == Self.drifts)
    }

    /// As many drifts as a decoder reports one by one are distinguished; the others have no path.
    @Test func placesAreBounded() async throws {
        let members = (0..<150).map { "\"k\($0)\":[null]" }.joined(separator: ",")
        let heard = Heard()
        _ = try await heard.client("{\(members)}").send(Flags())
        let drifts = heard.drifts
        #expect(drifts.prefix(100).map(\.pointer) == (0..<100).map { "/k\($0)/*" })
        #expect(
            drifts.dropFirst(100) == [ResponseDrift(kind: "lossyElement", typeName: "Int", pointer: nil, count: 50)]
        )
    }

    /// Also where a definition decodes more than once.
    @Test func placesOfAllDocumentsOfAResponseAreBoundedTogether() async throws {
        enum Twice: ResponseDefinition {
            static func read(_ response: BufferedResponse) throws -> Int {
                let other = Data(String(decoding: response.body, as: UTF8.self).replacing("k", with: "l").utf8)
                _ = try response.decode([String: LossyArray<Int>].self)
                _ = try response.decoder.decode([String: LossyArray<Int>].self, from: other)
                return try response.decode([String: LossyArray<Bool>].self).count
            }
        }
        struct Counting: APIRequest {
            typealias Definition = Twice
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
        }
        let members = (0..<80).map { "\"k\($0)\":[null,null]" }.joined(separator: ",")
        let heard = Heard()
        #expect(try await heard.client("{\(members)}").send(Counting()) == 80)
        let drifts = heard.drifts
        // The first document has 100 drifts at 50 places, and 60 more; so has each other one.
        let lost = drifts.filter { $0.pointer != nil }
        #expect(lost.count == DriftTally.placesMax && lost.allSatisfy { $0.count == 2 })
        #expect(
            drifts.filter { $0.pointer == nil } == [
                ResponseDrift(kind: "lossyElement", typeName: "Int", pointer: nil, count: 120),
                ResponseDrift(kind: "lossyElement", typeName: "Bool", pointer: nil, count: 160),
            ]
        )
    }

    @Test func driftOfAFailureIsCountedToo() async throws {
        let heard = Heard()
        let client = heard.client(#"{"message":"no","code":"x"}"#, status: .badRequest)
        let error = try await failure { () async throws(APIError<TicketFailure>) in _ = try await client.send(Tickets())
        }
        let expected = [ResponseDrift(kind: "unknownEnumValue", typeName: "State", pointer: "/code")]
        #expect(heard.drifts == expected)
        // What reads the response that an error keeps is not a call any more.
        #expect(try error.response?.decode(TicketFailure.self).message == "no")
        #expect(heard.drifts == expected)
    }

    @Test func aRequestsOwnDecoderAndTheWholeDocumentAreCounted() async throws {
        struct Own: APIRequest {
            typealias Response = OpenEnum<State>
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
            var decoder: any ResponseDecoder { HikyakuJSONDecoder() }
        }
        let heard = Heard()
        _ = try await heard.client(#""new""#, decoder: JSONDecoder()).send(Own())
        #expect(heard.drifts == [ResponseDrift(kind: "unknownEnumValue", typeName: "State", pointer: "")])
    }

    @Test func otherDecodersWorkAndReportNoDrift() async throws {
        let heard = Heard()
        let read = try await heard.client(Self.document, decoder: JSONDecoder()).send(Tickets())
        #expect(read.items.count == 4)
        #expect(heard.drifts.isEmpty && !heard.events.isEmpty)
    }

    @Test func withoutObserversNothingIsMeasured() async throws {
        enum HasClosure: ResponseDefinition {
            static func read(_ response: BufferedResponse) -> Bool {
                (response.decoder as? HikyakuJSONDecoder)?.onDrift != nil
            }
        }
        struct Asking: APIRequest {
            typealias Definition = HasClosure
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
        }
        let client = APIClient(transport: MockTransport { _ in .json("1") })
        #expect(try await client.send(Asking()) == false)
        #expect(try await client.bind(Asking()).response().value == false)
        #expect(try await client.observing { _ in }.send(Asking()) == true)
    }
}
