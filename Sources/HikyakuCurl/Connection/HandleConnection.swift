#if os(Linux)
import CCurl
import HikyakuHTTP

/// What is set on a handle for its connection, and stays from one exchange to the next.
struct HandleConnection: ~Copyable {
    let settings: ConnectionSettings
    fileprivate(set) var offersHTTP2: Bool?
    /// The URL for which the rules were made.
    fileprivate var url = ""
    fileprivate(set) var rules = HostRules()
    /// libcurl keeps no copy of the list.
    fileprivate var addressList = AddressList(nil)

    init(_ settings: ConnectionSettings) {
        self.settings = settings
    }
}

extension EasyHandle {
    /// Whether the response that just came was one of HTTP/2, so that further requests to its origin will share the
    /// connection.
    var hasSpokenHTTP2: Bool { number(CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0) }

    // MARK: - Each exchange

    /// Sets what an exchange's connection needs beyond what all have in common.
    ///
    /// - Throws: An error when what the options say can't be used.
    func setConnection(for exchange: Exchange) throws(TransportError) {
        do throws(TransportError) {
            let isSecure = exchange.isSecure
            // What is said of streamed bodies in CurlOptions.offersHTTP2 holds up to libcurl 8.23 at least.
            try setRules(for: exchange)
            let proxy = connection.rules.proxy
            if isSecure || proxy?.scheme == .https { _ = try connection.settings.trust.get() }
            // Through a proxy, libcurl 7.88 counts the connections of all origins as one's, and fails requests when a
            // server takes fewer streams than there are.
            let mayUseHTTP2 =
                isSecure && connection.settings.offersHTTP2 && !exchange.options.streamsBody && proxy == nil
            guard setHTTP2(mayUseHTTP2) else { throw TransportError(.transportFailed, "libcurl takes no version") }
        } catch {
            throw TransportError(error.reason, "\(exchange.hostAndPort): \(error.message)")
        }
    }

    /// Offers HTTP/2, and then waits for the answer of a connection that is being made rather than open one more.
    ///
    /// Over plain TCP, there is nothing to wait for.
    private func setHTTP2(_ isOffered: Bool) -> Bool {
        guard isOffered != connection.offersHTTP2 else { return true }
        connection.offersHTTP2 = isOffered
        return setLong(CURLOPT_HTTP_VERSION, Int(isOffered ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_1_1))
            && setLong(CURLOPT_PIPEWAIT, isOffered ? 1 : 0)
    }

    private func setRules(for exchange: Exchange) throws(TransportError) {
        guard connection.settings.hasHostRules, exchange.url != connection.url else { return }
        guard let origin = originInURL else { throw TransportError(.url, "the URL has no host") }
        let rules = try connection.settings.rules(for: origin)
        let old = connection.rules
        connection.url = exchange.url
        connection.rules = rules
        guard rules != old else { return }
        guard setTLS(rules), setWay(rules), setAddresses(rules.addresses) else {
            throw TransportError(.transportFailed, "libcurl can't do what the options say of the host")
        }
    }

    /// The origin as libcurl reads it, so that what is said of a host holds for the one that is connected to.
    private var originInURL: HTTPOrigin? {
        guard let scheme = partOfURL(CURLUPART_SCHEME), let host = partOfURL(CURLUPART_HOST) else { return nil }
        let port = partOfURL(CURLUPART_PORT).flatMap { Int($0) }
        return HTTPOrigin(scheme: scheme.lowercased(), host: host.lowercased(), port: port)
    }

