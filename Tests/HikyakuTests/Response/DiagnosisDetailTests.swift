import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct Visit: Decodable, Sendable {
    let seenAt: Int
}

private struct Visits: APIRequest {
    typealias Response = [Visit]
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
    var diagnosisDetail: DiagnosisDetail = []
}

private struct Fetched<Base: APIRequest>: RequestProxy {
    var request: Base
}

/// Has a decoder of its own.
private struct LenientVisits: APIRequest {
    typealias Response = [Visit]
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
    var diagnosisDetail: DiagnosisDetail = []

    var decoder: any ResponseDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        decoder.leniency = .trailingCommas
        return decoder
    }
}

/// Is read by another request.
private struct ReadByAnother<Other: APIRequest>: APIRequest {
    typealias Response = Other.Response
    typealias Definition = Other.Definition
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
    var other: Other
    var diagnosisDetail: DiagnosisDetail = []

    func response(from response: BufferedResponse) async throws -> Other.Response {
        try await other.response(from: response)
    }
}

@Suite struct DiagnosisDetailTests {
    private static let body = #"[{"seen_at":1},{"seen_at":"a2"},{"seen_at":"b3"}]"#
    private static let found = #"a string masked as "a9""#
    private static let shown = #"the string "a2""#

    private static var snakeCase: HikyakuJSONDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return decoder
    }

    private static func client(_ decoder: any ResponseDecoder = snakeCase) -> APIClient<Public> {
        APIClient(transport: MockTransport { _ in .json(body) }, options: ClientOptions(decoder: decoder))
    }

    private static func diagnosis<R: APIRequest>(
        _ request: R,
        _ client: APIClient<Public> = client(),
    ) async throws -> DecodingDiagnosis where R.Access == Public {
        let error = try await failure { () async throws(APIError<R.Failure>) in _ = try await client.send(request) }
        return try #require(error.diagnosis)
    }

    @Test func nothingMoreIsReportedByDefault() async throws {
        let diagnosis = try await Self.diagnosis(Visits())
        #expect(diagnosis.pointer == "/1/seen_at" && diagnosis.found == Self.found && diagnosis.further.isEmpty)
    }

    @Test func aRequestsDetailKeepsTheClientsStrategies() async throws {
        let all = try await Self.diagnosis(Visits(diagnosisDetail: .everyFailure))
        #expect(all.further.map(\.pointer) == ["/2/seen_at"] && all.found == Self.found)
        let shown = try await Self.diagnosis(Visits(diagnosisDetail: .values))
        #expect(shown.further.isEmpty && shown.found == Self.shown)
    }

    @Test func aClientsDetailKeepsTheRequestsDecoder() async throws {
        let client = Self.client(JSONDecoder()).diagnosing(.everyFailure)
        let all = try await Self.diagnosis(LenientVisits(), client)
        #expect(all.further.map(\.pointer) == ["/2/seen_at"] && all.found == Self.found)
    }

    @Test func detailOfEitherApplies() async throws {
        let both = try await Self.diagnosis(
            Visits(diagnosisDetail: .values),
            Self.client().diagnosing(.everyFailure),
        )
        #expect(both.further.map(\.found) == [#"the string "b3""#])
        let twice = try await Self.diagnosis(Visits(), Self.client().diagnosing(.everyFailure).diagnosing(.values))
        #expect(twice == both)
    }

    @Test func aDecodersOwnDetailIsKept() async throws {
        var decoder = Self.snakeCase
        decoder.revealsValues = true
        let both = try await Self.diagnosis(Visits(diagnosisDetail: .everyFailure), Self.client(decoder))
        #expect(both.further.map(\.found) == [#"the string "b3""#])
    }

    @Test func foundationsDecoderCanShowValues() async throws {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        let masked = try await Self.diagnosis(Visits(diagnosisDetail: .everyFailure), Self.client(decoder))
        #expect(masked.further.isEmpty && masked.snippet?.contains("b3") == false)
        let shown = try await Self.diagnosis(Visits(), Self.client(decoder).diagnosing(.values))
        #expect(shown.snippet?.contains("b3") == true)
    }

    @Test func proxiesKeepTheDetailOfTheirBase() async throws {
        let proxy = Fetched(request: Fetched(request: Visits(diagnosisDetail: .everyFailure)))
        #expect(try await Self.diagnosis(proxy).further.map(\.pointer) == ["/2/seen_at"])
    }

    @Test func anotherRequestsResponseHasTheSameDetail() async throws {
        let detail: DiagnosisDetail = [.everyFailure, .values]
        for diagnosis in [
            try await Self.diagnosis(ReadByAnother(other: LenientVisits(), diagnosisDetail: detail)),
            try await Self.diagnosis(
                ReadByAnother(other: LenientVisits(diagnosisDetail: .values)),
                Self.client().diagnosing(detail),
            ),
            try await Self.diagnosis(Fetched(request: ReadByAnother(other: LenientVisits(diagnosisDetail: detail)))),
            try await Self.diagnosis(ReadByAnother(other: Visits(diagnosisDetail: detail))),
        ] {
            #expect(diagnosis.found == Self.shown && diagnosis.further.map(\.pointer) == ["/2/seen_at"])
        }
    }
}
