#if os(Linux)
import Glibc
import HikyakuHTTP

/// An address that a socket can be connected to, in the system's form.
struct SocketAddress: Sendable, Hashable {
    /// The `sockaddr` of the family.
    private let bytes: [UInt8]

    /// Copies an address.
    init?(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
        guard MemoryLayout<sockaddr>.size...MemoryLayout<sockaddr_storage>.size ~= Int(length) else { return nil }
        bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
    }

    /// The address of a Unix domain socket; `nil` for an invalid path.
    init?(unixPath path: String) {
        var address = sockaddr_un()
        let lengthMax = MemoryLayout.size(ofValue: address.sun_path) - 1
        guard 1...lengthMax ~= path.utf8.count, path.isWithoutNUL else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        bytes = withUnsafeBytes(of: &address) { Array($0) }
    }

    var family: Int32 { Int32(bytes.withUnsafeBytes { $0.loadUnaligned(as: sa_family_t.self) }) }
    var isUnix: Bool { family == AF_UNIX }
    var isIPv6: Bool { family == AF_INET6 }

    /// The 4 or 16 bytes of an IP address; `nil` for any other.
    var ipBytes: [UInt8]? {
        switch family {
        // The port comes before the address, and in IPv6 the flow too.
        case AF_INET: Array(bytes.dropFirst(4).prefix(4))
        case AF_INET6: Array(bytes.dropFirst(8).prefix(16))
        default: nil
        }
    }

    /// Calls `connect`; 0 or its error number.
    func connect(_ descriptor: Int32) -> Int32 {
        bytes.withUnsafeBytes { bytes in
            let address = bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self)
            var status: Int32 = 0
            repeat {
                status = Glibc.connect(descriptor, address, socklen_t(bytes.count))
            } while status != 0 && errno == EINTR
            return status == 0 ? 0 : errno
        }
    }

    /// The addresses of an IP address, without a look-up; empty if the text is not an address.
    ///
    /// It accepts all spellings that the system accepts: `127.1`, `0x7f.1`, an IPv6 address with a zone.
    static func numeric(_ host: String, port: UInt16) -> [SocketAddress] {
        (try? lookUp(host, port: port, flags: AI_NUMERICHOST).get()) ?? []
    }

    /// Looks a name up, which blocks.
    ///
    /// - Returns: Its addresses in the system's order, or the code of `getaddrinfo`.
    static func lookUp(_ host: String, port: UInt16, flags: Int32 = 0) -> Result<[SocketAddress], LookUpError> {
        guard host.isWithoutNUL else { return .failure(LookUpError(code: EAI_NONAME)) }
        var hints = addrinfo()
        hints.ai_family = AF_UNSPEC
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        // AI_ADDRCONFIG would leave out `::1` on a machine that has no other IPv6 address.
        hints.ai_flags = flags | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(host, String(port), &hints, &found)
        guard code == 0 else { return .failure(LookUpError(code: code)) }
        defer { freeaddrinfo(found) }
        var addresses: [SocketAddress] = []
        var next = found
        while let entry = next?.pointee, addresses.count < 64 {
            if let address = entry.ai_addr.flatMap({ SocketAddress($0, length: entry.ai_addrlen) }) {
                addresses.append(address)
            }
            next = entry.ai_next
        }
        return .success(addresses)
    }
}

/// The system's error for a name that it can't look up.
struct LookUpError: Error {
    let code: Int32

    var text: String { String(cString: gai_strerror(code)) }
}

extension String {
    /// Whether a C function, which reads up to the first NUL, reads all of the text.
    var isWithoutNUL: Bool { !utf8.contains(0) }
}
#endif
