import Foundation
import Testing

@testable import HikyakuCommand

struct SourceLinksTests {
    private static let web = "https://host/shop/blob/main/{path}#L{line}"

    @Test(arguments: [
        ("Sources/App/Items.swift", "https://host/shop/blob/main/Sources/App/Items.swift#L7"),
        ("Sources/A b/É#?&%.swift", "https://host/shop/blob/main/Sources/A%20b/%C3%89%23%3F%26%25.swift#L7"),
        ("URL+{line}.swift", "https://host/shop/blob/main/URL%2B%7Bline%7D.swift#L7"),
        ("javascript:a", "https://host/shop/blob/main/javascript%3Aa#L7"),
    ])
    func pathsAreEscaped(file: String, address: String) throws {
        #expect(try SourceLinks(template: Self.web).address(of: file, line: 7) == address)
    }

    @Test
    func aTemplateMayHaveThePathInItsQueryAndNoLine() throws {
        let links = try SourceLinks(template: "http://host:8080/source?path={path}&again={path}")
        #expect(links.address(of: "A/b.swift", line: 7) == "http://host:8080/source?path=A/b.swift&again=A/b.swift")
    }

    @Test(arguments: [
        ("https://host/", "needs {path}, which is replaced by the file's path in the package"),
        ("https://host/{path}/{lin}", "has {path} and {line}, not {lin}: did you mean {line}?"),
        ("https://host/{path}/{}", "has {path} and {line}, not {}"),
        ("https://host/{path}/{", "takes a URL of http or https with a host, such as https://host/{path}#L{line}"),
        ("{path}#L{line}", "takes a URL of http or https with a host, such as https://host/{path}#L{line}"),
        ("file:///{path}", "takes a URL of http or https with a host, such as https://host/{path}#L{line}"),
        ("javascript:{path}", "takes a URL of http or https with a host, such as https://host/{path}#L{line}"),
        ("https:///{path}", "takes a URL of http or https with a host, such as https://host/{path}#L{line}"),
        ("https://host/ {path}", "takes a URL without spaces and any of <>\"`\\^|"),
        ("https://host/>{path}", "takes a URL without spaces and any of <>\"`\\^|"),
        ("https://host/\n{path}", "takes a URL without spaces and any of <>\"`\\^|"),
        ("https://host/\u{1}{path}", "takes a URL without spaces and any of <>\"`\\^|"),
    ])
    func rejectsTemplatesThatLeadNowhere(template: String, reason: String) {
        #expect(throws: SourceLinks.Invalid(reason: reason)) { try SourceLinks(template: template) }
    }

    @Test(arguments: [
        // Inside of the package's folder.
        ("/shop", "/shop", "/", "Sources/a.swift#L1"),
        ("/shop/docs/api", "/shop", "/elsewhere", "../../Sources/a.swift#L1"),
        ("/a/shop/docs", "/a/shop", "/a/shop", "../Sources/a.swift#L1"),
        // Both below the current folder.
        ("/a/build", "/a/my shop", "/a", "../my%20shop/Sources/a.swift#L1"),
        ("/a", "/a/shop:1", "/a", "shop%3A1/Sources/a.swift#L1"),
        // The names of folders that only this machine has.
        ("/tmp", "/home/me/shop", "/home/me/shop", nil),
        ("/a/docs", "/a/shop", "/a/shop", nil),
        ("/a/shop-docs", "/a/shop", "/a/shop", nil),
    ])
    func filesAreLinkedFromAPageNearThem(page: String, package: String, current: String, address: String?) {
        func folder(_ path: String) -> URL { URL(filePath: path, directoryHint: .isDirectory) }
        let links = SourceLinks(from: folder(page), to: folder(package), current: folder(current))
        #expect(links.address(of: "Sources/a.swift", line: 1) == address)
    }

    @Test
    func aPageInNoFileHasNoLinks() throws {
        for words in [[], ["--output", "-"], ["--output", "/dev/stdout"]] {
            #expect(CatalogueCommand.links(try CatalogueOptions(words)) == .none)
        }
        let options = try CatalogueOptions(["--output", "docs/page.html"])
        #expect(CatalogueCommand.links(options).address(of: "a.swift", line: 2) == "../a.swift#L2")
        let web = try CatalogueOptions(["--source-url", Self.web])
        #expect(CatalogueCommand.links(web) == (try SourceLinks(template: Self.web)))
    }
}
