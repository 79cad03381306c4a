#if os(Linux)
import Foundation
import Glibc
import HikyakuCompression

/// Bodies that are small on the wire and large behind it.
enum Bomb: String, CaseIterable, Codable {
    case gzip
    case gzipTwice
    case deflate
    case brotli
    case zstd
    case zstdInGzip

    var codings: [ContentCoding] {
        switch self {
        case .gzip: [.gzip]
        case .gzipTwice: [.gzip, .gzip]
        case .deflate: [.deflate]
        case .brotli: [.brotli]
        case .zstd: [.zstd]
        case .zstdInGzip: [.zstd, .gzip]
        }
    }

    var contentEncoding: String {
        switch self {
        case .gzip: "gzip"
        case .gzipTwice: "gzip, gzip"
        case .deflate: "deflate"
        case .brotli: "br"
        case .zstd: "zstd"
        case .zstdInGzip: "zstd, gzip"
        }
    }

    /// How large the body is when it is undone; a gibibyte and more where there is no need to make it of as much.
    var plainBytes: Int {
        switch self {
        case .deflate, .brotli: 256 << 20
        default: 2 << 30
        }
    }

    func make() throws -> Data {
        let mebibyte = Data(count: 1 << 20)
        switch self {
        case .gzip: return repeated(try Encoders.deflated(repeatElement(mebibyte, count: 64), .gzip), 32)
        case .gzipTwice: return try Encoders.gzip(Self.gzip.make())
        case .deflate: return try Encoders.deflated(repeatElement(mebibyte, count: 256), .zlib)
        case .brotli: return try Encoders.brotli(Data(count: 256 << 20), quality: 1)
        case .zstd: return repeated(try Encoders.zstd(Data(count: 64 << 20)), 32)
        case .zstdInGzip: return try Encoders.gzip(Self.zstd.make())
        }
    }
}

/// The largest memory that the process had.
enum PeakMemory {
    /// Resets the peak, so that growth is measured from the present size.
    static func reset() {
        guard let file = fopen("/proc/self/clear_refs", "w") else { return }
        fputs("5", file)
        fclose(file)
    }

    /// The peak since the last reset, in bytes.
    static var bytes: Int {
        let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) * 1024
    }

    /// Whether a sanitizer keeps freed memory to itself, so that sizes say nothing.
    static var isMeaningful: Bool {
        let itself = dlopen(nil, RTLD_NOW)
        return dlsym(itself, "__asan_init") == nil && dlsym(itself, "__tsan_init") == nil
    }
}
#endif
