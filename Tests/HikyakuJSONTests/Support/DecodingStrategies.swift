import Foundation
import HikyakuJSON
import Testing

/// The strategies of one case: of Foundation's encoder, which makes the document, of its decoder and of ours.
struct DecodingStrategies: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var hasNonConforming = false
    /// The parts that a second of a date may have.
    var secondParts = 1
    /// Whether the document has the keys that a direct type knows.
    var hasPlainKeys = true
    let encoder: @Sendable (JSONEncoder) -> Void
    let foundation: @Sendable (JSONDecoder) -> Void
    let ours: @Sendable (inout HikyakuJSONDecoder) -> Void

    private static let fractions = Date.ISO8601FormatStyle(includingFractionalSeconds: true)

    static let all: [DecodingStrategies] = [
        DecodingStrategies(testDescription: "dates as texts") {
            $0.dateEncodingStrategy = .iso8601
        } foundation: {
            $0.dateDecodingStrategy = .iso8601
        } ours: { _ in
        },
        DecodingStrategies(testDescription: "keys in snake case", hasPlainKeys: false) {
            $0.keyEncodingStrategy = .convertToSnakeCase
            $0.dateEncodingStrategy = .secondsSince1970
        } foundation: {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $0.dateDecodingStrategy = .secondsSince1970
        } ours: {
            $0.keyDecodingStrategy = .convertFromSnakeCase
            $0.dateDecodingStrategy = .secondsSince1970
        },
        DecodingStrategies(testDescription: "keys by a function", hasPlainKeys: false) {
            $0.keyEncodingStrategy = .custom { path in TextKey("<" + (path.last?.stringValue ?? "") + ">") }
        } foundation: {
            $0.keyDecodingStrategy = .custom { path in
                TextKey(String((path.last?.stringValue ?? "").dropFirst().dropLast()))
            }
        } ours: {
            $0.keyDecodingStrategy = .custom { String($0.dropFirst().dropLast()) }
            $0.dateDecodingStrategy = .deferredToDate
        },
        DecodingStrategies(testDescription: "dates in milliseconds, bytes in numbers", secondParts: 8) {
            $0.dateEncodingStrategy = .millisecondsSince1970
            $0.dataEncodingStrategy = .deferredToData
        } foundation: {
            $0.dateDecodingStrategy = .millisecondsSince1970
            $0.dataDecodingStrategy = .deferredToData
        } ours: {
            $0.dateDecodingStrategy = .millisecondsSince1970
            $0.dataDecodingStrategy = .deferredToData
        },
        DecodingStrategies(
            testDescription: "dates as they decode themselves, texts for infinity",
            hasNonConforming: true,
            secondParts: 8,
        ) {
            $0.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "+∞",
                negativeInfinity: "-∞",
                nan: "?",
            )
        } foundation: {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+∞",
                negativeInfinity: "-∞",
                nan: "?",
            )
        } ours: {
            $0.nonConformingFloatDecodingStrategy = .convertFromString(
                positiveInfinity: "+∞",
                negativeInfinity: "-∞",
                nan: "?",
            )
            $0.dateDecodingStrategy = .deferredToDate
        },
        DecodingStrategies(testDescription: "dates with fractions", secondParts: 1000) {
            $0.dateEncodingStrategy = .custom { try $0.formatted(fractions).encode(to: $1) }
        } foundation: {
            $0.dateDecodingStrategy = .custom { try fractions.parse($0.singleValueContainer().decode(String.self)) }
        } ours: { _ in
        },
        DecodingStrategies(testDescription: "dates with offsets") {
            $0.dateEncodingStrategy = .custom {
                try $0.formatted(Date.ISO8601FormatStyle(timeZone: TimeZone(secondsFromGMT: -12_600) ?? .gmt)).encode(
                    to: $1
                )
            }
        } foundation: {
            $0.dateDecodingStrategy = .custom {
                try Date.ISO8601FormatStyle().parse($0.singleValueContainer().decode(String.self))
            }
        } ours: { _ in
        },
        DecodingStrategies(testDescription: "dates and bytes by functions") {
            $0.dateEncodingStrategy = .custom { try ["date": $0.timeIntervalSince1970].encode(to: $1) }
            $0.dataEncodingStrategy = .custom { try [$0.base64EncodedString()].encode(to: $1) }
        } foundation: {
            $0.dateDecodingStrategy = .custom(date)
            $0.dataDecodingStrategy = .custom(bytes)
        } ours: {
            $0.dateDecodingStrategy = .custom(date)
            $0.dataDecodingStrategy = .custom(bytes)
        },
        DecodingStrategies(testDescription: "bytes for URLs") {
            $0.dataEncodingStrategy = .custom { try urlText($0).encode(to: $1) }
        } foundation: {
            $0.dataDecodingStrategy = .custom {
                let text = try $0.singleValueContainer().decode(String.self)
                let standard = text.replacing("-", with: "+").replacing("_", with: "/")
                return Data(base64Encoded: standard + String(repeating: "=", count: (4 - standard.count % 4) % 4))
                    ?? Data("?".utf8)
            }
        } ours: {
            $0.dataDecodingStrategy = .base64URL
            $0.dateDecodingStrategy = .deferredToDate
        },
    ]

    private static func urlText(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    @Sendable private static func date(_ decoder: any Decoder) throws -> Date {
        Date(timeIntervalSince1970: try decoder.container(keyedBy: TextKey.self).decode(Double.self, forKey: "date"))
    }

    @Sendable private static func bytes(_ decoder: any Decoder) throws -> Data {
        var array = try decoder.unkeyedContainer()
        return Data(base64Encoded: try array.decode(String.self)) ?? Data("?".utf8)
    }
}
