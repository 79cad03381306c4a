extension GenerateCommand {
    /// What `--help` prints.
    package var help: String {
        """
        Generates models and requests of an OpenAPI document (2.0 to 3.2, in YAML or
        JSON), with all files that it refers to.

        Usage: \(name) [OPTIONS] DOCUMENT --output DIR
               \(name) [OPTIONS]

        Without a document, everything is read from hikyaku.yaml in \(searchedFolders).

        What is read:
          --config FILE        read options from a file in YAML or JSON, as below
          --config-folder DIR  without a document, use hikyaku.yaml (or .yml, .json) of
                               this folder; may be repeated (default: the current one)
          --overlay FILE       apply an overlay (1.0) to the document; may be repeated
          --base-url URL       what a server without a host is below
          --allow-urls         load documents that a URL names, over the network

        What is generated:
          --output DIR         the folder to write to; files there that were not
                               generated are kept
          --name NAME          the API's name (default: the document's title)
          --filter FILTER      only tag:NAME, path:/PATH or operation:ID, with the
                               models that these need; may be repeated
          --access ACCESS      internal (default), package or public
          --models-module NAME a module of its own for the models, in the folder of
          --models-output DIR  models; needs --access package or public
          --type-map F=TYPE    the Swift type of a format or schema; may be repeated
          --rename OLD=NEW     another name for a schema, a property (Pet.user_name)
                               or an operation; may be repeated
          --closed-enums NAME  a set of values that doesn't grow, as an enum; 'all' for
                               every one; may be repeated
          --synthesized-equality NAME
                               a type whose == and hash the compiler synthesizes, or
                               'all': faster comparisons, slower builds
          --check-scopes       refuse a call before it is sent if its token is known to
                               lack a scope of the document; otherwise the service does
          --fake               a value with a closure for each request, for tests: a new
                               operation doesn't compile until it has an answer
          --files NUMBER       write exactly that many files, as a build system needs it

        How it runs:
          --dry-run            write nothing, and list what would change
          --check              write nothing, and fail if the output is stale
          --verbose            show all diagnostics, notes as well
          --quiet              show errors only
          -h, --help           show this text

        The members of hikyaku.yaml, whose paths are relative to its folder; options of
        the command line come first:
          document: openapi.yaml           (default: openapi.yaml, .yml or .json)
          output: Sources/ShopAPI
          modelsModule: ShopModels
          modelsOutput: Sources/ShopModels
          overlays: [corrections.yaml]
          allowURLs: true
          name: Shop
          access: public
          baseURL: https://shop.example.com
          filter: ['tag:dishes', 'path:/users']
          types: {money: Money.Amount}
          imports: [Money]
          closedEnums: [DishKind]
          synthesizedEquality: all
          checkScopes: true
          fake: true
          pages: {listDishes: {parameter: after, next: meta.next_cursor}}
          names: {Dish: Meal, Dish.user_name: owner, listDishes: All}
        """
    }
}
