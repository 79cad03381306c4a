#if os(Linux)
import Foundation
import Testing

/// TLS servers on loopback, one for each kind of certificate, all made by openssl for this one value.
///
/// They end with the process's standard input, so with this value and with this process; see `Tests/Servers/tls.py`.
final class SecureServer {
    /// What is wrong with a certificate, if anything is.
    enum Kind: String, CaseIterable, Sendable {
        case good, expired, early, wronghost, stranger, alone
    }

    static let isPossible = ["openssl", "python3"].allSatisfy { name in
        ["/usr/bin/", "/usr/local/bin/"].contains { FileManager.default.isExecutableFile(atPath: $0 + name) }
    }

    let folder: URL
    private(set) var ports: [Kind: Int] = [:]
    private let process = Process()
    private let leash = Pipe()

    /// The authority that signed all certificates but that of a stranger, and that which is alone.
    var authority: String { folder.appending(path: "root.pem").path() }

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "hikyaku-secure-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let made = try Program.run(["/bin/sh", "-ec", Self.script], in: folder)
        try #require(made.status == 0, "\(made.output)")
        let listeners = Kind.allCases.map { kind in
            #"{"certificate": "\#(kind.rawValue).pem", "key": "\#(kind.rawValue).key"}"#
        }
        let server = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Servers/tls.py").path()
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = [
            "-c", #"cd "$0" && exec python3 "$@""#, folder.path(), server, "[\(listeners.joined(separator: ","))]",
        ]
        let output = Pipe()
        _ = fcntl(leash.fileHandleForWriting.fileDescriptor, F_SETFD, FD_CLOEXEC)
        process.standardInput = leash
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        var line = Data()
        while let byte = try output.fileHandleForReading.read(upToCount: 1), byte != Data("\n".utf8) { line += byte }
        let numbers = try JSONDecoder().decode([Int].self, from: line)
        ports = Dictionary(uniqueKeysWithValues: zip(Kind.allCases, numbers))
    }

    deinit {
        try? leash.fileHandleForWriting.close()
        process.waitUntilExit()
        try? FileManager.default.removeItem(at: folder)
    }

    private static let script = """
        cat > ca.conf <<END
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
        END
        : > index.txt
        request() { # name, alternative name, more
            name=$1 names=$2; shift 2
            openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj "/CN=$name" -keyout "$name.key" \
                -addext "subjectAltName=$names" "$@"
        }
        sign() { # name, authority, alternative name, from, until
            request "$1" "$3" -out "$1.csr"
            openssl ca -batch -notext -config ca.conf -cert "$2.pem" -keyfile "$2.key" -startdate "$4" -enddate "$5" \
                -in "$1.csr" -out "$1.pem"
        }
        for root in root other; do request $root "DNS:$root" -x509 -days 30 -out $root.pem; done
        request alone IP:127.0.0.1 -x509 -days 30 -out alone.pem
        sign good root IP:127.0.0.1 20200101000000Z 20991231235959Z
        sign expired root IP:127.0.0.1 20200101000000Z 20200102000000Z
        sign early root IP:127.0.0.1 20980101000000Z 20991231235959Z
        sign wronghost root DNS:elsewhere.example 20200101000000Z 20991231235959Z
        sign stranger other IP:127.0.0.1 20200101000000Z 20991231235959Z
        """
}

/// Programs that run to their end.
enum Program {
    static func run(
        _ words: [String],
        in folder: URL,
        environment: [String: String] = [:],
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        // Foundation would change the folder of this whole process for a moment.
        process.executableURL = URL(filePath: "/bin/sh")
        process.arguments = ["-c", #"cd "$0" && exec "$@""#, folder.path()] + words
        process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
        let pipe = Pipe()
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = pipe
        process.standardError = pipe
        try process.run()
        let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return (process.terminationStatus, String(decoding: output, as: UTF8.self))
    }
}
#endif
