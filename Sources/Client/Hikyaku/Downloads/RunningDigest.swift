#if canImport(CryptoKit)
import CryptoKit
#else
import CSSL
#endif
#if canImport(FoundationEssentials)
package import FoundationEssentials
#else
package import Foundation
#endif

/// A hash function of the system's library, by its name in `Repr-Digest`.
///
/// [RFC 9530, section 5](https://www.rfc-editor.org/rfc/rfc9530#section-5)
package enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
    case sha256 = "sha-256"
    case sha512 = "sha-512"
    /// Only for `Content-MD5`: it finds damage, but not an attack.
    case md5

    /// The size of a digest, in bytes.
    package var count: Int {
        switch self {
        case .sha256: 32
        case .sha512: 64
        case .md5: 16
        }
    }
}

/// A digest that is computed piece by piece, so that a file doesn't have to be in memory.
///
/// OpenSSL's context belongs to it alone, from init to deinit.
@safe package struct RunningDigest: ~Copyable {
    #if canImport(CryptoKit)
    private var hash: any HashFunction & Sendable

    package init(_ algorithm: DigestAlgorithm = .sha256) throws(CryptoError) {
        switch algorithm {
        case .sha256: hash = SHA256()
        case .sha512: hash = SHA512()
        case .md5: hash = Insecure.MD5()
        }
    }

    package mutating func update(_ bytes: Data) throws(CryptoError) { hash.update(data: bytes) }

    /// The digest; it must not be used after that.
    package mutating func finish() throws(CryptoError) -> Data { Self.bytes(of: hash) }

    private static func bytes(of hash: some HashFunction) -> Data { Data(hash.finalize()) }
    #else
    private let context: OpaquePointer
    private let count: Int

    package init(_ algorithm: DigestAlgorithm = .sha256) throws(CryptoError) {
        let function =
            switch algorithm {
            case .sha256: unsafe EVP_sha256()
            case .sha512: unsafe EVP_sha512()
            case .md5: unsafe EVP_md5()
            }
        guard let context = unsafe EVP_MD_CTX_new() else { throw CryptoError() }
        guard unsafe EVP_DigestInit_ex(context, function, nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            throw CryptoError()
        }
        unsafe self.context = context
        count = algorithm.count
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: Data) throws(CryptoError) {
        let isDone = unsafe bytes.withBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
        guard isDone else { throw CryptoError() }
    }

    /// The digest; it must not be used after that.
    package mutating func finish() throws(CryptoError) -> Data {
        var output = Data(count: count)
        var written: UInt32 = 0
        let isDone = unsafe output.withUnsafeMutableBytes { output in
            unsafe EVP_DigestFinal_ex(context, output.bindMemory(to: UInt8.self).baseAddress, &written) == 1
        }
        guard isDone, Int(written) == count else { throw CryptoError() }
        return output
    }
    #endif
}

/// The system's library doesn't support a hash function.
///
/// This happens only on machines whose policy disables algorithms.
package struct CryptoError: Error, CustomStringConvertible {
    package init() {}

    package var description: String {
        "the system's cryptographic library rejects a hash function: check its configuration"
    }
}

#if !canImport(CryptoKit)
extension Data {
    /// Calls a closure with the bytes; the address is never null, even without bytes, since null means "no key" in
    /// OpenSSL.
    package func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard isEmpty else { return unsafe withUnsafeBytes { unsafe body($0.bindMemory(to: UInt8.self)) } }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { spare in
            unsafe spare.initialize(repeating: 0)
            return unsafe body(UnsafeBufferPointer(start: spare.baseAddress, count: 0))
        }
    }
}
#endif
