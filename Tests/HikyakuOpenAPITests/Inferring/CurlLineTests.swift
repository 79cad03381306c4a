import Testing

@testable import HikyakuOpenAPI

@Suite("Options of cURL lines")
struct CurlLineTests {
    private func line(_ text: String) throws -> CurlLine { try CurlLine(try ShellWords(text).words) }

    @Test func everyOptionOfARequestIsRead() throws {
        let found = try line(
            """
            curl --url https://a.example -X PUT -H 'A: b' --header 'C:d:e' -H 'Empty;' -H 'Gone:' -A agent -e https://r \
            -d a=1 --data-raw b --data-binary c --data-urlencode d --data-ascii e -F f=g --form-string h=@i -u u:p \
            --oauth2-bearer t -b 'x=y' -m 2.5 -G -I -T file
            """
        )
        #expect(found.url == "https://a.example" && found.method == "PUT" && found.notes == [])
        #expect(found.fields.map(\.name) == ["A", "C", "Empty", "User-Agent", "Referer"])
        #expect(found.fields.map(\.value) == ["b", "d:e", "", "agent", "https://r"])
        #expect(found.pieces.map(\.text) == ["a=1", "b", "c", "d", "e"])
        #expect(found.pieces.map(\.kind) == [.plain, .raw, .binary, .encoded, .plain])
        #expect(found.parts.map(\.text) == ["f=g", "h=@i"] && found.parts.map(\.isPlain) == [false, true])
        #expect(found.hasUser && found.hasBearer && found.hasCookie && found.isGet && found.isHead && found.uploadsFile)
        #expect(found.timeout == "2.5")
    }

    @Test(arguments: [
        "curl -sSLXPOST https://a.example", "curl -s -S -L -X POST https://a.example", "curl https://a.example -XPOST",
        "curl --silent --location --request POST https://a.example", "A=b /usr/bin/curl -X POST https://a.example",
        "curl.exe -X POST https://a.example", "-X POST https://a.example", "curl --silen -X POST https://a.example",
        "curl --no-silent -X POST -- https://a.example", "curl –X POST https://a.example",
        "curl -w '%{x}' -X POST --http2 --compressed --tlsv1.3 https://a.example",
        "curl https://a.example —request POST",
    ])
    func optionsMayBeWrittenInManyWays(text: String) throws {
        let found = try line(text)
        #expect(found.method == "POST" && found.url == "https://a.example" && found.notes == [])
    }

    /// Scripts and documentation have other words before the program.
    @Test(arguments: [
        ("for i in 1 2 3; do curl https://x.example/items/$i; done", "https://x.example/items/$i"),
        ("if curl -sf https://x.example/health; then echo ok; fi", "https://x.example/health"),
        ("docker exec web curl http://localhost:8080/items", "http://localhost:8080/items"),
        ("export TOKEN=abc; curl https://x.example/items", "https://x.example/items"),
        ("http_proxy=http://p:1 curl https://x.example/items", "https://x.example/items"),
        ("user@host:~$ curl https://x.example/items", "https://x.example/items"),
        ("TOKEN=abc && curl https://x.example/items", "https://x.example/items"),
        ("> curl https://x.example/items", "https://x.example/items"),
        ("while ! curl -s https://x.example/ready; do sleep 1; done", "https://x.example/ready"),
        ("kubectl exec pod -- /usr/bin/curl https://x.example/items", "https://x.example/items"),
        ("RUN apt-get update && curl.exe https://x.example/a", "https://x.example/a"),
        ("watch -n 1 curl localhost:8080/curl", "localhost:8080/curl"),
    ])
    func theProgramIsFoundInAScript(text: String, url: String) throws {
        #expect(try line(text).url == url)
    }

    @Test(arguments: [
        #"fetch("https://shop.example/api/x", {"headers": {"accept": "*/*"}, "method": "POST"});"#,
        "for i in 1 2 3", "echo https://x.example", "await axios.get('https://x.example')", "GET /items HTTP/1.1",
        "if true", "python3 -m http.server", "Invoke-WebRequest https://x.example",
    ])
    func aLineOfAnotherProgramIsRefused(text: String) {
        #expect(throws: InferenceFailure.self) { try line(text) }
    }

