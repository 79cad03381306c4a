import Hikyaku

nonisolated extension APIEnvironment {
    static let openweathermap: Self = "https://api.openweathermap.org"
}

/// Authorized by `client.authorized(by: .apiKey(key, in: .query("appid")), for: .openweathermap)`.
struct GetWeather: APIRequest {
    typealias Response = JSONValue
    typealias Access = Authorized

    var lat: Double?
    var lon: Double?
    var units: String?

    var environment: APIEnvironment { .openweathermap }
    var path: RequestPath { "/data/2.5/weather" }
    var query: RequestQuery { ["lat": lat, "lon": lon, "units": units] }
}
