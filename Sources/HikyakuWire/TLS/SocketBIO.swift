#if os(Linux)
import CSSL
import Glibc

/// Lets OpenSSL read and write a socket without raising SIGPIPE, which OpenSSL's own socket BIO would do.
enum SocketBIO {
    /// Makes one for a descriptor that outlives it; `nil` if there is no memory.
    static func make(_ descriptor: Int32) -> OpaquePointer? {
        // Descriptors begin at 0, which as a pointer would be none.
        make(method, UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1))
    }

    // Made once, never changed afterwards and never freed, which the compiler can't see.
    private nonisolated(unsafe) static let method = makeMethod(
        "hikyaku",
        read: { bio, room, count in
            guard let bio, let room, count > 0 else { return 0 }
            let received = recv(SocketBIO.descriptor(of: bio), room, Int(count), Int32(MSG_DONTWAIT))
            return SocketBIO.finishReading(received, on: bio)
        },
        write: { bio, bytes, count in
            guard let bio, let bytes, count > 0 else { return 0 }
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            let sent = send(SocketBIO.descriptor(of: bio), bytes, Int(count), flags)
            return SocketBIO.note(sent, on: bio, retry: BIO_FLAGS_WRITE)
        },
    )

    private static func descriptor(of bio: OpaquePointer) -> Int32 {
        Int32(truncatingIfNeeded: Int(bitPattern: BIO_get_data(bio)) - 1)
    }

    /// Whether the peer has closed its side of the socket, as far as was read.
    static func hasEnded(_ bio: OpaquePointer) -> Bool { BIO_test_flags(bio, isAtEnd) != 0 }

    /// `BIO_FLAGS_IN_EOF`.
    private static let isAtEnd: Int32 = 0x800

    // MARK: - For both kinds

    fileprivate static func make(_ method: OpaquePointer?, _ data: UnsafeMutableRawPointer?) -> OpaquePointer? {
        guard let method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, data)
        BIO_set_init(bio, 1)
        return bio
    }

    fileprivate static func makeMethod(
        _ name: String,
        read: @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int32) -> Int32,
        write: @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int32) -> Int32,
    ) -> OpaquePointer? {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, name) else { return nil }
        BIO_meth_set_read(method, read)
        BIO_meth_set_write(method, write)
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH, BIO_CTRL_DUP: 1
            case BIO_CTRL_EOF: BIO_test_flags(bio, SocketBIO.isAtEnd) != 0 ? 1 : 0
            default: 0
            }
        }
        return method
    }

    /// Tells OpenSSL what a read returned; 0 is the end, and -1 an error in `errno`.
    fileprivate static func finishReading(_ count: Int, on bio: OpaquePointer) -> Int32 {
        if count == 0 { BIO_set_flags(bio, isAtEnd) }
        return note(count, on: bio, retry: BIO_FLAGS_READ)
    }

    fileprivate static func note(_ count: Int, on bio: OpaquePointer, retry: Int32) -> Int32 {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR {
            BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY)
        }
        return Int32(truncatingIfNeeded: count)
    }
}

/// Lets one TLS connection go through another, as HTTPS does through a proxy that is itself reached over TLS.
enum TunnelBIO {
    /// Makes one for a stream that outlives it and has no other user; `nil` if there is no memory.
    static func make(_ outer: TLSStream) -> OpaquePointer? {
        SocketBIO.make(method, Unmanaged.passUnretained(outer).toOpaque())
    }

    // Made once, never changed afterwards and never freed, which the compiler can't see.
    private nonisolated(unsafe) static let method = SocketBIO.makeMethod(
        "hikyaku-tunnel",
        read: { bio, room, count in
            guard let bio, let room, count > 0, let outer = TunnelBIO.outer(of: bio) else { return 0 }
            let received =
                switch outer.receive(into: UnsafeMutableRawBufferPointer(start: room, count: Int(count))) {
                case .bytes(let count): count
                case .blocked: TunnelBIO.failure(EAGAIN)
                case .failed(let fault): TunnelBIO.failure(fault.systemError)
                case .end: 0
                }
            return SocketBIO.finishReading(received, on: bio)
        },
        write: { bio, bytes, count in
            guard let bio, let bytes, count > 0, let outer = TunnelBIO.outer(of: bio) else { return 0 }
            let sent =
                switch outer.send(UnsafeRawBufferPointer(start: bytes, count: Int(count))) {
                case .bytes(let count): count
                case .blocked: TunnelBIO.failure(EAGAIN)
                case .failed(let fault): TunnelBIO.failure(fault.systemError)
                }
            return SocketBIO.note(sent, on: bio, retry: BIO_FLAGS_WRITE)
        },
    )

    private static func outer(of bio: OpaquePointer) -> TLSStream? {
        BIO_get_data(bio).map { Unmanaged<TLSStream>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Leaves an error in `errno`, as a call of the system does.
    private static func failure(_ error: Int32) -> Int {
        errno = error
        return -1
    }
}
#endif