    @Test(arguments: [
        "https://x.example/items", "x.example/items", "localhost:8080/items", "localhost", "-s https://x.example",
        "127.0.0.1:80", "[::1]:80/a",
    ])
    func theProgramMayBeMissing(text: String) throws {
        #expect(try line(text).url != nil)
    }

    @Test(arguments: [
        ("--heder 'A: b'", "--heder is not a known option of curl", "it is left out; did you mean --header?"),
        ("--dtaa x=1", "--dtaa is not a known option of curl", "it is left out; did you mean --data?"),
        ("--quack", "--quack is not a known option of curl", "it is left out"),
        (
            #"--data{\"planted\":1}"#, "a word that begins with --data is not a known option of curl",
            "it is left out; did you mean --data VALUE?",
        ),
        (
            "--user_agent x", "a word that begins with --user is not a known option of curl",
            "it is left out; did you mean --user-agent?",
        ),
        ("--http4", "--http4 is not a known option of curl", "it is left out; did you mean --http2?"),
        ("--quack2", "a word that begins like an option is not a known option of curl", "it is left out"),
        ("--mytoken", "a word that begins like an option is not a known option of curl", "it is left out"),
        ("$'--evil\\e[31m'", "a word that begins like an option is not a known option of curl", "it is left out"),
        ("-W x", "-W is not a known option of curl", "it is left out"),
        ("-Q x", "-Q is left out", "it belongs to another protocol than HTTP"),
        ("--form-escape", "--form-escape is left out", "the client escapes names and values of forms"),
        ("--proxy-cacert x", "--proxy-cacert is left out", "a proxy is a setting of the client: HTTPProxy"),
        ("--proxy-basic", "--proxy-basic is left out", "a proxy is a setting of the client: HTTPProxy"),
        ("--doh-insecure", "--doh-insecure is left out", "names and interfaces are chosen by the system"),
        ("--tls13-ciphers x", "--tls13-ciphers is left out", "TLS is a setting of the client: TLSOptions"),
        ("-n", "-n is left out", "a file of passwords is not read; authorize a client instead"),
        (
            "-o out.json", "-o is left out", "the request gets the response; see FileRequest for writing it to a file",
        ),
        ("-O", "-O is left out", "the request gets the response; see FileRequest for writing it to a file"),
        ("--data=x", "curl takes '--data VALUE', not '--data=VALUE'", "it is read as if there were a space"),
        ("-k", "-k is left out", "certificates are checked; see TLSOptions for trusting one of your own"),
        ("-x proxy", "-x is left out", "a proxy is a setting of the client: HTTPProxy"),
        (
            "--digest", "--digest is left out",
            "such a credential answers a challenge of the service: a middleware of your own can send the request again",
        ),
        (
            "--unix-socket /var/run/docker.sock", "--unix-socket is left out",
            "on Linux, name the socket for the URL's host in WireOptions.unixSockets; elsewhere publish it on a port",
        ),
        (
            "--resolve a.example:443:127.0.0.1", "--resolve is left out",
            "on Linux, give the host's addresses in WireOptions.hostAddresses",
        ),
        ("https://b.example", "there are several URLs", "only the first one is read"),
        ("--next https://b.example", "--next begins a second request", "only the first one is read"),
        ("-b jar.txt", "a file of cookies is not read", "it is left out"),
        (
            "planted", "a word belongs to no option, and is not the URL",
            "it is left out; values with spaces need quotes",
        ),
        ("-H planted", "a header field has no ':'", "it is left out"),
        ("-H c2VjcmV0MTI;", "a header field has no ':'", "it is left out"),
        ("-H @file", "header fields in a file are not read", "they are left out"),
    ])
    func whatIsLeftOutIsSaid(words: String, message: String, action: String) throws {
        let found = try line("curl https://a.example \(words)")
        #expect(found.notes == [CurlLine.Note(message: message, action: action)])
        #expect(found.url == "https://a.example")
    }

    /// A shell makes several words of a field that lacks its quotes, none of which is the URL.
    @Test(arguments: [
        "curl -H Authorization: Bearer planted https://a.example",
        "curl https://a.example -H Authorization: Bearer planted",
        "curl -H Authorization: Bearer planted -s https://a.example https://b.example",
        "curl -H Authorization: Bearer planted a.example", "curl -H Authorization: Bearer planted -s a.example",
        "curl a.example -H Authorization: Bearer planted",
        "curl -H Authorization: Bearer planted a.example -X GET",
        "curl -H Authorization: Bearer planted a.example -d x y",
    ])
    func aFieldWithoutQuotesIsRead(text: String) throws {
        let found = try line(text)
        #expect(found.url?.hasSuffix("a.example") == true && found.fields.map(\.name) == ["Authorization"])
        #expect(found.fields.map(\.value) == ["Bearer planted"])
        #expect(found.notes.first?.message == "a header field has no quotes around its value")
    }

