#if os(Linux)
import CSSL
import Glibc

/// What lets OpenSSL read and write a socket without ever raising SIGPIPE, as its own kind of socket would.
enum SocketBIO {
    /// Makes one for a descriptor that lives longer; `nil` when there is no memory.
    static func make(_ descriptor: Int32) -> OpaquePointer? {
        guard let method, let bio = BIO_new(method) else { return nil }
        // Descriptors begin at 0, which as a pointer would be none.
        BIO_set_data(bio, UnsafeMutableRawPointer(bitPattern: Int(descriptor) + 1))
        BIO_set_init(bio, 1)
        return bio
    }

    // Made once, never changed afterwards and never freed, which the compiler can't see.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        guard let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "hikyaku") else { return nil }
        BIO_meth_set_read(method) { bio, room, count in
            guard let bio, let room, count > 0 else { return 0 }
            let received = recv(SocketBIO.descriptor(of: bio), room, Int(count), Int32(MSG_DONTWAIT))
            SocketBIO.note(received, on: bio, retry: BIO_FLAGS_READ)
            if received == 0 { BIO_set_flags(bio, SocketBIO.isAtEnd) }
            return Int32(received)
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bio, let bytes, count > 0 else { return 0 }
            let flags = Int32(MSG_DONTWAIT | MSG_NOSIGNAL)
            let sent = send(SocketBIO.descriptor(of: bio), bytes, Int(count), flags)
            SocketBIO.note(sent, on: bio, retry: BIO_FLAGS_WRITE)
            return Int32(sent)
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in SocketBIO.control(bio, command) }
        return method
    }()

    /// `BIO_FLAGS_IN_EOF`.
    private static let isAtEnd: Int32 = 0x800

    /// Whether the peer has closed its side of the socket, as far as was read.
    static func hasEnded(_ bio: OpaquePointer) -> Bool { BIO_test_flags(bio, isAtEnd) != 0 }

    fileprivate static func setEnd(_ bio: OpaquePointer) {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        BIO_set_flags(bio, isAtEnd)
    }

    /// What OpenSSL asks of the BIO beside bytes.
    fileprivate static func control(_ bio: OpaquePointer?, _ command: Int32) -> Int {
        switch command {
        case BIO_CTRL_FLUSH, BIO_CTRL_DUP: 1
        case BIO_CTRL_EOF: BIO_test_flags(bio, isAtEnd) != 0 ? 1 : 0
        default: 0
        }
    }

    private static func descriptor(of bio: OpaquePointer) -> Int32 {
        Int32(truncatingIfNeeded: Int(bitPattern: BIO_get_data(bio)) - 1)
    }

    private static func note(_ count: Int, on bio: OpaquePointer, retry: Int32) {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        if count < 0, errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR {
            BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY)
        }
    }
}

/// What lets one TLS connection go through another, as HTTPS does through a proxy that is spoken to over TLS.
enum TunnelBIO {
    /// Makes one for a stream that lives longer, and that nobody else uses; `nil` when there is no memory.
    static func make(_ outer: TLSStream) -> OpaquePointer? {
        guard let method, let bio = BIO_new(method) else { return nil }
        BIO_set_data(bio, Unmanaged.passUnretained(outer).toOpaque())
        BIO_set_init(bio, 1)
        return bio
    }

    // Made once, never changed afterwards and never freed, which the compiler can't see.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(kind, "hikyaku-tunnel") else { return nil }
        BIO_meth_set_read(method) { bio, room, count in
            guard let bio, let room, count > 0, let outer = TunnelBIO.outer(of: bio) else { return 0 }
            switch outer.receive(into: UnsafeMutableRawBufferPointer(start: room, count: Int(count))) {
            case .bytes(let count): return TunnelBIO.done(count, on: bio)
            case .blocked: return TunnelBIO.blocked(bio, BIO_FLAGS_READ)
            case .failed(let fault): return TunnelBIO.failed(bio, fault)
            case .end:
                SocketBIO.setEnd(bio)
                return 0
            }
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bio, let bytes, count > 0, let outer = TunnelBIO.outer(of: bio) else { return 0 }
            switch outer.send(UnsafeRawBufferPointer(start: bytes, count: Int(count))) {
            case .bytes(let count): return TunnelBIO.done(count, on: bio)
            case .blocked: return TunnelBIO.blocked(bio, BIO_FLAGS_WRITE)
            case .failed(let fault): return TunnelBIO.failed(bio, fault)
            }
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in SocketBIO.control(bio, command) }
        return method
    }()

    private static func outer(of bio: OpaquePointer) -> TLSStream? {
        BIO_get_data(bio).map { Unmanaged<TLSStream>.fromOpaque($0).takeUnretainedValue() }
    }

    private static func done(_ count: Int, on bio: OpaquePointer) -> Int32 {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        return Int32(truncatingIfNeeded: count)
    }

    private static func blocked(_ bio: OpaquePointer, _ retry: Int32) -> Int32 {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE)
        BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY)
        return -1
    }

    /// The fault is found in `errno`, as that of a socket is.
    private static func failed(_ bio: OpaquePointer, _ fault: IOFault) -> Int32 {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        errno = fault.systemError
        return -1
    }
}
#endif
