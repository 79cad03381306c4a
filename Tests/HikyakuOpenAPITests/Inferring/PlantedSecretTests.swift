import Testing

@testable import HikyakuOpenAPI

/// Plants a secret in each place of a cURL line that may hold one.
@Suite("Secrets of cURL lines")
struct PlantedSecretTests {
    /// What is shown of a line: the code, the diagnostics and the provider, or the failure.
    private func shown(_ line: String, response: String? = nil, files: [String: String] = [:]) -> String {
        let responses = response.map { [SampleFile(path: "r.json", bytes: Array($0.utf8))] } ?? []
        do throws(InferenceFailure) {
            let inference = RequestInference { files[$0].map { Array($0.utf8) } }
            return "\(try inference.request(line: line, responses: responses))"
        } catch {
            return "failed: \(error)"
        }
    }

    private func expectHidden(_ line: String, sourceLocation: SourceLocation = #_sourceLocation) {
        let text = shown(line)
        #expect(!text.lowercased().contains("planted"), "\(line)\n\(text)", sourceLocation: sourceLocation)
    }

    @Test(arguments: [
        "x.example/a;session=planted", "https://x.example/a;session=planted/b", "https://x.example/;planted",
        "https://x.example/a;v=1;jsessionid=planted?b=1", "https://x.example/a%3Bsession=planted/b",
        "https://x.example/a%253Bsession%253Dplanted", "https://x.example/api;key=planted/v1/a",
        "https://x.example/session=planted/a", "https://x.example/a/key,planted", "https://x.example/Users('planted')",
        "https://x.example/bot1:planted/getMe", "https://x.example/a@planted", "https://x.example/token/planted",
        "https://x.example/reset-password/planted", "https://x.example/api_key/planted/v1/items",
        "https://x.example/password/planted/v1/items", "https://x.example/hooks/Planted7Kq2Zx9",
        "https://x.example/hooks/pl4nt3d-planted", "https://x.example/plantedplantedplantedplanted/a",
        "https://x.example/a/https://u:planted@t.example/b",
        "https://x.example/a/https%3A%2F%2Fu%3Aplanted%40t.example",
    ])
    func aSecretInThePathIsHidden(url: String) { expectHidden("curl '\(url)'") }

    @Test(arguments: [
        "x.example:planted", "https://x.example:planted/a", "user:planted", "https://user:planted?a=1",
        "https://user:planted#a", "https://user:plan/ted@x.example", "https://user:planted/b@x.example/",
        "https://user:80planted@x.example:planted/", "https://x.example:99999planted/", "https://x.example:/planted:",
        "https://[::1]planted/", "https://[planted]/", "https://[::1]:planted/", "https://[::1/planted",
        "https://u:planted@x.example/a", "https://planted@x.example/a", "https://u:p@planted@x.example/a",
        "planted:planted@x.example/a", "https://x.example,planted/a", "https://x.example;k=planted/a",
        "https://x.example%40planted/a", "planted://x.example/a", "u:planted://x.example/a",
    ])
    func aSecretInTheAuthorityIsHidden(url: String) { expectHidden("curl '\(url)'") }

    @Test(arguments: [
        "?a=planted", "?token=planted", "?planted%40x.example=1", "?planted7Kq2Zx9", "?sk_live_planted4eC39HqLy=1",
        "?a=1&planted1234=", "?u=https://u:planted@t.example/%3Fk%3Dplanted", "?a[session]=planted", "#planted",
        "?a=1#access_token=planted", "?;session=planted",
    ])
    func aSecretInTheQueryIsHidden(rest: String) { expectHidden("curl 'https://x.example/a\(rest)'") }

    @Test(arguments: [
        "-x http://u:planted@proxy.example:1", "--proxy planted", "--proxy=http://u:planted@proxy.example",
        "-U u:planted", "--proxy-user u:planted", "--proxy-user=u:planted", "--socks5 u:planted@proxy.example",
        "--preproxy planted", "--proxy-header 'Proxy-Authorization: planted'", "-u u:planted", "-uu:planted",
        "--user=u:planted", "--user planted", "--cert c.pem:planted", "-Ec.pem:planted", "--pass planted",
        "--proxy-cert c.pem:planted", "--proxy-pass planted", "--tlspassword planted", "--tlsuser planted",
        "--key planted", "--oauth2-bearer planted", "--oauth2-bearer=planted", "--aws-sigv4 planted:b:c",
        "--netrc-file planted", "-b session=planted", "-bsession=planted", "--cookie planted", "-c planted",
        "-A planted", "-e 'https://u:planted@t.example/?token=planted'", "--referer=planted", "-K planted",
        "--variable k=planted", "--resolve planted:1:2", "--connect-to planted", "--unix-socket planted",
        "--mail-from planted", "--login-options planted", "--hostpubmd5 planted", "--range planted",
        "--request-target planted", "-o planted", "-D planted", "-w planted", "-m planted", "--doh-url planted",
        "--sasl-authzid planted", "--ech planted", "--krb planted", "--haproxy-clientip planted",
        "--delegation planted", "--service-name planted", "--egd-file planted", "--tok planted",
    ])
    func aSecretInAnOptionIsHidden(words: String) { expectHidden("curl https://x.example/a \(words)") }