    /// A cookie is left out, and so is a field without a value.
    @Test func fieldsWithoutQuotesStayInOrderAfterACookie() throws {
        let found = try line(
            "curl https://a.example -H Cookie: a=b -H X: '' -H Accept: text/plain -H 'A: 1' -H B: 2 -s"
        )
        #expect(found.fields.map(\.name) == ["Accept", "A", "B"] && found.hasCookie)
    }

    @Test(arguments: [
        "curl -H Accept: a.example/x", "curl -H Accept: a.example/x -s", "curl a.example/x -H Accept:",
        "curl planted https://a.example/x", "curl -H Expect: a.example/x -F file=@x",
        "curl -H Expect: a.example/x planted",
        "curl -H Accept: a.example/x -H Expect: -d planted x",
        "curl --url shop-a.example/x -H Expect:", "curl -H Expect: -s planted -H Accept: a.example/x -v",
    ])
    func aURLIsTheWordWithASchemeOrTheFirstOne(text: String) throws {
        let found = try line(text)
        #expect(found.url?.hasSuffix("a.example/x") == true && found.fields.isEmpty)
    }

    @Test(arguments: [
        "localhost", "localhost:8080/upload", "localhost/x", "a.example", "api.a.example:8080/v2?x=1", "10.0.0.1:80",
        "server:8080", "server/items/42", "[::1]:8080/x", "a.example?x=a@b", "user:planted@a.example/x",
        "ec2-54-1-2-3.host.example",
    ])
    func aURLWithoutASchemeIsFoundInAFieldWithoutQuotes(url: String) throws {
        let found = try line("curl -H Expect: '\(url)' -F file=@x")
        #expect(found.url == url && found.fields.isEmpty && found.notes == [] && found.parts.count == 1)
        let other = try line("curl -A first -H Authorization: Bearer planted '\(url)' -e last")
        #expect(other.url == url && other.fields.map(\.name) == ["User-Agent", "Authorization", "Referer"])
        #expect(other.fields.map(\.value) == ["first", "Bearer planted", "last"] && other.notes.count == 1)
    }

    /// No word of a credential is a host.
    @Test(arguments: [
        "hunter2", "planted", "eyJhbGciOi.eyJzdWIiOi.c2VjcmV0MTI", "c2Vj/cmV0", "ya29.a0AfH6", "sk_live_abc",
        "c2Vjcg==",
        "me@a.example", "application/json", "*/*", "user:planted", "abc1/def", "1.2", "v1.0.", "-", "127.0.0.x",
    ])
    func noOtherWordOfAFieldWithoutQuotesIsAURL(word: String) throws {
        for text in ["'\(word)'", "'\(word)' -s", "-s '\(word)'", "-s '\(word)' -H Expect: planted"] {
            let failure = #expect(throws: InferenceFailure.self) { try line("curl -H Authorization: Bearer \(text)") }
            #expect(failure?.message == "the line has no URL: 'curl https://…' is expected")
        }
    }

