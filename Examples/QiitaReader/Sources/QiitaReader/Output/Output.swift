#if canImport(Darwin)
import Darwin
#else
import Glibc
#endif

/// The program's output and its layout.
nonisolated struct Output: Sendable {
    /// The maximum number of columns of a line, except for lines that are to be copied.
    static let width = 80

    private let write: @Sendable (String) -> Void

    init(_ write: @escaping @Sendable (String) -> Void) {
        self.write = write
    }

    static let standard = Output { writeAll($0, to: STDOUT_FILENO) }
    static let standardError = Output { writeAll($0, to: STDERR_FILENO) }

    /// Writes one line, with control characters replaced: text from a service can't control the terminal.
    func line(_ text: String = "") {
        let isHarmless: (Unicode.Scalar) -> Bool = { $0 == "\n" || $0.properties.generalCategory != .control }
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.map { isHarmless($0) ? $0 : "\u{FFFD}" }))
        write(shown + "\n")
    }

    func lines(_ lines: [String], indent: Int = 0) {
        let margin = String(repeating: " ", count: indent)
        for text in lines { line(text.isEmpty ? "" : margin + text) }
    }

    func heading(_ text: String) {
        line()
        line(text)
        line(String(repeating: "─", count: text.displayWidth))
    }

    /// Writes running text in lines that fit.
    func paragraph(_ text: String, indent: Int = 0) {
        lines(text.wrapped(to: Self.width - indent), indent: indent)
    }

    /// Writes names and values as a table with two columns.
    func fields(_ fields: [(name: String, value: String?)], indent: Int = 2) {
        let present = fields.compactMap { field in field.value.map { (field.name, $0) } }
        let nameWidth = present.map(\.0.displayWidth).max() ?? 0
        let valueStart = indent + nameWidth + 2
        for (name, value) in present {
            let wrapped = value.wrapped(to: Self.width - valueStart)
            lines([name.padded(to: nameWidth + 2) + (wrapped.first ?? "")], indent: indent)
            lines(Array(wrapped.dropFirst()), indent: valueStart)
        }
    }

    /// Not `print`: its buffer would be written after standard error if both go into one file.
    private static func writeAll(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { system_write(descriptor, $0.baseAddress, $0.count) }
            if count > 0 {
                bytes = bytes.dropFirst(count)
            } else if errno != EINTR {
                return
            }
        }
    }
}

/// The system's `write`, under a name that the closure of the same name doesn't hide.
nonisolated private func system_write(_ descriptor: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
    write(descriptor, bytes, count)
}
