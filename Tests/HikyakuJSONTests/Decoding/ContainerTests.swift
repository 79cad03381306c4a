import Foundation
import Testing

@testable import HikyakuJSON

/// Containers of all kinds, read completely by Foundation's decoder and this one.
@Suite struct ContainerTests {
    /// What a type saw and was given on its way through a document.
    private typealias Log = [String]

    /// Runs a function as the `init(from:)` of a type, with both decoders, and expects the same from both.
    private func log(
        _ document: String,
        _ body: @escaping @Sendable (any Decoder, inout [String]) throws -> Void,
        sourceLocation: SourceLocation = #_sourceLocation,
    ) -> DecodingOutcome<[String]> {
        let foundation = JSONDecoder()
        var ours = HikyakuJSONDecoder()
        if let key = Logging.key {
            foundation.userInfo[key] = Logging.Body(run: body)
            ours.userInfo[key] = Logging.Body(run: body)
        }
        let bytes = Data(document.utf8)
        let outcome = DecodingOutcome { try ours.undiagnosed(Logging.self, bytes).log }
        let expected = DecodingOutcome { try foundation.decode(Logging.self, from: bytes).log }
        #expect(outcome == expected, sourceLocation: sourceLocation)
        return outcome
    }

    private struct Logging: Decodable {
        struct Body: Sendable {
            let run: @Sendable (any Decoder, inout [String]) throws -> Void
        }

        static let key = CodingUserInfoKey(rawValue: "body")
        let log: [String]

        init(from decoder: any Decoder) throws {
            var log: [String] = []
            let body = Self.key.flatMap { decoder.userInfo[$0] as? Body }
            try body?.run(decoder, &log)
            self.log = log
        }
    }

