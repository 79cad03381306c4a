import Hikyaku

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
