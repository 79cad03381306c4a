import Hikyaku
import QiitaAPI

// MARK: - Generated requests

extension Tour {
    /// Sends requests that are generated from `qiita.yaml` beside those that are written by hand.
    func showGenerated() async throws {
        output.heading("18. Requests that are generated from an OpenAPI document")
        // Both are requests like any other, so that one client sends them, with the same options.
        let client = service.client.substituting(service.environment, for: .qiitaService)
        let byHand = try await client.send(Qiita.Items(perPage: 3))
        let generated = try await client.send(ItemsAPI.List(perPage: 3))
        output.line("Qiita.Items(perPage: 3), by hand, and ItemsAPI.List(perPage: 3), from qiita.yaml:")
        for (one, other) in zip(byHand, generated) {
            output.fields([
                (one.title == other.title && one.createdAt == other.createdAt ? "equal" : "Unexpected", other.title)
            ])
        }
        do {
            let item = try await client.send(ItemsAPI.Get(itemID: "00000000000000000000"))
            output.line("Unexpected: there is an item with that ID, \(item.title).")
        } catch .service(let fault, let response) {
            // The document declares the error, so that it is as typed as the one by hand.
            output.line("ItemsAPI.Get(itemID: \"00000000000000000000\") → Fault, \(response.status)")
            output.fields([("message", fault.message)])
        } catch {
            throw error
        }
        guard service.embedded != nil else { return }
        let environment = client.environment(for: .qiitaService)
        let user = try await client.authorized(by: .bearer(EmbeddedService.token), for: environment)
            .send(UsersAPI.Authenticated())
        output.line("UsersAPI.Authenticated() → User, which compiles only on an authorized client")
        output.fields([("user", user.name)])
    }
}
