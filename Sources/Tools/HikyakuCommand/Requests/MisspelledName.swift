import HikyakuOpenAPI

/// A misspelled name in a request, such as `typealias Acces` for `Access`, which has no effect.
///
/// A static property with the name of a requirement has no effect either, nor has one with a getter that can't satisfy
/// it: the `name` is right, and is what is `meant`.
/// The same goes for a function whose declaration is not the requirement's, and for the body of a request by GET.
struct MisspelledName: Equatable, Sendable, Encodable {
    /// What has the name.
    enum Kind: String, Equatable, Sendable, Encodable {
        case `typealias`, type, property
        case staticProperty = "static property"
        case lazyProperty = "lazy property"
        case mutatingProperty = "mutating property"
        case asyncProperty = "async property"
        case throwingProperty = "throwing property"
        case function
        /// The body of a request with the method GET.
        case body
    }

    let kind: Kind
    /// The name in the source.
    let name: String
    /// The probably intended name; the right declaration of a function.
    let meant: String
    /// The type, with the types that it is nested in.
    let type: String
    /// The file; relative to the package's folder in a catalogue.
    let file: String
    let line: Int

    /// A warning in the format of compilers, which editors and CI systems recognize, on one line.
    var warning: String { TerminalText(line: warningText).text }

    private var warningText: String {
        let place = "\(file):\(line): warning:"
        let advice: String
        switch kind {
        case .typealias, .type, .property: advice = "did you mean \(meant)?"
        case .staticProperty: advice = "remove static"
        case .lazyProperty: advice = "remove lazy"
        case .mutatingProperty: advice = "remove mutating"
        case .asyncProperty: advice = "remove async, and throws if it is there"
        case .throwingProperty: advice = "remove throws"
        case .function: advice = "write \(meant)"
        case .body:
            let question = meant == "method" ? "did you forget method?" : "did you mean \(meant)?"
            return "\(place) property body in \(type) is sent by GET, and GET has no body: \(question)"
        }
        return "\(place) \(kind.rawValue) \(name) in \(type) is ignored by APIRequest: \(advice)"
    }

    /// The same in a file that is named differently.
    func inFile(_ file: String) -> Self {
        Self(kind: kind, name: name, meant: meant, type: type, file: file, line: line)
    }
}

extension MisspelledName {
    /// A member that the symbol graph has.
    init(_ kind: Kind, _ member: SymbolGraph.Symbol, at location: SymbolGraph.Location, meant: String) {
        self.init(
            kind: kind,
            name: member.path.last ?? "",
            meant: meant,
            type: member.path.dropLast().joined(separator: "."),
            file: location.file,
            line: location.line,
        )
    }
}
