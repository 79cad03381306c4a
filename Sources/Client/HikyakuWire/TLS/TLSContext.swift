#if os(Linux)
import HikyakuBase
import CSSL
import Glibc
import HikyakuHTTP

/// The shared state of a transport's TLS connections: trusted authorities, the minimum version, kept sessions.
///
/// `@unchecked`: the compiler can't see that OpenSSL's context is made to be used by several threads at once, once it
/// is set up, which it is in init alone.
final class TLSContext: @unchecked Sendable {
    let pointer: OpaquePointer
    let sessions = TLSSessions()
    /// Whether any authority is trusted: without any, each server's certificate is rejected.
    private(set) var hasAuthorities = false

    private static let use = Lock(false)
    /// Whether this process has used OpenSSL from here.
    static var wasUsed: Bool { use.withLock(\.self) }

    /// - Throws: An error that names the option that can't be used.
    init(_ options: TLSOptions) throws(TransportError) {
        ExitGate.install()
        Self.use.withLock { $0 = true }
        guard let pointer = ExitGate.passing({ SSL_CTX_new(TLS_client_method()) }) else {
            throw WireCause.memory.error("OpenSSL is out of memory")
        }
        self.pointer = pointer
        let version = options.minimumVersion >= .tls13 ? TLS1_3_VERSION : TLS1_2_VERSION
        ExitGate.passing {
            hikyaku_ssl_set_modes(pointer)
            _ = hikyaku_ssl_set_minimum_version(pointer, version)
            SSL_CTX_set_verify(pointer, SSL_VERIFY_PEER, nil)
            SSL_CTX_sess_set_new_cb(pointer) { ssl, session in
                guard let ssl, let session, let owner = hikyaku_ssl_owner(ssl) else { return 0 }
                return Unmanaged<TLSStream>.fromOpaque(owner).takeUnretainedValue().keep(session) ? 1 : 0
            }
        }
        try trust(options.trustedAuthorities)
    }

    deinit {
        ExitGate.passing { SSL_CTX_free(pointer) }
    }

    private func trust(_ authorities: TLSOptions.Authorities) throws(TransportError) {
        if authorities.includesSystem { trustSystem() }
        hasAuthorities = hasAuthorities || authorities.file != nil
        guard let path = authorities.file else { return }
        guard path.isWithoutNUL, FileKind.isRegular(path) else { throw Self.problem("the file can't be read") }
        let isLoaded = ExitGate.passing {
            ERR_clear_error()
            defer { ERR_clear_error() }
            // An authority that is signed by another one is trusted by itself, too.
            X509_VERIFY_PARAM_set_flags(SSL_CTX_get0_param(pointer), UInt(X509_V_FLAG_PARTIAL_CHAIN))
            return SSL_CTX_load_verify_file(pointer, path) == 1
        }
        guard isLoaded else { throw Self.problem("\(path) contains no certificate") }
    }

    /// Trusts the authorities in OpenSSL's own folder and file, and if it has neither, those in the usual files.
    private func trustSystem() {
        ExitGate.passing {
            SSL_CTX_set_default_verify_paths(pointer)
            let file = X509_get_default_cert_file().map { access($0, R_OK) == 0 } ?? false
            hasAuthorities = file || X509_get_default_cert_dir().map(Self.hasEntries) ?? false
            guard !hasAuthorities else { return }
            for path in Self.systemFiles where access(path, R_OK) == 0 {
                hasAuthorities = SSL_CTX_load_verify_file(pointer, path) == 1
                break
            }
            ERR_clear_error()
        }
    }

    /// Whether a folder has an entry besides itself and its parent.
    private static func hasEntries(_ folder: UnsafePointer<CChar>) -> Bool {
        guard let entries = opendir(folder) else { return false }
        defer { closedir(entries) }
        return (0..<3).allSatisfy { _ in readdir(entries) != nil }
    }

    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
        "/etc/ssl/ca-bundle.pem",
    ]

    private static func problem(_ text: String) -> TransportError {
        WireCause.tlsOption.error("TLSOptions.trustedAuthorities: \(text)")
    }
}

