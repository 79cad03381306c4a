import Testing

@testable import HikyakuCommand

struct JSONPageTests {
    @Test func whatATerminalObeysIsEscaped() throws {
        let request = CatalogueRequest.sample(documentation: "a\u{9B}\u{202E}\u{200B}\u{7F}\u{E0001}é\u{2028}b")
        let text = try JSONPage.text(of: .sample(request))
        #expect(text.contains(#""documentation" : "a\u009b\u202e\u200b\u007f\udb40\udc01é\u2028b""#), "\(text)")
    }

    @Test
    func writesSortedKeysAndLeavesOutWhatIsNotKnown() throws {
        let request = CatalogueRequest.sample(
            documentation: "A \"page\".",
            method: CatalogueValue(value: nil, origin: .computed),
            environment: CatalogueEnvironment(name: "shop", baseURL: "https://shop.example/v1", origin: .inherited),
        )
        #expect(
            try JSONPage.text(of: .sample(request)) == """
                {
                  "chapters" : [
                    {
                      "module" : "App",
                      "path" : [
                        "Shop"
                      ],
                      "requests" : [
                        {
                          "access" : "Public",
                          "body" : {
                            "origin" : "default",
                            "value" : "none"
                          },
                          "documentation" : "A \\"page\\".",
                          "environment" : {
                            "baseURL" : "https://shop.example/v1",
                            "name" : "shop",
                            "origin" : "inherited"
                          },
                          "failure" : "ProblemDetails",
                          "file" : "Sources/App/Items.swift",
                          "line" : 3,
                          "method" : {
                            "origin" : "computed"
                          },
                          "name" : "Items",
                          "parameters" : {
                            "isComplete" : true,
                            "keys" : [

                            ],
                            "origin" : "default"
                          },
                          "path" : {
                            "origin" : "declared",
                            "value" : "/items"
                          },
                          "query" : {
                            "isComplete" : true,
                            "keys" : [

                            ],
                            "origin" : "default"
                          },
                          "response" : "[Item]"
                        }
                      ]
                    }
                  ],
                  "package" : "Shop",
                  "version" : 1
                }

                """
        )
    }
}
