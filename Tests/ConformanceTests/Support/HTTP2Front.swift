#if os(Linux)
import CSSL
import Foundation
import Glibc
import HikyakuBase
import HikyakuHTTP
import HikyakuWire
import Testing

/// A server of HTTP/2 over TLS on loopback that hands each request to a server of HTTP/1.1, and back what that answers.
///
/// What the other one does with its connection happens to the one that the client has: it is closed, broken off, kept
/// silent. So the checks' mock server and its scripts serve for HTTP/2, too. It speaks nothing but HTTP/2.
final class HTTP2Front: Sendable {
    let port: Int
    private let listener: Int32
    private let connections = Lock<[Int32]?>([])

    /// - Parameter upstream: The port of the other server.
    /// - Throws: When the system gives no port or no thread.
    init(before upstream: Int) throws {
        let identity = try FrontIdentity.shared.get()
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = Self.loopback(0)
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, length) == 0 && listen(listener, 64) == 0 && getsockname(listener, $0, &length) == 0
            }
        }
        self.listener = listener
        let port = Int(UInt16(bigEndian: address.sin_port))
        self.port = port
        try #require(isListening)
        let hasStarted = BackgroundThread.start(name: "http2-front") { [connections] in
            // Here, so that no other thread can get the number while this one may still accept connections by it.
            defer { Glibc.close(listener) }
            while true {
                let descriptor = accept(listener, nil, nil)
                // Without a free descriptor, the connection waits until there is one.
                if descriptor < 0, [EINTR, ECONNABORTED, EMFILE, ENFILE].contains(errno) { continue }
                guard descriptor >= 0 else { return }
                let isOpen = connections.withLock { open in
                    open?.append(descriptor)
                    return open != nil
                }
                guard isOpen else { return _ = Glibc.close(descriptor) }
                let serves = BackgroundThread.start(name: "http2-front") {
                    FrontConnection(descriptor, identity, port: port, upstream: upstream)?.run()
                    // Inside of the lock, since the number may be another socket's once it is closed.
                    connections.withLock { Self.close(descriptor, of: &$0) }
                }
                if !serves { connections.withLock { Self.close(descriptor, of: &$0) } }
            }
        }
        try #require(hasStarted)
    }

    static func loopback(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        address.sin_port = in_port_t(port).bigEndian
        return address
    }

    /// Ends all connections; each thread closes its own descriptor.
    func stop() {
        connections.withLock { connections in
            guard let open = connections.take() else { return }
            for descriptor in open + [listener] { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    private static func close(_ descriptor: Int32, of open: inout [Int32]?) {
        open?.removeAll { $0 == descriptor }
        Glibc.close(descriptor)
    }

    deinit {
        stop()
    }
}

/// A key and a certificate for 127.0.0.1 that it has signed itself.
///
/// `@unchecked`: the compiler can't see that OpenSSL's contexts are made for several threads, once they are set up.
final class FrontIdentity: @unchecked Sendable {
    /// What all connections of all fronts share.
    let context: OpaquePointer
    /// The file by which it is trusted.
    let file: String

    static let shared = Result { try FrontIdentity() }

    private init() throws {
        let (certificate, key) = try Self.make()
        defer {
            X509_free(certificate)
            EVP_PKEY_free(key)
        }
        context = try #require(SSL_CTX_new(TLS_server_method()))
        try #require(SSL_CTX_use_certificate(context, certificate) == 1 && SSL_CTX_use_PrivateKey(context, key) == 1)
        SSL_CTX_set_alpn_select_cb(
            context,
            { _, chosen, count, offered, offeredCount, _ in
                // The first of the names: a byte with its length, and "h2".
                guard let offered, offeredCount >= 3, offered[0] == 2, offered[1] == 0x68, offered[2] == 0x32 else {
                    return SSL_TLSEXT_ERR_ALERT_FATAL
                }
                chosen?.pointee = offered + 1
                count?.pointee = 2
                return SSL_TLSEXT_ERR_OK
            },
            nil,
        )
        file = FileManager.default.temporaryDirectory.path + "/hikyaku-front-\(getpid()).pem"
        let bio = try #require(BIO_new_file(file, "w"))
        defer { BIO_free(bio) }
        try #require(PEM_write_bio_X509(bio, certificate) == 1)
    }

    private static func make() throws -> (certificate: OpaquePointer, key: OpaquePointer) {
        let maker = try #require(EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nil))
        defer { EVP_PKEY_CTX_free(maker) }
        var key: OpaquePointer?
        try #require(EVP_PKEY_keygen_init(maker) == 1 && EVP_PKEY_keygen(maker, &key) == 1)
        let certificate = try #require(X509_new())
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1)
        X509_gmtime_adj(X509_getm_notBefore(certificate), -86_400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), 86_400)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "front", -1, -1, 0)
        X509_set_issuer_name(certificate, name)
        X509_set_pubkey(certificate, key)
        let names = try #require(X509V3_EXT_conf_nid(nil, nil, NID_subject_alt_name, "IP:127.0.0.1"))
        defer { X509_EXTENSION_free(names) }
        try #require(X509_add_ext(certificate, names, -1) == 1 && X509_sign(certificate, key, nil) > 0)
        return (certificate, try #require(key))
    }
}

/// A transport whose requests for `http` go over HTTP/2 to a front before the server that they name.
final class FrontedTransport: HTTPTransport {
    private let transport: WireTransport
    private let fronts = Lock<[Int: HTTP2Front]>([:])

    init() throws {
        var options = WireOptions()
        options.tls.trustedAuthorities = .file(try FrontIdentity.shared.get().file)
        options.proxy = .none
        transport = WireTransport(options: options)
    }

    var endsOnCancellation: Bool { true }

    func send(_ request: HTTPRequest, options: TransportOptions) async throws -> HTTPResponse {
        var request = request
        let url = request.url
        if url.scheme == "http", let port = url.port {
            let front = try fronts.withLock { fronts in
                if let front = fronts[port] { return front }
                let front = try HTTP2Front(before: port)
                fronts[port] = front
                return front
            }
            let rest = url.absoluteString.dropFirst("http://".count)
            let address = try #require(rest.range(of: ":\(port)"))
            let text = "https://" + rest.replacingCharacters(in: address, with: ":\(front.port)")
            request.url = try #require(URL(string: text))
        }
        return try await transport.send(request, options: options)
    }

    func shutdown(within grace: Duration) async {
        await transport.shutdown(within: grace)
    }
}
#endif