    /// Those of `curl --help all`, besides the help itself.
    @Test(arguments: [
        "abstract-unix-socket= alt-svc= anyauth append aws-sigv4= basic cacert= capath= cert-status cert-type=",
        "cert= ciphers= compressed compressed-ssh config= connect-timeout= connect-to= continue-at= cookie-jar=",
        "cookie= create-dirs create-file-mode= crlf crlfile= curves= data-ascii= data-binary= data-raw=",
        "data-urlencode= data= delegation= digest disable disable-eprt disable-epsv disallow-username-in-url",
        "dns-interface= dns-ipv4-addr= dns-ipv6-addr= dns-servers= doh-cert-status doh-insecure doh-url=",
        "dump-header= egd-file= engine= etag-compare= etag-save= expect100-timeout= fail fail-early fail-with-body",
        "false-start form-escape form-string= form= ftp-account= ftp-alternative-to-user= ftp-create-dirs",
        "ftp-method= ftp-pasv ftp-port= ftp-pret ftp-skip-pasv-ip ftp-ssl-ccc ftp-ssl-ccc-mode= ftp-ssl-control",
        "get globoff happy-eyeballs-timeout-ms= haproxy-protocol head header= hostpubmd5= hostpubsha256= hsts=",
        "http0.9 http1.0 http1.1 http2 http2-prior-knowledge http3 http3-only ignore-content-length include",
        "insecure interface= ipv4 ipv6 json= junk-session-cookies keepalive-time= key-type= key= krb= libcurl=",
        "limit-rate= list-only local-port= location location-trusted login-options= mail-auth= mail-from=",
        "mail-rcpt-allowfails mail-rcpt= manual max-filesize= max-redirs= max-time= metalink negotiate netrc",
        "netrc-file= netrc-optional next no-alpn no-buffer no-clobber no-keepalive no-npn no-progress-meter",
        "no-sessionid noproxy= ntlm ntlm-wb oauth2-bearer= output-dir= output= parallel parallel-immediate",
        "parallel-max= pass= path-as-is pinnedpubkey= post301 post302 post303 preproxy= progress-bar proto-default=",
        "proto-redir= proto= proxy= proxy-anyauth proxy-basic proxy-cacert= proxy-capath= proxy-cert-type=",
        "proxy-cert= proxy-ciphers= proxy-crlfile= proxy-digest proxy-header= proxy-insecure proxy-key-type=",
        "proxy-key= proxy-negotiate proxy-ntlm proxy-pass= proxy-pinnedpubkey= proxy-service-name=",
        "proxy-ssl-allow-beast proxy-ssl-auto-client-cert proxy-tls13-ciphers= proxy-tlsauthtype=",
        "proxy-tlspassword= proxy-tlsuser= proxy-tlsv1 proxy-user= proxy1.0= proxytunnel pubkey= quote=",
        "random-file= range= rate= raw referer= remote-header-name remote-name remote-name-all remote-time",
        "remove-on-error request-target= request= resolve= retry-all-errors retry-connrefused retry-delay=",
        "retry-max-time= retry= sasl-authzid= sasl-ir service-name= show-error silent socks4= socks4a=",
        "socks5-basic socks5-gssapi socks5-gssapi-nec socks5-gssapi-service= socks5-hostname= socks5= speed-limit=",
        "speed-time= ssl ssl-allow-beast ssl-auto-client-cert ssl-no-revoke ssl-reqd ssl-revoke-best-effort sslv2",
        "sslv3 stderr= styled-output suppress-connect-headers tcp-fastopen tcp-nodelay telnet-option=",
        "tftp-blksize= tftp-no-options time-cond= tls-max= tls13-ciphers= tlsauthtype= tlspassword= tlsuser= tlsv1",
        "tlsv1.0 tlsv1.1 tlsv1.2 tlsv1.3 tr-encoding trace-ascii= trace-time trace= unix-socket= upload-file=",
        "url-query= url= use-ascii user-agent= user= verbose version write-out= xattr",
    ])
    func everyOptionOfCurlIsKnown(names: String) throws {
        for name in names.split(separator: " ") {
            let takesValue = name.hasSuffix("=")
            let long = String(takesValue ? name.dropLast() : name)
            let isNegated = CurlOption.option(long: long)?.long != long && long.hasPrefix("no-")
            let option = CurlOption.option(long: isNegated ? String(long.dropFirst(3)) : long)
            #expect(option?.long.count == long.count - (isNegated ? 3 : 0), "\(long)")
            #expect(option?.takesValue == takesValue, "\(long)")
        }
    }

    @Test(arguments: [
        ("", "the line is empty: 'curl https://…' is expected"),
        ("curl", "the line has no URL: 'curl https://…' is expected"),
        ("curl -X", "curl's option -X needs a value"),
        ("curl https://a.example --data", "curl's option --data needs a value"),
        ("wget https://a.example", "this is a line of wget, not of curl"),
        ("Invoke-WebRequest -Uri x", "this is a line of invoke-webrequest, not of curl"),
    ])
    func whatIsNotACurlLineIsRejected(text: String, message: String) {
        let failure = #expect(throws: InferenceFailure.self) { try line(text) }
        #expect(failure?.message == message)
    }
}
