"""An authorization server for the tests, made of Authlib's parts: every decision about OAuth is Authlib's.

It listens on a free port of loopback, says `Listening at: http://127.0.0.1:…` on standard output, keeps everything in
memory, and ends with its standard input. The person who signs in is always `hermes`, and says yes unless the login hint
is `nobody`.
"""

import os
import sys
import threading
import time

os.environ["AUTHLIB_INSECURE_TRANSPORT"] = "1"  # Loopback has no TLS.

from authlib.integrations.flask_oauth2 import AuthorizationServer, ResourceProtector, current_token
from authlib.oauth2 import OAuth2Error
from authlib.oauth2.rfc6749 import ClientMixin, TokenMixin, grants
from authlib.oauth2.rfc6749.models import AuthorizationCodeMixin
from authlib.oauth2.rfc6749.util import list_to_scope, scope_to_list
from authlib.oauth2.rfc6750 import BearerTokenValidator
from authlib.oauth2.rfc7009 import RevocationEndpoint
from authlib.oauth2.rfc7636 import CodeChallenge
from authlib.oauth2.rfc8414 import AuthorizationServerMetadata, get_well_known_url
from authlib.oauth2.rfc8628 import DeviceAuthorizationEndpoint, DeviceCodeGrant, DeviceCredentialDict
from authlib.oauth2.rfc9207 import IssuerParameter
from flask import Flask, jsonify, request
from werkzeug.serving import make_server

USER = "hermes"
DEVICE_GRANT = DeviceCodeGrant.GRANT_TYPE
REDIRECT = "http://127.0.0.1:7/back"


class Client(ClientMixin):
    def __init__(self, client_id, method, secret, grant_types):
        self.client_id, self.method, self.secret, self.grant_types = client_id, method, secret, grant_types

    def get_client_id(self):
        return self.client_id

    def get_default_redirect_uri(self):
        return REDIRECT

    def get_allowed_scope(self, scope):
        return list_to_scope([s for s in scope_to_list(scope or "read") if s in ("read", "write")])

    def check_redirect_uri(self, redirect_uri):
        return redirect_uri == REDIRECT

    def check_client_secret(self, client_secret):
        return client_secret == self.secret

    def check_endpoint_auth_method(self, method, endpoint):
        return method == self.method

    def check_response_type(self, response_type):
        return response_type == "code"

    def check_grant_type(self, grant_type):
        return grant_type in self.grant_types


class Token(TokenMixin):
    def __init__(self, client_id, user, data):
        self.client_id, self.user, self.data, self.issued_at = client_id, user, data, time.time()
        self.is_access_revoked = self.is_refresh_revoked = False

    def check_client(self, client):
        return self.client_id == client.get_client_id()

    def get_scope(self):
        return self.data.get("scope", "")

    def get_expires_in(self):
        return self.data["expires_in"]

    def is_expired(self):
        return self.issued_at + self.data["expires_in"] < time.time()

    def is_revoked(self):
        return self.is_access_revoked

    def get_user(self):
        return self.user


class Code(AuthorizationCodeMixin):
    def __init__(self, code, payload, scope):
        self.code, self.scope, self.redirect_uri = code, scope, payload.redirect_uri
        self.client_id = payload.client_id
        self.code_challenge = payload.data.get("code_challenge")
        self.code_challenge_method = payload.data.get("code_challenge_method")

    def get_redirect_uri(self):
        return self.redirect_uri

    def get_scope(self):
        return self.scope


EVERY_GRANT = ["authorization_code", "refresh_token", "client_credentials", DEVICE_GRANT]
CLIENTS = {
    client.client_id: client
    for client in [
        Client("public", "none", "", ["authorization_code", "refresh_token", DEVICE_GRANT]),
        Client("basic:1", "client_secret_basic", "s3cret: +&%é", EVERY_GRANT),
        Client("post", "client_secret_post", "s3cret: +&%é", EVERY_GRANT),
    ]
}
TOKENS, CODES, DEVICES, ANSWERS, LAST_POLL = [], {}, {}, {}, {}


