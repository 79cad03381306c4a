import CCurl
import HikyakuHTTP

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif
#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

// libcurl calls these on the loop's thread, while the handle is in flight and so is held by the loop.
extension EasyHandle {
    func setCallbacks() -> Bool {
        let codes = [
            hikyaku_curl_set_data_callback(pointer, CURLOPT_HEADERFUNCTION) { start, size, count, own in
                EasyHandle.from(own)?.receiveHeader(UnsafeRawBufferPointer(start: start, count: size * count)) ?? 0
            },
            hikyaku_curl_set_data_callback(pointer, CURLOPT_WRITEFUNCTION) { start, size, count, own in
                EasyHandle.from(own)?.receiveBody(UnsafeRawBufferPointer(start: start, count: size * count)) ?? 0
            },
            hikyaku_curl_set_data_callback(pointer, CURLOPT_READFUNCTION) { start, size, count, own in
                let room = UnsafeMutableRawBufferPointer(start: start, count: size * count)
                return EasyHandle.from(own)?.sendBody(into: room) ?? Int(CURL_READFUNC_ABORT)
            },
            hikyaku_curl_set_seek_callback(pointer) { own, offset, origin in
                EasyHandle.from(own)?.seekBody(to: offset, from: origin) ?? CURL_SEEKFUNC_FAIL
            },
            hikyaku_curl_set_open_socket_callback(pointer) { own, _, address in
                EasyHandle.from(own)?.openSocket(address) ?? curl_socket_t(-1)
            },
            hikyaku_curl_set_close_socket_callback(pointer) { poller, socket in
                SocketPoller.from(poller)?.close(socket) ?? -1
            },
            hikyaku_curl_set_prerequest_callback(pointer) { own, _, _, _, _ in
                EasyHandle.from(own)?.mayBeSent() == true ? Int32(CURL_PREREQFUNC_OK) : Int32(CURL_PREREQFUNC_ABORT)
            },
        ]
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> EasyHandle? {
        pointer.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }

    // MARK: - Receiving

    /// Returns the number of bytes taken; any other than all ends the transfer.
    private func receiveHeader(_ line: UnsafeRawBufferPointer) -> Int {
        switch head.append(line) {
        case nil:
            break
        case .tooLarge?:
            fail(.headersTooLarge, ResponseHead.tooLargeText)
            return 0
        case .malformed(let what)?:
            fail(.malformedResponse, what)
            return 0
        }
        if head.isComplete, let exchange, let length = announcedLength, length > exchange.bodyBytesMax, bodyMayCome {
            fail(.bodyTooLarge, "the body has \(length) bytes, the limit is \(exchange.bodyBytesMax)")
            return 0
        }
        return line.count
    }

    /// Whether the length in the header block is that of a body which follows.
    private var bodyMayCome: Bool {
        exchange?.request.method != .head && head.status != 204 && head.status != 304
    }

    private func receiveBody(_ bytes: UnsafeRawBufferPointer) -> Int {
        guard let exchange else { return 0 }
        guard bytes.count <= exchange.bodyBytesMax - body.count else {
            fail(.bodyTooLarge, "the body has more than \(exchange.bodyBytesMax) bytes")
            return 0
        }
        let expected = body.count == 0 ? announcedLength : nil
        guard body.append(bytes, expecting: expected) else {
            fail(.transportFailed, "there is no memory for the body")
            return 0
        }
        return bytes.count
    }

    // MARK: - Sending

    private func sendBody(into room: UnsafeMutableRawBufferPointer) -> Int {
        let end = min(uploadPosition + room.count, upload.count)
        guard uploadPosition < end else { return 0 }
        let first = upload.startIndex
        let copied = upload.copyBytes(to: room, from: (first + uploadPosition)..<(first + end))
        uploadPosition += copied
        return copied
    }

    private func seekBody(to offset: curl_off_t, from origin: Int32) -> Int32 {
        guard origin == SEEK_SET, 0...upload.count ~= Int(offset) else { return CURL_SEEKFUNC_FAIL }
        uploadPosition = Int(offset)
        return CURL_SEEKFUNC_OK
    }

    /// No socket is opened for who gave up meanwhile.
    private func openSocket(_ address: UnsafeMutablePointer<curl_sockaddr>?) -> curl_socket_t {
        guard let address, exchange?.isWaiting == true else { return -1 }
        hasOpenedSocket = true
        return poller.open(address.pointee)
    }

    /// libcurl asks before it sends, and again before it sends once more because a kept connection turned out to be dead.
    ///
    /// The server may have acted on the first one even so, so that only idempotent requests may go twice
    /// (RFC 9110, section 9.2.2).
    private func mayBeSent() -> Bool {
        guard let exchange, exchange.isWaiting else { return false }
        sendCount += 1
        if sendCount == 1 || exchange.request.method.isIdempotent { return true }
        fail(.connectionClosed, "the kept connection was closed, and \(exchange.request.method) is not sent twice")
        return false
    }

    private func fail(_ reason: FailureReason, _ text: String) {
        failure = error(reason, text)
    }
}
