#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The drifts of one document while it is decoded: offsets and types, which are cheap to keep.
///
/// All other details are determined at the end, only for the drifts that are reported.
///
/// `@unchecked`, since settings are `Sendable` and carry the log: the compiler can't prove that each call to a decoder
/// has its own log, which is used only on the thread of the call.
final class DriftLog: @unchecked Sendable {
    struct Entry {
        let kind: JSONDrift.Kind
        /// The offset of the value, or of the object that lacks the key.
        let offset: Int
        /// The key that is missing.
        let key: String?
        let type: any Any.Type
        let error: (any Error)?
    }

    /// The drifts of one kind and type beyond the limit.
    struct Rest {
        let kind: JSONDrift.Kind
        let type: any Any.Type
        var count: Int
    }

    fileprivate struct RestKey: Hashable {
        let kind: JSONDrift.Kind
        let type: ObjectIdentifier
    }

    private(set) var entries: [Entry] = []
    private(set) var rests: [Rest] = []
    private var restPlaces: [RestKey: Int] = [:]

    /// A state to go back to, if a value has to be read again.
    struct Mark {
        fileprivate let entries: Int
        fileprivate let rests: [Rest]
        fileprivate let restPlaces: [RestKey: Int]
    }

    var mark: Mark { Mark(entries: entries.count, rests: rests, restPlaces: restPlaces) }

    func goBack(to mark: Mark) {
        entries.removeLast(max(0, entries.count - mark.entries))
        (rests, restPlaces) = (mark.rests, mark.restPlaces)
    }

    func add(_ entry: Entry) {
        guard entries.count >= JSONDrift.reportedMax else {
            entries.append(entry)
            return
        }
        let key = RestKey(kind: entry.kind, type: ObjectIdentifier(entry.type))
        if let place = restPlaces[key] {
            rests[place].count += 1
        } else {
            restPlaces[key] = rests.count
            rests.append(Rest(kind: entry.kind, type: entry.type, count: 1))
        }
    }
}

extension ValueDecoder {
    /// Records a drift of the decoder's value.
    func drift(_ kind: JSONDrift.Kind, _ type: any Any.Type) {
        session.drift(kind, at: session.offset(of: place), type)
    }
}

extension ReadingContext {
    /// Records a drift, if drifts are reported.
    final func drift(
        _ kind: JSONDrift.Kind,
        at offset: Int,
        key: String? = nil,
        _ type: any Any.Type,
        _ error: (any Error)? = nil,
    ) {
        settings.driftLog?.add(DriftLog.Entry(kind: kind, offset: offset, key: key, type: type, error: error))
    }
}

extension DriftLog {
    /// The drifts of a decoded document, in the order of the document.
    ///
    /// The document is walked through again, once for all pointers and once for all errors.
    ///
    /// - Parameters:
    ///   - document: The decoded document.
    ///   - lenient: What it came as, if that was a lenient document.
    ///   - convertingKeys: The decoder's custom conversion of keys.
    /// - Returns: The drifts, if any.
    func drifts(
        in document: Data,
        _ lenient: LenientDocument?,
        convertingKeys: ((String) -> String)?,
    ) -> [JSONDrift] {
        guard !entries.isEmpty else { return [] }
        let entries = entries.enumerated().sorted { ($0.element.offset, $0.offset) < ($1.element.offset, $1.offset) }
            .map(\.element)
        let pointers = Self.pointers(to: entries, document)
        let made = Self.diagnoses(of: entries, document, convertingKeys)
        var diagnoses = (lenient?.marked(made) ?? made)[...]
        var drifts: [JSONDrift] = []
        for (index, entry) in entries.enumerated() {
            var drift = JSONDrift(
                kind: entry.kind,
                pointer: pointers[index].text,
                typeName: String(describing: entry.type),
                byteOffset: entry.offset,
            )
            drift.isPointerMasked = pointers[index].isMasked
            switch entry.error {
            case nil: break
            case is DecodingError: drift.diagnosis = diagnoses.popFirst()
            // It belongs to another document inside this one.
            case let diagnosis as DecodingDiagnosis: drift.diagnosis = diagnosis
            case let error?: drift.errorTypeName = String(describing: type(of: error))
            }
            drifts.append(drift)
        }
        return drifts + rests.map(Self.drift)
    }

    private static func drift(of rest: Rest) -> JSONDrift {
        var drift = JSONDrift(kind: rest.kind, pointer: "", typeName: String(describing: rest.type))
        drift.count = rest.count
        return drift
    }

    private static func pointers(to entries: [Entry], _ document: Data) -> [ShownPointer] {
        document.withBytes { bytes in
            var walk = DocumentWalk(bytes)
            return entries.map { entry in
                walk.advance(to: entry.offset)
                return entry.key.map(walk.pointer(toMember:)) ?? walk.pointer(revealingValues: false)
            }
        }
    }

    private static func diagnoses(
        of entries: [Entry],
        _ document: Data,
        _ convertingKeys: ((String) -> String)?,
    ) -> [DecodingDiagnosis] {
        let found = entries.compactMap { ($0.error as? DecodingError)?.separated }
        guard let first = found.first else { return [] }
        let others = found.dropFirst().map(\.error)
        let made = DecodingDiagnosis(first.error, others: others, body: document, convertingKeys: convertingKeys)
        return zip([made] + made.further, found).map { diagnosis, found in
            var diagnosis = diagnosis
            diagnosis.further = []
            diagnosis.furtherCount = found.failures?.othersCount ?? 0
            return diagnosis
        }
    }
}

/// A type-erased ``Defaulted/To``.
protocol DefaultTaking {
    static var valueType: any Any.Type { get }
}

extension DecodingSession {
    /// Records that a default is used for a missing key or `null`, if the type has one.
    func noteAbsence(of key: some CodingKey, _ type: any Any.Type, in object: Int) {
        guard let type = type as? any DefaultTaking.Type else { return }
        if let null = value(of: key.stringValue, in: object) {
            drift(.defaultedKey, at: offset(of: null), type.valueType)
        } else {
            drift(.defaultedKey, at: offset(of: object), key: key.stringValue, type.valueType)
        }
    }
}
