import HikyakuBase

/// An option of curl: what it takes, and what it means for a request.
struct CurlOption: Sendable {
    enum Effect: Sendable {
        case method, header, json, form, formString, get, user, cookie, head, userAgent, referer, url, upload, bearer
        case maxTime, next, unbuffered
        /// An item that is added to the query of the URL.
        case query
        /// A body: as it is, with files, or percent-encoded.
        case data(Data)
        /// It changes what curl prints or writes, or is what the client does anyway.
        case none
        /// It has no place in a request; the text says what has the same effect.
        case elsewhere(String)
    }

    enum Data: Sendable { case plain, raw, binary, encoded }

    let long: String
    let short: UInt8?
    let takesValue: Bool
    let effect: Effect

    private init(_ long: String, _ short: String? = nil, value: Bool = false, _ effect: Effect) {
        (self.long, self.short, takesValue, self.effect) = (long, short?.utf8.first, value, effect)
    }

    /// The option with a long name, without the hyphens; abbreviations that are unique count.
    static func option(long name: String) -> CurlOption? {
        if let exact = byName[name] { return exact }
        let candidates = all.filter { $0.long.begins(with: name) }
        return candidates.count == 1 ? candidates[0] : nil
    }

    static func option(short: UInt8) -> CurlOption? { byLetter[short] }

    private static let byName = Dictionary(all.map { ($0.long, $0) }) { first, _ in first }
    private static let byLetter = Dictionary(
        all.compactMap { option in option.short.map { ($0, option) } }
    ) { first, _ in first }

    /// The long name that is written almost like another text.
    static func nearest(to name: String) -> String? {
        Spelling.suggestion(for: name, among: all.map(\.long))
    }

    /// The longest name of an option with a value that a text begins with: its value may be glued to it.
    static func start(of text: String) -> String? {
        let names = all.filter { $0.takesValue && $0.long.utf8.count < text.utf8.count && text.begins(with: $0.long) }
        return names.map(\.long).max { $0.utf8.count < $1.utf8.count }
    }

    private static let all: [CurlOption] = meant + elsewhere + silent

    private static let meant: [CurlOption] = [
        .init("request", "X", value: true, .method), .init("header", "H", value: true, .header),
        .init("data", "d", value: true, .data(.plain)), .init("data-ascii", value: true, .data(.plain)),
        .init("data-raw", value: true, .data(.raw)), .init("data-binary", value: true, .data(.binary)),
        .init("data-urlencode", value: true, .data(.encoded)), .init("json", value: true, .json),
        .init("form", "F", value: true, .form), .init("form-string", value: true, .formString),
        .init("get", "G", .get), .init("user", "u", value: true, .user), .init("cookie", "b", value: true, .cookie),
        .init("head", "I", .head), .init("user-agent", "A", value: true, .userAgent),
        .init("referer", "e", value: true, .referer), .init("url", value: true, .url),
        .init("upload-file", "T", value: true, .upload), .init("oauth2-bearer", value: true, .bearer),
        .init("max-time", "m", value: true, .maxTime), .init("next", ":", .next),
        .init("url-query", value: true, .query), .init("no-buffer", "N", .unbuffered),
    ]

