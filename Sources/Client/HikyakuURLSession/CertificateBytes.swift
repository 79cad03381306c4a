import Foundation
import HikyakuHTTP

/// Reads certificates as far as Apple's frameworks have no function for it.
enum CertificateBytes {
    /// A chain of authorities has a tenth of that.
    static let fileBytesMax = 4 << 20

    /// The certificates of a PEM file ([RFC 7468](https://www.rfc-editor.org/rfc/rfc7468)) in their binary form; `nil`
    /// if one of them can't be read, and empty if there is none.
    static func pem(_ text: String) -> [Data]? {
        var (certificates, base64) = ([Data](), String?.none)
        for line in text.utf8.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            switch String(Substring(line)).trimmingSpaces {
            case "-----BEGIN CERTIFICATE-----", "-----BEGIN X509 CERTIFICATE-----":
                guard base64 == nil else { return nil }
                base64 = ""
            case "-----END CERTIFICATE-----", "-----END X509 CERTIFICATE-----":
                guard let text = base64, let bytes = Data(base64Encoded: text), !bytes.isEmpty else { return nil }
                certificates.append(bytes)
                base64 = nil
            case let content: base64? += String(content)
            }
        }
        return base64 == nil ? certificates : nil
    }

    /// The SubjectPublicKeyInfo of a certificate, with its head, which a pin is the hash of; `nil` if it is malformed.
    ///
    /// Apple's frameworks have only the key itself, without the algorithm.
    ///
    /// [RFC 5280, section 4.1](https://www.rfc-editor.org/rfc/rfc5280#section-4.1)
    static func publicKeyInfo(of certificate: Data) -> Data? {
        var outer = DERReader(certificate[...])
        guard let certificate = outer.read(0x30)?.content else { return nil }
        var middle = DERReader(certificate)
        guard let toBeSigned = middle.read(0x30)?.content else { return nil }
        var fields = DERReader(toBeSigned)
        // The version, which version 1 leaves out.
        _ = fields.read(0xA0)
        // Serial number, signature algorithm, issuer, validity, subject.
        for tag: UInt8 in [0x02, 0x30, 0x30, 0x30, 0x30] {
            guard fields.read(tag) != nil else { return nil }
        }
        return fields.read(0x30).map { Data($0.whole) }
    }
}

/// Reads one value after the other of the Distinguished Encoding Rules (ITU-T X.690).
private struct DERReader {
    private var rest: Data

    init(_ bytes: Data) {
        rest = bytes
    }

    /// The next value if it has this tag: its content, and the whole of it with its head.
    mutating func read(_ tag: UInt8) -> (content: Data, whole: Data)? {
        guard rest.first == tag, let (length, headCount) = length, length <= rest.count - headCount else { return nil }
        let whole = rest.prefix(headCount + length)
        rest = rest.dropFirst(whole.count)
        return (whole.dropFirst(headCount), whole)
    }

    /// The length of the next value's content, and that of its head; lengths of more than four bytes don't occur.
    private var length: (content: Int, head: Int)? {
        guard let first = rest.dropFirst().first else { return nil }
        guard first >= 0x80 else { return (Int(first), 2) }
        let count = Int(first & 0x7F)
        let bytes = rest.dropFirst(2).prefix(count)
        guard 1...4 ~= count, bytes.count == count else { return nil }
        let length = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        return Int(exactly: length).map { ($0, 2 + count) }
    }
}
