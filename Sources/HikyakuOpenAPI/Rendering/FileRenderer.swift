/// A generated file.
package struct GeneratedFile: Sendable, Hashable {
    /// The path below the output folder.
    package var path: String
    package var text: String

    static func lineCount(of files: [Self]) -> Int {
        files.reduce(0) { $0 + $1.text.utf8.count { $0 == UInt8(ascii: "\n") } }
    }
}

/// Divides what is planned into files.
struct FileRenderer {
    let plan: Plan
    let options: GeneratorOptions
    /// What the files say about the document.
    let origin: String
    /// About as many types as a file has.
    private static let typesMax = 40

    init(_ plan: Plan, _ options: GeneratorOptions, origin: String) {
        (self.plan, self.options, self.origin) = (plan, options, origin)
    }

    func files() -> [GeneratedFile] {
        var files = [GeneratedFile(path: plan.name + ".swift", text: apiFile())]
        let models = ModelRenderer(plan, options)
        for (label, types) in Self.divided(plan.types) {
            var text = SourceText()
            for type in types { models.render(type, to: &text) }
            let folder = label.isEmpty ? "" : "Models/"
            files.append(GeneratedFile(path: "\(folder)\(plan.name)+Models\(label).swift", text: file(text)))
        }
        let requests = RequestRenderer(plan, options)
        for group in plan.groups {
            var text = SourceText()
            requests.render(group, to: &text)
            let name = group.name.hasSuffix("API") ? String(group.name.dropLast(3)) : group.name
            files.append(GeneratedFile(path: "Requests/\(name)+Requests.swift", text: file(text)))
        }
        return Self.distinct(files)
    }

    /// Not every disk tells capitals from small letters.
    private static func distinct(_ files: [GeneratedFile]) -> [GeneratedFile] {
        var used: Set<String> = []
        return files.map { file in
            var file = file
            let whole = file.path
            while !used.insert(file.path.lowercased()).inserted {
                file.path = String(file.path.dropLast(6)) + SwiftName.suffix(whole) + ".swift"
            }
            return file
        }
    }

    /// Types by the first letters of their names, so that a further type changes one file only.
    private static func divided(_ types: [TypePlan], _ letters: Int = 1) -> [(String, [TypePlan])] {
        if letters == 1, types.count <= typesMax * 3 / 2 { return types.isEmpty ? [] : [("", types)] }
        return Dictionary(grouping: types) { String($0.name.prefix(letters)) }.sorted { $0.key < $1.key }
            .flatMap { label, members in
                guard members.count > typesMax * 3 / 2, letters < 40 else { return [("+" + label, members)] }
                let exact = members.filter { $0.name.count <= letters }
                let rest = members.filter { $0.name.count > letters }
                return divided(rest, letters + 1) + (exact.isEmpty ? [] : [("+" + label, exact)])
            }
            .reduce(into: [(String, [TypePlan])]()) { all, part in
                if let index = all.firstIndex(where: { $0.0 == part.0 }) {
                    all[index].1 += part.1
                } else {
                    all.append(part)
                }
            }
    }

    // MARK: The API's own file

    private func apiFile() -> String {
        let access = options.access.modifier
        let isPublic = options.access == .public
        var text = SourceText()
        text.document(plan.summary ?? "The API \(plan.name).")
        if !plan.authorization.isEmpty {
            text.line("///")
            text.line("/// Calls are authorized by:")
            for line in plan.authorization { text.document("- " + line) }
        }
        let failure = plan.failure.map { " where Failure == \($0)" } ?? ""
        text.block("\(access)nonisolated enum \(plan.name)") { text in
            text.line("/// What all requests of the API share.")
            text.line("\(access)protocol Request: APIRequest\(failure) {}")
        }
        guard let first = plan.environments.first else { return file(text) }
        text.gap()
        text.block("nonisolated extension \(plan.name).Request") { text in
            if isPublic { text.line("/// The API's first server.") }
            let call = first.variables.isEmpty ? "" : "()"
            text.line("\(access)var environment: APIEnvironment { .\(SwiftName.quoted(first.name))\(call) }")
        }
        text.gap()
        text.block("nonisolated extension APIEnvironment") { text in
            for environment in plan.environments { render(environment, &text) }
        }
        for failure in plan.failures { render(failure, &text) }
        return file(text)
    }

    private func render(_ environment: EnvironmentPlan, _ text: inout SourceText) {
        let access = options.access.modifier
        let name = SwiftName.quoted(environment.name)
        text.document(environment.documentation ?? (options.access == .public ? "The server of \(plan.name)." : nil))
        guard !environment.variables.isEmpty else {
            return text.line("\(access)static let \(name): Self = \"\(environment.url)\"")
        }
        let arguments = environment.variables.map { "\(SwiftName.quoted($0.name)): String = \($0.defaultValue)" }
        text.call("\(access)static func \(name)", arguments, " -> Self {")
        text.indented { $0.line("Self(baseURL: \"\(environment.url)\")") }
        text.line("}")
    }

    private func render(_ failure: FailurePlan, _ text: inout SourceText) {
        let access = options.access.modifier
        text.gap()
        let names = failure.types.map { TypeText.text(of: $0, plan.typeNames) }
        if names.count == 1 { return text.line("nonisolated extension \(names[0]): ServiceFailure {}") }
        text.line("/// An error of the API, as one of several types.")
        text.block("\(access)nonisolated enum \(failure.name): ServiceFailure") { text in
            for name in names {
                if options.access == .public { text.line("/// An error of the type `\(name)`.") }
                text.line("case \(SwiftName.quoted(SwiftName.member(name)))(\(name))")
            }
            text.gap()
            if options.access == .public { text.line("/// Reads the error by the first type that fits.") }
            text.block("\(access)init?(response: BufferedResponse)") { text in
                for (index, name) in names.enumerated() {
                    text.line("\(index == 0 ? "if" : "} else if") let value = try? response.decode(\(name).self) {")
                    text.indented { $0.line("self = .\(SwiftName.quoted(SwiftName.member(name)))(value)") }
                }
                text.line("} else {")
                text.indented { $0.line("return nil") }
                text.line("}")
            }
        }
    }

    // MARK: Whole files

    private func file(_ body: SourceText) -> String {
        let prefix = options.access == .internal ? "" : options.access.rawValue + " "
        var text = SourceText()
        text.line("// Generated by `hikyaku generate` from \(SourceText.cut(origin, to: 80)) Changes are overwritten.")
        text.line()
        for module in (options.imports + ["Hikyaku"]).sorted() { text.line("\(prefix)import \(module)") }
        text.line()
        if Self.usesFoundation(body) {
            text.line("#if canImport(FoundationEssentials)")
            text.line("\(prefix)import FoundationEssentials")
            text.line("#else")
            text.line("\(prefix)import Foundation")
            text.line("#endif")
            text.line()
        }
        return text.text + body.text
    }

    private static let foundationTypes: Set<Substring> = ["Date", "URL", "UUID", "Data", "Decimal"]

    private static func usesFoundation(_ text: SourceText) -> Bool {
        text.lines.contains { line in
            guard line.contains("var ") || line.contains("case ") || line.contains("typealias ") else { return false }
            guard !line.contains("///") else { return false }
            // Texts of the document may be between quotation marks.
            let code = line.split(separator: "\"", omittingEmptySubsequences: false).enumerated().filter {
                $0.offset % 2 == 0
            }
            return code.contains { part in
                part.element.split { !$0.isLetter && !$0.isNumber }.contains { foundationTypes.contains($0) }
            }
        }
    }
}
