/// How the request for the next page of a list is made.
package struct PagingPlan: Sendable, Hashable {
    /// A function of `Paging`: `.link`, `.cursor`.
    package var function: Code
    package var arguments: [Code] = []
    /// The content of the closure after them.
    package var closure: Code?
    package var items: ItemsPlan

    /// The whole expression, in the parts that can be on lines of their own.
    var source: (open: Code, arguments: [Code], close: Code) {
        let tail: Code = closure.map { " { \($0) }" } ?? ""
        guard !arguments.isEmpty else { return ("\(function)\(tail)", [], "") }
        return ("\(function)(", arguments, ")\(tail)")
    }
}

/// Where a response has the items of a page.
package struct ItemsPlan: Sendable, Hashable {
    /// The object that has them; `nil` if the response is an array of them.
    package var model: String?
    /// The properties that lead to them.
    package var path: Code = ""
    package var element: SwiftType?
    package var isOptional = false
}
