#if canImport(CryptoKit)
import CryptoKit
#else
internal import CSSL
#endif
#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// A digest of what comes piece by piece, so that a file needn't be in memory.
struct RunningDigest: ~Copyable {
    #if canImport(CryptoKit)
    private var hash = SHA256()

    init() throws(CryptoError) {}

    mutating func update(_ bytes: Data) throws(CryptoError) { hash.update(data: bytes) }

    consuming func finish() throws(CryptoError) -> Data { Data(hash.finalize()) }
    #else
    private let context: OpaquePointer

    init() throws(CryptoError) {
        guard let context = EVP_MD_CTX_new() else { throw CryptoError() }
        guard EVP_DigestInit_ex(context, EVP_sha256(), nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw CryptoError()
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    mutating func update(_ bytes: Data) throws(CryptoError) {
        let isDone = bytes.withBytes { EVP_DigestUpdate(context, $0.baseAddress, $0.count) == 1 }
        guard isDone else { throw CryptoError() }
    }

    consuming func finish() throws(CryptoError) -> Data {
        var output = Data(count: Digest.count)
        var written: UInt32 = 0
        let isDone = output.withUnsafeMutableBytes { output in
            EVP_DigestFinal_ex(context, output.bindMemory(to: UInt8.self).baseAddress, &written) == 1
        }
        guard isDone, Int(written) == Digest.count else { throw CryptoError() }
        return output
    }
    #endif
}
