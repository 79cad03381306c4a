import Foundation
import Testing

@testable import HikyakuJSON

/// The keys of a dictionary may be as secret as its values.
@Suite struct KeysOfDataTests {
    private struct Person: Decodable { let years: Int }

    private static func diagnosis<Value: Decodable>(
        _ body: String,
        _ type: Value.Type,
        revealing: Bool = false,
        _ change: (inout HikyakuJSONDecoder) -> Void = { _ in },
    ) throws -> DecodingDiagnosis {
        var decoder = HikyakuJSONDecoder()
        decoder.revealsValues = revealing
        change(&decoder)
        let error = try #require(throws: (any Error).self) { try decoder.decode(type, from: Data(body.utf8)) }
        return try #require(error as? DecodingDiagnosis)
    }

    private static let people = #"{"people":{"bob@example.com":{"years":"3"}}}"#

    @Test func anAddressIsMaskedInThePointerAndTheExcerpt() throws {
        let diagnosis = try Self.diagnosis(Self.people, [String: [String: Person]].self)
        #expect(diagnosis.pointer == "/people/aaa@aaaaaaa.aaa/years" && diagnosis.isPointerMasked)
        #expect(
            diagnosis.description
                == #"at /people/aaa@aaaaaaa.aaa/years (keys masked): expected Int, found a string masked as "9" (line 1, "#
                + #"column 39, byte 38), in `{"people":{"aaa@aaaaaaa.aaa":{"years":"9"}}}` (values masked)"#
        )
    }

    @Test func itIsShownWithTheValues() throws {
        let diagnosis = try Self.diagnosis(Self.people, [String: [String: Person]].self, revealing: true)
        #expect(diagnosis.pointer == "/people/bob@example.com/years" && !diagnosis.isPointerMasked)
        #expect(diagnosis.snippet == Self.people)
        #expect(!diagnosis.description.contains("masked"))
    }

    @Test(arguments: [
        "4111111111111111", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3", "cus_9s6XKzkNRiz8i3",
        "Bob Brown", "f47ac10b-58cc-4372-a567-0e02b2c3d479", #"\u0062ob@example.com"#,
    ])
    func nothingShowsSuchAKey(key: String) throws {
        let body = #"{"\#(key)":{"a":"x"},"\#(key)":{"b":"x"}}"#
        let diagnoses = [
            try Self.diagnosis(body, [String: Person].self), try Self.diagnosis(body, Person.self),
            try Self.diagnosis(body, [Int: Person].self), try Self.diagnosis(body, [Int].self),
            try Self.diagnosis(body, [String: Person].self) { $0.duplicateKeys = .rejected },
            try Self.diagnosis("[\(body),]", [[String: Person]].self),
        ]
        var texts = diagnoses.flatMap { [$0.description, $0.pointer, $0.found ?? ""] }
        texts.append(try #require(BodyShape.text(of: Data(body.utf8))))
        let parts = [key, "bob", "Brown", "4111", "example"]
        for text in texts { #expect(!parts.contains { text.contains($0) }, "\(text)") }
    }

    @Test func theShapeOfABodyMasksIt() {
        let text = BodyShape.text(of: Data(#"{"bob@example.com":"x","error_code":7}"#.utf8))
        #expect(text == #"`{"aaa@aaaaaaa.aaa":"a","error_code":9}` (values masked)"#)
    }

    @Test func theKeysThatTheTypeExpectsAreShown() throws {
        struct Form: Decodable {
            enum CodingKeys: String, CodingKey { case name = "First Name" }
            let name: String
        }
        let diagnosis = try Self.diagnosis(#"{"Last Name":"x","id":1}"#, Form.self)
        #expect(diagnosis.expected == #"the key "First Name""#)
        #expect(diagnosis.found == #"an object with the keys "Aaaa Aaaa", "id""#)
    }
}
