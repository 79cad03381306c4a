/// The texts of `--help` and of invalid arguments.
nonisolated enum Usage {
    static let text = """
        Reads articles from Qiita, or from an embedded service with the same API.

        Usage: QiitaReader [COMMAND] [OPTIONS]

        Commands:
          tour                   show the library's features step by step (the default)
          items                  list the newest articles
            --page NUMBER          which page, from 1 to 100 (default 1)
            --per-page NUMBER      articles per page, from 1 to 100 (default 20)
            --query TEXT           only those that match, such as tag:Swift or user:sato_ken
          item ID                show an article with its comments
          me                     show the user of the token

        Options:
          --environment NAME     embedded (the default): a service in this process;
                                 production: https://qiita.com/api/v2
          --token TOKEN          use this token. QIITA_TOKEN is safer: arguments
                                 can be seen by every user of the machine.
                                 The embedded service accepts the token \(EmbeddedService.token).
          --log LEVEL            log requests and responses to standard error:
                                 line, headers or bodies
          -h, --help             show this text

        Exit status: 0 for success, 1 if a call failed, 64 for invalid arguments.
        """

    static func error(_ error: UsageError) -> String {
        """
        QiitaReader: \(error.message)

        Usage: QiitaReader [tour | items | item ID | me] [OPTIONS]
        QiitaReader --help shows all commands and options.
        """
    }
}
