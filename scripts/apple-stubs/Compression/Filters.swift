// swift-format-ignore-file: BeginDocumentationCommentWithOneLineSummary, NeverUseImplicitlyUnwrappedOptionals

import Foundation

/// https://developer.apple.com/documentation/compression/filteroperation
public enum FilterOperation {
    /// https://developer.apple.com/documentation/compression/filteroperation/compress
    case compress
    /// https://developer.apple.com/documentation/compression/filteroperation/decompress
    case decompress
}

/// https://developer.apple.com/documentation/compression/filtererror
public enum FilterError: Error {
    /// https://developer.apple.com/documentation/compression/filtererror/invalidstate
    case invalidState
    /// https://developer.apple.com/documentation/compression/filtererror/invaliddata
    case invalidData
}

/// https://developer.apple.com/documentation/compression/algorithm
public enum Algorithm: CaseIterable {
    /// https://developer.apple.com/documentation/compression/algorithm/lzfse
    case lzfse, zlib, lz4, lzma, brotli
}

/// https://developer.apple.com/documentation/compression/outputfilter
public class OutputFilter {
    /// https://developer.apple.com/documentation/compression/outputfilter/init(_:using:buffercapacity:writingto:)
    public init(
        _ operation: FilterOperation,
        using algorithm: Algorithm,
        bufferCapacity: Int = 65536,
        writingTo writeFunction: @escaping (Data?) throws -> Void,
    ) throws {
        fatalError()
    }

    /// https://developer.apple.com/documentation/compression/outputfilter/write(_:)
    public func write<D: DataProtocol>(_ data: D?) throws { fatalError() }
    /// https://developer.apple.com/documentation/compression/outputfilter/finalize()
    public func finalize() throws { fatalError() }
}
