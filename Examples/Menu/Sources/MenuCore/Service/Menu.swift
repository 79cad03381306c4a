import Hikyaku
import MenuDomain

nonisolated extension APIEnvironment {
    /// The restaurant's production service; `MenuEnvironment` can substitute others.
    static let menu: Self = "https://menu.example/v1"
}

/// All requests that the restaurant's service supports.
nonisolated enum Menu {
    protocol Request: APIRequest where Failure == MenuError {}

    /// The service writes `is_favourite` where the app has `isFavourite`.
    static let decoder = HikyakuJSONDecoder.snakeCase
    static let encoder = HikyakuJSONEncoder.snakeCase
}

nonisolated extension Menu.Request {
    var environment: APIEnvironment { .menu }
    var decoder: any ResponseDecoder { Menu.decoder }
    var encoder: any RequestEncoder { Menu.encoder }
}

extension Menu {
    /// The restaurant and its recommendations, from one response.
    struct Today: Request {
        typealias Definition = CombinedResponse<
            SingleResponse<Restaurant>, KeyedResponse<Specials, ArrayResponse<Dish>>
        >
        var path: RequestPath { "/today" }
    }

    /// A page of the menu.
    struct Dishes: Request {
        typealias Definition = PageResponse<ArrayResponse<Dish>, PageInfo>
        var page = 1
        var path: RequestPath { "/dishes" }
        var query: RequestQuery { ["page": page] }
    }

    /// One dish.
    struct DishByID: Request {
        typealias Response = Dish
        var id: Dish.ID
        var path: RequestPath { "/dishes/\(id)" }
    }

    /// The favourites of the signed-in user.
    struct Favourites: Request {
        typealias Response = [Dish]
        typealias Access = Authorized
        var path: RequestPath { "/favourites" }
    }

    /// Adds a dish to the favourites of the signed-in user, or removes it.
    ///
    /// The service rejects a dish that is sold out.
    struct SetFavourite: Request {
        typealias Response = Dish
        typealias Access = Authorized
        var id: Dish.ID
        var isFavourite: Bool
        var method: HTTPMethod { .put }
        var path: RequestPath { "/favourites/\(id)" }
        var body: RequestBody? { .json(["is_favourite": isFavourite]) }
    }
}
