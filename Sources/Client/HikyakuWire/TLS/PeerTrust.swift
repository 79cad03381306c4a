#if os(Linux)
import CSSL
import FoundationEssentials
import HikyakuHTTP

/// Which certificates of a peer are accepted.
struct PeerTrust: Sendable {
    var isVerified = true
    /// The hashes of the keys that the peer may have; `nil` for any.
    var pins: Set<Data>?
}

extension PublicKeyPins {
    /// The hash of a certificate's SubjectPublicKeyInfo; called inside of ``ExitGate``.
    static func hash(of certificate: OpaquePointer) -> Data? {
        let key = X509_get_X509_PUBKEY(certificate)
        let count = i2d_X509_PUBKEY(key, nil)
        guard count > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(count))
        var hash = [UInt8](repeating: 0, count: 32)
        let written = bytes.withUnsafeMutableBufferPointer { room in
            var next = room.baseAddress
            return i2d_X509_PUBKEY(key, &next)
        }
        guard written == count else { return nil }
        var length: UInt32 = 0
        guard EVP_Digest(bytes, bytes.count, &hash, &length, EVP_sha256(), nil) == 1, length == 32 else { return nil }
        return Data(hash)
    }
}
#endif
