import Foundation
import Testing

@testable import HikyakuJSON

/// Memory is reserved for what was decoded, and not for what a peer announces.
@Suite struct ArrayFillingTests {
    private typealias KiB4 = (
        SIMD64<Double>, SIMD64<Double>, SIMD64<Double>, SIMD64<Double>, SIMD64<Double>, SIMD64<Double>, SIMD64<Double>,
        SIMD64<Double>
    )
    private typealias KiB64 = (
        KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4, KiB4
    )

    /// Is never decoded from a number.
    private struct Large: Decodable {
        let content: KiB4?

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: TextKey.self)
            content = nil
        }
    }

    private struct Huge: Decodable {
        let content: (KiB64, KiB64, KiB64, KiB64)?

        init(from decoder: any Decoder) throws {
            _ = try decoder.container(keyedBy: TextKey.self)
            content = nil
        }
    }

    /// Counts its instances; rejects negative numbers.
    private final class Counted: Decodable {
        final class Count: @unchecked Sendable {
            // Touched by the thread of the test alone.
            var alive = 0
        }

        static let key = CodingUserInfoKey(rawValue: "count")
        let number: Int
        let count: Count?

        init(from decoder: any Decoder) throws {
            number = try decoder.singleValueContainer().decode(Int.self)
            count = Self.key.flatMap { decoder.userInfo[$0] as? Count }
            count?.alive += 1
            if number < 0 { throw DecodingError.dataCorrupted(.init(codingPath: [], debugDescription: "negative")) }
        }

        deinit { count?.alive -= 1 }
    }

    private static func numbers(_ count: Int, _ number: (Int) -> Int = { $0 }) -> String {
        "[" + (0..<count).map { String(number($0)) }.joined(separator: ",") + "]"
    }

    /// Fills an array up to a number of elements, and gives the sizes of the memory that it was handed.
    private func rooms<Element>(upTo count: Int, of left: Int, _ element: Element) throws -> [Int] {
        var rooms: [Int] = []
        var left = left
        let array: [Element] = try ArrayFilling.array(upTo: count) { elements, initialized in
            rooms.append(elements.count)
            while initialized < elements.count, left > 0 {
                elements.initializeElement(at: initialized, to: element)
                initialized += 1
                left -= 1
            }
        }
        #expect(array.count == rooms.last || left == 0)
        return rooms
    }

    @Test func memoryGrowsWithWhatWasDecoded() throws {
        #expect(try rooms(upTo: 8192, of: 8192, 1) == [8192])
        #expect(try rooms(upTo: 8193, of: 8193, 1) == [8192, 8193])
        #expect(try rooms(upTo: 1_000_000, of: 1_000_000, 1) == [8192, 65536, 524_288, 1_000_000])
        #expect(try rooms(upTo: 1_000_000, of: 8192, 1) == [8192, 65536])
        #expect(try rooms(upTo: 1_000_000, of: 8191, 1) == [8192])
        #expect(try rooms(upTo: 1_000_000, of: 0, "text") == [4096])
        #expect(try rooms(upTo: 16, of: 16, KiB64?.none).count == 1)
        #expect(try rooms(upTo: 1000, of: 100, KiB64?.none) == [16, 128])
        #expect(try rooms(upTo: 1_000_000, of: 1_000_000, ()).count <= 4)
        #expect(try rooms(upTo: 0, of: 0, 1) == [])
    }

    @Test func aLossyArrayKeepsNoMemoryForWhatItLost() throws {
        let document = Self.numbers(20_000)
        let values = try HikyakuJSONDecoder().undiagnosed(LossyArray<Large>.self, Data(document.utf8))
        #expect(values.lostCount == 20_000)
        #expect(values.elements.capacity <= 16)
    }

    @Test func elementsAreNotBelievedBeforeTheyAreThere() {
        // Memory for all of them is more than there is: two hundred gigabytes.
        let count = 800_000
        let array = "[" + String(repeating: "0,", count: count) + "0]"
        #expect(
            HikyakuJSONDecoder().outcome([Huge].self, array).error
                == "typeMismatch(Dictionary<String, Any>) at /Index 0"
        )
        let object = "{" + (0..<count).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        #expect(
            HikyakuJSONDecoder().outcome([String: Huge].self, object).error
                == "typeMismatch(Dictionary<String, Any>) at /0"
        )
    }

    @Test(arguments: [0, 1, 16, 17, 8191, 8192, 8193, 65536, 65537, 70_000])
    func allElementsAreThereOnce(_ count: Int) throws {
        let alive = Counted.Count()
        var decoder = HikyakuJSONDecoder()
        if let key = Counted.key { decoder.userInfo[key] = alive }
        var values = try decoder.undiagnosed([Counted].self, Data(Self.numbers(count).utf8))
        #expect(alive.alive == count && values.map(\.number) == Array(0..<count))
        values = []
        let object = "{" + (0..<count).map { "\"\($0)\":\($0)" }.joined(separator: ",") + "}"
        let members = try decoder.undiagnosed([String: Counted].self, Data(object.utf8))
        #expect(alive.alive == count)
        #expect(members.mapValues(\.number) == Dictionary(uniqueKeysWithValues: (0..<count).map { ("\($0)", $0) }))
    }

    @Test(arguments: [0, 15, 16, 8191, 8192, 8193, 65535, 65536, 69_999])
    func whereOneFailsTheOthersAreLetGo(_ failing: Int) throws {
        let alive = Counted.Count()
        var decoder = HikyakuJSONDecoder()
        if let key = Counted.key { decoder.userInfo[key] = alive }
        let bytes = Data(Self.numbers(70_000) { $0 == failing ? -1 : $0 }.utf8)
        #expect(throws: DecodingError.self) { try decoder.undiagnosed([Counted].self, bytes) }
        #expect(alive.alive == 0)
        let values = try decoder.undiagnosed(LossyArray<Counted>.self, bytes)
        #expect(values.lostCount == 1 && alive.alive == 69_999)
        #expect(values.elements.map(\.number) == (0..<70_000).filter { $0 != failing })
    }
}
