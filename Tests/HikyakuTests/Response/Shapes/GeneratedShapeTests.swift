import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct Info: KeyedModel, Sendable, Equatable { let title: String, count: Int }
private struct PageInfo: Decodable, Sendable, Equatable { let page: Int, next: String? }
private enum Items: ResponseKey { static let path = "items" }
private enum DataItems: ResponseKey { static let path = "data.items" }
private enum DataObject: ResponseKey { static let path = "data" }
private enum Total: DecodedPart {
    typealias Result = Int
    enum Key: ResponseKey { static let path = "meta.total" }
}
private enum ByStatus: StatusResult, Sendable {
    case dishes([Dish])
    static let shapes: [StatusShape<ByStatus>] = [
        .on(200, CombinedResponse<ArrayResponse<Dish>>.self) { .dishes($0) }
    ]
}

private enum Key: String, CodingKey { case info, dishes, meta, total, data, items, page, next, menuItem = "menu_item" }

private struct TwoByHand: ByHand {
    let info: Info, dishes: [Dish]
    var value: (Info, [Dish]) { (info, dishes) }
}

private struct ThreeByHand: ByHand {
    let value: (Int, Info?, Dish)

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let total = try container.nestedContainer(keyedBy: Key.self, forKey: .meta).decode(Int.self, forKey: .total)
        let info = try container.decodeIfPresent(Info.self, forKey: .info)
        var dishes = try container.nestedUnkeyedContainer(forKey: .dishes)
        guard dishes.count == 1 else {
            throw DecodingError.dataCorruptedError(in: container, forKey: Key.dishes)
        }
        value = (total, info, try dishes.decode(Dish.self))
    }
}

extension DecodingError {
    fileprivate static func dataCorruptedError(in container: KeyedDecodingContainer<Key>, forKey key: Key) -> Self {
        .dataCorrupted(Context(codingPath: container.codingPath + [key], debugDescription: "not one"))
    }
}

private struct NestedByHand: ByHand {
    let value: [Dish]

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        value = try container.nestedContainer(keyedBy: Key.self, forKey: .data).decode([Dish].self, forKey: .items)
    }
}

private struct NestedNamesByHand: ByHand {
    let value: [String]

    init(from decoder: any Decoder) throws {
        let data = try decoder.container(keyedBy: Key.self).nestedContainer(keyedBy: Key.self, forKey: .data)
        value = try data.decode(DifferentNamesByHand.self, forKey: .items).value
    }
}

private struct PageByHand: ByHand {
    let value: ResponsePage<[Dish], PageInfo>

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: Key.self)
        let dishes = try container.decode([Dish].self, forKey: .dishes)
        let page = try container.decode(Int.self, forKey: .page)
        let next = try container.decodeIfPresent(String.self, forKey: .next)
        value = ResponsePage(items: dishes, info: PageInfo(page: page, next: next))
    }
}

private struct ItemByHand: ByHand {
    let value: MenuItem

    init(from decoder: any Decoder) throws {
        value = try decoder.container(keyedBy: Key.self).decode(MenuItem.self, forKey: .menuItem)
    }
}

private struct StatusByHand: ByHand {
    let dishes: [Dish]
    var value: ByStatus { .dishes(dishes) }
}

@Suite struct GeneratedShapeTests {
    private static func compareAll(_ body: String, _ way: Way) async throws -> [Bool] {
        typealias Three = CombinedResponse<Total, SingleResponse<Info?>, OnlyResponse<Dish>>
        typealias Deep = KeyedResponse<DataObject, CombinedResponse<KeyedResponse<Items, ArrayResponse<Dish>>>>
        return [
            try await compare(
                CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>>.self,
                TwoByHand.self,
                body,
                way,
            ),
            try await compare(Three.self, ThreeByHand.self, body, way),
            try await compare(KeyedResponse<DataItems, ArrayResponse<Dish>>.self, NestedByHand.self, body, way),
            try await compare(KeyedResponse<DataItems, DifferentNames>.self, NestedNamesByHand.self, body, way),
            try await compare(Deep.self, NestedByHand.self, body, way),
            try await compare(PageResponse<ArrayResponse<Dish>, PageInfo>.self, PageByHand.self, body, way),
            try await compare(StatusResponse<ByStatus>.self, StatusByHand.self, body, way),
            try await compare(CombinedResponse<SingleResponse<MenuItem>>.self, ItemByHand.self, body, way),
        ]
    }

    @Test(arguments: Way.plain, [1, 2, 3] as [UInt64])
    func shapesReadWhatTypesByHandRead(way: Way, seed: UInt64) async throws {
        print("seed \(seed)")
        var generated = GeneratedEnvelope(seed: seed)
        var counts: [Bool: Int] = [:]
        for _ in 0..<100 {
            for isValue in try await Self.compareAll(generated.document(), way) { counts[isValue, default: 0] += 1 }
        }
        #expect(counts[true, default: 0] > 80, "\(counts)")
        #expect(counts[false, default: 0] > 80, "\(counts)")
    }
}
