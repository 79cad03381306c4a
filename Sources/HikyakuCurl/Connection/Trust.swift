#if os(Linux)
import CCurl
import Glibc
import HikyakuHTTP

/// Whose signature makes a certificate trusted, as libcurl is told.
enum Trust: Sendable {
    /// libcurl's own default.
    case system
    /// A file alone, or a file and a folder in which certificates are looked up by hash.
    case file(String, folder: String?)
    /// Certificates in memory, for systems that keep theirs in one file.
    case bundle(TrustBundle)

    /// Looks at what the options name.
    ///
    /// - Returns: An error for a file that can't be used: libcurl would find that out with each connection anew.
    static func reading(
        _ authorities: TLSOptions.Authorities,
        system: SystemTrust = .found,
    ) -> Result<Trust, TransportError> {
        guard let path = authorities.file else { return .success(.system) }
        do throws(TransportError) {
            let own = try certificates(in: path)
            guard authorities.includesSystem else { return .success(.file(path, folder: nil)) }
            if let folder = system.folder { return .success(.file(path, folder: folder)) }
            guard let file = system.file else { throw problem("the system names no authorities") }
            return .success(.bundle(TrustBundle(try certificates(in: file) + [0x0A] + own)))
        } catch {
            return .failure(error)
        }
    }

    private static func certificates(in path: String) throws(TransportError) -> [UInt8] {
        guard path.isWithoutNUL, let bytes = FileContents.read(path, bytesMax: 16 * 1024 * 1024) else {
            throw problem("\(path) can't be read")
        }
        // OpenSSL knows two more words before CERTIFICATE.
        guard bytes.contains("CERTIFICATE-----".utf8) else { throw problem("\(path) holds no certificate") }
        return bytes
    }

    private static func problem(_ text: String) -> TransportError {
        TransportError(.tlsFailed, "TLSOptions.trustedAuthorities: \(text)")
    }
}

/// Certificates that libcurl reads from memory, which lives as long as any handle to which it was given.
///
/// `@unchecked`: the compiler can't see that nothing writes to the memory after init.
final class TrustBundle: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    init(_ contents: [UInt8]) {
        bytes = .allocate(byteCount: contents.count, alignment: 1)
        bytes.copyBytes(from: contents)
    }

    deinit {
        bytes.deallocate()
    }
}

/// Where libcurl finds the certificates that the system trusts.
struct SystemTrust: Sendable {
    let file: String?
    /// A folder with names that are hashes; `nil` where there is none.
    let folder: String?

    static let found: SystemTrust = {
        guard let version = curl_version_info(CURLVERSION_SEVENTH)?.pointee else { return SystemTrust(nil, nil) }
        let folder = version.capath.map { String(cString: $0) }
        return SystemTrust(version.cainfo.map { String(cString: $0) }, folder.flatMap { hasHashes($0) ? $0 : nil })
    }()

    init(_ file: String?, _ folder: String?) {
        self.file = file
        self.folder = folder
    }

    private static func hasHashes(_ path: String) -> Bool {
        guard let folder = opendir(path) else { return false }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasSuffix(".0") { return true }
        }
        return false
    }
}

/// Reads small files.
enum FileContents {
    /// - Returns: `nil` for what can't be read, or is larger than it may be.
    static func read(_ path: String, bytesMax: Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 64 * 1024)
        while bytes.count <= bytesMax {
            let count = piece.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
            if count == 0 { return bytes }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return nil }
            bytes.append(contentsOf: piece[..<count])
        }
        return nil
    }
}
#endif
