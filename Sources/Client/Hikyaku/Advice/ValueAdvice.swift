import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// What a developer can do about a body that is a failure, or about one value that its type doesn't accept.
enum ValueAdvice {
    /// A hint that names the declaration to write; `nil` if there is nothing better than the general one.
    static func hint<R: APIRequest>(
        for diagnosis: DecodingDiagnosis,
        _ response: BufferedResponse,
        of request: R.Type,
    ) -> String? {
        if R.Definition.self == Decoded<Data>.self, diagnosis.pointer.isEmpty {
            return "A Response of Data is decoded, from a text in base64. For the bytes of the body, write "
                + "typealias Definition = RawResponse in place of the Response."
        }
        let converting = response.decoder.knownKeyConversion
        return hint(forFailureIn: response, diagnosis, as: R.Failure.self) ?? hint(forKey: diagnosis, converting)
            ?? hint(forDate: diagnosis, in: response.body) ?? hint(forCase: diagnosis) ?? hint(forBase64: diagnosis)
            ?? hint(forNumber: diagnosis, in: response.body)
    }

    /// A number that JSON doesn't have, as a text.
    private static func hint(forNumber diagnosis: DecodingDiagnosis, in body: Data) -> String? {
        guard diagnosis.kind == .typeMismatch, let offset = diagnosis.byteOffset, offset < body.count else {
            return nil
        }
        let rest = body.dropFirst(offset)
        guard ["NaN", "Infinity", "-Infinity"].contains(where: { rest.starts(with: "\"\($0)\"".utf8) }) else {
            return nil
        }
        return "If the property is a Double, set the nonConformingFloatDecodingStrategy of a HikyakuJSONDecoder to "
            + ".convertFromString(positiveInfinity: \"Infinity\", negativeInfinity: \"-Infinity\", nan: \"NaN\")."
    }

    /// Base64 in another form than the decoder's.
    private static func hint(forBase64 diagnosis: DecodingDiagnosis) -> String? {
        guard diagnosis.expected == "base64" else { return nil }
        return
            "The text is base64 with line ends, without padding or in the alphabet for URLs, or none at all. Set the "
            + "dataDecodingStrategy of a HikyakuJSONDecoder to .base64URL or .custom."
    }

    /// The service responds with an accepted status and a failure in the body.
    ///
    /// A type that can also be read from an empty object can be read from any: that says nothing.
    private static func hint<Failure: ServiceFailure>(
        forFailureIn response: BufferedResponse,
        _ diagnosis: DecodingDiagnosis,
        as type: Failure.Type,
    ) -> String? {
        guard diagnosis.pointer.isEmpty, diagnosis.kind == .missingKey || diagnosis.kind == .typeMismatch,
            type != ProblemDetails.self, let decodable = type as? any Decodable.Type, response.isFailureSized,
            response.decoder.readsJSON, BodyShape.isJSON(response.body),
            reads(decodable, response.body, response), !reads(decodable, Data("{}".utf8), response)
        else { return nil }
        let name = String(reflecting: type).withoutModule
        return "The body can be read as \(name): if it is the service's failure, implement failure(in:) and return it."
    }

    private static func reads(_ type: any Decodable.Type, _ body: Data, _ response: BufferedResponse) -> Bool {
        (try? response.silentDecoder.decode(type, from: body)) != nil
    }

    /// A missing key that the body has in snake case.
    ///
    /// A key strategy makes `htmlUrl` of `html_url`, so a name such as `htmlURL` needs a coding key with it, too.
    private static func hint(
        forKey diagnosis: DecodingDiagnosis,
        _ convertingKeys: ((String) -> String)?,
    ) -> String? {
        guard case .keyNotFound(let key, _)? = diagnosis.error else { return nil }
        let (name, snake) = (key.stringValue, SnakeCase.snakeCase(key.stringValue))
        guard name != snake, diagnosis.found?.contains("\"\(snake)\"") == true else {
            return nil
        }
        let spelling = convertingKeys?(snake) ?? snake
        let isNewStrategy = convertingKeys == nil && SnakeCase.camelCase(snake) == name
        return "The body has the key \"\(snake)\": write case \(name) = \"\(spelling)\" in the model's CodingKeys"
            + (isNewStrategy ? ", or set the decoder's keyDecodingStrategy to .convertFromSnakeCase." : ".")
    }

