/// A generated file.
package struct GeneratedFile: Sendable, Hashable {
    /// The path below the output folder.
    package var path: String
    package let text: String
    /// The text as source code; `nil` for a file of another kind.
    let code: Code?
    /// Whether it belongs to the module of the models, if that is another one.
    package let isOfModels: Bool

    init(path: String, code: Code, isOfModels: Bool = false) {
        (self.path, self.code, self.isOfModels) = (path, code, isOfModels)
        text = code.text
    }

    /// Makes a file that no compiler reads.
    init(path: String, text: String) {
        (self.path, self.text, code, isOfModels) = (path, text, nil, false)
    }

    static func lineCount(of files: [Self]) -> Int {
        files.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
    }
}
