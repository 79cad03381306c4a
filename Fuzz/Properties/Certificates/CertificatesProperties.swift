#if os(Linux)
import Foundation

@testable import HikyakuBase
@testable import HikyakuHTTP
@testable import HikyakuWire

/// Reads certificates with their keys, in PEM and PKCS#12, authorities, and pins of keys.
func checkCertificates(_ input: FuzzInput) {
    switch input.choices[0] % 4 {
    case 0: readIdentity(files: input)
    case 1: readIdentity(pkcs12: input)
    case 2: readAuthorities(input)
    default: readPins(String(decoding: input.document, as: UTF8.self))
    }
}

private let password = "S3same0pen7341"

/// The input in a file, or in two, as the input chooses.
private func withFiles(_ input: FuzzInput, _ body: (String, String) -> Void) {
    let path = "\(FileManager.default.temporaryDirectory.path)/hikyaku-fuzz-\(getpid())"
    let parts = input.document.split(separator: 0x1E, maxSplits: 1, omittingEmptySubsequences: false)
    let paths = parts.count == 2 ? [path + ".pem", path + ".key"] : [path + ".pem"]
    defer { for path in paths { unlink(path) } }
    for (part, path) in zip(parts, paths) {
        guard (try? Data(part).write(to: URL(fileURLWithPath: path))) != nil else { return violation("no disk") }
    }
    body(paths[0], paths.last ?? path)
}

/// Files are an identity, the same one each time, or an error that names one of them and shows nothing of it.
private func readIdentity(files input: FuzzInput) {
    withFiles(input) { certificate, key in
        let secret = input.choices[1] & 1 == 0 ? nil : Secret(password)
        let source = TLSOptions.ClientCertificate(certificateFile: certificate, keyFile: key, keyPassword: secret)
        isIdentity(ClientIdentityFiles(source)) { $0.contains(certificate) || $0.contains(key) }
    }
}

private func readIdentity(pkcs12 input: FuzzInput) {
    let secret = [password, "", "1"][input.choice(1, of: 3)]
    isIdentity(ClientIdentityFiles(.pkcs12(input.document, password: Secret(secret)))) { $0.contains("PKCS#12") }
}

private func isIdentity(_ files: ClientIdentityFiles, _ isNamed: (String) -> Bool) {
    do throws(TransportError) {
        let first = try files.read()
        check(try files.read() === first, "the same file is another identity")
    } catch {
        check(error.reason == .tlsFailed && isNamed(error.message), "\(error)")
        check(!error.message.contains(password) && error.message.utf8.count < 400, "\(error)")
    }
}

/// What is not a certificate is trusted by nobody, and leaves nothing for the next.
private func readAuthorities(_ input: FuzzInput) {
    withFiles(input) { path, _ in
        let options = TLSOptions(trustedAuthorities: .file(path))
        let isTrusted = { (try? TLSContext(options)) != nil }
        let first = isTrusted()
        check(first == isTrusted(), "the same file is trusted once")
        let text = String(decoding: input.document, as: UTF8.self)
        check(!first || text.contains("-----BEGIN"), "a file without a certificate is trusted")
    }
}

/// A pin is the digest of a key, and is written as the same.
private func readPins(_ text: String) {
    let pins = text.split(separator: "\n", maxSplits: 5).map(String.init)
    switch PublicKeyPins.hashes(pins) {
    case .success(let hashes):
        check(1...pins.count ~= hashes.count && hashes.allSatisfy { $0.count == 32 }, "pins that are not digests")
        let written = hashes.map { "sha256/" + $0.base64EncodedString() }
        check((try? PublicKeyPins.hashes(written).get()) == hashes, "pins are written as others")
    case .failure(let error):
        check(error.reason == .tlsFailed && error.message.utf8.count < 200, "\(error)")
    }
}
#endif
