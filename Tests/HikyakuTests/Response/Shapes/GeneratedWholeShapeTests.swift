import Foundation
import Hikyaku
import HikyakuTesting
import Testing

private struct Info: Decodable, Sendable, Equatable { let title: String, count: Int }
private struct NoTotal: Error {}

private struct Total: HeaderReadable, Sendable, Equatable {
    let total: Int

    init(headers: HTTPHeaders) throws {
        guard let total = headers["Total-Count"].flatMap({ Int($0) }) else { throw NoTotal() }
        self.total = total
    }
}

/// A shape of somebody's own that says no more than what it gives.
private enum Dishes: DecodedPart { typealias Result = [Dish] }

private enum ByStatus: StatusResult, Sendable {
    case info(Info), dishes([Dish]), dish(Dish), names([String])

    static let shapes: [StatusShape<ByStatus>] = [
        .on(200, SingleResponse<Info>.self) { .info($0) },
        .on(201, ArrayResponse<Dish>.self) { .dishes($0) },
        .on(202, OnlyResponse<Dish>.self) { .dish($0) },
        .on(203, DifferentNames.self) { .names($0) },
    ]
}

private struct OnlyByHand: ByHand {
    let value: Dish

    init(from decoder: any Decoder) throws {
        var dishes = try decoder.unkeyedContainer()
        guard dishes.count == 1 else {
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: "not one"))
        }
        value = try dishes.decode(Dish.self)
    }
}

/// Shapes that read the body as a whole.
@Suite struct GeneratedWholeShapeTests {
    private static func compareAll(_ body: String, _ way: Way) async throws -> [String: Bool] {
        let data = Data(body.utf8)
        let json = HTTPResponse.json(body)
        var counted = json
        counted.headers["Total-Count"] = "57"
        let read = way.decoder
        typealias Page = HeaderPageResponse<ArrayResponse<Dish>, Total>
        return [
            "single": try await compare(SingleResponse<Info>.self, json, body, way) {
                try read.decode(Info.self, from: data)
            },
            "optional": try await compare(SingleResponse<Info?>.self, json, body, way) {
                // Where there is nothing, it is nil; no decoder reads an empty document.
                try data.allSatisfy { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
                    ? nil : read.decode(Info?.self, from: data)
            },
            "array": try await compare(ArrayResponse<Dish>.self, json, body, way) {
                try read.decode([Dish].self, from: data)
            },
            "only": try await compare(OnlyResponse<Dish>.self, OnlyByHand.self, body, way),
            "own": try await compare(DifferentNames.self, DifferentNamesByHand.self, body, way),
            "own type": try await compare(Dishes.self, json, body, way) { try read.decode([Dish].self, from: data) },
            "page": try await compare(Page.self, counted, body, way) {
                let info = try Total(headers: counted.headers)
                return ResponsePage(items: try read.decode([Dish].self, from: data), info: info)
            },
        ]
    }

    /// The same by the status, of which the type by hand has to know too.
    private static func compareStatuses(_ body: String, _ way: Way) async throws -> [String: Bool] {
        let data = Data(body.utf8)
        var results: [String: Bool] = [:]
        for status in [200, 201, 202, 203] as [HTTPStatus] {
            var response = HTTPResponse.json(body)
            response.status = status
            results["\(status)"] = try await compare(StatusResponse<ByStatus>.self, response, body, way) {
                switch status {
                case 200: .info(try way.decoder.decode(Info.self, from: data))
                case 201: .dishes(try way.decoder.decode([Dish].self, from: data))
                case 202: .dish(try way.decoder.decode(OnlyByHand.self, from: data).value)
                default: .names(try way.decoder.decode(DifferentNamesByHand.self, from: data).value)
                }
            }
        }
        return results
    }

    @Test(arguments: Way.plain, [1, 2, 3] as [UInt64])
    func shapesReadWhatTypesByHandRead(way: Way, seed: UInt64) async throws {
        print("seed \(seed)")
        var generated = GeneratedEnvelope(seed: seed)
        var counts: [String: [Bool: Int]] = [:]
        for _ in 0..<100 {
            let body = generated.whole()
            let results = try await Self.compareAll(body, way).merging(Self.compareStatuses(body, way)) { $1 }
            for (shape, isValue) in results { counts[shape, default: [:]][isValue, default: 0] += 1 }
        }
        #expect(counts.count == 11)
        for (shape, counts) in counts {
            #expect(counts[true, default: 0] > 10, "\(shape): \(counts)")
            #expect(counts[false, default: 0] > 10, "\(shape): \(counts)")
        }
    }

    @Test(arguments: Way.plain, [1, 2, 3] as [UInt64])
    func aPageWhoseHeadersAreUnreadableFailsWhateverItsBody(way: Way, seed: UInt64) async throws {
        print("seed \(seed)")
        var generated = GeneratedEnvelope(seed: seed)
        typealias Page = HeaderPageResponse<ArrayResponse<Dish>, Total>
        for count in ["", "many", "1.5", nil] {
            let body = generated.whole()
            var response = HTTPResponse.json(body)
            response.headers["Total-Count"] = count
            let headers = response.headers
            let isValue = try await compare(Page.self, response, body, way) {
                let info = try Total(headers: headers)
                return ResponsePage(items: try way.decoder.decode([Dish].self, from: Data(body.utf8)), info: info)
            }
            #expect(!isValue)
        }
    }
}
