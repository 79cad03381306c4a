import Hikyaku

nonisolated extension APIEnvironment {
    static let stripe: Self = "https://api.stripe.com/v1"
}

/// Authorized by `client.authorized(by: .basic(user: user, password: password), for: .stripe)`.
struct CreateCharge: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var amount: Int
    var currency: String
    var capture: Bool
    var metadataOrderID: Int
    var expand: [String]
    var description: String

    var method: HTTPMethod { .post }
    var environment: APIEnvironment { .stripe }
    var path: RequestPath { "/charges" }
    var body: RequestBody? {
        .form([
            "amount": amount,
            "currency": currency,
            "capture": capture,
            "metadata[order_id]": metadataOrderID,
            "expand[]": expand,
            "description": description,
        ])
    }
}
