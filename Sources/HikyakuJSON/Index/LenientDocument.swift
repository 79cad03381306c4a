#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A lenient document and its strict form with the same meaning.
struct LenientDocument {
    /// The document as it came.
    let source: Data
    /// The strict document; the source itself if nothing had to be replaced.
    let strict: Data
    let leniency: HikyakuJSONDecoder.Leniency
    /// The offset of an unterminated comment in the strict document, which is unchanged from there on.
    private let unendedComment: Int?

    /// Reads a document token by token.
    ///
    /// Other errors are left for the strict parser to report.
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

    /// The syntax error of the source for one of the strict document: an error at an unterminated comment is an
    /// unexpected end.
    func meant(_ error: any Error) -> any Error {
        guard let unendedComment, (error as? JSONSyntaxError)?.byteOffset == unendedComment else { return error }
        return JSONSyntaxError(.unexpectedEnd, at: strict.count)
    }

    /// Maps offsets of the strict document to the source.
    ///
    /// - Parameter places: Offsets in ascending order, which may include the end.
    /// - Returns: The offsets in the source.
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

    /// Diagnoses of the strict document with the positions in the source.
    ///
    /// Their errors record the leniency of the document.
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

    /// The lines and columns of offsets in ascending order.
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

/// The underlying error of a lenient document's error, which wraps the original one with offsets of the strict
/// document.
///
/// With it, the error and the source can be diagnosed again without the decoder.
struct LenientCause: Error {
    let leniency: HikyakuJSONDecoder.Leniency
    let cause: (any Error)?
}

extension DecodingError {
    /// The error of a strict document as an error of its lenient source.
    fileprivate func ofLenientDocument(_ leniency: HikyakuJSONDecoder.Leniency) -> DecodingError {
        switch context?.underlyingError {
        case nil, is JSONPlace, is JSONSyntaxError, is JSONExpectation:
            with(underlyingError: LenientCause(leniency: leniency, cause: context?.underlyingError))
        default:
            // A custom error, which an app may look for.
            self
        }
    }

    /// The error without the wrapper of ``ofLenientDocument(_:)``.
    var ofStrictDocument: DecodingError {
        (context?.underlyingError as? LenientCause).map { with(underlyingError: $0.cause) } ?? self
    }
}

/// The output of a lenient document: its own bytes with a few replacements.
///
/// Bytes are copied in runs, at the next replacement. Alternatively they are only counted, to find the origins of some
/// offsets.
struct LenientOutput {
    private let base: UnsafePointer<UInt8>
    private(set) var bytes: [UInt8] = []
    /// The number of output bytes so far, and the end of the document's bytes among them.
    private var count = 0
    private var taken = 0
    /// The offsets whose origins are searched for, in order; `nil` if the bytes are kept.
    private let targets: [Int]?
    /// The origins that were found so far.
    private(set) var origins: [Int] = []

    init(of base: UnsafePointer<UInt8>, targets: [Int]? = nil) {
        self.base = base
        self.targets = targets
    }

    /// Whether nothing was replaced so far.
    var isUnchanged: Bool { taken == 0 && count == 0 }

    /// The number of output bytes after copying the document up to an offset.
    @inline(__always)
    func count(upTo place: Int) -> Int { count + place - taken }

    /// Copies the document's bytes up to an offset.
    mutating func take(upTo place: Int) {
        guard place > taken else { return }
        if targets == nil {
            bytes.append(contentsOf: UnsafeBufferPointer(start: base + taken, count: place - taken))
        }
        add(place - taken, from: taken, to: place)
        taken = place
    }

    /// Replaces a part of the document.
    mutating func replace(_ start: Int, _ end: Int, by others: some Collection<UInt8>) {
        take(upTo: start)
        if targets == nil { bytes.append(contentsOf: others) }
        add(others.count, from: start, to: end)
        taken = end
    }

    /// Replaces one output byte by a space.
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
