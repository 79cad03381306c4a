import Foundation
import Hikyaku
import Testing

private enum Tier: String { case free, paid }
private struct Level: RawRepresentable, Equatable { let rawValue: Int }

/// Typed values of header fields.
@Suite struct HeaderFieldTests {
    private let headers: HTTPHeaders = [
        "N": " 12 ", "D": "1.5", "B": "?1", "T": "a b", "Tier": "paid", "Level": "3", "List": "1, ,2", "Bad": "1,x",
        "Date": "Sun, 06 Nov 1994 08:49:37 GMT", "At": "1970-01-01T00:00:01Z", "URL": "/a?b", "Inf": "inf", "E": "",
    ]

    @Test func valuesHaveTheirTypes() {
        #expect(headers.read("N") == 12 && headers.read("N") == Int64(12) && headers.read("D") == 1.5)
        #expect(headers.read("B") == true && headers.read("T") == "a b")
        #expect(headers.read("Date") == Date(timeIntervalSince1970: 784_111_777))
        #expect(headers.read("At") == Date(timeIntervalSince1970: 1))
        #expect(headers.read("URL") == URL(string: "/a?b") && headers.read("D") == Decimal(string: "1.5"))
    }

    @Test func enumerationsAreReadByTheirRawValues() {
        #expect(headers.read("Tier") == Tier.paid && headers.read("Level") == Level(rawValue: 3))
        #expect(headers.read("T") == Tier?.none)
    }

    @Test func listsAreSeparatedByCommas() {
        #expect(headers.read("List") == [1, 2] && headers.read("Tier") == [Tier.paid])
        #expect(headers.read("E") == [String]())
    }

    @Test func anotherTypeIsNil() {
        #expect(headers.read("T") == Int?.none && headers.read("Bad") == [Int]?.none)
        #expect(headers.read("Missing") == String?.none && headers.read("Inf") == Double?.none)
        #expect(headers.read("T") == Date?.none && headers.read("T") == UUID?.none && headers.read("N") == Bool?.none)
    }
}
