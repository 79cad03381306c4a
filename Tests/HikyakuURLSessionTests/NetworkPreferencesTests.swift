#if canImport(Darwin)
import Foundation
import HikyakuHTTP
import Testing

@testable import HikyakuURLSession

@Suite struct NetworkPreferencesTests {
    private func made(_ preferences: NetworkPreferences) throws -> URLRequest {
        var request = HTTPRequest(url: try #require(URL(string: "https://api.example/")))
        request.networkPreferences = preferences
        return try URLRequest(request)
    }

    @Test func aRequestMayUseEachNetworkByDefault() throws {
        let request = try made(NetworkPreferences())
        #expect(request.allowsCellularAccess && request.allowsExpensiveNetworkAccess)
        #expect(request.allowsConstrainedNetworkAccess && request.networkServiceType == .default)
    }

    @Test func eachPreferenceIsPassedOnToFoundation() throws {
        #expect(try !made(NetworkPreferences(allowsCellular: false)).allowsCellularAccess)
        #expect(try !made(NetworkPreferences(allowsExpensive: false)).allowsExpensiveNetworkAccess)
        #expect(try !made(NetworkPreferences(allowsConstrained: false)).allowsConstrainedNetworkAccess)
        #expect(try made(NetworkPreferences(service: .background)).networkServiceType == .background)
    }
}
#endif