    @Test func nestedContainersOfEachKind() {
        let outcome = log(#"{"object":{"array":[1,{"a":[]},[2,[3]]]}}"#) { decoder, log in
            let root = try decoder.container(keyedBy: TextKey.self)
            let object = try root.nestedContainer(keyedBy: TextKey.self, forKey: "object")
            var array = try object.nestedUnkeyedContainer(forKey: "array")
            log.append("\(array.currentIndex) of \(array.count ?? -1) at \(pathText(array.codingPath))")
            log.append("\(try array.decode(Int.self))")
            let inner = try array.nestedContainer(keyedBy: TextKey.self)
            log.append("\(inner.allKeys.map(\.stringValue)) at \(pathText(inner.codingPath))")
            var empty = try inner.nestedUnkeyedContainer(forKey: "a")
            log.append("\(empty.isAtEnd) \(empty.count ?? -1) at \(pathText(empty.codingPath))")
            log.append("\(DecodingOutcome { try empty.decode(Int.self) })")
            var last = try array.nestedUnkeyedContainer()
            log.append("\(try last.decode(Int.self)) and \(try last.decode([Int].self))")
            log.append("\(last.isAtEnd) \(array.isAtEnd) \(array.currentIndex)")
        }
        #expect(
            outcome.value == [
                "0 of 3 at /object/array", "1", #"["a"] at /object/array/Index 1"#,
                "true 0 at /object/array/Index 1/a", "valueNotFound(Int) at /object/array/Index 1/a/Index 0",
                "2 and [3]", "true true 3",
            ]
        )
    }

    @Test func anArrayStaysWhereItIsWhenAnElementFails() {
        let outcome = log(#"[1,"b",null,[2],{"c":3}]"#) { decoder, log in
            var array = try decoder.unkeyedContainer()
            while !array.isAtEnd {
                log.append("\(array.currentIndex)")
                if let value = try? array.decode(Int.self) {
                    log.append("\(value)")
                } else if let value = try? array.decode(String.self) {
                    log.append(value)
                } else if try array.decodeNil() {
                    log.append("nil")
                } else if var inner = try? array.nestedUnkeyedContainer() {
                    log.append("\(try inner.decode(Int.self)) inside")
                } else {
                    let inner = try array.nestedContainer(keyedBy: TextKey.self)
                    log.append("\(try inner.decode(Int.self, forKey: "c")) inside")
                }
            }
            log.append("\(array.currentIndex)")
        }
        #expect(
            outcome.value == ["0", "1", "1", "b", "2", "nil", "3", "2 inside", "4", "3 inside", "5"]
        )
    }

    @Test func whatMayBeMissingInAnArray() {
        let outcome = log(#"[1,null,2,null]"#) { decoder, log in
            var array = try decoder.unkeyedContainer()
            for _ in 0..<5 where !array.isAtEnd {
                log.append("\(try array.decodeIfPresent(Int.self) as Any) \(array.currentIndex)")
            }
        }
        #expect(
            outcome.value == [
                "Optional(1) 1", "nil 2", "Optional(2) 3", "nil 4",
            ]
        )
    }

    /// Foundation counts on behind the end.
    @Test func behindTheEndOfAnArrayNothingIsCounted() throws {
        struct Value: Decodable {
            init(from decoder: any Decoder) throws {
                var array = try decoder.unkeyedContainer()
                for _ in 0..<3 { #expect(try array.decodeIfPresent(Int.self) == nil) }
                #expect(array.currentIndex == 0)
            }
        }
        _ = try HikyakuJSONDecoder().undiagnosed(Value.self, Data("[]".utf8))
    }

    @Test func theEndOfAnArray() {
        let outcome = log("[[]]") { decoder, log in
            var array = try decoder.unkeyedContainer()
            var inner = try array.nestedUnkeyedContainer()
            log.append("\(DecodingOutcome { try inner.decode(Bool.self) })")
            log.append("\(DecodingOutcome { try inner.decode(String.self) })")
            log.append("\(DecodingOutcome { try inner.decode(Double.self) })")
            log.append("\(DecodingOutcome { try inner.decode([Int].self) })")
            log.append("\(DecodingOutcome { try inner.decode(JSONAny.self) })")
            log.append("\(DecodingOutcome { try inner.decodeNil() })")
        }
        #expect(
            outcome.value == [
                "valueNotFound(Bool) at /Index 0/Index 0", "valueNotFound(String) at /Index 0/Index 0",
                "valueNotFound(Double) at /Index 0/Index 0", "valueNotFound(Array<Int>) at /Index 0/Index 0",
                "valueNotFound(JSONAny) at /Index 0/Index 0", "valueNotFound(Never) at /Index 0/Index 0",
            ]
        )
    }

    @Test func membersAreReadInEveryWay() {
        let outcome = log(#"{"a":1,"b":null,"c":{}}"#) { decoder, log in
            let object = try decoder.container(keyedBy: TextKey.self)
            for key: TextKey in ["c", "b", "a", "d"] {
                log.append("\(key.stringValue) \(object.contains(key))")
                log.append("\(DecodingOutcome { try object.decodeNil(forKey: key) })")
                log.append("\(DecodingOutcome { try object.decode(Int.self, forKey: key) })")
                log.append("\(DecodingOutcome { try object.decodeIfPresent(Int.self, forKey: key) as Any })")
                log.append("\(DecodingOutcome { try object.decode(Int?.self, forKey: key) as Any })")
                log.append("\(DecodingOutcome { try object.decodeIfPresent([Int].self, forKey: key) as Any })")
            }
        }
        #expect(
            outcome.value == [
                "c true", "false", "typeMismatch(Int) at /c", "typeMismatch(Int) at /c", "typeMismatch(Int) at /c",
                "typeMismatch(Array<Any>) at /c",
                "b true", "true", "valueNotFound(Int) at /b", "nil", "nil", "nil",
                "a true", "false", "1", "Optional(1)", "Optional(1)", "typeMismatch(Array<Any>) at /a",
                "d false", "keyNotFound(d) at /", "keyNotFound(d) at /", "nil", "keyNotFound(d) at /", "nil",
            ]
        )
    }

    @Test(arguments: ["1", "null", #""a""#, "[]", "{}", "true"])
    func anyValueIsReadAsAnyKind(_ document: String) {
        let outcome = log(#"{"a":\#(document)}"#) { decoder, log in
            let object = try decoder.container(keyedBy: TextKey.self)
            func keep<Value>(_ name: String, _ body: () throws -> Value) {
                log.append("\(name): \(DecodingOutcome { _ = try body() })")
            }
            keep("object") { try object.nestedContainer(keyedBy: TextKey.self, forKey: "a") }
            keep("array") { try object.nestedUnkeyedContainer(forKey: "a") }
            keep("missing object") { try object.nestedContainer(keyedBy: TextKey.self, forKey: "b") }
            keep("missing array") { try object.nestedUnkeyedContainer(forKey: "b") }
            let decoder = try object.superDecoder(forKey: "a")
            log.append(pathText(decoder.codingPath))
            keep("object of decoder") { try decoder.container(keyedBy: TextKey.self) }
            keep("array of decoder") { try decoder.unkeyedContainer() }
            let single = try decoder.singleValueContainer()
            log.append("\(pathText(single.codingPath)) \(single.decodeNil())")
            keep("Int") { try single.decode(Int.self) }
            keep("String") { try single.decode(String.self) }
            keep("[Int]") { try single.decode([Int].self) }
            keep("[String: Int]") { try single.decode([String: Int].self) }
            keep("Int?") { try single.decode(Int?.self) }
        }
        #expect(outcome.value?.contains("missing object: keyNotFound(b) at /") == true)
    }

    @Test(arguments: ["{}", #"{"super":null,"b":null}"#, #"{"super":[1],"b":{"a":2}}"#, #"{"super":3,"b":"x"}"#])
    func superDecodersExistForAnyValue(_ document: String) {
        let outcome = log(#"{"x":[\#(document)]}"#) { decoder, log in
            var array = try decoder.container(keyedBy: TextKey.self).nestedUnkeyedContainer(forKey: "x")
            let object = try array.nestedContainer(keyedBy: TextKey.self)
            for inner in [try object.superDecoder(), try object.superDecoder(forKey: "b")] {
                log.append(pathText(inner.codingPath))
                log.append("\(DecodingOutcome { try inner.container(keyedBy: TextKey.self).allKeys.count })")
                log.append("\(DecodingOutcome { try inner.unkeyedContainer().count as Any })")
                let single = try inner.singleValueContainer()
                log.append("\(pathText(single.codingPath)) \(single.decodeNil())")
                log.append("\(DecodingOutcome { try single.decode(Int.self) })")
                log.append("\(DecodingOutcome { try single.decode(String.self) })")
                log.append("\(DecodingOutcome { try single.decode(Double.self) })")
                log.append("\(DecodingOutcome { try single.decode(Int?.self) as Any })")
                log.append("\(DecodingOutcome { try single.decode([Int].self) })")
                log.append("\(DecodingOutcome { try single.decode([String: Int].self) })")
                log.append("\(DecodingOutcome { try single.decode(Logging.self).log.count })")
            }
        }
        #expect(outcome.value?.first == "/x/Index 0/super")
        #expect(outcome.value?.contains("/x/Index 0/b") == true)
    }

    @Test func elementsHaveSuperDecoders() {
        let outcome = log(#"[1,{"a":2},[3]]"#) { decoder, log in
            var array = try decoder.unkeyedContainer()
            let first = try array.superDecoder()
            let second = try array.superDecoder()
            let third = try array.superDecoder()
            log.append("\(array.isAtEnd) \(array.currentIndex)")
            // In another order than they were made.
            log.append("\(try third.unkeyedContainer().count ?? -1) at \(pathText(third.codingPath))")
            log.append("\(try first.singleValueContainer().decode(Int.self)) at \(pathText(first.codingPath))")
            let object = try second.container(keyedBy: TextKey.self)
            log.append("\(try object.decode(Int.self, forKey: "a")) at \(pathText(object.codingPath))")
        }
        #expect(outcome.value == ["true 3", "1 at /Index 2", "1 at /Index 0", "2 at /Index 1"])
    }

    @Test func userInfoIsThereAtEveryPlace() throws {
        let outcome = log(#"{"a":[{}]}"#) { decoder, log in
            log.append("\(decoder.userInfo.count)")
            let object = try decoder.container(keyedBy: TextKey.self)
            log.append("\(try object.superDecoder(forKey: "a").userInfo.count)")
            log.append("\(try object.superDecoder().userInfo.count)")
            var array = try object.nestedUnkeyedContainer(forKey: "a")
            log.append("\(try array.superDecoder().userInfo.count)")
        }
        #expect(outcome.value == ["1", "1", "1", "1"])
    }
}