/// Checks files before a C library reads them, since reading a pipe might never end.
enum FileKind {
    static func isRegular(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && access(path, R_OK) == 0
    }

    /// All bytes of a regular file; `nil` if it can't be read or is larger.
    static func content(of path: String, upTo bytesMax: Int) -> [UInt8]? {
        guard path.isWithoutNUL, isRegular(path) else { return nil }
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var (content, room) = ([UInt8](), [UInt8](repeating: 0, count: 16 * 1024))
        while content.count <= bytesMax {
            let count = read(descriptor, &room, room.count)
            if count == 0 { return content }
            if count > 0 { content += room[..<count] } else if errno != EINTR { return nil }
        }
        return nil
    }
}

/// TLS sessions that can be resumed, by origin; each is used once (RFC 8446, appendix C.4), the newest first.
final class TLSSessions: Sendable {
    private static let originsMax = 256
    private static let perOriginMax = 4

    /// A session of OpenSSL's, which is freed with the last reference.
    ///
    /// `@unchecked`: the compiler can't see that OpenSSL counts references to it by itself, and that it isn't changed.
    final class Session: @unchecked Sendable {
        let pointer: OpaquePointer

        /// Takes over the caller's reference.
        init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        deinit {
            ExitGate.passing { SSL_SESSION_free(pointer) }
        }
    }

    private let sessions = Lock<[String: [Session]]>([:])

    func add(_ session: Session, for origin: String) {
        let dropped: [Session] = sessions.withLock { sessions in
            var dropped: [Session] = []
            if sessions[origin] == nil, sessions.count >= Self.originsMax, let other = sessions.keys.first {
                dropped = sessions.removeValue(forKey: other) ?? []
            }
            sessions[origin, default: []].append(session)
            if let count = sessions[origin]?.count, count > Self.perOriginMax,
                let first = sessions[origin]?.removeFirst()
            {
                dropped.append(first)
            }
            return dropped
        }
        // Freed outside of the lock.
        withExtendedLifetime(dropped) {}
    }

    /// Removes and returns the newest session.
    func take(for origin: String) -> Session? {
        sessions.withLock { sessions in
            guard let session = sessions[origin]?.popLast() else { return nil }
            if sessions[origin]?.isEmpty == true { sessions[origin] = nil }
            return session
        }
    }
}

/// Keeps all threads away from OpenSSL once the process ends.
///
/// `exit` frees OpenSSL's state while other threads still run; a thread inside of OpenSSL then crashes. So each call
/// goes through the gate, which is shut before OpenSSL's state is freed.
enum ExitGate {
    // A lock is made to be used by several threads at once, which the compiler can't see; it is never freed.
    private nonisolated(unsafe) static let lock: UnsafeMutablePointer<pthread_rwlock_t> = {
        let lock = UnsafeMutablePointer<pthread_rwlock_t>.allocate(capacity: 1)
        lock.initialize(to: pthread_rwlock_t())
        pthread_rwlock_init(lock, nil)
        return lock
    }()

    /// Has the gate shut at the end of the process.
    ///
    /// OpenSSL registers its own handler first, since handlers run in reverse order.
    private static let isInstalled: Bool = {
        _ = lock
        OPENSSL_init_ssl(0, nil)
        return atexit {
            var end = timespec()
            clock_gettime(CLOCK_REALTIME, &end)
            // A thread that does not leave in that time, or that ended the process itself, is not waited for.
            end.tv_sec += 1
            pthread_rwlock_timedwrlock(ExitGate.lock, &end)
        } == 0
    }()

    static func install() { _ = isInstalled }

    /// Runs a closure that calls OpenSSL; waits for ever once the process ends.
    @inline(__always)
    static func passing<Value>(_ body: () -> Value) -> Value {
        pthread_rwlock_rdlock(lock)
        defer { pthread_rwlock_unlock(lock) }
        return body()
    }

    /// Frees OpenSSL's state for the present thread; when the thread itself ends, it may be too late for that.
    static func dropThreadState() {
        passing { OPENSSL_thread_stop() }
    }
}
#endif
