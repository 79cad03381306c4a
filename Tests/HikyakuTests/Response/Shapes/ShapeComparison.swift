import Foundation
import Hikyaku
import HikyakuTesting
import Testing

/// What somebody would write in place of a shape.
protocol ByHand: Decodable {
    associatedtype Value
    var value: Value { get }
}

/// A custom shape, which rejects values that a decoder would accept.
enum DifferentNames: DecodedPart {
    static func decode(from decoder: any Decoder) throws -> [String] {
        var dishes = try decoder.unkeyedContainer()
        var names: [String] = []
        while !dishes.isAtEnd {
            let name = try dishes.decode(Dish.self).name
            guard !names.contains(name) else {
                throw DecodingError.dataCorruptedError(in: dishes, debugDescription: "a name comes twice")
            }
            names.append(name)
        }
        return names
    }
}

struct DifferentNamesByHand: ByHand {
    let value: [String]

    init(from decoder: any Decoder) throws {
        value = try DifferentNames.decode(from: decoder)
    }
}

/// Compares what a shape and a type by hand read of a body: equal values, or equal failures; whether there is a value.
func compare<D: ResponseDefinition, Hand: ByHand>(
    _ shape: D.Type,
    _ hand: Hand.Type,
    _ body: String,
    _ way: Way,
) async throws -> Bool where D.Result: Sendable, Hand.Value == D.Result {
    try await compare(shape, .json(body), body, way) { try way.decoder.decode(Hand.self, from: Data(body.utf8)).value }
}

/// Compares what a shape reads of a response with what its body is by hand.
func compare<D: ResponseDefinition>(
    _ shape: D.Type,
    _ response: HTTPResponse,
    _ body: String,
    _ way: Way,
    by hand: () throws -> D.Result,
) async throws -> Bool where D.Result: Sendable {
    let expected = Result(catching: hand).mapError { error in
        (error as? DecodingError).map { DecodingDiagnosis($0, body: Data(body.utf8)) } ?? error
    }
    let found: Result<D.Result, APIError<ProblemDetails>>
    do throws(APIError<ProblemDetails>) {
        found = .success(try await send(shape, response, decoder: way.decoder))
    } catch {
        found = .failure(error)
    }
    switch (expected, found) {
    case (.success(let expected), .success(let found)):
        #expect(String(describing: expected) == String(describing: found), "\(shape) of \(body)")
        return true
    case (.failure(let expected as DecodingDiagnosis), .failure(.decoding(let found))):
        #expect(difference(expected) == difference(found.diagnosis), "\(shape) of \(body)")
    case (.failure(let expected), .failure(.decoding(let found))):
        #expect(found.context.underlyingError.map { type(of: $0) } == type(of: expected), "\(shape) of \(body)")
    default:
        Issue.record("\(shape) gives \(found) instead of \(expected) of \(body)")
    }
    return false
}

/// All that is said, but for what only a shape expects.
private func difference(_ diagnosis: DecodingDiagnosis) -> DecodingDiagnosis {
    var diagnosis = diagnosis
    diagnosis.message = nil
    if diagnosis.expected == "an array with exactly one element" { diagnosis.expected = "a valid value" }
    return diagnosis
}
