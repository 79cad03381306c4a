"""Serves the site on this machine, for as long as a reader needs it."""

import functools
import http.server
import os
import shutil
import subprocess
import sys
import threading


class Handler(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format, *arguments):
        pass

    def end_headers(self):
        # The site changes under a browser that stays open.
        self.send_header("Cache-Control", "no-cache")
        super().end_headers()


def open_browser(url):
    """Shows a page in a browser, if there is one for people to look at."""
    if sys.platform == "darwin":
        command = "open"
    elif os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        command = "xdg-open"
    else:
        return
    if shutil.which(command):
        subprocess.Popen([command, url], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def run(folder, minutes):
    handler = functools.partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        url = f"http://127.0.0.1:{server.server_address[1]}/documentation/"
        print(f"docs: {url} (Ctrl-C ends it, or {minutes:g} minutes)", file=sys.stderr, flush=True)
        timer = threading.Timer(minutes * 60, server.shutdown)
        timer.daemon = True
        timer.start()
        open_browser(url)
        server.serve_forever()