    private func partOfURL(_ part: CURLUPart) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(parsedURL, part, &text, 0) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }

    private func setTLS(_ rules: HostRules) -> Bool {
        let certificate = rules.certificate
        // Without a password, OpenSSL would ask for one on the terminal.
        let password = certificate.map { $0.keyPassword?.reveal() ?? "" }
        return setLong(CURLOPT_SSL_VERIFYPEER, rules.isVerified ? 1 : 0)
            && setLong(CURLOPT_SSL_VERIFYHOST, rules.isVerified ? 2 : 0)
            && setText(CURLOPT_PINNEDPUBLICKEY, rules.pins)
            && setText(CURLOPT_SSLCERT, certificate?.certificateFile) && setText(CURLOPT_SSLKEY, certificate?.keyFile)
            && setText(CURLOPT_KEYPASSWD, password)
    }

    private func setWay(_ rules: HostRules) -> Bool {
        // An empty text keeps libcurl from looking into the environment.
        setText(CURLOPT_UNIX_SOCKET_PATH, rules.unixSocket) && setText(CURLOPT_PROXY, rules.proxy?.url ?? "")
            && setText(CURLOPT_PROXYUSERNAME, rules.proxy?.credentials?.username)
            && setText(CURLOPT_PROXYPASSWORD, rules.proxy?.credentials?.password.reveal())
    }

    private func setAddresses(_ addresses: HostRules.Addresses?) -> Bool {
        let list = AddressList(addresses)
        let code = hikyaku_curl_set_list(pointer, CURLOPT_RESOLVE, list.pointer)
        // Only now may the list go that the handle had until here.
        connection.addressList = list
        return code == CURLE_OK
    }

    // MARK: - All exchanges

    /// Sets what holds for every connection of the transport.
    func setConnectionBase() -> Bool {
        let isModern = connection.settings.minimumVersion >= .tls13
        let version = Int((isModern ? CURL_SSLVERSION_TLSv1_3 : CURL_SSLVERSION_TLSv1_2))
        return setTLS(HostRules()) && setTrust() && setProxy() && setLong(CURLOPT_SSLVERSION, version)
            && setLong(CURLOPT_PROXY_SSLVERSION, version)
    }

    /// What holds for hosts holds for a proxy that is spoken to over TLS, too.
    private func setTrust() -> Bool {
        // With options that can't be used, no exchange that needs them begins.
        guard let trust = try? connection.settings.trust.get() else { return true }
        switch trust {
        case .system:
            return true
        case .file(let path, let folder):
            return setText(CURLOPT_CAINFO, path) && setText(CURLOPT_CAPATH, folder)
                && setText(CURLOPT_PROXY_CAINFO, path) && setText(CURLOPT_PROXY_CAPATH, folder)
        case .bundle(let bundle):
            var blob = curl_blob(data: bundle.bytes.baseAddress, len: bundle.bytes.count, flags: 0)
            return hikyaku_curl_set_pointer(pointer, CURLOPT_CAINFO_BLOB, &blob) == CURLE_OK
                && hikyaku_curl_set_pointer(pointer, CURLOPT_PROXY_CAINFO_BLOB, &blob) == CURLE_OK
        }
    }

    private func setProxy() -> Bool {
        setWay(HostRules()) && setText(CURLOPT_NOPROXY, "") && setLong(CURLOPT_SOCKS5_AUTH, Self.basicAuthentication)
    }

    /// `CURLAUTH_BASIC`, whose cast Swift doesn't import: a name and its password.
    private static let basicAuthentication = 1

    private func setText(_ option: CURLoption, _ value: String?) -> Bool {
        hikyaku_curl_set_string(pointer, option, value) == CURLE_OK
    }
}

/// The addresses of a host in libcurl's form.
struct AddressList: ~Copyable {
    private(set) var pointer: UnsafeMutablePointer<curl_slist>?

    init(_ addresses: HostRules.Addresses?) {
        guard let addresses else { return }
        let texts = addresses.addresses.joined(separator: ",")
        // Versions of libcurl differ on whether a dot at the end is part of the name.
        let names = Set([
            addresses.host, addresses.host.hasSuffix(".") ? String(addresses.host.dropLast()) : addresses.host,
        ])
        for name in names {
            guard let longer = curl_slist_append(pointer, "\(name):\(addresses.port):\(texts)") else { return }
            pointer = longer
        }
    }

    deinit {
        curl_slist_free_all(pointer)
    }
}
#endif
