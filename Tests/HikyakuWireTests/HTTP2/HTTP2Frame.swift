#if os(Linux)
import CNghttp2

/// One frame of HTTP/2, written and read by hand.
struct Frame: Equatable, CustomStringConvertible {
    enum Kind {
        static let data: UInt8 = 0
        static let headers: UInt8 = 1
        static let priority: UInt8 = 2
        static let reset: UInt8 = 3
        static let settings: UInt8 = 4
        static let push: UInt8 = 5
        static let ping: UInt8 = 6
        static let goAway: UInt8 = 7
        static let windowUpdate: UInt8 = 8
        static let continuation: UInt8 = 9
    }

    static let endStream: UInt8 = 1
    static let ack: UInt8 = 1
    static let endHeaders: UInt8 = 4
    static let padded: UInt8 = 8
    static let priorityFlag: UInt8 = 32

    var type: UInt8
    var flags: UInt8 = 0
    var stream: UInt32 = 0
    var payload: [UInt8] = []

    var description: String { "type \(type) flags \(flags) stream \(stream) (\(payload.count) bytes)" }

    var bytes: [UInt8] {
        let count = payload.count
        return [
            UInt8(truncatingIfNeeded: count >> 16), UInt8(truncatingIfNeeded: count >> 8),
            UInt8(truncatingIfNeeded: count),
        ]
            + [type, flags] + stream.bytes + payload
    }

    // MARK: - Writing

    static func data(_ stream: Int32, _ payload: [UInt8], end: Bool = false) -> [UInt8] {
        Frame(type: Kind.data, flags: end ? endStream : 0, stream: UInt32(stream), payload: payload).bytes
    }

    static func headers(_ stream: Int32, _ fields: [(String, String)], end: Bool = false) -> [UInt8] {
        block(stream, HPACK.literals(fields), end: end)
    }

    static func block(_ stream: Int32, _ block: [UInt8], end: Bool = false) -> [UInt8] {
        let flags = endHeaders | (end ? endStream : 0)
        return Frame(type: Kind.headers, flags: flags, stream: UInt32(stream), payload: block).bytes
    }

    static func reset(_ stream: Int32, _ code: UInt32) -> [UInt8] {
        Frame(type: Kind.reset, stream: UInt32(stream), payload: code.bytes).bytes
    }

    static func settings(_ values: [(UInt16, UInt32)] = []) -> [UInt8] {
        Frame(type: Kind.settings, payload: values.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] + $1.bytes }).bytes
    }

    static let settingsAck = Frame(type: Kind.settings, flags: ack).bytes

    static func ping(_ payload: [UInt8] = Array("pingping".utf8), ack: Bool = false) -> [UInt8] {
        Frame(type: Kind.ping, flags: ack ? Frame.ack : 0, payload: payload).bytes
    }

    static func goAway(_ last: UInt32, _ code: UInt32 = 0, _ text: String = "") -> [UInt8] {
        Frame(type: Kind.goAway, payload: last.bytes + code.bytes + Array(text.utf8)).bytes
    }

    static func windowUpdate(_ stream: Int32, _ increment: UInt32) -> [UInt8] {
        Frame(type: Kind.windowUpdate, stream: UInt32(stream), payload: increment.bytes).bytes
    }

    // MARK: - Reading

    /// The next frame of what a client has sent; `nil` while there is none as a whole.
    static func next(of bytes: inout ArraySlice<UInt8>) -> Frame? {
        guard bytes.count >= 9 else { return nil }
        let head = Array(bytes.prefix(9))
        let count = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        guard bytes.count >= 9 + count else { return nil }
        let payload = Array(bytes.dropFirst(9).prefix(count))
        bytes = bytes.dropFirst(9 + count)
        return Frame(type: head[3], flags: head[4], stream: UInt32(head[5...]) & 0x7FFF_FFFF, payload: payload)
    }

    var isAck: Bool { flags & Frame.ack != 0 }
    var endsStream: Bool { flags & Frame.endStream != 0 }
    /// The code of RST_STREAM or GOAWAY.
    var code: UInt32? {
        switch type {
        case Kind.reset: UInt32(payload[0..<4])
        case Kind.goAway: UInt32(payload[4..<8])
        default: nil
        }
    }
}

extension UInt32 {
    var bytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (24 - 8 * UInt32($0))) } }

    init(_ bytes: some Collection<UInt8>) { self = bytes.reduce(0) { $0 << 8 | UInt32($1) } }
}

/// Header compression, of which the tests use no more than fields as they are.
enum HPACK {
    static func literals(_ fields: [(String, String)]) -> [UInt8] {
        fields.flatMap { literal(Array($0.utf8), Array($1.utf8)) }
    }

    static func literal(_ name: [UInt8], _ value: [UInt8]) -> [UInt8] { [0] + string(name) + string(value) }

    private static func string(_ bytes: [UInt8]) -> [UInt8] {
        guard bytes.count >= 127 else { return [UInt8(bytes.count)] + bytes }
        var count = bytes.count - 127
        var length: [UInt8] = [127]
        while count >= 128 {
            length.append(UInt8(count & 127) | 128)
            count >>= 7
        }
        return length + [UInt8(count)] + bytes
    }
}

/// Reads the header blocks that a client sends.
final class FieldReader {
    private var inflater: OpaquePointer?

    init() { nghttp2_hd_inflate_new(&inflater) }
    deinit { nghttp2_hd_inflate_del(inflater) }

    /// The fields of a block as `name: value`, with a mark for those that are never to be kept.
    func fields(_ block: [UInt8]) -> [String] {
        var fields: [String] = []
        var rest = block[...]
        while true {
            var field = nghttp2_nv()
            var flags: Int32 = 0
            let count = rest.withUnsafeBufferPointer {
                nghttp2_hd_inflate_hd2(inflater, &field, &flags, $0.baseAddress, $0.count, 1)
            }
            guard count >= 0 else { return fields + ["error \(count)"] }
            rest = rest.dropFirst(Int(count))
            if flags & Int32(NGHTTP2_HD_INFLATE_EMIT.rawValue) != 0 {
                let name = String(
                    decoding: UnsafeBufferPointer(start: field.name, count: field.namelen),
                    as: UTF8.self,
                )
                let value = String(
                    decoding: UnsafeBufferPointer(start: field.value, count: field.valuelen),
                    as: UTF8.self,
                )
                let isSecret = UInt32(field.flags) & NGHTTP2_NV_FLAG_NO_INDEX.rawValue != 0
                fields.append("\(name): \(value)" + (isSecret ? " (secret)" : ""))
            }
            if flags & Int32(NGHTTP2_HD_INFLATE_FINAL.rawValue) != 0 { break }
            if count == 0, rest.isEmpty { break }
        }
        nghttp2_hd_inflate_end_headers(inflater)
        return fields
    }
}
#endif
