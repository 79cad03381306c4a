// uses peers
import APIKit
import Alamofire
import HTTPTypes
import Hikyaku

// A request can be declared in a file that imports the peers; a name that both modules have needs the module's name.
struct Items: APIRequest {
    typealias Response = [String]
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/items" }
    var query: RequestQuery { ["page": 1] }
    var method: Hikyaku.HTTPMethod { .post }
    var headers: Hikyaku.HTTPHeaders { [:] }

    func prepare(_ request: inout Hikyaku.HTTPRequest) {}
}

func sends(client: APIClient<Public>) async throws -> [String] {
    try await client.send(Items())
}

func ambiguous(_: HTTPMethod) {}  // error: 'HTTPMethod' is ambiguous for type lookup in this context

func theirs(_: Alamofire.HTTPMethod, _: APIKit.HTTPMethod, _: HTTPTypes.HTTPRequest, _: DataRequest) {}
