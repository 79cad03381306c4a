#if os(Linux)
package import FoundationEssentials
package import HikyakuHTTP

/// Decodes content codings piece by piece, and holds only small pieces of the decoded body.
///
/// After each ``feed(_:)``, and after ``end()``, the caller reads with ``next()`` until that returns `nil`.
///
/// It is not thread-safe.
package final class ContentDecoder {
    /// The largest piece, in bytes.
    package static let pieceBytesMax = 64 * 1024
    /// The decoded size, in bytes, up to which the ratio is not checked: 1 MiB.
    package static let ratioFreeBytes = 1024 * 1024

    private let ratioMax: Int
    private let stages: [Stage]
    private let scratch = Scratch()
    private var fed = Data()
    private var hasEnded = false
    /// The number of coded bytes that have been decoded.
    private var takenBytes = 0

    /// Makes a decoder.
    ///
    /// - Parameters:
    ///   - codings: The codings in the order in which they were applied, as in `Content-Encoding`; at least one.
    ///   - ratioMax: How many decoded bytes are allowed for each coded byte, beyond ``ratioFreeBytes``; at least 1. If
    ///     several codings were applied, it applies to each of them too.
    /// - Throws: `TransportError` if there is not enough memory.
    package init(_ codings: [ContentCoding], ratioMax: Int) throws(TransportError) {
        self.ratioMax = max(ratioMax, 1)
        var stages: [Stage] = []
        for coding in codings.reversed() { stages.append(Stage(try coding.makeLayer())) }
        self.stages = stages
    }

    /// Takes the next piece of the coded body, which may be split anywhere.
    package func feed(_ piece: Data) {
        if fed.isEmpty { fed = piece } else { fed.append(piece) }
    }

    /// Marks the coded body as complete.
    package func end() {
        hasEnded = true
    }

    /// Decodes the next piece of the body; `nil` if more has to be fed, or at the end.
    ///
    /// - Returns: The piece, which is never empty.
    /// - Throws: `TransportError` with `.truncatedResponse` if the body ends too early, `.malformedContentCoding` if it
    ///   is damaged or has bytes after its end, and `.compressionRatio` if it grows too much. After an error, the
    ///   previous pieces can't be trusted, and the decoder must not be used again.
    package func next() throws(TransportError) -> Data? {
        let count = try pull(stages.count - 1, into: scratch.bytes)
        guard count > 0 else { return nil }
        return Data(scratch.bytes[..<count])
    }

    /// Fills a buffer from a stage; returns 0 if more has to be fed, or at the end.
    private func pull(_ index: Int, into output: UnsafeMutableRawBufferPointer) throws(TransportError) -> Int {
        guard index >= 0 else { return 0 }
        let stage = stages[index]
        while true {
            let progress = index == 0 ? try decodeFed(stage, into: output) : try stage.decode(into: output)
            if progress.produced > 0 {
                try stage.checkRatio(to: takenBytes, atMost: ratioMax)
                return progress.produced
            }
            if progress.consumed > 0 { continue }
            guard index > 0 else { break }
            let count = try pull(index - 1, into: stage.buffer)
            guard count > 0 else { break }
            stage.refill(count)
        }
        if hasEnded, !stage.layer.isComplete {
            throw CodingCause.cut.error("the body ended before the end of its content coding")
        }
        return 0
    }

    private func decodeFed(
        _ stage: Stage,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress {
        guard !fed.isEmpty || stage.mayHoldMore else { return CodingProgress() }
        // `Data.withUnsafeBytes` does not keep the type of the error.
        let result = fed.withUnsafeBytes { bytes in
            Result { () throws(TransportError) in try stage.decode(bytes, into: output) }
        }
        let progress = try result.get()
        takenBytes += progress.consumed
        fed = progress.consumed == fed.count ? Data() : fed.dropFirst(progress.consumed)
        return progress
    }
}

/// The buffer into which pieces are decoded.
private final class Scratch {
    let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: ContentDecoder.pieceBytesMax, alignment: 16)

    deinit {
        bytes.deallocate()
    }
}

/// One of the codings, with the output of the previous one that it has not decoded yet.
private final class Stage {
    let layer: any CodingLayer
    /// Whether the output was filled, so that there may be more output without input.
    private(set) var mayHoldMore = false
    private var producedBytes = 0
    private lazy var scratch = Scratch()
    private var waiting = 0..<0

    init(_ layer: any CodingLayer) {
        self.layer = layer
    }

    /// The buffer for the next input, when none is left.
    var buffer: UnsafeMutableRawBufferPointer { scratch.bytes }

    func refill(_ count: Int) {
        waiting = 0..<count
    }

    /// Decodes the waiting input.
    func decode(into output: UnsafeMutableRawBufferPointer) throws(TransportError) -> CodingProgress {
        guard !waiting.isEmpty || mayHoldMore else { return CodingProgress() }
        let progress = try decode(UnsafeRawBufferPointer(rebasing: buffer[waiting]), into: output)
        waiting = waiting.dropFirst(progress.consumed)
        return progress
    }

    func decode(
        _ input: UnsafeRawBufferPointer,
        into output: UnsafeMutableRawBufferPointer,
    ) throws(TransportError) -> CodingProgress {
        let progress = try layer.decode(input, into: output)
        mayHoldMore = progress.produced == output.count
        producedBytes += progress.produced
        return progress
    }

    /// Rejects a body that exceeds the ratio after any of its codings.
    func checkRatio(to takenBytes: Int, atMost ratioMax: Int) throws(TransportError) {
        guard producedBytes > ContentDecoder.ratioFreeBytes, (producedBytes - 1) / ratioMax >= takenBytes else {
            return
        }
        throw CodingCause.ratio.error("\(takenBytes) bytes became \(producedBytes), more than \(ratioMax) for each")
    }
}
#endif
