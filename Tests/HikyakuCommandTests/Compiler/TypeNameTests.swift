import Testing

@testable import HikyakuCommand

struct TypeNameTests {
    @Test(arguments: [
        ("Swift.Int", "Int"),
        ("App.Shop.Item", "Shop.Item"),
        ("Swift.Array<App.Item>", "[Item]"),
        ("[App.Item]", "[Item]"),
        ("Swift.Optional<App.Shop.Item>", "Shop.Item?"),
        ("Swift.Optional<any App.Model>", "(any Model)?"),
        ("Swift.Optional<(Swift.Int, Swift.Int)>", "(Int, Int)?"),
        ("Swift.Dictionary<Swift.String, Swift.Array<App.Item>>", "[String: [Item]]"),
        ("(App.Info, Swift.Array<App.Dish>)", "(Info, [Dish])"),
        ("()", "Void"),
        ("Hikyaku.Page<App.Item>.Info", "Page<Item>.Info"),
        ("Swift.Result<App.Item, any Swift.Error>", "Result<Item, any Error>"),
        ("(Swift.Int) -> Swift.Array<Swift.Int>", "(Int) -> [Int]"),
        ("App.Holder<(Swift.Int) -> Swift.Bool>", "Holder<(Int) -> Bool>"),
        ("App.Holder<", "Holder<"),
        ("Model", "Model"),
        ("", ""),
    ])
    func writesTypesAsPeopleDo(type: String, short: String) {
        #expect(TypeName().short(type) == short)
    }

    @Test
    func keepsGenericParametersThatAreNotModules() {
        let names = TypeName(genericParametersOf: "App.Page<Model, Key>")
        #expect(names.short("Swift.Array<Model.ID>") == "[Model.ID]")
        #expect(names.short("App.Map<Key.Value, App.Item>") == "Map<Key.Value, Item>")
    }

    @Test(arguments: [
        ("App.Shop.Items", ["App", "Shop", "Items"]),
        ("App.Page<App.Item>", ["App", "Page"]),
        ("App.Outer<A<B>>.Inner<C>", ["App", "Outer", "Inner"]),
        ("App.`default`.`a <b>.c`<D>", ["App", "default", "a <b>.c"]),
    ])
    func takesNamesApart(name: String, components: [String]) {
        #expect(TypeName.components(of: name) == components)
    }
}
