extension GeneratorOptions {
    /// What a configuration says about files, which is for the program that runs the generator.
    package struct Files: Sendable, Hashable {
        /// The path of the document, or its URL.
        package var document: String?
        /// The folder to write to.
        package var output: String?
        /// The folder to write models to, if it is another one.
        package var modelsOutput: String?
        /// The paths of overlays, applied in this order.
        package var overlays: [String] = []
        /// Whether documents that a URL names are loaded.
        package var allowsURLs = false

        /// The members of a configuration that are about files.
        enum Member: String, CaseIterable {
            case document, output, modelsOutput, overlays, allowURLs
        }

        package init() {}

        /// Takes a member of a configuration, whose paths are relative to its folder.
        ///
        /// - Returns: Whether the member is about files.
        mutating func take(_ member: DocumentMember, folder: String, _ findings: Findings) -> Bool {
            func path(_ text: String) -> String {
                text.begins(with: "/") || FilePath.isURL(text) ? text : folder + text
            }
            func reject(_ text: String) {
                let message = "\(member.key.quoted) \(text)"
                findings.add(.error, .unknownValue, at: member.value.position, message, action: "")
            }
            let texts = member.value.array?.compactMap(\.string) ?? member.value.string.map { [$0] } ?? []
            // The system would cut a path there, and use another file than the one that is named.
            if Member(rawValue: member.key) != nil, texts.contains(where: { $0.utf8.contains(0) }) {
                reject("has a NUL, which no path may have")
                return true
            }
            let text = member.value.string.flatMap { $0.isEmpty ? nil : $0 }
            switch Member(rawValue: member.key) {
            case .document:
                if let text { document = path(text) } else { reject("takes the path of a file, or a URL") }
            case .output:
                if let text, !FilePath.isURL(text) { output = path(text) } else { reject("takes the path of a folder") }
            case .modelsOutput:
                if let text { modelsOutput = path(text) } else { reject("takes the path of a folder") }
            case .overlays:
                let isComplete = texts.count == member.value.array?.count ?? 1
                if texts.isEmpty || texts.contains("") || !isComplete { reject("takes paths of files") }
                overlays += texts.map(path)
            case .allowURLs:
                if let allows = member.value.bool { allowsURLs = allows } else { reject("takes true or false") }
            case nil: return false
            }
            return true
        }
    }
}
