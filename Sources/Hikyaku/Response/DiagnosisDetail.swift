/// What is told of a response that can't be decoded, beyond its first difference and without its values.
///
/// Asked for by a request, ``APIRequest/diagnosisDetail``, or for all of a client's, ``APIClient/diagnosing(_:)``; what
/// either asks for holds. The decoder in force is asked to tell it and keeps all of its strategies; where that is none
/// of this package, ``values`` alone can be told, of what it throws as a `DecodingError`.
public struct DiagnosisDetail: OptionSet, Sendable, Hashable {
    /// The options as bits.
    public let rawValue: UInt8

    /// Makes a set of options from bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// All elements of arrays that can't be read, as ``DecodingDiagnosis/further``: see
    /// ``HikyakuJSONDecoder/collectsFailures``.
    public static let everyFailure = DiagnosisDetail(rawValue: 1)
    /// Texts and numbers as they are, and what the decoder's error says itself.
    ///
    /// For tests and debugging: errors end up in logs, and values may be secrets.
    public static let values = DiagnosisDetail(rawValue: 2)
}

extension DiagnosisDetail {
    /// The same decoder, which tells this too, if it is one that can be asked.
    func asked(of decoder: any ResponseDecoder) -> any ResponseDecoder {
        guard !isEmpty, var decoder = decoder as? HikyakuJSONDecoder else { return decoder }
        if contains(.everyFailure) { decoder.collectsFailures = true }
        if contains(.values) { decoder.revealsValues = true }
        return decoder
    }
}

extension APIClient {
    /// A client whose errors tell more of a response that can't be decoded.
    ///
    /// ```swift
    /// let items = try await client.diagnosing([.everyFailure, .values]).send(Items())
    /// ```
    /// - Parameter detail: What is told beside what requests, and earlier calls of this, ask for.
    /// - Returns: The client that tells it.
    public func diagnosing(_ detail: DiagnosisDetail) -> APIClient {
        with { $0.diagnosisDetail.formUnion(detail) }
    }

    /// A client whose errors tell no values but where a request asks for them: for one whose responses are secrets.
    package func hidingValues() -> APIClient {
        with { $0.diagnosisDetail.subtract(.values) }
    }
}
