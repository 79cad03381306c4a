import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct TypeNameTests {
    private struct Inner<Value> {}

    @Test func typeNamesMatchTheStandardLibrary() {
        let types: [any Any.Type] = [
            Bool.self, Int.self, Int8.self, Int16.self, Int32.self, Int64.self, UInt.self, UInt8.self, UInt16.self,
            UInt32.self, UInt64.self, Float.self, Double.self, String.self, Date.self, [Int].self, [String: Int?].self,
            Inner<[Inner<String>]>.self, TypeNameTests.self, (any Sendable).self, (any Decodable).Type.self, Never.self,
        ]
        for type in types { #expect(TypeName.of(type) == String(describing: type)) }
    }

    @Test func aMismatchNamesBothTypes() {
        #expect(MismatchText.of("Int", found: "a string") == "expected Int, found a string")
        #expect(MismatchText.of("", found: "") == "expected , found ")
    }
}
