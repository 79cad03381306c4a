import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct OpenEnumTests {
    private enum State: String { case open, closed }
    private enum Level: Int { case low = 1, high = 2 }

    private struct Issue: Codable, Equatable {
        let state: OpenEnum<State>
        let level: OpenEnum<Level>?
    }

    @Test func knownAndUnknownValuesAreRead() throws {
        let document = #"["open","new","","clos\u0065d","飛脚"]"#
        let expected: [OpenEnum<State>] = [
            .known(.open), .unknown("new"), .unknown(""), .known(.closed), .unknown("飛脚"),
        ]
        for reading in try everyReading(of: [OpenEnum<State>].self, document) {
            #expect(reading.value == expected)
            guard let drifts = reading.drifts else { continue }
            #expect(drifts == [1, 2, 4].map { "unknownEnumValue /\($0) State" })
        }
    }

    @Test func rawValuesMayBeNumbers() throws {
        for reading in try everyReading(of: [OpenEnum<Level>].self, "[ 1, 7 ]") {
            #expect(reading.value == [.known(.low), .unknown(7)])
            if let drifts = reading.drifts { #expect(drifts == ["unknownEnumValue /1 Level"]) }
        }
    }

    @Test func insideOfTypesItIsTheSame() throws {
        let notes = DriftNotes()
        let document = Data(#"[{"state":"open"},{"state":"gone","level":3},{"state":"closed","level":null}]"#.utf8)
        let issues = try HikyakuJSONDecoder.noting(notes).decode([Issue].self, from: document)
        #expect(issues.map(\.state) == [.known(.open), .unknown("gone"), .known(.closed)])
        #expect(issues.map(\.level) == [nil, .unknown(3), nil])
        #expect(notes.texts == ["unknownEnumValue /1/state State", "unknownEnumValue /1/level Level"])
        #expect(notes.drifts.map(\.byteOffset) == [27, 42])
        #expect(try JSONDecoder().decode([Issue].self, from: document) == issues)
        let written = try HikyakuJSONEncoder().encode(issues)
        #expect(try HikyakuJSONDecoder().decode([Issue].self, from: written) == issues)
        #expect(try JSONDecoder().decode([Issue].self, from: JSONEncoder().encode(issues)) == issues)
    }

    @Test(arguments: ["1", "null", "{}", "[\"open\"]"])
    func aValueOfAnotherTypeIsAnError(_ document: String) {
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode(OpenEnum<State>.self, from: Data(document.utf8))
        }
        #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().read(OpenEnum<State>.self, from: Data(document.utf8))
        }
    }

    @Test func rawValuesAreKept() throws {
        #expect(OpenEnum<State>(rawValue: "open") == .known(.open))
        #expect(OpenEnum<State>(rawValue: "new") == .unknown("new"))
        #expect(OpenEnum<State>(rawValue: "new").rawValue == "new")
        #expect(OpenEnum<State>.known(.closed).rawValue == "closed")
        #expect(OpenEnum<State>.known(.closed).value == .closed)
        #expect(OpenEnum<State>.unknown("new").value == nil)
        #expect(Set([OpenEnum<Level>.known(.low), .known(.low), .unknown(3)]).count == 2)
        #expect(
            String(decoding: try HikyakuJSONEncoder().write([OpenEnum<State>.unknown("a")]), as: UTF8.self) == #"["a"]"#
        )
    }
}
