import Foundation

@testable import Hikyaku
@testable import HikyakuBase
@testable import HikyakuEngine
@testable import HikyakuHTTP
@testable import HikyakuJSON

/// Reads what a service says about a failure: problems of RFC 9457, and bodies of any other kind.
func checkProblems(_ input: FuzzInput) {
    let types = [
        "application/problem+json", "Application/Problem+JSON; charset=utf-8", "application/json", "text/html",
    ]
    let type = types[input.choice(0, of: types.count)]
    let statuses: [HTTPStatus] = [400, 401, 403, 404, 409, 429, 500, 503, 302]
    let response = BufferedResponse(
        status: statuses[input.choice(1, of: statuses.count)],
        headers: HTTPHeaders(dictionaryLiteral: (.contentType, type)),
        body: input.document,
    )
    let problem = ProblemDetails(response: response)
    check(problem == nil || type.lowercased().hasPrefix("application/problem+json"), "a \(type) is a problem")
    if let problem { inOrder(problem, response) }
    let error = APIError<ProblemDetails>.unacceptableStatus(response)
    isOneLine("\(error)", scalarsMax: 2_000)
    isForPeople(error.localizedDescription)
    if let shape = BodyShape.text(of: input.document) {
        isOneLine(shape, scalarsMax: 300)
        showsNoValue(input)
    }
}

/// People see the detail, and logs the title alone, both in one line.
private func inOrder(_ problem: ProblemDetails, _ response: BufferedResponse) {
    let error = APIError.service(problem, response)
    isOneLine("\(error)", scalarsMax: 2_000)
    isForPeople(error.localizedDescription)
    for text in [error.recoverySuggestion, error.failureReason, error.hint].compactMap({ $0 }) { isForPeople(text) }
    if let text = problem.errorDescription { isForPeople(text) }
    if let title = problem.shownTitle { isOneLine(title, scalarsMax: 201) }
    let detail = problem.detail ?? ""
    let others = [problem.title ?? "", problem.type, problem.instance ?? ""]
    guard detail.utf8.count > 12, !others.contains(where: { $0.contains(detail) }) else { return }
    check(!"\(error)".contains(detail) || "\(response)".contains(detail), "a log shows the detail: \(error)")
}

/// Another digit in a text gives the same shape.
private func showsNoValue(_ input: FuzzInput) {
    guard (try? HikyakuJSONDecoder().decode(JSONValue.self, from: input.document)) != nil else { return }
    let secret = "S3same 0pen 7341"
    let members = #"{"id":"\#(secret)","detail":"#
    let body = Data(members.utf8) + input.document + Data("}".utf8)
    let shape = BodyShape.text(of: body) ?? ""
    check(!shape.contains("7341") || input.document.contains(Data("7341".utf8)), "a shape shows a value: \(shape)")
    let error = APIError<ProblemDetails>.unacceptableStatus(BufferedResponse(status: 400, body: body))
    check(!"\(error)".contains(secret), "an error shows a value: \(error)")
}

private func isOneLine(_ text: String, scalarsMax: Int) {
    check(text.unicodeScalars.count <= scalarsMax, "a text of \(text.unicodeScalars.count) characters: \(text)")
    let moving = text.unicodeScalars.first {
        [.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
    }
    check(moving == nil, "a text has U+\(String(moving?.value ?? 0, radix: 16))")
}

/// A text for people keeps what their scripts need, and breaks no line.
private func isForPeople(_ text: String) {
    check(!text.isEmpty && text.unicodeScalars.count <= 2_100, "a text of \(text.unicodeScalars.count) characters")
    let moving = text.unicodeScalars.first {
        switch $0.properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator: true
        case .format: !(0x200C...0x200F ~= $0.value)
        default: false
        }
    }
    check(moving == nil, "a text has U+\(String(moving?.value ?? 0, radix: 16))")
}
