#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension HikyakuJSONDecoder {
    /// Lends the bytes of a document, and turns what is wrong with it into a diagnosis.
    func withBytes<Value>(
        of document: Data,
        _ body: (UnsafeBufferPointer<UInt8>, HikyakuJSONDecoder) throws -> Value,
    ) throws -> Value {
        guard leniency.isEmpty else { return try withLenientBytes(of: document, body) }
        do {
            return try withStrictBytes(of: document, body)
        } catch {
            throw diagnosed(error, document)
        }
    }

    private func withLenientBytes<Value>(
        of document: Data,
        _ body: (UnsafeBufferPointer<UInt8>, HikyakuJSONDecoder) throws -> Value,
    ) throws -> Value {
        let lenient: LenientDocument
        do {
            lenient = try LenientDocument(document, leniency)
        } catch {
            throw DecodingDiagnosis(error, body: document)
        }
        do {
            return try withStrictBytes(of: lenient.strict, body)
        } catch {
            // A diagnosis that was thrown is of another document, inside of this one.
            let isDiagnosed = error is DecodingDiagnosis
            let error = diagnosed(error, lenient.strict)
            guard !isDiagnosed, let diagnosis = error as? DecodingDiagnosis else { throw error }
            throw lenient.place(diagnosis)
        }
    }

    private func withStrictBytes<Value>(
        of document: Data,
        _ body: (UnsafeBufferPointer<UInt8>, HikyakuJSONDecoder) throws -> Value,
    ) throws -> Value {
        try document.withUnsafeBytes { bytes in
            try bytes.withMemoryRebound(to: UInt8.self) { bytes in
                if case .refused = duplicateKeys { try DuplicateKeySearch.check(bytes, depthMax: depthMax) }
                return try body(bytes, self)
            }
        }
    }

    /// What a document's error is to those who decode.
    private func diagnosed(_ error: any Error, _ document: Data) -> any Error {
        switch error {
        case let error as DecodingError: DecodingDiagnosis(error, body: document, convertingKeys: convertingKeys)
        case let error as JSONSyntaxError: DecodingDiagnosis(error, body: document)
        default: error
        }
    }

    /// What is made of the document's keys, where no usual strategy tells.
    private var convertingKeys: ((String) -> String)? {
        if case .custom(let convert) = keyDecodingStrategy { convert } else { nil }
    }
}