    /// A date in another format than the decoder's.
    private static func hint(forDate diagnosis: DecodingDiagnosis, in body: Data) -> String? {
        let isOfDate =
            switch diagnosis.error {
            case .typeMismatch(let type, _): type == Date.self
            default: false
            }
        guard isOfDate || diagnosis.expected.hasPrefix("a date ") else { return nil }
        if let hint = hint(forDateAt: diagnosis.byteOffset, in: body) { return hint }
        let strategy =
            diagnosis.found.map { $0.hasPrefix("a number") || $0.hasPrefix("the number") } == true
            ? "to .secondsSince1970, or to .millisecondsSince1970 for numbers of 13 digits"
            : "to the format of the service, such as .iso8601.or(.format(\"dd.MM.yyyy\")), or to .custom"
        return "Set the dateDecodingStrategy of a HikyakuJSONDecoder \(strategy), and pass it to "
            + "ClientOptions(decoder:)."
    }

    /// A date that lacks a time, or the offset without which nobody knows the instant.
    private static func hint(forDateAt offset: Int?, in body: Data) -> String? {
        guard let offset, offset < body.count else { return nil }
        let rest = body.dropFirst(offset).drop { $0 == UInt8(ascii: "\"") }
        let shape = String(decoding: rest.prefix(19).map { ASCII.isDigit($0) ? UInt8(ascii: "9") : $0 }, as: UTF8.self)
        let end = rest.dropFirst(10).first
        let isZero = rest.prefix(10).elementsEqual("0000-00-00".utf8)
        if isZero || body.dropFirst(offset).starts(with: "\"\"".utf8) {
            return
                "The service writes \(isZero ? "zeros" : "an empty text") where it has no date: declare the property as a "
                + "String, or read it by a dateDecodingStrategy of .custom."
        }
        if shape.hasPrefix("9999-99-99"), end == UInt8(ascii: "\"") {
            return "The value is a day without a time: declare it as a CalendarDate, or read it as midnight in UTC by "
                + "the dateDecodingStrategy .iso8601.or(.format(\"yyyy-MM-dd\")) of a HikyakuJSONDecoder."
        }
        guard shape == "9999-99-99T99:99:99" || shape == "9999-99-99 99:99:99" else { return nil }
        let zone = rest.dropFirst(19).drop { ASCII.isDigit($0) || $0 == UInt8(ascii: ".") }
        guard zone.first == UInt8(ascii: "\"") else {
            return
                "A part of the date is out of its range, such as a month 13 or an hour 24, or its offset is malformed: "
                + "report it to the service, or read it by a dateDecodingStrategy of .custom."
        }
        return "The value has no offset from UTC, such as Z or +09:00. If the service means UTC, set the "
            + "dateDecodingStrategy of a HikyakuJSONDecoder to .iso8601OrUTC; for another zone, to "
            + ".format(\"yyyy-MM-dd'T'HH:mm:ss\", secondsFromUTC:). Pass the decoder to ClientOptions(decoder:)."
    }

    /// An unknown raw value of an enumeration.
    private static func hint(forCase diagnosis: DecodingDiagnosis) -> String? {
        guard diagnosis.kind == .invalidValue, case .dataCorrupted(let context)? = diagnosis.error else { return nil }
        let start = "a value of "
        let isOfText = diagnosis.expected.hasPrefix(start)
        guard isOfText || context.debugDescription.hasPrefix("the value is not a known value of ") else { return nil }
        let name = isOfText ? String(diagnosis.expected.dropFirst(start.count)) : diagnosis.expected
        let isShown = diagnosis.found?.hasPrefix("the ") == true
        let showing = isShown ? "" : "To see the value, write var diagnosisDetail: DiagnosisDetail { .values }. "
        return "\(showing)Add its case to \(name), or accept unknown values: as OpenEnum<\(name)>, or by an OpenValue."
    }
}

extension BufferedResponse {
    /// The largest body that is decoded once more for a hint; failures of services are smaller.
    private static let failureBytesMax = 64 * 1024

    /// Without a byte order mark of UTF-8, which a parser may ignore (RFC 8259, section 8.1).
    ///
    /// What a service says in an error is read whatever the decoder tolerates.
    var withoutMark: BufferedResponse {
        body.starts(with: [0xEF, 0xBB, 0xBF]) ? with(body: body.dropFirst(3)) : self
    }

    /// Whether a body that broke off may be a whole document: some services announce a wrong length.
    var endsLikeJSON: Bool {
        guard body.count <= Self.failureBytesMax, let last = body.last(where: { $0 > 0x20 }) else { return false }
        return BodyShape.isJSON(body) && (last == UInt8(ascii: "}") || last == UInt8(ascii: "]"))
    }

    /// Whether the body is whole, and as small as a failure.
    var isFailureSized: Bool { !isBodyCut && body.count <= Self.failureBytesMax }
}