    @Test(arguments: [
        "Authorization: Bearer planted", "AUTHORIZATION:planted", "authorization : planted", "Authorization: planted;",
        "Authorization Bearer planted", "Authorization;planted", "Cookie: a=planted", "cookie2: planted",
        "X-Api-Key: planted", "X-Custom: planted", "X-Version: planted", "X-Session-Version: planted-1",
        "X-Version: 1-planted", "Api-Version: v1.planted", "Prefer: planted", "Prefer: return=minimal, planted",
        "X-HTTP-Method-Override: PLANTED", "Proxy-Authorization: Basic planted", "Sec-Token: planted",
        "Referer: https://t.example/?planted", "Content-Type: planted", "Content-Type: image/png; key=planted",
        "Content-Type: Bearer planted", "Accept: planted", "Accept: image/png;key=planted", "Host: planted",
        "Idempotency-Key: planted", "If-None-Match: planted", "X-Forwarded-For: planted", "Signature: keyId=planted",
        "@planted", "planted", ": planted",
    ])
    func aSecretInAFieldIsHidden(field: String) {
        expectHidden("curl https://x.example/a -H '\(field)'")
        expectHidden("curl https://x.example/a '-H\(field)' -T f")
        expectHidden("curl https://x.example/a --header='\(field)' -d @missing")
    }

    @Test(arguments: [
        #"-d '{"a":"planted"}'"#, #"--json '{"token":"planted","b":[{"c":"planted"}]}'"#,
        #"--json '{"sk_live_planted4eC39HqLy":1}'"#, #"--json '{"id":1,"sk_live_planted4eC39HqLy":{"a":1}}'"#,
        #"--json '{"id":1,"planted@x.example":{"a":null}}'"#, #"--json '{"a":{"b":{"sk_live_planted4eC39HqLy":[]}}}'"#,
        #"--json '{"planted":'"#, #"--json '{"a": planted}'"#, #"--json '{"a":"planted'"#,
        "-d a=planted", "-d 'sk_live_planted4eC39HqLy=1'", "-d 'planted@x.example=1'", "-d 'a=1&planted7Kq2Zx9'",
        "--data-urlencode a=planted", "--data-urlencode =planted", "--data-urlencode planted@missing -d 'planted b'",
        "--data-raw 'planted b'", "--data-binary @planted", "-d @planted", "--json @planted", "-T planted",
        "-F a=planted", "-F 'a=@planted;filename=planted;type=planted'", "-F 'a=<planted'", "-F 'a=b;type=planted/a'",
        "-F 'a=b;headers=\"X: planted\"'", "-F sk_live_planted4eC39HqLy=1", "--form-string a=planted",
        "-F 'a={\"b\":\"planted\"};type=application/json'", "-F 'planted@x.example=1'",
    ])
    func aSecretInTheBodyIsHidden(words: String) { expectHidden("curl https://x.example/a \(words)") }

    @Test(arguments: ["--json @f", "-d @f", "--data-binary @f", "--data-urlencode a@f", "-F a=<f", "-F a=@f", "-T f"])
    func aSecretInAFileIsHidden(words: String) {
        for content in ["planted", "a=planted", #"{"a":"planted"}"#, "planted7Kq2Zx9", "planted\nplanted"] {
            let text = shown("curl https://x.example/a \(words)", files: ["f": content])
            #expect(!text.contains("planted"), "\(words) \(content)\n\(text)")
        }
    }

    @Test func aSecretInASampleOfTheResponseIsHidden() {
        let sample = #"{"id":1,"token":"planted","sk_live_planted4eC39HqLy":{"a":null},"planted@x.example":[]}"#
        let text = shown("curl https://x.example/a", response: sample)
        #expect(!text.contains("planted") && text.contains("var token: "), "\(text)")
        #expect(text.contains("an object has keys that are identifiers"))
    }

    @Test func whatIsNotASecretStays() throws {
        let lines = [
            "curl https://x.example/oauth/token": #"{ "/oauth/token" }"#,
            "curl https://x.example/token/refresh": #"{ "/token/refresh" }"#,
            "curl https://x.example/me/microsoft.graph.delta()": #"{ "/me/microsoft.graph.delta()" }"#,
            "curl https://x.example/oauth2/mp3/a/v1beta1": #"{ "/oauth2/mp3/a/v1beta1" }"#,
            "curl 'https://x.example/users;session=a/posts'": #"{ "/users/posts" }"#,
            "curl https://x.example/a -H 'X-GitHub-Api-Version: 2022-11-28'": #": "2022-11-28"]"#,
            "curl https://x.example/a -H 'Api-Version: 7.1-preview.3'": #": "7.1-preview.3"]"#,
            "curl https://x.example/a -H 'Prefer: return=representation'": #": "return=representation"]"#,
            "curl https://x.example:8443/a": #""https://x.example:8443""#,
            "curl 'https://x.example/a?@odata.count=1'": #""@odata.count""#,
        ]
        for (line, code) in lines {
            let text = try RequestInference().request(line: line).text
            #expect(text.contains(code), "\(line)\n\(text)")
        }
    }
}
