import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct Prices: APIRequest {
    typealias Response = [String: Int]
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
    var format = Format.json

    enum Format: Sendable { case json, propertyList }

    var decoder: any ResponseDecoder {
        switch format {
        case .json: JSONDecoder()
        case .propertyList: PropertyListDecoder()
        }
    }
}

private enum FirstLine: ResponseDefinition {
    static var streamsBody: Bool { true }

    static func read(_ response: BufferedResponse) throws -> String {
        Issue.record("a stream was read from memory")
        return ""
    }

    static func read(streaming response: HTTPResponse, context: ResponseContext) throws -> String {
        throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: ""))
    }
}

private struct Streamed: APIRequest {
    typealias Response = String
    typealias Definition = FirstLine
    var environment: APIEnvironment { "https://a.example" }
    var path: RequestPath { "/" }
}

@Suite struct DecodingFailureTests {
    private static func error<R: APIRequest>(
        _ request: R,
        _ body: String,
    ) async throws -> APIError<R.Failure> where R.Access == Public {
        let response = HTTPResponse(status: 200, body: HTTPBody(Data(body.utf8)))
        let client = APIClient(transport: MockTransport { _ in response })
        return try await failure { () async throws(APIError<R.Failure>) in _ = try await client.send(request) }
    }

    @Test(arguments: [
        ("<html><title>Sign in</title>", FailureReason.htmlBody), ("<?xml?><a/>", .xmlBody),
        ("Internal Server Error", .plainTextBody), (#"{"a":"#, .truncatedBody), ("", .emptyBody),
        ("{\"a\" 1}", .malformedBody), (#"{"a":"1"}"#, .typeMismatch), (#"{"a":null}"#, .missingValue),
    ])
    func theReasonDescribesTheBody(_ body: String, _ reason: FailureReason) async throws {
        let error = try await Self.error(Prices(), body)
        #expect(error.reason == reason)
        #expect(error.failureReason == error.diagnosis?.description)
    }

    @Test(arguments: [
        (DecodingDiagnosis.Kind.html, "The service responded with a web page in place of data."),
        (.xml, "The service's response has an unexpected format."),
        (.plainText, "The service's response has an unexpected format."),
        (.truncated, "The service's response is incomplete."), (.empty, "The service's response is empty."),
        (.malformed, "The service's response is damaged."),
        (.wrongCharset, "The service's response contains text that can't be read."),
        (.byteOrderMark, "The service's response has an unexpected format."),
        (.outOfRange, "The service's response has a number that is too large or too small."),
        (.duplicateKey, "The service's response contains a value twice."),
        (.tooDeep, "The service's response is too deeply nested."),
        (.missingKey, "The service's response lacks a value that is needed."),
        (.missingValue, "The service's response lacks a value that is needed."),
        (.typeMismatch, "The service's response has an unexpected value."),
        (.invalidValue, "The service's response has an unexpected value."),
    ])
    func eachKindHasWordsForPeople(_ kind: DecodingDiagnosis.Kind, _ text: String) {
        let diagnosis = DecodingDiagnosis(kind: kind, expected: "x")
        let failure = DecodingFailure(diagnosis: diagnosis, response: BufferedResponse(status: 200))
        let error = APIError<ProblemDetails>.decoding(failure)
        #expect(error.localizedDescription == text)
        #expect(error.recoverySuggestion?.hasSuffix(".") == true)
        #expect(failure.reason == FailureReason(.decoding, kind.rawValue))
    }

    @Test func aWebPageSendsPeopleToTheURL() async throws {
        let error = try await Self.error(Prices(), "<html><title>Sign in</title>")
        #expect(
            error.failureReason
                == #"in the body as a whole: expected a JSON document, found an HTML page of 28 bytes with a title masked as "Aaaa aa""#
        )
        #expect(
            error.hint
                == "Check the URL and the credentials: this may be the page of a proxy, a login page or an error page."
        )
    }

    @Test func valuesAreShownByChoice() async throws {
        guard case .decoding(let failure) = try await Self.error(Prices(), #"{"a":"hunter2"}"#) else {
            Issue.record("no decoding failure")
            return
        }
        #expect(failure.diagnosis(revealingValues: false) == failure.diagnosis)
        #expect(failure.diagnosis.snippet == #"{"a":"aaaaaa9"}"#)
        let revealed = failure.diagnosis(revealingValues: true)
        #expect(revealed.snippet == #"{"a":"hunter2"}"#)
        #expect(revealed.found == #"the string "hunter2""#)
    }

    /// Settings of the decoder that a request names, of which the client knows nothing.
    private struct Numbers: APIRequest {
        typealias Response = [Int]
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        var collectsFailures = false
        var revealsValues = false

        var decoder: any ResponseDecoder {
            var decoder = HikyakuJSONDecoder()
            decoder.collectsFailures = collectsFailures
            decoder.revealsValues = revealsValues
            return decoder
        }
    }

    @Test func theRequestsDecoderCanCollectAllFailures() async throws {
        let body = #"[1,"a2",3,null]"#
        let first =
            #"at /1: expected Int, found a string masked as "a9" (line 1, column 4, byte 3), in "#
            + #"`[9,"a9",9,null]` (values masked)"#
        #expect(try await Self.error(Numbers(), body).failureReason == first)
        let all = try await Self.error(Numbers(collectsFailures: true), body)
        #expect(all.failureReason == first + "; and 1 more: at /3: expected Int, found null")
        #expect(all.diagnosis?.further.map(\.pointer) == ["/3"])
    }