class CodeGrant(grants.AuthorizationCodeGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def save_authorization_code(self, code, request):
        CODES[code] = Code(code, request.payload, request.scope)

    def query_authorization_code(self, code, client):
        found = CODES.get(code)
        return found if found and found.client_id == client.get_client_id() else None

    def delete_authorization_code(self, authorization_code):
        CODES.pop(authorization_code.code, None)

    def authenticate_user(self, authorization_code):
        return USER


class RefreshGrant(grants.RefreshTokenGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]
    INCLUDE_NEW_REFRESH_TOKEN = True

    def authenticate_refresh_token(self, refresh_token):
        for token in TOKENS:
            if token.data.get("refresh_token") == refresh_token and not token.is_refresh_revoked:
                return token

    def authenticate_user(self, refresh_token):
        return refresh_token.get_user()

    def revoke_old_credential(self, refresh_token):
        refresh_token.is_access_revoked = refresh_token.is_refresh_revoked = True


class CredentialsGrant(grants.ClientCredentialsGrant):
    TOKEN_ENDPOINT_AUTH_METHODS = ["client_secret_basic", "client_secret_post"]


class DeviceGrant(DeviceCodeGrant):
    def query_device_credential(self, device_code):
        return DEVICES.get(device_code)

    def query_user_grant(self, user_code):
        return ANSWERS.get(user_code)

    def should_slow_down(self, credential):
        """The second question of all counts as too early: the test's own clock takes no time."""
        count = LAST_POLL[credential["device_code"]] = LAST_POLL.get(credential["device_code"], 0) + 1
        return count == 2


class DeviceEndpoint(DeviceAuthorizationEndpoint):
    def get_verification_uri(self):
        return request.host_url + "activate"

    def save_device_credential(self, client_id, scope, data):
        DEVICES[data["device_code"]] = DeviceCredentialDict(
            client_id=client_id, scope=scope, expires_at=int(time.time()) + data["expires_in"], **data
        )


class Revocation(RevocationEndpoint):
    CLIENT_AUTH_METHODS = ["none", "client_secret_basic", "client_secret_post"]

    def query_token(self, token_string, token_type_hint):
        for token in TOKENS:
            if token_string in (token.data.get("access_token"), token.data.get("refresh_token")):
                return token

    def revoke_token(self, token, request):
        token.is_access_revoked = True
        if request.form["token"] == token.data.get("refresh_token"):
            token.is_refresh_revoked = True


class Issuer(IssuerParameter):
    def get_issuer(self):
        return request.host_url.rstrip("/")


class BearerTokens(BearerTokenValidator):
    def authenticate_token(self, token_string):
        for token in TOKENS:
            if token.data["access_token"] == token_string:
                return token


app = Flask(__name__)
app.config["OAUTH2_REFRESH_TOKEN_GENERATOR"] = True
app.config["OAUTH2_SCOPES_SUPPORTED"] = ["read", "write"]
server = AuthorizationServer(
    app,
    query_client=CLIENTS.get,
    save_token=lambda token, request: TOKENS.append(Token(request.client.client_id, request.user, token)),
)
server.register_grant(CodeGrant, [CodeChallenge(required=True)])
server.register_grant(RefreshGrant)
server.register_grant(CredentialsGrant)
server.register_grant(DeviceGrant)
server.register_endpoint(DeviceEndpoint)
server.register_endpoint(Revocation)
server.register_extension(Issuer())
require_token = ResourceProtector()
require_token.register_token_validator(BearerTokens())


@app.get("/authorize")
def authorize():
    try:
        grant = server.get_consent_grant(end_user=USER)
    except OAuth2Error as error:
        response = server.handle_error_response(None, error)
        # Authlib names the server by itself only in what it answers to a person's consent.
        Issuer().add_issuer_parameter(server, response)
        return response
    user = None if request.args.get("login_hint") == "nobody" else USER
    return server.create_authorization_response(grant_user=user, grant=grant)


@app.post("/token")
def token():
    return server.create_token_response()


@app.post("/device")
def device():
    return server.create_endpoint_response(DeviceEndpoint.ENDPOINT_NAME)


@app.post("/activate")
def activate():
    """What the person does on another device."""
    ANSWERS[request.form["user_code"]] = (USER, request.form["answer"] == "yes")
    return ""


@app.post("/revoke")
def revoke():
    return server.create_endpoint_response(Revocation.ENDPOINT_NAME)


@app.get("/me")
@require_token("read")
def me():
    return jsonify(user=current_token.get_user(), scope=current_token.get_scope())


def metadata(issuer):
    root = request.host_url.rstrip("/")
    document = AuthorizationServerMetadata(
        issuer=issuer,
        authorization_endpoint=root + "/authorize",
        token_endpoint=root + "/token",
        device_authorization_endpoint=root + "/device",
        revocation_endpoint=root + "/revoke",
        response_types_supported=["code"],
        grant_types_supported=EVERY_GRANT,
        code_challenge_methods_supported=["S256"],
        authorization_response_iss_parameter_supported=True,
    )
    return jsonify(document)


# Authlib defines the path of the document of an issuer with a path; that of OpenID is after it.
for path in ["", "/tenant/1"]:
    for rule in [get_well_known_url("http://a" + path), "/openid" + path + "/.well-known/openid-configuration"]:
        openid = "/openid" if rule.startswith("/openid") else ""
        app.add_url_rule(
            rule, rule, lambda path=openid + path: metadata(request.host_url.rstrip("/") + path)
        )


def end_with_input():
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    threading.Thread(target=end_with_input, daemon=True).start()
    listener = make_server("127.0.0.1", 0, app, threaded=True)
    print(f"Listening at: http://127.0.0.1:{listener.port}", flush=True)
    listener.serve_forever()
