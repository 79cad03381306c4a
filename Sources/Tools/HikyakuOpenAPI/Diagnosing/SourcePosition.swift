/// Where a value begins: the number of a file, and the line and column in it, both from 1.
///
/// A column counts bytes in JSON, and characters in YAML. Line 0 means that only the file is known.
package struct SourcePosition: Sendable, Hashable {
    package var file: Int32
    package var line: Int32
    package var column: Int32

    package init(file: Int32 = 0, line: Int32 = 0, column: Int32 = 0) {
        self.file = file
        self.line = line
        self.column = column
    }
}
