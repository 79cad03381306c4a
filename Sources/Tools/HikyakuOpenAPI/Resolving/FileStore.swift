import HikyakuBase

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The files of a document, each of which is read once.
final class FileStore {
    /// A file that was read.
    struct File {
        /// How keys name it: relative to the folder of the first file, or a URL; empty for the first file.
        var name: String
        /// `nil` if it could not be read.
        var root: DocumentNode?
        /// Why it could not be loaded, if the loader said so.
        var failure: String?
        /// The pointers of `$anchor` and `$id`, if they were searched for.
        var anchors: [String: String]?
    }

    private(set) var files: [File] = []
    private let options: ReadingOptions
    private let findings: Findings
    /// The folder of the first file with its last slash, and that file's name in it.
    private let folder: String
    private let firstName: String
    private var numbers: [String: Int32] = [:]
    /// The bytes of all files that were read.
    private(set) var byteCount = 0

    init(path: String, options: ReadingOptions, findings: Findings) {
        self.options = options
        self.findings = findings
        folder = FilePath.isURL(path) ? "" : FilePath.folder(of: path)
        firstName = String(path.dropFirst(folder.count))
    }

    /// Reads the first file.
    func readFirst() -> Cursor? {
        _ = read(firstName, name: "", isReferred: false)
        return cursor(of: 0)
    }

    /// Replaces the tree of the first file, to which overlays were applied.
    func setFirst(_ root: DocumentNode) {
        guard !files.isEmpty else { return }
        files[0].root = root
    }

    /// Reads a file that isn't a part of the document, an overlay.
    func readOther(_ path: String) -> DocumentNode? {
        let number = read(path, name: path, isReferred: false, isRelative: false)
        return files[Int(number)].root
    }

    /// The whole of a file.
    func cursor(of file: Int32) -> Cursor? {
        guard files.indices.contains(Int(file)), let root = files[Int(file)].root else { return nil }
        return Cursor(node: root, file: file, location: files[Int(file)].name + "#")
    }

    /// The path of a file, by which references in it are resolved.
    func path(of file: Int32) -> String {
        let name = files.indices.contains(Int(file)) ? files[Int(file)].name : ""
        return name.isEmpty ? firstName : name
    }

    func name(of file: Int32) -> String { files.indices.contains(Int(file)) ? files[Int(file)].name : "" }

    func setAnchors(_ anchors: [String: String], of file: Int32) { files[Int(file)].anchors = anchors }

    func anchors(of file: Int32) -> [String: String]? { files[Int(file)].anchors }

    /// The number of a file that a reference names, which is read if it wasn't yet.
    ///
    /// - Returns: `nil` if the file can't be read. A diagnostic at the reference says why.
    func file(_ path: String, referredAt position: SourcePosition) -> Int32? {
        if path == firstName { return 0 }
        if let number = numbers[path] {
            if files[Int(number)].root == nil { reportUnreadable(path, at: position) }
            return files[Int(number)].root == nil ? nil : number
        }
        if FilePath.isURL(path), options.urlLoader == nil {
            findings.warn(
                .urlReference,
                at: position,
                "the reference is a URL, \(path.quoted), and \(options.urlRefusal)",
                action: "it is left out; a schema is any value",
            )
            return nil
        }
        guard files.count < options.limits.filesMax, byteCount < options.limits.bytesMax else {
            findings.add(
                .error,
                .limitExceeded,
                at: position,
                "the document has too many files, or too large ones",
                action: "\(path.quoted) is not read",
            )
            return nil
        }
        let number = read(path, name: path, isReferred: true)
        if files[Int(number)].root == nil { reportUnreadable(path, at: position) }
        return files[Int(number)].root == nil ? nil : number
    }

    private func reportUnreadable(_ path: String, at position: SourcePosition) {
        findings.warn(
            .danglingReference,
            at: position,
            "the file \(path.quoted) of the reference can't be read\(reason(path))",
            action: "it is left out; a schema is any value",
        )
    }

    /// Why a file could not be loaded, after a colon; empty if nothing says so.
    private func reason(_ path: String) -> String {
        numbers[path].flatMap { files[Int($0)].failure }.map { ": \($0)" } ?? ""
    }

    private func read(_ path: String, name: String, isReferred: Bool, isRelative: Bool = true) -> Int32 {
        let number = Int32(clamping: files.count)
        let full = !isRelative || path.hasPrefix("/") || FilePath.isURL(path) ? path : folder + path
        files.append(File(name: name))
        findings.files.append(full)
        numbers[path] = number
        options.willRead?(full)
        let bytes: [UInt8]
        do {
            bytes = try load(full, isReferred: isReferred)
        } catch {
            files[Int(number)].failure = (error as? LoadingFailure)?.reason
            if !isReferred {
                findings.add(
                    .error,
                    .unreadableFile,
                    at: SourcePosition(file: number),
                    "the file can't be read\(reason(path))",
                    action: "",
                )
            }
            return number
        }
        byteCount += bytes.count
        let reader = DocumentReader(limits: options.limits, findings: findings)
        files[Int(number)].root = reader.read(bytes, file: number, path: path)
        return number
    }

    private func load(_ path: String, isReferred: Bool) throws -> [UInt8] {
        if FilePath.isURL(path) {
            guard let loader = options.urlLoader else { throw LoadingFailure(options.urlRefusal) }
            return try loader(path)
        }
        if let loader = options.loader { return try loader(path) }
        // The system would cut it there.
        if path.utf8.contains(0) { throw LoadingFailure("its path has a NUL") }
        // The user may name a pipe or a device; one that a document names may have no end.
        let target = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        if isReferred, let words = FileKind(at: target).words { throw LoadingFailure("it \(words)") }
        do {
            return [UInt8](try Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe))
        } catch {
            switch FileKind(at: path) {
            case .nothing: throw LoadingFailure("there is no such file")
            case .brokenLink: throw LoadingFailure("it is a link to nothing")
            case let kind: throw LoadingFailure("it \(kind.words ?? "may not be read")")
            }
        }
    }
}
