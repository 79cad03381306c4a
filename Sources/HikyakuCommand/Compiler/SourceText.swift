/// A source file with its lines.
struct SourceText: Sendable {
    let text: String
    /// The lines as the compiler counts them: only a line feed ends one, with or without a return before it.
    let lines: [Substring]

    init(_ text: String) {
        self.text = text
        // A return and a line feed are one character here. `isNewline` holds for others too, which the compiler that
        // numbers the lines takes for space.
        lines = text.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
    }
}

/// Source files, each of which is read and split once however many of its properties are looked at.
final class SourceFiles {
    private let read: (String) -> String?
    private var files: [String: SourceText?] = [:]

    /// - Parameter read: Reads a file; `nil` where it can't.
    init(_ read: @escaping (String) -> String?) {
        self.read = read
    }

    /// The file at a path; `nil` where it can't be read.
    subscript(path: String) -> SourceText? {
        if let known = files[path] { return known }
        let file = read(path).map(SourceText.init)
        files[path] = .some(file)
        return file
    }
}
