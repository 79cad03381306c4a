import Foundation
import HikyakuJSON
import Testing

@Suite struct JSONModelTests {
    struct Dish: JSONModel {
        var id: Int
        var name: String
        var prices: [String: Double]
        var note: String?

        init(id: Int, name: String, prices: [String: Double] = [:], note: String? = nil) {
            (self.id, self.name, self.prices, self.note) = (id, name, prices, note)
        }

        init(from reader: inout JSONReader) throws {
            try reader.beginObject()
            id = try reader.member("id")
            name = try reader.member("name")
            prices = try reader.member("prices")
            note = try reader.member("note")
            try reader.endObject()
        }

        func write(to writer: inout JSONWriter) throws {
            try writer.beginObject()
            try writer.member("id", id)
            try writer.member("name", name)
            try writer.member("prices", prices)
            try writer.member("note", note)
            try writer.endObject()
        }
    }

    struct Menu: Codable, Equatable {
        var dishes: [Dish]
        var special: Dish?
    }

    private let menu = Menu(
        dishes: [Dish(id: 1, name: "うどん", prices: ["small": 4.5, "large": 6]), Dish(id: 2, name: "茶", note: "hot")],
        special: Dish(id: 3, name: "\"soup\""),
    )

    @Test func isReadAndWrittenDirectlyInsideOfCodableParents() throws {
        let document = try HikyakuJSONEncoder().encode(menu)
        #expect(try HikyakuJSONDecoder().decode(Menu.self, from: document) == menu)
    }

    @Test func isReadAndWrittenByCodersOfOthers() throws {
        let document = try JSONEncoder().encode(menu)
        #expect(try JSONDecoder().decode(Menu.self, from: document) == menu)
        #expect(try HikyakuJSONDecoder().decode(Menu.self, from: document) == menu)
        let list = try PropertyListEncoder().encode(Menu(dishes: [Dish(id: 1, name: "tea")], special: nil))
        #expect(try PropertyListDecoder().decode(Menu.self, from: list).dishes == [Dish(id: 1, name: "tea")])
    }

    @Test func reportsThePathToOtherDecoders() {
        let document = Data(#"{"dishes":[{"id":1,"name":"tea"}]}"#.utf8)
        let error = #expect(throws: DecodingError.self) { try JSONDecoder().decode(Menu.self, from: document) }
        guard case .dataCorrupted(let context)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(context.codingPath.map(\.stringValue) == ["dishes", "Index 0"])
        #expect((context.underlyingError as? DecodingDiagnosis)?.kind == .missingKey)
    }

    @Test func isEqualToItsLikeInWhicheverOrderItsKeysCome() {
        let one = Dish(id: 1, name: "tea", prices: Dictionary(uniqueKeysWithValues: (0..<50).map { ("\($0)", 1) }))
        var prices: [String: Double] = [:]
        for number in (0..<50).reversed() { prices["\(number)"] = 1 }
        let other = Dish(id: 1, name: "tea", prices: prices)
        #expect(one == other)
        #expect(one.hashValue == other.hashValue)
        #expect(one != Dish(id: 1, name: "tea"))
        #expect(Dish(id: 1, name: "tea", prices: ["x": .infinity]) != Dish(id: 1, name: "tea", prices: ["x": .nan]))
        #expect(Dish(id: 1, name: "tea", prices: ["x": .nan]) == Dish(id: 1, name: "tea", prices: ["x": .nan]))
    }

    struct Moment: JSONModel {
        struct Refusal: Error {
            let reason: String
        }

        var id = 0
        var date = Date.distantPast
        var refusal: String?

        init(id: Int = 0, date: Date = .distantPast, refusal: String? = nil) {
            (self.id, self.date, self.refusal) = (id, date, refusal)
        }

        init(from reader: inout JSONReader) throws { try reader.skip() }

        func write(to writer: inout JSONWriter) throws {
            if let refusal { throw Refusal(reason: refusal) }
            try writer.beginObject()
            try writer.member("id", id)
            try writer.member("date", date)
            if id < 0 { try writer.member("id", Double.signalingNaN) }
            if id >= 0 { try writer.endObject() }
        }
    }

    @Test func isEqualOnlyToWhatHasTheSameDates() {
        #expect(Moment(id: 1) == Moment(id: 1))
        #expect(Moment(id: 1) != Moment(id: 2))
        #expect(Set([Moment(id: 1), Moment(id: 2), Moment(id: 2)]).count == 2)
        let date = Date(timeIntervalSinceReferenceDate: 700_000_000.25)
        #expect(Moment(date: date) == Moment(date: date))
        #expect(Moment(date: date) != Moment(date: date.addingTimeInterval(0.0001)))
        #expect(Moment(date: Date(timeIntervalSince1970: 1e15)) != Moment(date: Date(timeIntervalSince1970: 2e15)))
    }

    @Test func isEqualToWhatFailsAlike() {
        #expect(Moment(refusal: "a") == Moment(refusal: "a"))
        #expect(Moment(refusal: "a") != Moment(refusal: "b"))
        #expect(Moment(refusal: "a") != Moment())
        #expect(Moment(id: -1) == Moment(id: -1))
        #expect(Moment(id: -1) != Moment(refusal: "a"))
    }

    @Test func namesTheFirstKeyThatIsMissing() {
        let document = Data(#"[{"id":1,"prices":{},"note":null}]"#.utf8)
        let diagnosis = #expect(throws: DecodingDiagnosis.self) {
            try HikyakuJSONDecoder().decode([Dish].self, from: document)
        }
        #expect(diagnosis?.kind == .missingKey)
        #expect(diagnosis?.pointer == "/0")
        #expect(diagnosis?.expected == "the key \"name\"")
    }
}
