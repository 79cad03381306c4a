/// What `--help` prints.
nonisolated enum Usage {
    static let text = """
        Reads articles from Qiita, or from a service in its shape that is built in.

        Usage: QiitaReader [COMMAND] [OPTIONS]

        Commands:
          tour                   show what the library does, step by step (the default)
          items                  list the newest articles
            --page NUMBER          which page, from 1 to 100 (default 1)
            --per-page NUMBER      how many a page, from 1 to 100 (default 20)
            --query TEXT           only those that fit, such as tag:Swift or user:sato_ken
          item ID                show an article with its comments
          me                     show whom the token belongs to

        Options:
          --environment NAME     embedded (the default): a service in this process;
                                 production: https://qiita.com/api/v2
          --token TOKEN          authorize by this token. Rather set QIITA_TOKEN: arguments
                                 can be seen by every user of the machine.
                                 The embedded service takes the token \(EmbeddedService.token).
          --log LEVEL            write what is sent and received to standard error:
                                 line, headers or bodies
          -h, --help             show this text

        Exit status: 0 when all went well, 1 when a call failed, 64 for bad arguments.
        """

    static func error(_ error: UsageError) -> String {
        """
        QiitaReader: \(error.message)

        Usage: QiitaReader [tour | items | item ID | me] [OPTIONS]
        QiitaReader --help shows all commands and options.
        """
    }
}
