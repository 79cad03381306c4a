/// The path of a cURL line's URL: the part for the environment, and the rest with properties for its values.
struct CurlPath {
    /// The base URL.
    let base: String
    private(set) var template = PathTemplate(text: "", parts: [])
    private(set) var parameters: [Parameter] = []
    /// The segments that are names, decoded.
    private var names: [String] = []
    private var endsWithVariable = false
    private let host: String

    init(_ url: CurlURL) {
        let count = url.baseCount
        base = ([url.origin] + url.segments.prefix(count)).joined(separator: "/")
        host = url.serviceName
        var (text, parts): (String, [PathTemplate.Part]) = ("", [])
        var literal = ""
        for (index, segment) in url.segments.enumerated().dropFirst(count) {
            literal += "/"
            guard CurlSecrets.isVariable(segment, after: url.segments[..<index].last) else {
                literal += segment
                names.append(CurlURL.decoded(segment))
                endsWithVariable = false
                continue
            }
            let parameter = parameter(for: segment)
            parameters.append(parameter)
            text += literal + "{\(parameter.name)}"
            parts += [.literal(literal), .variable(parameter.name)]
            (literal, endsWithVariable) = ("", true)
        }
        if url.endsWithSlash || parts.isEmpty && literal.isEmpty { literal += "/" }
        if !literal.isEmpty { parts.append(.literal(literal)) }
        template = PathTemplate(text: text + literal, parts: parts)
    }

    // MARK: Values

    /// The parameter for a segment, named after the name before it: `user_id` after `users`.
    private func parameter(for segment: String) -> Parameter {
        let text = CurlURL.decoded(segment)
        var name = CurlSecrets.placeholder(segment) ?? ""
        if name.isEmpty {
            let suffix = SampleTexts.isDay(text) ? "day" : "id"
            let isDirect = !endsWithVariable && !names.isEmpty
            name = isDirect ? SampleKey.singular(names[names.count - 1]) + "_" + suffix : suffix
        }
        let used = Set(parameters.map(\.name))
        var (unique, number) = (name, 2)
        while used.contains(unique) { (unique, number) = ("\(name)\(number)", number + 1) }
        let isPlaceholder = CurlSecrets.placeholder(segment) != nil
        let schema = CurlQuery.schema(of: [isPlaceholder ? "" : text], name: unique, at: "#/request/path/\(unique)")
        return CurlQuery.parameter(unique, .path, schema)
    }

    // MARK: Names

    /// The name of the request: what is done, and what it is done to.
    ///
    /// `GetUser` for `GET /users/1`, `GetPosts` for `GET /users/1/posts`, `CreatePost` for `POST /posts`.
    func requestName(_ method: String) -> String {
        let last = Self.word(names.last ?? host)
        let one = SwiftName.part(SampleKey.singular(last))
        let isList = SampleKey.singular(last) != last
        let noun = endsWithVariable ? one : SwiftName.part(last)
        let name =
            switch method {
            case "POST" where isList && !endsWithVariable: "Create" + one
            case "PATCH" where endsWithVariable, "PUT" where endsWithVariable: "Update" + one
            default: SwiftName.part(method.lowercased()) + noun
            }
        return SwiftName.type(name)
    }

    /// The name of the response's model: one of what the path names.
    var modelName: String {
        let name = SwiftName.type(SampleKey.singular(Self.word(names.last ?? host)))
        let isTaken = SwiftName.reservedTypes.contains(name) || SwiftName.commonTypes.contains(name)
        return isTaken ? name + "Response" : name
    }

    /// A segment without the ending of a file: `statuses.json`.
    private static func word(_ segment: String) -> String {
        ["json", "xml", "php"].reduce(segment) { $0.hasSuffix("." + $1) ? String($0.dropLast($1.count + 1)) : $0 }
    }
}
