#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HikyakuJSONDecoder {
    /// What is done with the bytes of a document, by the settings of the call.
    typealias DocumentBody<Value> = (UnsafeBufferPointer<UInt8>, HikyakuJSONDecoder) throws -> Value

    /// Lends the bytes of a document, and turns what is wrong with it into a diagnosis.
    func withBytes<Value>(of document: Data, _ body: DocumentBody<Value>) throws -> Value {
        guard leniency.isEmpty else { return try withLenientBytes(of: document, body) }
        do {
            return try withStrictBytes(of: document, nil, body)
        } catch {
            throw diagnosed(error, document)
        }
    }

    private func withLenientBytes<Value>(of document: Data, _ body: DocumentBody<Value>) throws -> Value {
        let lenient = LenientDocument(document, leniency)
        do {
            return try withStrictBytes(of: lenient.strict, lenient, body)
        } catch let error as DecodingDiagnosis {
            // It is of another document, inside of this one.
            throw error
        } catch {
            let error = diagnosed(lenient.meant(error), lenient.strict)
            throw (error as? DecodingDiagnosis).map { lenient.placed([$0])[0] } ?? error
        }
    }

    /// Tells of drift, with the places of the document as it came where that was a lenient one.
    private func withStrictBytes<Value>(
        of document: Data,
        _ lenient: LenientDocument?,
        _ body: DocumentBody<Value>,
    ) throws -> Value {
        guard let onDrift else { return try withCheckedBytes(of: document, self, body) }
        let log = DriftLog()
        var settings = self
        settings.driftLog = log
        let value = try withCheckedBytes(of: document, settings, body)
        log.drifts(in: document, lenient, convertingKeys: convertingKeys).forEach(onDrift)
        return value
    }

    private func withCheckedBytes<Value>(
        of document: Data,
        _ settings: HikyakuJSONDecoder,
        _ body: DocumentBody<Value>,
    ) throws -> Value {
        try document.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                if case .refused = duplicateKeys { try DuplicateKeySearch.check(bytes, depthMax: depthMax) }
                return try body(bytes, settings)
            }
        }
    }

    /// What a document's error is to those who decode.
    private func diagnosed(_ error: any Error, _ document: Data) -> any Error {
        switch error {
        case let error as DecodingError: diagnosis(of: error.separated, document)
        case let error as JSONSyntaxError: DecodingDiagnosis(error, body: document, revealingValues: revealsValues)
        default: error
        }
    }

    private func diagnosis(
        of found: (error: DecodingError, failures: CollectedFailures?),
        _ document: Data,
    ) -> DecodingDiagnosis {
        DecodingDiagnosis(
            found.error,
            others: found.failures?.others ?? [],
            othersCount: found.failures?.othersCount ?? 0,
            body: document,
            convertingKeys: convertingKeys,
            revealingValues: revealsValues,
        )
    }

    /// What is made of the document's keys, where no usual strategy tells.
    package var convertingKeys: ((String) -> String)? {
        if case .custom(let convert) = keyDecodingStrategy { convert } else { nil }
    }
}
