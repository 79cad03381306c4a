#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A document that is more than RFC 8259 allows, made into one that means the same.
struct LenientDocument {
    /// The document as it came.
    let source: Data
    /// The strict document; the source where that is one already, as far as can be seen.
    let strict: Data
    let leniency: HikyakuJSONDecoder.Leniency
    /// Where a comment begins in the strict document that doesn't end: it is there as it came, with all that follows.
    private let unendedComment: Int?

    /// Reads a document token by token; what of it isn't passed over is left for those who read it to complain of.
    init(_ source: Data, _ leniency: HikyakuJSONDecoder.Leniency) {
        self.source = source
        self.leniency = leniency
        let (strict, unendedComment) = Self.strict(source, leniency)
        self.strict = strict ?? source
        self.unendedComment = unendedComment
    }

    private static func strict(
        _ source: Data,
        _ leniency: HikyakuJSONDecoder.Leniency,
    ) -> (document: Data?, unendedComment: Int?) {
        source.withBytes { bytes in
            guard let base = bytes.baseAddress else { return (nil, nil) }
            var scan = LenientScan(base, bytes.count, leniency, LenientOutput(of: base))
            scan.document()
            let comment = scan.unendedComment.map { scan.output.count(upTo: $0) }
            if scan.output.isUnchanged { return (nil, comment) }
            scan.output.take(upTo: bytes.count)
            return (Data(scan.output.bytes), comment)
        }
    }

    /// What a syntax error of the strict document is in the document as it came: at a comment that doesn't end, and
    /// that something may be wrong before, the document is cut off.
    func meant(_ error: any Error) -> any Error {
        guard let unendedComment, (error as? JSONSyntaxError)?.byteOffset == unendedComment else { return error }
        return JSONSyntaxError(.unexpectedEnd, at: strict.count)
    }

    /// Where bytes of the strict document come from.
    ///
    /// - Parameter places: In order. The end is a place too.
    /// - Returns: The places in the document as it came.
    func origins(of places: [Int]) -> [Int] {
        let origins = source.withBytes { bytes -> [Int] in
            guard let base = bytes.baseAddress else { return [] }
            var scan = LenientScan(base, bytes.count, leniency, LenientOutput(of: base, targets: places))
            scan.document()
            scan.output.take(upTo: bytes.count)
            return scan.output.origins
        }
        return origins + Array(repeating: source.count, count: places.count - origins.count)
    }

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
            // A type's own, which an app may look for.
            self
        }
    }

    /// The same error without what ``ofLenientDocument(_:)`` has added.
    var ofStrictDocument: DecodingError {
        (context?.underlyingError as? LenientCause).map { with(underlyingError: $0.cause) } ?? self
    }
}

/// What a lenient document becomes: its own bytes, with something else in a few places.
///
/// Bytes are copied in runs, when something else comes. Instead of being kept, they can also be counted only, so as to
/// find out where some of them come from.
struct LenientOutput {
    private let base: UnsafePointer<UInt8>
    private(set) var bytes: [UInt8] = []
    /// How many bytes there are so far, and up to where the document's are among them.
    private var count = 0
    private var taken = 0
    /// The places whose origins are asked for, in order; `nil` where the bytes are kept.
    private let targets: [Int]?
    /// The origins of the first of them.
    private(set) var origins: [Int] = []

    init(of base: UnsafePointer<UInt8>, targets: [Int]? = nil) {
        self.base = base
        self.targets = targets
    }

    /// Whether all is as it was up to now.
    var isUnchanged: Bool { taken == 0 && count == 0 }

    /// The number of bytes once the document's are taken up to a place.
    @inline(__always)
    func count(upTo place: Int) -> Int { count + place - taken }

    /// Takes the document's bytes up to a place.
    mutating func take(upTo place: Int) {
        guard place > taken else { return }
        if targets == nil {
            bytes.append(contentsOf: UnsafeBufferPointer(start: base + taken, count: place - taken))
        }
        add(place - taken, from: taken, to: place)
        taken = place
    }

    /// Takes something else for a part of the document.
    mutating func replace(_ start: Int, _ end: Int, by others: some Collection<UInt8>) {
        take(upTo: start)
        if targets == nil { bytes.append(contentsOf: others) }
        add(others.count, from: start, to: end)
        taken = end
    }

    /// Makes one byte a space that was taken, or will be.
    mutating func blank(at index: Int, upTo place: Int) {
        take(upTo: place)
        if targets == nil { bytes[index] = Byte.space }
    }

    private mutating func add(_ added: Int, from start: Int, to end: Int) {
        if let targets {
            while origins.count < targets.count, targets[origins.count] < count + added {
                origins.append(min(start + targets[origins.count] - count, max(start, end - 1)))
            }
        }
        count += added
    }
}
