import Foundation
@_spi(Benchmarks) import HikyakuJSON

/// What came of a document.
enum Outcome<Value> {
    /// It was read.
    case value(Value)
    /// It was rejected.
    case refused(DecodingDiagnosis)

    /// Runs a decoder, which must throw nothing but diagnoses.
    init(_ body: () throws -> Value) {
        do {
            self = .value(try body())
        } catch let diagnosis as DecodingDiagnosis {
            self = .refused(diagnosis)
        } catch {
            violation("threw \(error)")
            self = .refused(DecodingDiagnosis(kind: .malformed, expected: "an error of decoding"))
        }
    }

    /// The value, if there is one.
    var value: Value? { if case .value(let value) = self { value } else { nil } }

    /// The diagnosis, if there is one.
    var diagnosis: DecodingDiagnosis? { if case .refused(let diagnosis) = self { diagnosis } else { nil } }
}

/// Whether bytes are JSON to the index, which checks all of a document whatever is read of it.
func isJSON(_ bytes: Data) -> Bool {
    (try? JSONIndexing.index(bytes)) != nil
}

extension DecodingDiagnosis {
    /// Whether it says that the document isn't JSON.
    var isOfSyntax: Bool {
        let kinds: Set<Kind> = [
            .malformed, .empty, .truncated, .html, .xml, .plainText, .wrongCharset, .byteOrderMark,
        ]
        return kinds.contains(kind)
    }
}
