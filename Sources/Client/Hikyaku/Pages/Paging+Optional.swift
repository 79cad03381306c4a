#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

// Requests whose position is left out for the first page, as generated ones.
extension Paging where Request.Response: ItemPage {
    /// A page number that the request for the first page may leave out, and which is one larger on the next page.
    ///
    /// - Parameters:
    ///   - page: The property of the request for it.
    ///   - first: The number of the first page, for a request without one.
    ///   - isLast: Whether a page is the last one, as far as its response says; a page without items always is.
    /// - Returns: The paging.
    public static func number<Number: FixedWidthInteger & Sendable>(
        _ page: any WritableKeyPath<Request, Number?> & Sendable,
        from first: Number = 1,
        isLast: (@Sendable (Request, APIResponse<Request.Response>) -> Bool)? = nil,
    ) -> Paging {
        counted(page, first, isLast) { _ in 1 }
    }

    /// The number of items before the page, which the request for the first page may leave out, and which grows by the
    /// number of items on each page.
    ///
    /// - Parameters:
    ///   - offset: The property of the request for it.
    ///   - first: The offset of the first page, for a request without one.
    ///   - isLast: Whether a page is the last one, as far as its response says; a page without items always is.
    /// - Returns: The paging.
    public static func offset<Number: FixedWidthInteger & Sendable>(
        _ offset: any WritableKeyPath<Request, Number?> & Sendable,
        from first: Number = 0,
        isLast: (@Sendable (Request, APIResponse<Request.Response>) -> Bool)? = nil,
    ) -> Paging {
        counted(offset, first, isLast) { $0.pageItems.count }
    }

    private static func counted<Number: FixedWidthInteger & Sendable>(
        _ property: any WritableKeyPath<Request, Number?> & Sendable,
        _ first: Number,
        _ isLast: (@Sendable (Request, APIResponse<Request.Response>) -> Bool)?,
        step: @escaping @Sendable (Request.Response) -> Int,
    ) -> Paging {
        Paging(
            way: .value { request, response in
                guard response.value.pageItems.count > 0, isLast?(request, response) != true else { return nil }
                guard let step = Number(exactly: step(response.value)) else { return nil }
                let (next, isTooLarge) = (request[keyPath: property] ?? first).addingReportingOverflow(step)
                return isTooLarge ? nil : "\(next)"
            } set: { request, text in
                guard let value = Number(text) else { return false }
                request[keyPath: property] = value
                return true
            },
            isCounted: true,
        )
    }
}

extension Paging {
    /// A URL in the body that is always there; an empty text means the last page.
    ///
    /// - Parameter next: The URL in the response, as a text.
    /// - Returns: The paging.
    public static func link(in next: any KeyPath<Request.Response, String> & Sendable) -> Paging {
        Paging(
            way: .link { _, response in
                let text = response.value[keyPath: next]
                return text.isEmpty ? nil : URLReference.text(of: text, from: response.url?.absoluteString) ?? text
            }
        )
    }

    /// A URL in the body; `nil` there means the last page.
    ///
    /// - Parameter next: The URL in the response, absolute or relative to that of the response.
    /// - Returns: The paging.
    public static func link(in next: any KeyPath<Request.Response, URL?> & Sendable) -> Paging {
        Paging(
            way: .link { _, response in
                guard let text = response.value[keyPath: next]?.relativeString, !text.isEmpty else { return nil }
                return URLReference.text(of: text, from: response.url?.absoluteString) ?? text
            }
        )
    }
}
