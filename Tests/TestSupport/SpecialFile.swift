import Foundation

/// Files that are not regular ones, in folders of tests.
///
/// On Apple's platforms none is made: a path in the folder of temporary files may be longer than a socket's may be.
package enum SpecialFile {
    /// Binds a Unix domain socket at the path; `false` if it isn't there then.
    package static func makeSocket(at path: String) -> Bool {
        #if os(Linux)
        var address = sockaddr_un()
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        guard descriptor >= 0, path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        defer { close(descriptor) }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        #else
        return false
        #endif
    }

    /// Makes a device like `/dev/null` at the path; `false` if this user or the file system doesn't allow it.
    package static func makeDevice(at path: String) -> Bool {
        #if os(Linux)
        // Major number 1, minor number 3.
        return mknod(path, S_IFCHR | 0o600, 1 << 8 | 3) == 0
        #else
        return false
        #endif
    }

    /// Whether sockets are made here, for the condition of a test.
    package static var makesSockets: Bool {
        #if os(Linux)
        true
        #else
        false
        #endif
    }

    /// Whether this user and system allow devices, and whether one can be written into, for the condition of a test.
    package static let devices: (areMade: Bool, areWritable: Bool) = {
        let path = FileManager.default.temporaryDirectory.appending(path: "hikyaku-\(UUID().uuidString)")
            .path(percentEncoded: false)
        guard makeDevice(at: path) else { return (false, false) }
        defer { try? FileManager.default.removeItem(atPath: path) }
        let handle = FileHandle(forWritingAtPath: path)
        try? handle?.close()
        return (true, handle != nil)
    }()
}
