#if os(Linux)
import Foundation
import Testing

/// An authority and certificates that it signed, made once by openssl for all tests of this process.
struct Certificates: Sendable {
    static let isPossible = Program.areInstalled("openssl", "python3")

    private let folder: URL

    /// Created by the first test that uses it; every file's name is `NAME.pem` with its key `NAME.key`.
    static var shared: Certificates {
        get async throws { try await made.value }
    }

    private static let made = Task { try await onOwnThread { try Certificates() } }
    private static let openssl = Program.find("openssl") ?? "openssl"
    private static let valid = (from: "20200101000000Z", to: "20991231235959Z")
    private static let names = "DNS:localhost,DNS:*.test.example,IP:127.0.0.1,IP:::1"

    func certificate(_ name: String) -> String { folder.appending(path: "\(name).pem").path() }
    func key(_ name: String) -> String { folder.appending(path: "\(name).key").path() }

    /// The file by which alone the servers' certificates are trusted.
    var authority: String { certificate("root") }

    /// The pin of a certificate's public key.
    func pin(_ name: String) async throws -> String {
        // Tests that run at the same time must not read each other's half-written file.
        let part = UUID().uuidString
        let output = "\(part).pin"
        let script = """
            "\(Self.openssl)" pkey -in \(name).key -pubout -outform der -out \(part).der &&
            "\(Self.openssl)" dgst -sha256 -binary -out \(part).sum \(part).der &&
            "\(Self.openssl)" base64 -A -in \(part).sum -out \(output)
            """
        try await onOwnThread { [folder] in try Program.run(["/bin/sh", "-c", script], in: folder) }
        return "sha256/" + (try String(contentsOf: folder.appending(path: output), encoding: .utf8))
    }

    /// A certificate, those that come with it, and its key, in one file as openssl writes it.
    func pkcs12(_ name: String, password: String) async throws -> Data {
        let output = "\(UUID().uuidString).p12"
        let words = [
            Self.openssl, "pkcs12", "-export", "-in", "\(name).pem", "-inkey", "\(name).key", "-passout",
            "pass:\(password)", "-out", output,
        ]
        try await onOwnThread { [folder] in try Program.run(words, in: folder) }
        return try Data(contentsOf: folder.appending(path: output))
    }

    private init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-certificates-\(getpid())")
        try? FileManager.default.removeItem(at: folder)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let configuration = """
            [ca]
            default_ca = authority
            [authority]
            database = index.txt
            new_certs_dir = .
            rand_serial = yes
            default_md = sha256
            policy = any
            copy_extensions = copy
            unique_subject = no
            [any]
            commonName = supplied
            """
        try Data(configuration.utf8).write(to: folder.appending(path: "ca.conf"))
        try Data().write(to: folder.appending(path: "index.txt"))
        for root in ["root", "stranger", "alone"] {
            try makeRoot(root, names: root == "alone" ? Self.names : nil)
        }
        try sign("server", by: "root")
        try sign("other", by: "root")
        try sign("expired", by: "root", (from: "20200101000000Z", to: "20200102000000Z"))
        try sign("early", by: "root", (from: "20980101000000Z", to: "20991231235959Z"))
        try sign("wronghost", by: "root", names: "DNS:elsewhere.example")
        // Its common name is that of the host, which it doesn't name otherwise.
        try sign("localhost", by: "root", names: nil)
        try sign("untrusted", by: "stranger")
        // The same with the root beside it, as a server sends them that has both in one file.
        let chain = try ["untrusted", "stranger"].map { try Data(contentsOf: folder.appending(path: "\($0).pem")) }
        try (chain[0] + chain[1]).write(to: folder.appending(path: "chained.pem"))
        try FileManager.default.copyItem(atPath: key("untrusted"), toPath: key("chained"))
        try sign("client", by: "root")
        // One that is signed by the root through another, which goes along.
        try sign("between", by: "root", names: nil, isAuthority: true)
        try sign("below", by: "between")
        let below = try ["below", "between"].map { try Data(contentsOf: folder.appending(path: "\($0).pem")) }
        try (below[0] + below[1]).write(to: folder.appending(path: "below.pem"))
        let encryption = ["pkey", "-in", "client.key", "-aes256", "-passout", "pass:opensesame", "-out", "locked.key"]
        try Program.run([Self.openssl] + encryption, in: folder)
    }

    private func makeRoot(_ name: String, names: String?) throws {
        var words = [
            Self.openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days",
            "30",
            "-subj", "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).pem",
        ]
        if let names { words += ["-addext", "subjectAltName=\(names)"] }
        try Program.run(words, in: folder)
    }

    private func sign(
        _ name: String,
        by root: String,
        names: String? = Self.names,
        _ dates: (from: String, to: String) = Self.valid,
        isAuthority: Bool = false,
    ) throws {
        var request = [
            Self.openssl, "req", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-subj",
            "/CN=\(name)", "-keyout", "\(name).key", "-out", "\(name).csr",
        ]
        if let names { request += ["-addext", "subjectAltName=\(names)"] }
        if isAuthority { request += ["-addext", "basicConstraints=critical,CA:TRUE"] }
        try Program.run(request, in: folder)
        let signing = [
            Self.openssl, "ca", "-batch", "-notext", "-config", "ca.conf", "-cert", "\(root).pem", "-keyfile",
            "\(root).key", "-startdate", dates.from, "-enddate", dates.to, "-in", "\(name).csr", "-out", "\(name).pem",
        ]
        try Program.run(signing, in: folder)
    }
}
#endif
