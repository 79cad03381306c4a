#if canImport(CryptoKit)
import CryptoKit
#else
import CSSL
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// SHA-256 and HMAC, by the system's library.
///
/// [RFC 6234](https://www.rfc-editor.org/rfc/rfc6234)
enum Digest {
    /// The size of a digest, in bytes.
    static let count = 32

    /// The digest of bytes in memory.
    static func sha256(_ bytes: Data) throws(CryptoError) -> Data {
        var running = try RunningDigest()
        try running.update(bytes)
        return try running.finish()
    }

    /// The keyed digest ([RFC 2104](https://www.rfc-editor.org/rfc/rfc2104)).
    static func hmac(_ bytes: Data, key: Data) throws(CryptoError) -> Data {
        #if canImport(CryptoKit)
        Data(HMAC<SHA256>.authenticationCode(for: bytes, using: SymmetricKey(data: key)))
        #else
        guard let keyCount = Int32(exactly: key.count) else { throw CryptoError() }
        var output = Data(count: count)
        var written: UInt32 = 0
        let result = unsafe output.withUnsafeMutableBytes { output in
            unsafe bytes.withBytes { bytes in
                unsafe key.withBytes { key in
                    let (content, digest) = (bytes.baseAddress, output.baseAddress)
                    return unsafe HMAC(EVP_sha256(), key.baseAddress, keyCount, content, bytes.count, digest, &written)
                }
            }
        }
        guard unsafe result != nil, Int(written) == count else { throw CryptoError() }
        return output
        #endif
    }

    /// Whether two texts are equal, in a time that depends only on their lengths.
    ///
    /// For values that an attacker may guess: the time of the comparison reveals nothing.
    static func areEqual(_ left: String, _ right: String) -> Bool {
        let left = Array(left.utf8)
        let right = Array(right.utf8)
        guard left.count == right.count else { return false }
        return left.indices.reduce(UInt8(0)) { $0 | (left[$1] ^ right[$1]) } == 0
    }
}

/// A digest that is computed piece by piece, so that a file doesn't have to be in memory.
///
/// OpenSSL's context belongs to it alone, from init to deinit.
@safe struct RunningDigest: ~Copyable {
    #if canImport(CryptoKit)
    private var hash = SHA256()

    init() throws(CryptoError) {}

    mutating func update(_ bytes: Data) throws(CryptoError) { hash.update(data: bytes) }

    consuming func finish() throws(CryptoError) -> Data { Data(hash.finalize()) }
    #else
    private let context: OpaquePointer

    init() throws(CryptoError) {
        guard let context = unsafe EVP_MD_CTX_new() else { throw CryptoError() }
        guard unsafe EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            unsafe EVP_MD_CTX_free(context)
            throw CryptoError()
        }
        unsafe self.context = context
    }

    deinit { unsafe EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: Data) throws(CryptoError) {
        let isDone = unsafe bytes.withBytes { unsafe EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
        guard isDone else { throw CryptoError() }
    }

    consuming func finish() throws(CryptoError) -> Data {
        var output = Data(count: Digest.count)
        var written: UInt32 = 0
        let isDone = unsafe output.withUnsafeMutableBytes { output in
            unsafe EVP_DigestFinal_ex(context, output.bindMemory(to: UInt8.self).baseAddress, &written) == 1
        }
        guard isDone, Int(written) == Digest.count else { throw CryptoError() }
        return output
    }
    #endif
}

/// The system's library doesn't support SHA-256.
///
/// This happens only on machines whose policy disables algorithms.
struct CryptoError: Error, CustomStringConvertible {
    var description: String { "the system's cryptographic library rejects SHA-256: check its configuration" }
}

#if !canImport(CryptoKit)
extension Data {
    /// Calls a closure with the bytes; the address is never null, even without bytes, since null means "no key" in
    /// OpenSSL.
    fileprivate func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        guard isEmpty else { return unsafe withUnsafeBytes { unsafe body($0.bindMemory(to: UInt8.self)) } }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 1) { spare in
            unsafe spare.initialize(repeating: 0)
            return unsafe body(UnsafeBufferPointer(start: spare.baseAddress, count: 0))
        }
    }
}
#endif
