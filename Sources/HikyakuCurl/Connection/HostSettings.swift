#if os(Linux)
import FoundationEssentials
import Glibc
import HikyakuHTTP

/// Reads pins of public keys.
enum PublicKeyPins {
    /// The pins as libcurl takes them: `sha256//…;sha256//…`.
    ///
    /// - Returns: An error for one that is no SHA-256, and where there is none: a host that is pinned to nothing can't
    ///   be reached.
    static func text(_ pins: [String]) -> Result<String, TransportError> {
        var hashes: [String] = []
        for pin in pins {
            // libcurl writes two slashes, and a hash may begin with one: they are told apart by the length.
            let candidates = ["sha256/", "sha256//"].filter { pin.hasPrefix($0) }.map { pin.dropFirst($0.count) }
            guard let hash = candidates.first(where: { Data(base64Encoded: String($0))?.count == 32 }) else {
                return .failure(TransportError(.tlsFailed, "TLSOptions.pins: a pin is no SHA-256 in base64"))
            }
            hashes.append("sha256//" + hash)
        }
        guard !hashes.isEmpty else { return .failure(TransportError(.tlsFailed, "TLSOptions.pins: a host has none")) }
        return .success(hashes.joined(separator: ";"))
    }
}

/// Looks at paths of Unix domain sockets.
enum UnixSocketPath {
    static func checked(_ path: String) -> Result<String, TransportError> {
        let lengthMax = MemoryLayout.size(ofValue: sockaddr_un().sun_path) - 1
        guard 1...lengthMax ~= path.utf8.count, path.isWithoutNUL else {
            let text = "CurlOptions.unixSockets: a path has 1 to \(lengthMax) bytes and no NUL"
            return .failure(TransportError(.connectionFailed, text))
        }
        return .success(path)
    }
}

/// Looks at the addresses of hosts that aren't looked up.
enum OwnAddresses {
    static func checked(_ addresses: [String]) -> Result<[String], TransportError> {
        guard !addresses.isEmpty else {
            return .failure(TransportError(.hostNotFound, "CurlOptions.hostAddresses: the host has none"))
        }
        guard addresses.allSatisfy(isAddress) else {
            return .failure(TransportError(.hostNotFound, "CurlOptions.hostAddresses: one is no IP address"))
        }
        return .success(addresses)
    }

    private static func isAddress(_ text: String) -> Bool {
        var address = in6_addr()
        return text.isWithoutNUL
            && (inet_pton(AF_INET, text, &address) == 1 || inet_pton(AF_INET6, text, &address) == 1)
    }
}
#endif
