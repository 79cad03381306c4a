import Foundation
import Testing

@testable import HikyakuJSON

@Suite struct FurtherDiagnosesTests {
    /// All elements of `["0","1",…]`, which begin every fourth byte.
    private static func diagnosis(_ count: Int, othersCount: Int = 0) -> DecodingDiagnosis {
        let body = "[\((0..<count).map { "\"\($0 % 10)\"" }.joined(separator: ","))]"
        let errors = (0..<count).map { DecodingError.typeMismatch(Int.self, .at(1 + 4 * $0)) }
        return DecodingDiagnosis(
            errors[0],
            others: Array(errors.dropFirst()),
            othersCount: othersCount,
            body: Data(body.utf8),
        )
    }

    private static func difference(_ index: Int) -> String {
        "at /\(index): expected Int, found a string masked as \"9\""
    }

    @Test func allAreKeptUpToALimit() {
        let diagnosis = Self.diagnosis(150, othersCount: 2000)
        #expect(diagnosis.pointer == "/0")
        #expect(diagnosis.further.map(\.pointer) == (1...100).map { "/\($0)" })
        #expect(diagnosis.further.map(\.byteOffset) == (1...100).map { 1 + 4 * $0 })
        #expect(diagnosis.furtherCount == 2000)
        #expect(Self.diagnosis(150).furtherCount == 149)
    }

    @Test func theFirstFewAreListed() {
        let others = (1...3).map(Self.difference).joined(separator: "; ")
        #expect(Self.diagnosis(1).description.hasSuffix(#"in `["9"]` (values masked)"#))
        #expect(Self.diagnosis(2).description.hasSuffix("` (values masked); and 1 more: \(Self.difference(1))"))
        #expect(Self.diagnosis(4).description.hasSuffix("` (values masked); and 3 more: \(others)"))
        #expect(Self.diagnosis(5).description.hasSuffix("` (values masked); and 4 more: \(others); …"))
    }

    @Test func eachIsThatOfTheErrorAlone() {
        let body = Data("[\n\"a\",\n 1.5, {\"x\": [] }, {}, \"a\\\"b\", null]".utf8)
        let offsets = [33, 2, 26, 8, 18, 13, 36, 2]
        let errors = offsets.map { DecodingError.typeMismatch(Int.self, .at($0)) }
        let all = DecodingDiagnosis(errors[0], others: Array(errors.dropFirst()), body: body)
        #expect([all.withoutFurther] + all.further == errors.map { DecodingDiagnosis($0, body: body) })
    }
}

extension DecodingDiagnosis {
    fileprivate var withoutFurther: DecodingDiagnosis {
        var copy = self
        copy.further = []
        copy.furtherCount = 0
        return copy
    }
}
