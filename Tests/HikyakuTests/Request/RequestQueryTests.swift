import Foundation
import Hikyaku
import Testing

private enum Sort: String, QueryValue { case newestFirst = "newest-first" }

@Suite struct RequestQueryTests {
    private static func text(_ query: RequestQuery) throws -> String {
        try AnyRequest(query: query).httpRequest().url.query(percentEncoded: true) ?? ""
    }

    @Test func itemsKeepTheirOrderAndNilIsLeftOut() throws {
        let tag: String? = nil
        let page: Int? = 2
        #expect(try Self.text(["z": 1, "tag": tag, "a": page, "none": nil, "z": "again"]) == "z=1&a=2&z=again")
        #expect(try AnyRequest(query: ["tag": tag]).httpRequest().url.absoluteString == "https://a.example/p")
    }

    @Test(arguments: [
        ("a+b", "a%2Bb"), ("a b", "a%20b"), ("a&b=c", "a%26b%3Dc"), ("日本", "%E6%97%A5%E6%9C%AC"), ("100%", "100%25"),
        ("#?/", "%23%3F%2F"), ("é", "%C3%A9"), ("", ""), ("\r\n", "%0D%0A"), ("'\"<>", "%27%22%3C%3E"), ("~*", "~%2A"),
    ])
    func textsComeThroughWhole(value: String, encoded: String) throws {
        #expect(try Self.text(["q": value]) == "q=\(encoded)")
        #expect(try Self.text([value: 1]) == "\(encoded)=1")
    }

    @Test func arraysAreWrittenInTheChosenStyle() throws {
        #expect(try Self.text(["id": [1, 2]]) == "id=1&id=2")
        #expect(try Self.text(["id": .list([1, 2])]) == "id=1&id=2")
        #expect(try Self.text(["id": .list([1, 2], .bracketed)]) == "id%5B%5D=1&id%5B%5D=2")
        #expect(try Self.text(["id": .list(["a,b", "c"], .commaSeparated)]) == "id=a%2Cb,c")
        #expect(try Self.text(["id": .list(["a b", "c"], .spaceSeparated)]) == "id=a%20b%20c")
        #expect(try Self.text(["id": .list([1, 2], .pipeSeparated)]) == "id=1%7C2")
        let (some, none): ([Int]?, [Int]?) = ([1, 2], nil)
        #expect(try Self.text(["a": .list(some, .commaSeparated), "b": .list(none, .commaSeparated)]) == "a=1,2")
        let (items, noItems): (RequestQuery?, RequestQuery?) = (["x": 1], nil)
        #expect(try Self.text(["a": .object(items), "b": .object(noItems)]) == "a%5Bx%5D=1")
        #expect(try Self.text(["id": [Int]()]) == "")
        #expect(try Self.text(["id": .list([], .commaSeparated), "x": [1, nil, 3]]) == "x=1&x=3")
    }

    @Test func objectsNest() throws {
        let query: RequestQuery = ["a": .object(["b": "c", "d": .object(["e": [1, 2]]), "nil": nil])]
        #expect(try Self.text(query) == "a%5Bb%5D=c&a%5Bd%5D%5Be%5D=1&a%5Bd%5D%5Be%5D=2")
    }

    @Test func scalarsAreWrittenAsServicesExpect() throws {
        let date = Date(timeIntervalSince1970: 1_700_000_000.75)
        #expect(try Self.text(["yes": true, "no": false]) == "yes=true&no=false")
        #expect(try Self.text(["d": date]) == "d=2023-11-14T22%3A13%3A20Z")
        #expect(try Self.text(["s": .seconds(date), "m": .milliseconds(date)]) == "s=1700000000&m=1700000000750")
        #expect(try Self.text(["a": 1.0, "b": 0.1, "c": Float(0.1), "e": 1e21]) == "a=1&b=0.1&c=0.1&e=1e%2B21")
        #expect(try Self.text(["a": Int64.min, "b": UInt64.max]) == "a=-9223372036854775808&b=18446744073709551615")
        #expect(try Self.text(["a": Decimal(string: "0.10000000000000000001")]) == "a=0.10000000000000000001")
        #expect(try Self.text(["sort": Sort.newestFirst]) == "sort=newest-first")
    }

    @Test(arguments: [
        RequestQuery(dictionaryLiteral: ("price", Double.nan)), ["price": Double.infinity], ["price": -Float.infinity],
        ["price": Decimal.nan], ["price": [1.0, .nan]], ["price": .object(["a": Double.nan])],
        ["price": .seconds(Date(timeIntervalSince1970: .infinity))],
        ["price": .milliseconds(Date(timeIntervalSince1970: 1e300))],
        ["price": Date(timeIntervalSince1970: .nan)], ["price": Date(timeIntervalSince1970: 1e15)],
        ["price": Date(timeIntervalSince1970: -.infinity)], ["price": Date(timeIntervalSince1970: -1e12)],
        ["price": .list([.object(["a": 1])], .commaSeparated)],
    ])
    func valuesThatCannotBeWrittenAreRejectedByName(query: RequestQuery) async throws {
        let error = try await failure { () throws(APIError<ProblemDetails>) in
            try AnyRequest(query: query).httpRequest()
        }
        #expect(error.reason == .query)
        #expect(error.failureReason?.contains("price") == true)
    }

    @Test func endlessNestingIsRejected() async throws {
        var query: RequestQuery = ["a": 1]
        for _ in 0..<300_000 { query = ["a": .object(query)] }
        let deep = query
        let error = try await failure { () throws(APIError<ProblemDetails>) in
            try AnyRequest(query: deep).httpRequest()
        }
        #expect(error.reason == .query)
    }

    @Test func nestingUpToTheLimitIsWritten() throws {
        var query: RequestQuery = ["a": 1]
        for _ in 0..<31 { query = ["a": .object(query)] }
        #expect(try Self.text(query).hasSuffix("%5D=1"))
        #expect(throws: APIError<ProblemDetails>.self) { try Self.text(["a": .object(query)]) }
    }

    @Test func valuesDoNotShowThemselvesWhenPrinted() {
        for value in ["hunter2".queryItemValue, ["hunter2"].queryItemValue, .object(["a": "hunter2"])] {
            var dumped = ""
            dump(value, to: &dumped)
            #expect(!"\(value)\(String(reflecting: value))\(dumped)".contains("hunter2"))
        }
    }

    @Test func printingShowsNamesAlone() {
        let query: RequestQuery = ["token": "hunter2"]
        var dumped = ""
        dump(query, to: &dumped)
        #expect("\(query)" == "token=…")
        #expect(!dumped.contains("hunter2"))
    }
}
