import Foundation
import HikyakuJSON

#if os(Linux)
typealias WideInteger = Int128
#else
// The widest of the oldest macOS.
typealias WideInteger = Int64
#endif

extension FuzzInput {
    /// Whether keys are left as they are.
    var keepsKeys: Bool { choice(0, of: 3) == 0 }

    /// Whether the dates' strategy gives back what it was given, once it was rounded.
    var keepsDates: Bool { [0, 3, 4].contains(choice(0, bit: 2, of: 5)) }

    /// A decoder that the first two bytes set.
    var decoder: HikyakuJSONDecoder {
        var decoder = HikyakuJSONDecoder()
        decoder.keyDecodingStrategy =
            [.useDefaultKeys, .convertFromSnakeCase, .custom { String($0.reversed()) }][
                choice(0, of: 3)
            ]
        decoder.dateDecodingStrategy =
            [
                .iso8601, .secondsSince1970, .millisecondsSince1970, .deferredToDate,
                .custom { Date(timeIntervalSince1970: try Double(from: $0)) },
            ][choice(0, bit: 2, of: 5)]
        decoder.dataDecodingStrategy =
            [
                .base64, .base64URL, .deferredToData, .custom { Data(try String(from: $0).utf8) },
            ][choice(0, bit: 5, of: 4)]
        if choices[1] & 1 != 0 {
            decoder.nonConformingFloatDecodingStrategy =
                .convertFromString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        if choices[1] & 2 != 0 { decoder.duplicateKeys = .rejected }
        if choices[1] & 4 != 0 { decoder.depthMax = 3 }
        decoder.collectsFailures = choices[1] & 16 != 0
        decoder.revealsValues = choices[1] & 32 != 0
        decoder.leniency =
            [[], .trailingCommas, .byteOrderMark, [.trailingCommas, .byteOrderMark]][choice(1, bit: 6, of: 4)]
        return decoder
    }

    /// An encoder with the decoder's strategies.
    var encoder: HikyakuJSONEncoder {
        var encoder = HikyakuJSONEncoder()
        encoder.outputFormatting = choices[1] & 8 != 0 ? [.sortedKeys, .prettyPrinted] : .sortedKeys
        encoder.dateEncodingStrategy =
            [
                .iso8601, .secondsSince1970, .millisecondsSince1970, .deferredToDate,
                .custom { try $0.timeIntervalSince1970.encode(to: $1) },
            ][choice(0, bit: 2, of: 5)]
        encoder.dataEncodingStrategy =
            [
                .base64, .base64URL, .deferredToData,
                .custom { try String(decoding: $0, as: UTF8.self).encode(to: $1) },
            ][choice(0, bit: 5, of: 4)]
        if choices[1] & 1 != 0 {
            encoder.nonConformingFloatEncodingStrategy =
                .convertToString(positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
        }
        return encoder
    }
}
