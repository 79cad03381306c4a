import Foundation
import HikyakuJSON
import Testing

@Suite struct EncodingOutputTests {
    private struct Article: Codable, Equatable {
        var id = 7
        var title = "A \"title\" / with é"
        var note: String?
        var isPublic = true
        var score = 2.5
        var ratio: Float = 0.1
        var price = Decimal(string: "12.30") ?? 0
        var tags = ["a", "b"]
        var counts: [Int?] = [1, nil]
        var owner: Owner? = Owner()
        var byName = ["x": Owner()]
        var byNumber = [3: "three"]
        var link = URL(string: "https://example.com/")
        var data = Data([1, 2, 3])
        var date = Date(timeIntervalSince1970: 1.5)
        var kind = Kind.large
        var shape = Shape.circle(radius: 2)
    }

    private struct Owner: Codable, Equatable {
        var name = "n"
        var empty: [Int] = []
    }

    private enum Kind: String, Codable {
        case small, large
    }

    private enum Shape: Codable, Equatable {
        case circle(radius: Int)
        case square(Double, named: String?)
        case none
    }

    @Test func aTypeIsWrittenMemberByMemberInItsOrder() throws {
        let document = try encoded(Article())
        #expect(
            document == #"""
                {"id":7,"title":"A \"title\" / with é","isPublic":true,"score":2.5,"ratio":0.1,"price":12.3,\#
                "tags":["a","b"],"counts":[1,null],"owner":{"name":"n","empty":[]},\#
                "byName":{"x":{"name":"n","empty":[]}},"byNumber":{"3":"three"},"link":"https://example.com/",\#
                "data":"AQID","date":"1970-01-01T00:00:01.500Z","kind":"large","shape":{"circle":{"radius":2}}}
                """#
        )
    }

    @Test func whatIsWrittenIsReadBackByFoundation() throws {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .secondsSince1970
        var articles = [Article(), Article(note: "n\u{0}", owner: nil, byName: [:], shape: .square(0.1, named: nil))]
        articles.append(Article(counts: [], kind: .small, shape: .none))
        for formatting in [[], .sortedKeys, .prettyPrinted, [.sortedKeys, .prettyPrinted]]
            as [HikyakuJSONEncoder.OutputFormatting]
        {
            let text = try encoded(articles) { encoder in
                encoder.dateEncodingStrategy = .secondsSince1970
                encoder.outputFormatting = formatting
            }
            #expect(try decoder.decode([Article].self, from: Data(text.utf8)) == articles)
        }
    }

    @Test func aDocumentMayBeASingleValue() throws {
        #expect(try encoded("a") == #""a""#)
        #expect(try encoded(1) == "1")
        #expect(try encoded(1.5) == "1.5")
        #expect(try encoded(true) == "true")
        #expect(try encoded(Int?.none) == "null")
        #expect(try encoded(Owner?.none) == "null")
        #expect(try encoded(Kind.small) == #""small""#)
        #expect(try encoded(Date(timeIntervalSince1970: 0)) == #""1970-01-01T00:00:00Z""#)
        #expect(try encoded([Int]()) == "[]")
        #expect(try encoded([Owner]()) == "[]")
        #expect(try encoded([String: Owner]()) == "{}")
        #expect(try encoded([[[Owner]]]()) == "[]")
        #expect(try encoded(Owner??.some(.some(Owner()))) == #"{"name":"n","empty":[]}"#)
    }

    @Test func dictionariesAreObjectsWhereTheirKeysAreTexts() throws {
        struct Plain: RawRepresentable, Codable, Hashable {
            var rawValue: String
        }
        #expect(try encoded([-5: 1]) == #"{"-5":1}"#)
        #expect(try encoded([Sample.Name.secondName: [Owner()]]) == #"{"secondName":[{"name":"n","empty":[]}]}"#)
        #expect(try encoded([true: 1]) == "[true,1]")
        #expect(try encoded([Plain(rawValue: "a"): 1]) == #"["a",1]"#)
    }

    @Test func keysOfDictionariesOfTextsAreNotConverted() throws {
        struct Value: Encodable {
            var innerKey = ["someKey": ["otherKey": Owner()]]
            var named = [Sample.Name.secondName: 1]
            var numbers = ["plainKey": 1]
        }
        let snake = try encoded(Value()) { $0.keyEncodingStrategy = .convertToSnakeCase }
        #expect(
            snake == #"""
                {"inner_key":{"someKey":{"otherKey":{"name":"n","empty":[]}}},"named":{"second_name":1},\#
                "numbers":{"plainKey":1}}
                """#
        )
    }

    @Test func eachKeyIsConvertedOnceInADocument() throws {
        final class Count: @unchecked Sendable {
            // Only this test's own thread touches it.
            var keys: [String] = []
        }
        let count = Count()
        let text = try encoded((0..<50).map { _ in ["a": Owner(), "b": Owner()] }) { encoder in
            encoder.keyEncodingStrategy = .custom { key in
                count.keys.append(key)
                return key.uppercased()
            }
        }
        #expect(count.keys == ["name", "empty"])
        #expect(text.hasPrefix(#"[{""#) && text.contains(#"{"NAME":"n","EMPTY":[]}"#))
    }

    @Test func manyKeysAreConvertedToTheirOwn() throws {
        let keys = (0..<500).map { "key\($0)Name" }
        let value = Encoded { encoder in
            var container = encoder.unkeyedContainer()
            for _ in 0..<2 {
                var object = container.nestedContainer(keyedBy: AnyKey.self)
                for key in keys { try object.encode(key, forKey: AnyKey(key)) }
            }
        }
        let text = try encoded(value) { $0.keyEncodingStrategy = .convertToSnakeCase }
        let read = try JSONDecoder().decode([[String: String]].self, from: Data(text.utf8))
        let expected = Dictionary(uniqueKeysWithValues: keys.map { ("\($0.dropLast(4))_name", $0) })
        #expect(read == [expected, expected])
    }

    @Test func keysAreSortedAlsoWhereTheyAreSortedAlready() throws {
        struct Value: Encodable {
            var a = 1, c = ["z": 1, "y": 2], b = Owner()
        }
        #expect(try sorted(Value()) == #"{"a":1,"b":{"empty":[],"name":"n"},"c":{"y":2,"z":1}}"#)
        let snake = try encoded(["x": Value()]) { encoder in
            encoder.outputFormatting = .sortedKeys
            encoder.keyEncodingStrategy = .custom { $0 == "a" ? "z" : $0 }
        }
        #expect(snake == #"{"x":{"b":{"empty":[],"name":"n"},"c":{"y":2,"z":1},"z":1}}"#)
    }

    @Test func keysAreSortedByTheirBytesAsThoseOfFoundationAre() throws {
        // Composed, é sorts after f and Å before Æ; their bytes have another order here.
        let value = ["e\u{301}": 1, "f": 2, "\u{212B}": 3, "\u{C6}": 4, "😀": 5, "\u{FFFD}": 6, "\"": 7, "A": 8, "": 9]
        let document = try sorted(value)
        let expected =
            "{\"\":9,\"\\\"\":7,\"A\":8,\"e\u{301}\":1,\"f\":2,\"\u{C6}\":4,\"\u{212B}\":3,\"\u{FFFD}\":6,\"😀\":5}"
        #expect(Array(document.utf8) == Array(expected.utf8))
        #expect(Array(try foundation(value).utf8) == Array(expected.utf8))
    }

    @Test func integersOfEveryWidthAreWrittenInDigitsByEachContainer() throws {
        let value = Encoded { encoder in
            var object = encoder.container(keyedBy: AnyKey.self)
            try object.encode(Int8.min, forKey: "a")
            try object.encode(Int16.min, forKey: "b")
            try object.encode(Int32.min, forKey: "c")
            try object.encode(Int64.min, forKey: "d")
            try object.encode(UInt8.max, forKey: "e")
            try object.encode(UInt16.max, forKey: "f")
            try object.encode(UInt32.max, forKey: "g")
            try object.encode(UInt64.max, forKey: "h")
            var array = object.nestedUnkeyedContainer(forKey: "i")
            try array.encode(Int8.max)
            try array.encode(UInt8(65))
            try array.encode(UInt.max)
            try array.encode(Int.min)
            var single = object.superEncoder().singleValueContainer()
            try single.encode(UInt8(66))
        }
        #expect(
            try encoded(value) == """
                {"a":-128,"b":-32768,"c":-2147483648,"d":\(Int64.min),"e":255,"f":65535,"g":4294967295,\
                "h":\(UInt64.max),"i":[127,65,\(UInt.max),\(Int.min)],"super":66}
                """
        )
    }

    @Test func integersOf128BitsKeepTheirDigits() throws {
        guard #available(macOS 15.0, iOS 18.0, tvOS 18.0, watchOS 11.0, visionOS 2.0, *) else { return }
        struct Wide: Encodable {
            var most = Int128.max
            var all = [UInt128.max]
        }
        #expect(
            try encoded(Wide()) == """
                {"most":170141183460469231731687303715884105727,"all":[340282366920938463463374607431768211455]}
                """
        )
    }

    @Test func typesThatWriteThemselvesDoSoInsideOfCodableOnes() throws {
        struct Point: JSONWritable, Encodable {
            var x = 1
            func write(to writer: inout JSONWriter) throws {
                try writer.writeArray { try $0.write(x) }
            }
            func encode(to encoder: any Encoder) throws {
                Issue.record("a type that writes itself was encoded")
            }
        }
        struct Parent: Encodable {
            var point = Point()
            var points = [Point(x: 2), Point(x: 3)]
            var some: Point? = Point(x: 4)
            var none: Point?
            var named = ["a": [Point(x: 5)]]
            var numbered = [1: Point(x: 6)]
        }
        #expect(
            try encoded([Parent()])
                == #"[{"point":[1],"points":[[2],[3]],"some":[4],"named":{"a":[[5]]},"numbered":{"1":[6]}}]"#
        )
        #expect(try encoded(Point()) == "[1]")
    }
}
