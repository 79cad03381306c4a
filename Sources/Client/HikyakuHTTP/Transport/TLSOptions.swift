import HikyakuBase

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The authorities that a transport trusts over TLS, and its client certificates.
///
/// ```swift
/// var tls = TLSOptions()
/// tls.trustedAuthorities = .systemAndFile("/etc/example/root.pem")
/// tls.pins["api.example"] = ["sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="]
/// ```
/// Servers' certificates are verified against the authorities and the host's name. Options for single hosts have a name
/// or an address as their key; `*.api.example` applies to all hosts one label below, and an exact name takes
/// precedence. A host is found in any spelling: in any case, with a dot at its end, as `127.1` for `127.0.0.1`. A key
/// that can't be a host, such as `https://api.example` or `api.example:443`, fails all requests to which it might
/// apply.
///
/// Files are in the PEM format. An unusable file fails the requests that need it with ``FailureReason/tlsFailed``,
/// whose message names the property; there is no fallback to weaker options.
public struct TLSOptions: Sendable {
    /// A version of the protocol.
    ///
    /// ```swift
    /// var tls = TLSOptions()
    /// tls.minimumVersion = .tls13
    /// ```
    public enum Version: Int, Sendable, Hashable, Comparable {
        /// TLS 1.2 ([RFC 5246](https://www.rfc-editor.org/rfc/rfc5246)).
        case tls12 = 12
        /// TLS 1.3 ([RFC 8446](https://www.rfc-editor.org/rfc/rfc8446)).
        case tls13 = 13

        /// Whether one is older than the other.
        public static func < (first: Version, second: Version) -> Bool { first.rawValue < second.rawValue }
    }

    /// The authorities that sign trusted certificates.
    ///
    /// ```swift
    /// var tls = TLSOptions()
    /// tls.trustedAuthorities = .file("/etc/example/root.pem")  // and none of the system's
    /// ```
    public struct Authorities: Sendable, Hashable {
        package let includesSystem: Bool
        package let file: String?

        /// The system's authorities.
        public static let system = Authorities(includesSystem: true, file: nil)

        /// The authorities in a file, and no others: for a service with its own root.
        ///
        /// On Linux, one that is signed by another authority is trusted without that.
        public static func file(_ path: String) -> Authorities { Authorities(includesSystem: false, file: path) }

        /// The authorities in a file by its URL, and no others.
        public static func file(_ url: URL) -> Authorities { file(url.filePath) }

        /// The authorities in a file in addition to the system's.
        public static func systemAndFile(_ path: String) -> Authorities {
            Authorities(includesSystem: true, file: path)
        }
    }

    /// The certificate by which a client authenticates to a server, with its private key.
    ///
    /// ```swift
    /// var tls = TLSOptions()
    /// tls.clientCertificates["api.example"] = TLSOptions.ClientCertificate(
    ///     certificateFile: "/etc/reader/client.pem",
    ///     keyFile: "/etc/reader/client.key",
    /// )
    /// ```
    public struct ClientCertificate: Sendable, Hashable {
        package enum Source: Sendable, Hashable {
            case files(certificate: String, key: String, password: Secret<String>?)
            case pkcs12(Secret<Data>, password: Secret<String>)
            case keychain(label: String)
        }

        package let source: Source

        /// Names files in the PEM format; they are read for each new connection, so that a renewed certificate is used.
        ///
        /// Renew the files by replacing them as a whole, by renaming. Replace the certificate together with its key,
        /// which one file for both ensures: if they don't match, the request fails. `WireTransport` supports this;
        /// Apple's platforms can't make an identity of such files.
        ///
        /// - Parameters:
        ///   - certificateFile: The path of the file with the certificate, followed by intermediate ones, if any.
        ///   - keyFile: The path of the file with the certificate's private key; it may be the same file.
        ///   - keyPassword: The password of the key, if it is encrypted.
        public init(certificateFile: String, keyFile: String, keyPassword: Secret<String>? = nil) {
            source = .files(certificate: certificateFile, key: keyFile, password: keyPassword)
        }

        private init(_ source: Source) {
            self.source = source
        }

        /// A certificate and its key in the PKCS#12 format: the content of a `.p12` or `.pfx` file.
        ///
        /// Every transport with ``TLSOptions`` supports this. Apple's platforms need a password that is not empty.
        ///
        /// [RFC 7292](https://www.rfc-editor.org/rfc/rfc7292)
        ///
        /// - Parameters:
        ///   - bytes: The content of the file.
        ///   - password: Its password.
        /// - Returns: The certificate.
        public static func pkcs12(_ bytes: Data, password: Secret<String>) -> ClientCertificate {
            ClientCertificate(.pkcs12(Secret(bytes), password: password))
        }

        /// A certificate with its key in the keychain of an Apple platform.
        ///
        /// - Parameter label: The label of the identity; on macOS usually the name of the certificate.
        /// - Returns: The certificate.
        public static func keychain(label: String) -> ClientCertificate {
            ClientCertificate(.keychain(label: label))
        }
    }

    /// The authorities that sign trusted servers' certificates; the system's by default.
    public var trustedAuthorities: Authorities
    /// The oldest version that is accepted; TLS 1.2 by default.
    public var minimumVersion: Version
    /// The client's certificates, by host; a certificate is sent to no other host.
    public var clientCertificates: [String: ClientCertificate]
    /// The public keys of which a host must have one, in addition to a trusted certificate, by host.
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

    /// The same options, but without verification of some hosts' certificates: for tests on your machine, never for
    /// users.
    ///
    /// Anyone who can intercept the connection can impersonate such a host. Prefer ``Authorities/file(_:)`` with the
    /// certificate of the test's server. Pins still apply.
    ///
    /// - Parameter hosts: The hosts, written as the keys of ``pins``.
    /// - Returns: The changed options.
    public func disablingCertificateVerificationWhichLetsAnyoneReadAndChangeEverything(
        at hosts: String...
    ) -> TLSOptions {
        var options = self
        options.unverifiedHosts += hosts
        return options
    }
}

/// Reads pins of public keys.
///
/// [RFC 7469, section 2.4](https://www.rfc-editor.org/rfc/rfc7469#section-2.4)
package enum PublicKeyPins {
    /// The hashes in pins.
    ///
    /// - Returns: The hashes; an error for a pin that is not a SHA-256 digest, and for an empty list, since no key
    ///   could match it.
    package static func hashes(_ pins: [String]) -> Result<Set<Data>, TransportError> {
        var hashes: Set<Data> = []
        for pin in pins {
            // Some tools write two slashes, and a hash may begin with one; the length distinguishes both.
            let candidates = ["sha256/", "sha256//"].filter { pin.hasBytePrefix($0) }.map { prefix in
                Data(base64Encoded: String(Substring(pin.utf8.dropFirst(prefix.utf8.count))))
            }
            guard let hash = candidates.first(where: { $0?.count == 32 }) ?? nil else {
                return .failure(HTTPCause.pinOption.error("TLSOptions.pins: a pin is not a SHA-256 digest in base64"))
            }
            hashes.insert(hash)
        }
        guard !hashes.isEmpty else {
            return .failure(HTTPCause.pinOption.error("TLSOptions.pins: a host has no pins"))
        }
        return .success(hashes)
    }

    /// The error for a key that matches no pin.
    package static let mismatch = HTTPCause.pinMismatch.error("the server's public key matches none of the host's pins")
}
