#if os(Linux)
import CSSL
import Glibc

/// Lets OpenSSL read and write by ``TLSStream/receiveRecord(into:)`` and ``TLSStream/sendRecord(_:)``: without SIGPIPE,
/// which OpenSSL's own socket BIO would raise, through another TLS connection, and within a bound.
enum SocketBIO {
    /// Makes one for a stream that outlives it; `nil` if there is no memory.
    static func make() -> OpaquePointer? {
        guard let method, let bio = BIO_new(method) else { return nil }
        BIO_set_init(bio, 1)
        return bio
    }

    /// Sets the stream whose bytes it reads and writes.
    static func setStream(of bio: OpaquePointer, _ stream: TLSStream) {
        BIO_set_data(bio, Unmanaged.passUnretained(stream).toOpaque())
    }

    /// Whether the peer has closed its side of the socket, as far as was read.
    static func hasEnded(_ bio: OpaquePointer) -> Bool { BIO_test_flags(bio, isAtEnd) != 0 }

    /// `BIO_FLAGS_IN_EOF`.
    private static let isAtEnd: Int32 = 0x800

    // Made once, never changed afterwards and never freed, which the compiler can't see.
    private nonisolated(unsafe) static let method = makeMethod()

    private static func makeMethod() -> OpaquePointer? {
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = BIO_meth_new(kind, "hikyaku") else { return nil }
        BIO_meth_set_read(method) { bio, room, count in
            guard let bio, let room, count > 0, let stream = SocketBIO.stream(of: bio) else { return 0 }
            let received = stream.receiveRecord(into: UnsafeMutableRawBufferPointer(start: room, count: Int(count)))
            switch received {
            case .bytes(let count): return SocketBIO.finish(bio, count)
            case .blocked: return SocketBIO.finish(bio, -1, retry: BIO_FLAGS_READ)
            case .failed(let fault): return SocketBIO.finish(bio, -1, fault.systemError)
            case .end:
                BIO_set_flags(bio, SocketBIO.isAtEnd)
                return SocketBIO.finish(bio, 0)
            }
        }
        BIO_meth_set_write(method) { bio, bytes, count in
            guard let bio, let bytes, count > 0, let stream = SocketBIO.stream(of: bio) else { return 0 }
            switch stream.sendRecord(UnsafeRawBufferPointer(start: bytes, count: Int(count))) {
            case .bytes(let count): return SocketBIO.finish(bio, count)
            case .blocked: return SocketBIO.finish(bio, -1, retry: BIO_FLAGS_WRITE)
            case .failed(let fault): return SocketBIO.finish(bio, -1, fault.systemError)
            }
        }
        BIO_meth_set_ctrl(method) { bio, command, _, _ in
            switch command {
            case BIO_CTRL_FLUSH, BIO_CTRL_DUP: 1
            case BIO_CTRL_EOF: BIO_test_flags(bio, SocketBIO.isAtEnd) != 0 ? 1 : 0
            default: 0
            }
        }
        return method
    }

    private static func stream(of bio: OpaquePointer) -> TLSStream? {
        BIO_get_data(bio).map { Unmanaged<TLSStream>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Reports the result of a read or a write to OpenSSL, and sets `errno` as a system call does.
    private static func finish(_ bio: OpaquePointer, _ count: Int, _ error: Int32 = EAGAIN, retry: Int32 = 0) -> Int32 {
        BIO_clear_flags(bio, BIO_FLAGS_READ | BIO_FLAGS_WRITE | BIO_FLAGS_SHOULD_RETRY)
        if retry != 0 { BIO_set_flags(bio, retry | BIO_FLAGS_SHOULD_RETRY) }
        if count < 0 { errno = error }
        return Int32(truncatingIfNeeded: count)
    }
}
#endif
