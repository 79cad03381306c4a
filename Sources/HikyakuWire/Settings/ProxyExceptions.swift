#if os(Linux)
import Glibc
import HikyakuHTTP

/// Which hosts are reached without the proxy.
struct ProxyExceptions: Sendable {
    private var names: Set<String> = []
    private var networks: [Network] = []
    private var isEmpty = true

    init(_ exceptions: [String]) {
        for exception in exceptions {
            isEmpty = false
            let text = String(Substring(exception.utf8.drop { $0 == UInt8(ascii: ".") }))
            if let network = Network(HostSpelling.normal(text)) ?? Network(exception) {
                networks.append(network)
            } else {
                names.insert(HostSpelling.checked(text) ?? text)
            }
        }
    }

    /// Whether a host, as it stands in a URL, is among them: by its name, one above it, or a network it is in.
    func contains(_ host: String) -> Bool {
        guard !isEmpty else { return false }
        if names.contains("*") { return true }
        let host = HostSpelling.normal(host)
        if let address = Network(host) { return networks.contains { $0.contains(address) } }
        var rest = host[...]
        while !rest.isEmpty {
            if names.contains(String(rest)) { return true }
            rest = rest.firstByteIndex(of: ".").map { rest[rest.index(after: $0)...] } ?? ""
        }
        return false
    }
}

/// Some first bits of an IP address; all of them for the address itself.
private struct Network: Sendable {
    private let bytes: [UInt8]
    private let bitCount: Int

    /// Reads `10.0.0.0/8`, `10.1.2.3`, `fe80::/10`, `::1` and `[::1]`.
    init?(_ text: String) {
        let parts = text.byteSplit(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let bytes = Self.address(String(parts[0])) else { return nil }
        self.bytes = bytes
        guard parts.count == 2 else {
            bitCount = bytes.count * 8
            return
        }
        guard let count = Int(parts[1]), 0...(bytes.count * 8) ~= count else { return nil }
        bitCount = count
    }

    func contains(_ other: Network) -> Bool {
        guard bytes.count == other.bytes.count, other.bitCount >= bitCount else { return false }
        let whole = bitCount / 8
        guard bytes[..<whole] == other.bytes[..<whole] else { return false }
        let mask = ~(UInt8.max >> (bitCount % 8))
        return bitCount % 8 == 0 || bytes[whole] & mask == other.bytes[whole] & mask
    }

    private static func address(_ text: String) -> [UInt8]? {
        var text = text[...]
        if text.hasPrefix("["), text.hasSuffix("]") { text = text.dropFirst().dropLast() }
        var bytes = [UInt8](repeating: 0, count: 16)
        guard String(text).isWithoutNUL else { return nil }
        if inet_pton(AF_INET6, String(text), &bytes) == 1 { return bytes }
        return inet_pton(AF_INET, String(text), &bytes) == 1 ? Array(bytes[..<4]) : nil
    }
}
#endif
