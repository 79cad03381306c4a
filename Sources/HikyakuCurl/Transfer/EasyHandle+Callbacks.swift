#if os(Linux)
import CCurl

// libcurl calls these on the thread of the loop's driver, while the handle is in flight and so is held by the loop.
extension EasyHandle {
    func setCallbacks() -> Bool {
        let codes = [
            hikyaku_curl_set_data_callback(pointer, CURLOPT_HEADERFUNCTION) { start, size, count, own in
                Transfer.at(own)?.pointee.receiveHeader(UnsafeRawBufferPointer(start: start, count: size * count)) ?? 0
            },
            hikyaku_curl_set_data_callback(pointer, CURLOPT_WRITEFUNCTION) { start, size, count, own in
                Transfer.at(own)?.pointee.receiveBody(UnsafeRawBufferPointer(start: start, count: size * count)) ?? 0
            },
            hikyaku_curl_set_data_callback(pointer, CURLOPT_READFUNCTION) { start, size, count, own in
                let room = UnsafeMutableRawBufferPointer(start: start, count: size * count)
                return Transfer.at(own)?.pointee.sendBody(into: room) ?? Int(CURL_READFUNC_ABORT)
            },
            hikyaku_curl_set_seek_callback(pointer) { own, offset, origin in
                Transfer.at(own)?.pointee.seekBody(to: offset, from: origin) ?? CURL_SEEKFUNC_FAIL
            },
            hikyaku_curl_set_resolver_start_callback(pointer) { _, _, own in
                Transfer.at(own)?.pointee.startsLookUp()
                return 0
            },
            hikyaku_curl_set_open_socket_callback(pointer) { own, _, address in
                Transfer.at(own)?.pointee.openSocket(address) ?? curl_socket_t(-1)
            },
            hikyaku_curl_set_prerequest_callback(pointer) { own, _, _, remotePort, localPort in
                let ports = KeptConnections.Ports(local: localPort, remote: remotePort)
                let maySend = Transfer.at(own)?.pointee.mayBeSent(over: ports) == true
                return Int32(maySend ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT)
            },
            hikyaku_curl_set_progress_callback(pointer) { own, _, _, _, uploaded in
                Transfer.at(own)?.pointee.progressed(uploaded)
                return Transfer.at(own)?.pointee.mayGoOnSending() == true ? 0 : 1
            },
        ]
        return codes.allSatisfy { $0 == CURLE_OK }
    }

    static func from(_ pointer: UnsafeMutableRawPointer?) -> EasyHandle? {
        pointer.map { Unmanaged<EasyHandle>.fromOpaque($0).takeUnretainedValue() }
    }
}

extension Transfer {
    fileprivate static func at(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<Transfer>? {
        pointer?.assumingMemoryBound(to: Transfer.self)
    }
}
#endif
