/// What `--help` prints.
enum Usage {
    static let program = """
        Tools around Hikyaku, the package for calling web APIs.

        Usage: hikyaku COMMAND [OPTIONS]

        Commands:
          catalogue    list every request type of a package in a page

        Options:
          -h, --help   show this text; behind a command, that command's
          --version    show the version

        Exit status: 0 when all went well, 1 when something failed, 2 for a
        command line that makes no sense.
        """

    static let catalogue = """
        Lists every request type of a package: method, path, query, access, response,
        failure, comment, file and line. The package is built for it, in a folder of
        its own, since only the compiler knows these; nothing of it is run.

        Usage: hikyaku catalogue [OPTIONS]

        Options:
          --package DIR        the package's folder (default: the current one)
          --target NAME        list this target alone; may be repeated
                               (default: all but tests, plugins and macros)
          --format FORMAT      html, markdown or json (default: by the end of the
                               output's name, else html)
          --output FILE        write there, and only when all is well
                               (default: standard output)
          --scratch-path DIR   where to build (default: .build/hikyaku-catalogue in
                               the package's folder); kept, so that the next time
                               takes less
          -h, --help           show this text
        """
}
