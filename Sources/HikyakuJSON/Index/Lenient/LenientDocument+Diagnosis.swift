#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension LenientDocument {
    /// Diagnoses of the strict document, with the places that they have in the document as it came.
    func placed(_ diagnoses: [DecodingDiagnosis]) -> [DecodingDiagnosis] {
        var all = diagnoses.flatMap { [$0] + $0.further }
        let order = all.indices.filter { all[$0].byteOffset != nil }.sorted { one, other in
            (all[one].byteOffset ?? 0) < (all[other].byteOffset ?? 0)
        }
        let origins = origins(of: order.compactMap { all[$0].byteOffset })
        for ((index, origin), position) in zip(zip(order, origins), positions(of: origins)) {
            place(&all[index], at: origin)
            (all[index].line, all[index].column) = position
        }
        var rest = all[...]
        return diagnoses.map { diagnosis in
            var placed = rest.removeFirst()
            placed.further = Array(rest.prefix(diagnosis.further.count))
            rest.removeFirst(diagnosis.further.count)
            return placed
        }
    }

    private func place(_ diagnosis: inout DecodingDiagnosis, at origin: Int) {
        diagnosis.byteOffset = origin
        diagnosis.error = diagnosis.error.map { $0.placed(at: origin) }
        diagnosis.moveEnd(from: strict.count, to: source.count)
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

extension DecodingError {
    /// The same error of another place, where it has one.
    fileprivate func placed(at offset: Int) -> DecodingError {
        switch context?.underlyingError {
        case let place as JSONPlace:
            with(underlyingError: JSONPlace(byteOffset: offset, expectation: place.expectation))
        case let error as JSONSyntaxError:
            with(underlyingError: JSONSyntaxError(error.kind, at: offset))
        default: self
        }
    }
}
