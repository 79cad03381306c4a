import Foundation

public enum FilterOperation {
    case compress
    case decompress
}

public enum FilterError: Error {
    case invalidState
    case invalidData
}

public enum Algorithm: CaseIterable {
    case lzfse, zlib, lz4, lzma, brotli
}

public class OutputFilter {
    public init(
        _ operation: FilterOperation,
        using algorithm: Algorithm,
        bufferCapacity: Int = 65536,
        writingTo writeFunction: @escaping (Data?) throws -> Void
    ) throws {
        fatalError()
    }

    public func write<D: DataProtocol>(_ data: D?) throws { fatalError() }
    public func finalize() throws { fatalError() }
}
