import Testing

@testable import HikyakuOpenAPI

@Suite("Words of a shell")
struct ShellWordsTests {
    @Test(arguments: [
        ("curl a b", ["curl", "a", "b"]), ("$ curl a", ["curl", "a"]), ("curl 'a b' \"c d\"", ["curl", "a b", "c d"]),
        ("curl a'b'\"c\"d", ["curl", "abcd"]), ("curl '' x", ["curl", "", "x"]), ("curl a\\ b", ["curl", "a b"]),
        ("curl \\\n  a \\\r\n b", ["curl", "a", "b"]), ("curl a \\  \n b", ["curl", "a", "b"]),
        ("curl a \\\n\n b", ["curl", "a", "b"]), (#"curl "a\"b\\c\$d\n""#, ["curl", #"a"b\c$d\n"#]),
        (#"curl $'it\'s\n\t\x41\u00e9\101\\'"#, ["curl", "it's\n\tAé\u{41}\\"]),
        (#"curl $'\ud83d\ude00'"#, ["curl", "😀"]), (#"curl $'\U0001F600'"#, ["curl", "😀"]),
        ("curl a # comment\n b", ["curl", "a", "b"]), ("curl a#b", ["curl", "a#b"]),
        ("curl “a b” ‘c’", ["curl", "a b", "c"]), ("curl\u{A0}a", ["curl", "a"]),
        ("curl 'é\u{301}'", ["curl", "é\u{301}"]),
        ("printf %s 'a' | base64 -d | curl a --data-binary @-", ["curl", "a", "--data-binary", "@-"]),
        ("cat a.json |\n  curl a", ["curl", "a"]), ("cat a.json | \\\n /usr/bin/curl a", ["/usr/bin/curl", "a"]),
        ("echo curl | curl a", ["curl", "a"]), ("curl ‘{\"a\":\"b c\"}’", ["curl", "{\"a\":\"b c\"}"]),
        ("curl 'it’s “x”' \"’\\\"”\" $'’\\'”'", ["curl", "it’s “x”", "’\"”", "’'”"]),
        ("curl 'x^\"y' a", ["curl", "x^\"y", "a"]),
        ("{ printf 'a;b'; cat 'x|y'; } | curl a -d 'b|c'", ["curl", "a", "-d", "b|c"]),
        (#"curl '"a\'"#, ["curl", #""a\"#]), ("curl $\"a b\"", ["curl", "a b"]),
    ])
    func wordsAreThoseOfAShell(text: String, words: [String]) throws {
        let shell = try ShellWords(text)
        #expect(shell.words == words)
        #expect(shell.notes == [])
    }

    @Test(arguments: [
        ("curl a | jq .", ["curl", "a"], "what follows '|' is left out"),
        ("curl a | curl b", ["curl", "a"], "what follows '|' is left out"),
        ("/usr/bin/curl a | curl b", ["/usr/bin/curl", "a"], "what follows '|' is left out"),
        ("curl a > b", ["curl", "a"], "what follows '>' is left out"),
        ("curl a 2>/dev/null", ["curl", "a"], "what follows '>' is left out"),
        ("curl a; rm b", ["curl", "a"], "what follows ';' is left out"),
        ("curl a && b", ["curl", "a"], "what follows '&' is left out"),
        ("curl a <<EOF", ["curl", "a"], "what follows '<' is left out"),
        (
            "curl a?b=1&c=2", ["curl", "a?b=1&c=2"],
            "a shell would end the command at an unquoted '&'; it is read as text",
        ),
        ("curl \"$A/b\"", ["curl", "$A/b"], "variables of the shell are not replaced, but read as text"),
        ("curl ${A}", ["curl", "${A}"], "variables of the shell are not replaced, but read as text"),
    ])
    func whatIsNotDoneIsNoted(text: String, words: [String], note: String) throws {
        let shell = try ShellWords(text)
        #expect(shell.words == words)
        #expect(shell.notes == [note])
    }

    @Test(arguments: [
        ("curl 'a", "the line:1:6: error: the quote that begins here is not closed"),
        ("curl a \\\n  \"b", "the line:2:3: error: the quote that begins here is not closed"),
        ("curl $'a", "the line:1:6: error: the quote that begins here is not closed"),
        (
            "curl ^\"https://a.example^\"",
            "this line is quoted for cmd.exe; use the browser's 'Copy as cURL (bash)', or 'Copy as cURL (POSIX)'",
        ),
    ])
    func whatIsNotALineOfAShellIsRejected(text: String, message: String) {
        let failure = #expect(throws: InferenceFailure.self) { try ShellWords(text) }
        #expect(failure?.message == message)
    }
}
