#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LenientDocument {
    /// Diagnoses of the strict document, with the places that they have in the document as it came.
    ///
    /// Their errors remember what the document was made strict by.
    func placed(_ diagnoses: [DecodingDiagnosis]) -> [DecodingDiagnosis] {
        var all = diagnoses.flatMap { [$0] + $0.further }
        let order = all.indices.filter { all[$0].byteOffset != nil }.sorted { one, other in
            (all[one].byteOffset ?? 0) < (all[other].byteOffset ?? 0)
        }
        let origins = origins(of: order.compactMap { all[$0].byteOffset })
        for ((index, origin), position) in zip(zip(order, origins), positions(of: origins)) {
            all[index].byteOffset = origin
            all[index].moveEnd(from: strict.count, to: source.count)
            (all[index].line, all[index].column) = position
        }
        for index in all.indices { all[index].error = all[index].error.map { $0.ofLenientDocument(leniency) } }
        var rest = all[...]
        return diagnoses.map { diagnosis in
            var placed = rest.removeFirst()
            placed.further = Array(rest.prefix(diagnosis.further.count))
            rest.removeFirst(diagnosis.further.count)
            return placed
        }
    }

    /// The lines and columns of places that come in order.
    private func positions(of places: [Int]) -> [(line: Int, column: Int)] {
        source.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
            var line = 1
            var start = 0
            var next = 0
            return places.map { place in
                while next < place {
                    if bytes[next] == Byte.lineFeed {
                        line += 1
                        start = next + 1
                    }
                    next += 1
                }
                return (line, place - start + 1)
            }
        }
    }
}

/// The underlying error of what a lenient document's decoder threw: its own one, with places of the strict document.
///
/// A diagnosis can be made anew of such an error and the document as it came, by whoever knows nothing of the decoder.
struct LenientCause: Error {
    let leniency: HikyakuJSONDecoder.Leniency
    let cause: (any Error)?
}

extension DecodingError {
    /// The error of a strict document as one of the lenient document that it was.
    fileprivate func ofLenientDocument(_ leniency: HikyakuJSONDecoder.Leniency) -> DecodingError {
        switch context?.underlyingError {
        case nil, is JSONPlace, is JSONSyntaxError, is JSONExpectation:
            with(underlyingError: LenientCause(leniency: leniency, cause: context?.underlyingError))
        default:
            // A type's own, which somebody may look for.
            self
        }
    }

    /// The same error without what ``ofLenientDocument(_:)`` has added.
    var ofStrictDocument: DecodingError {
        (context?.underlyingError as? LenientCause).map { with(underlyingError: $0.cause) } ?? self
    }
}
