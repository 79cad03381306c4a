/// Whom a transport trusts over TLS, and as whom it speaks.
///
/// ```swift
/// var tls = TLSOptions()
/// tls.trustedAuthorities = .systemAndFile("/etc/example/root.pem")
/// tls.pins["api.example"] = ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
/// ```
/// Servers' certificates are verified against the authorities and the host's name. What is said of single hosts is
/// keyed by name or address; `*.api.example` stands for all hosts one label below, and an exact name wins over it. A
/// host is known however it is spelled: in any case, with a dot at its end, as `127.1` for `127.0.0.1`. A key that can
/// be no host, such as `https://api.example` or `api.example:443`, fails all requests that it might have been meant
/// for.
///
/// Files are in the PEM form. One that can't be used fails the requests that need it with
/// ``FailureReason/tlsFailed``, whose message names the property; nothing falls back to something weaker.
public struct TLSOptions: Sendable {
    /// A version of the protocol.
    public enum Version: Int, Sendable, Hashable, Comparable {
        /// TLS 1.2 ([RFC 5246](https://www.rfc-editor.org/rfc/rfc5246)).
        case tls12 = 12
        /// TLS 1.3 ([RFC 8446](https://www.rfc-editor.org/rfc/rfc8446)).
        case tls13 = 13

        /// Whether one is older than the other.
        public static func < (first: Version, second: Version) -> Bool { first.rawValue < second.rawValue }
    }

    /// Whose signature makes a certificate trusted.
    public struct Authorities: Sendable, Hashable {
        package let includesSystem: Bool
        package let file: String?

        /// Those that the system trusts.
        public static let system = Authorities(includesSystem: true, file: nil)

        /// Those in a file, and no others: for a service with a root of its own.
        public static func file(_ path: String) -> Authorities { Authorities(includesSystem: false, file: path) }

        /// Those in a file beside those that the system trusts.
        public static func systemAndFile(_ path: String) -> Authorities {
            Authorities(includesSystem: true, file: path)
        }
    }

    /// What the client proves to a server who it is with.
    public struct ClientCertificate: Sendable, Hashable {
        /// The path of the file with the certificate, followed by those between it and the root, if any.
        public var certificateFile: String
        /// The path of the file with the certificate's private key; it may be the same one.
        public var keyFile: String
        /// What the key is encrypted with, if it is.
        public var keyPassword: Secret<String>?

        /// Names the files; they are read with each new connection, so that a renewed certificate is picked up.
        ///
        /// Files that are renewed while connections are opened have to be replaced as a whole, by renaming, and the
        /// certificate together with its key, which one file for both ensures: those that don't fit each other fail
        /// the request.
        public init(certificateFile: String, keyFile: String, keyPassword: Secret<String>? = nil) {
            self.certificateFile = certificateFile
            self.keyFile = keyFile
            self.keyPassword = keyPassword
        }
    }

    /// Whose signature makes a server's certificate trusted; the system's authorities by default.
    public var trustedAuthorities: Authorities
    /// The oldest version that is spoken; TLS 1.2 by default.
    public var minimumVersion: Version
    /// With what the client proves who it is, by host: no other host is shown the certificate, whoever asks for it.
    public var clientCertificates: [String: ClientCertificate]
    /// The public keys of which a host must have one, in addition to a certificate that is trusted, by host.
    ///
    /// A pin is `sha256/` and the hash of the key's SubjectPublicKeyInfo in base64.
    /// Give at least one more than is in use, so that the server's key can be changed. `openssl x509 -in cert.pem
    /// -noout -pubkey | openssl pkey -pubin -outform der | openssl dgst -sha256 -binary | base64` prints the hash.
    ///
    /// [RFC 7469, section 2.4](https://www.rfc-editor.org/rfc/rfc7469#section-2.4)
    public var pins: [String: [String]]
    /// The hosts whose certificates aren't verified.
    package private(set) var unverifiedHosts: [String] = []

    /// Makes options; what isn't given has its default.
    public init(
        trustedAuthorities: Authorities = .system,
        minimumVersion: Version = .tls12,
        clientCertificates: [String: ClientCertificate] = [:],
        pins: [String: [String]] = [:],
    ) {
        self.trustedAuthorities = trustedAuthorities
        self.minimumVersion = minimumVersion
        self.clientCertificates = clientCertificates
        self.pins = pins
    }

    /// The same options, by which some hosts may have any certificate: for a test on the own machine, never for users.
    ///
    /// Whoever can touch the connection can pose as such a host. Prefer ``Authorities/file(_:)`` with the certificate
    /// of the test's server. Pins hold even so.
    ///
    /// - Parameter hosts: Which hosts, as keys of ``pins`` name them.
    /// - Returns: Options that differ in this alone.
    public func disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(
        at hosts: String...
    ) -> TLSOptions {
        var options = self
        options.unverifiedHosts += hosts
        return options
    }
}
