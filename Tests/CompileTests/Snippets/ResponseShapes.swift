import Hikyaku

struct Info: KeyedModel, Sendable {}
struct Dish: KeyedModel, Sendable {}
struct PageInfo: APIModel, Decodable {}
struct Bare: APIModel, Decodable {}
enum Starters: ResponseKey { static let path = "menu.starters" }

nonisolated protocol Shop: APIRequest {}
nonisolated extension Shop {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/menu" }
}

struct Menu: Shop {
    typealias Definition = CombinedResponse<SingleResponse<Info>, ArrayResponse<Dish>>
}

struct Starter: Shop {
    typealias Definition = CombinedResponse<
        SingleResponse<Info?>, OnlyResponse<Dish>, KeyedResponse<Starters, ArrayResponse<Bare>>, Total
    >
}

struct Page: Shop {
    typealias Definition = PageResponse<ArrayResponse<Dish>, PageInfo>
}

struct Keyed: Shop {
    typealias Definition = KeyedResponse<Starters, OnlyResponse<Bare>>
}

enum Total: DecodedPart {
    typealias Result = Int
    enum Key: ResponseKey { static let path = "meta.total" }
}

enum Count: DecodedPart {
    static func decode(from decoder: any Decoder) throws -> Int { try decoder.unkeyedContainer().count ?? 0 }
}

enum Upload: StatusResult, Sendable {
    case stored(Info), queued

    static let shapes: [StatusShape<Upload>] = [
        .on(200...201, SingleResponse<Info>.self) { .stored($0) },
        .on(202, EmptyResponse.self) { .queued },
    ]
}

struct Send: Shop {
    typealias Definition = StatusResponse<Upload>
}

struct Export: FileRequest {
    var environment: APIEnvironment { "https://api.example" }
    var path: RequestPath { "/export" }
    var destination: FileDestination { .file(at: "/tmp/menu.csv") }
}

struct Photo: Shop {
    typealias Definition = ImageResponse
}

func infersWhatIsGiven(client: APIClient<Public>) async throws {
    let menu: (Info, [Dish]) = try await client.send(Menu())
    let starter: (Info?, Dish, [Bare], Int) = try await client.send(Starter())
    let page: ResponsePage<[Dish], PageInfo> = try await client.send(Page())
    let keyed: Bare = try await client.send(Keyed())
    let upload: Upload = try await client.send(Send())
    let file: ResponseFile = try await client.send(Export())
    let image: ResponseImage = try await client.send(Photo())
    _ = (menu, starter, page, keyed, upload, file, image)
}

struct WithoutKey: Shop {  // error: type 'WithoutKey' does not conform to protocol 'APIRequest'
    typealias Definition = CombinedResponse<SingleResponse<Info>, ArrayResponse<Bare>>
    // error: 'CombinedResponse' requires that 'Bare' conform to 'KeyedModel'
    // error: type 'Bare' does not conform to protocol 'KeyedModel'
}

typealias WithoutPlace = CombinedResponse<SingleResponse<Info>, Count>
// error: type '_NoKey' does not conform to protocol 'ResponseKey'

typealias WithoutValue = KeyedResponse<Starters, TextResponse>
// error: type 'TextResponse' does not conform to protocol 'DecodedPart'

struct OtherResponse: Shop {
    // error: type 'OtherResponse' does not conform to protocol 'APIRequest'
    // error: type 'OtherResponse' does not conform to protocol '_FailureSpelling'
    typealias Response = (Dish, Info)
    typealias Definition = CombinedResponse<SingleResponse<Info>, SingleResponse<Dish>>
}

func refusesAnotherResult(client: APIClient<Public>) async throws {
    let menu: ([Dish], Info) = try await client.send(Menu())  // error: cannot convert
    _ = menu
}