    @Test func theRequestsDecoderCanRevealValues() async throws {
        let error = try await Self.error(Numbers(revealsValues: true), #"[1,"a2",3]"#)
        let text =
            #"at /1: expected Int, found the string "a2" (line 1, column 4, byte 3), in `[1,"a2",3]`; the error says: "#
            + "expected Int, found a string"
        #expect(error.failureReason == text)
    }

    @Test func theClientsDecoderCanCollectAllFailuresToo() async throws {
        var decoder = HikyakuJSONDecoder()
        decoder.collectsFailures = true
        let transport = MockTransport { _ in .json(#"[{"id":"a"},{"name":"b"}]"#) }
        let client = APIClient(transport: transport, options: ClientOptions(decoder: decoder))
        let error = try await failure { () async throws(APIError<ShopError>) in
            _ = try await client.send(Shop.Dishes())
        }
        #expect(([error.diagnosis] + (error.diagnosis?.further ?? [])).map { $0?.pointer } == ["/0/id", "/1"])
    }

    @Test func allFailuresAreShownWithValuesByChoice() async throws {
        guard case .decoding(let failure) = try await Self.error(Numbers(collectsFailures: true), #"["a1","b2"]"#)
        else {
            Issue.record("no decoding failure")
            return
        }
        let revealed = failure.diagnosis(revealingValues: true)
        #expect(revealed.further.map(\.found) == [#"the string "b2""#] && revealed.furtherCount == 1)
    }

    /// Says itself what is wrong, by its coding path.
    private struct Strict: Decodable, Sendable {
        let first: Place
        let second: Place

        struct Place: Decodable, Sendable {
            init(from decoder: any Decoder) throws {
                let path = decoder.codingPath
                throw DecodingError.dataCorrupted(.init(codingPath: path, debugDescription: "none of ours"))
            }
        }
    }

    private struct Stricts: APIRequest {
        typealias Response = [Strict]
        var environment: APIEnvironment { "https://a.example" }
        var path: RequestPath { "/" }
        var collectsFailures = false

        var decoder: any ResponseDecoder {
            var decoder = HikyakuJSONDecoder()
            decoder.keyDecodingStrategy = .custom { $0 == "x-1" ? "first" : $0 }
            decoder.collectsFailures = collectsFailures
            return decoder
        }
    }

    @Test(arguments: [false, true])
    func convertedKeysAreThoseOfTheDocumentWithValuesToo(_ collectsFailures: Bool) async throws {
        let body = #"[{"x-1":7},{"x-1":8}]"#
        guard case .decoding(let failure) = try await Self.error(Stricts(collectsFailures: collectsFailures), body)
        else {
            Issue.record("no decoding failure")
            return
        }
        let revealed = failure.diagnosis(revealingValues: true)
        #expect(
            ([revealed] + revealed.further).map(\.pointer) == (collectsFailures ? ["/0/x-1", "/1/x-1"] : ["/0/x-1"])
        )
        #expect(revealed.found == "the number 7" && failure.diagnosis.pointer == "/0/x-1")
    }

    /// What a request throws that looks at a response itself.
    @Test func convertedKeysOfARequestsOwnErrorAreThoseOfTheDocument() async throws {
        struct Checked: APIRequest {
            typealias Response = Int
            var environment: APIEnvironment { "https://a.example" }
            var path: RequestPath { "/" }
            var decoder: any ResponseDecoder { Stricts().decoder }

            func response(from response: BufferedResponse) async throws -> Int {
                let key = try #require(Key(stringValue: "first"))
                throw DecodingError.dataCorrupted(.init(codingPath: [key], debugDescription: "too small"))
            }
        }
        let diagnosis = try await Self.error(Checked(), #"{"x-1":7}"#).diagnosis
        #expect(diagnosis?.pointer == "/x-1" && diagnosis?.found == "a number masked as 9")
    }

    private struct Key: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test func aBodyThatWasCutIsNotTakenForTheWhole() async throws {
        let body = #"{"a":"x","b":"\#(String(repeating: "y", count: BufferedResponse.bodyBytesMax))"}"#
        guard case .decoding(let failure) = try await Self.error(Prices(), body) else {
            Issue.record("no decoding failure")
            return
        }
        #expect(failure.diagnosis.kind == .typeMismatch)
        #expect(failure.diagnosis(revealingValues: true) == failure.diagnosis)
    }

    /// A property list in XML is none of JSON's faults.
    @Test func aBodyOfAnotherFormatIsNotTakenForJSON() async throws {
        let list = "<plist version=\"1.0\"><dict><key>a</key><string>x</string></dict></plist>"
        let error = try await Self.error(Prices(format: .propertyList), list)
        #expect(error.reason == .typeMismatch)
        #expect(error.failureReason == "at /a: expected Int, found a string")
        let none = try await Self.error(Prices(format: .propertyList), "<plist>")
        #expect(none.reason == .malformedBody)
        #expect(none.diagnosis?.found == "7 bytes that it can't read")
    }

    @Test func aStreamThatIsGoneIsNotTakenForEmpty() async throws {
        let error = try await Self.error(Streamed(), "[1]")
        #expect(error.reason == .invalidValue)
    }
}