    /// Settings of a client, and what a request can't have: options without and with a value, and the reason.
    private static let settings: [(flags: String, values: String, reason: String)] = [
        ("k,insecure proxy-insecure", "", "certificates are checked; see TLSOptions for trusting one of your own"),
        (
            """
            2,sslv2 3,sslv3 ca-native false-start no-npn ssl-allow-beast ssl-auto-client-cert ssl-no-revoke \
            ssl-revoke-best-effort tls-earlydata
            """,
            """
            E,cert cacert capath pinnedpubkey cert-type key key-type pass tls-max ciphers tls13-ciphers crlfile curves \
            ech egd-file random-file sigalgs ssl-sessions tlsauthtype tlspassword tlsuser
            """,
            "TLS is a setting of the client: TLSOptions",
        ),
        (
            """
            p,proxytunnel proxy-anyauth proxy-basic proxy-ca-native proxy-digest proxy-http2 proxy-negotiate \
            proxy-ntlm proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tlsv1 haproxy-protocol socks5-basic \
            socks5-gssapi socks5-gssapi-nec
            """,
            """
            x,proxy U,proxy-user proxy-header noproxy preproxy proxy1.0 socks5 socks5-hostname socks4 socks4a \
            socks5-gssapi-service haproxy-clientip proxy-cacert proxy-capath proxy-cert proxy-cert-type \
            proxy-ciphers proxy-crlfile proxy-key proxy-key-type proxy-pass proxy-pinnedpubkey proxy-service-name \
            proxy-tls13-ciphers proxy-tlsauthtype proxy-tlspassword proxy-tlsuser
            """,
            "a proxy is a setting of the client: HTTPProxy",
        ),
        (
            "retry-all-errors retry-connrefused", "retry retry-delay retry-max-time",
            "retries are a setting of the client: RetryPolicy",
        ),
        ("", "connect-timeout", "it is a setting of the client: TransportTimeouts"),
        (
            "", "aws-sigv4",
            "a RequestSigner of your own computes such a signature for each request, as HMACSigner does",
        ),
        (
            "digest ntlm ntlm-wb negotiate anyauth", "delegation service-name",
            "such a credential answers a challenge of the service: a middleware of your own can send the request again",
        ),
        ("n,netrc netrc-optional", "netrc-file", "a file of passwords is not read; authorize a client instead"),
        ("j,junk-session-cookies", "c,cookie-jar", "cookies are kept by a setting of the client: CookieStore"),
        ("", "C,continue-at", "see FileRequest for downloads that continue"),
        (
            "O,remote-name J,remote-header-name remote-name-all", "o,output output-dir",
            "the request gets the response; see FileRequest for writing it to a file",
        ),
        ("", "r,range z,time-cond etag-compare", "add a field such as Range by the property 'headers'"),
        ("form-escape", "", "the client escapes names and values of forms"),
        ("", "max-redirs", "redirects are a setting: RedirectPolicy"),
        ("location-trusted", "", "credentials stay at their origin"),
        ("", "K,config variable", "options in files and variables are not read"),
        (
            "", "unix-socket",
            "on Linux, name the socket for the URL's host in WireOptions.unixSockets; elsewhere publish it on a port",
        ),
        (
            "", "abstract-unix-socket",
            "the client connects by TCP, and by sockets with a path: WireOptions.unixSockets",
        ),
        ("", "resolve", "on Linux, give the host's addresses in WireOptions.hostAddresses"),
        (
            "doh-insecure doh-cert-status",
            "interface dns-servers doh-url dns-interface dns-ipv4-addr dns-ipv6-addr",
            "names and interfaces are chosen by the system",
        ),
        ("", "connect-to", "see client.substituting(_:for:) for another server"),
        ("", "request-target limit-rate hsts alt-svc ip-tos vlan-priority", "there is nothing like it"),
        (
            """
            a,append crlf disable-eprt disable-epsv ftp-create-dirs ftp-pasv ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc \
            ftp-ssl-control l,list-only mail-rcpt-allowfails sasl-ir ssl tftp-no-options B,use-ascii
            """,
            """
            ftp-account ftp-alternative-to-user ftp-method P,ftp-port ftp-ssl-ccc-mode hostpubmd5 hostpubsha256 \
            ipfs-gateway krb login-options mail-auth mail-from mail-rcpt pubkey Q,quote sasl-authzid t,telnet-option \
            tftp-blksize
            """,
            "it belongs to another protocol than HTTP",
        ),
    ]

    private static let elsewhere: [CurlOption] = settings.flatMap { flags, values, reason in
        options(flags, value: false, .elsewhere(reason)) + options(values, value: true, .elsewhere(reason))
    }

    /// What curl prints and writes, and what the client does by itself.
    private static let silent: [CurlOption] =
        options(
            """
            s,silent S,show-error i,include v,verbose f,fail L,location #,progress-bar g,globoff 4,ipv4 \
            6,ipv6 0,http1.0 1,tlsv1 Z,parallel R,remote-time q,disable basic compressed fail-with-body fail-early \
            http1.1 http2 http2-prior-knowledge http3 http3-only tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 no-progress-meter \
            no-keepalive keepalive tcp-nodelay create-dirs path-as-is trace-time sessionid ssl-reqd raw tr-encoding \
            post301 post302 post303 styled-output tcp-fastopen alpn cert-status compressed-ssh progress-meter \
            remove-on-error show-headers M,manual V,version disallow-username-in-url dump-ca-embed follow http0.9 \
            ignore-content-length metalink mptcp no-clobber out-null parallel-immediate skip-existing \
            suppress-connect-headers trace-ids xattr
            """,
            value: false,
            .none,
        )
        + options(
            """
            w,write-out D,dump-header stderr trace trace-ascii trace-config create-file-mode Y,speed-limit \
            y,speed-time keepalive-time keepalive-cnt proto proto-default proto-redir parallel-max max-filesize \
            libcurl expect100-timeout happy-eyeballs-timeout-ms etag-save local-port rate engine
            """,
            value: true,
            .none,
        )

    /// Options of a list such as `s,silent raw`.
    private static func options(_ names: String, value: Bool, _ effect: Effect) -> [CurlOption] {
        names.split(separator: " ").map { name in
            let parts = name.split(separator: ",").map(String.init)
            return CurlOption(parts[parts.count - 1], parts.count == 2 ? parts[0] : nil, value: value, effect)
        }
    }
}
