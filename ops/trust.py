"""The page that leads a tablet through trusting the box, over plain http because it comes before trust.

It offers the authority's certificate, says step by step what to tap, shows the fingerprint to compare with the
one on the box's own screen, and leads on to the https address. Nothing else is served here.
"""

from __future__ import annotations

import io
import threading
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import segno

from ops.tls import fingerprint

_PAGE = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Trust this Boston box</title>
<style>
body {{ font: 20px/1.45 system-ui, sans-serif; margin: 0 auto; padding: 24px; max-width: 720px; color: #1b211f;
background: #f3efe6 }}
a.go {{ display: block; text-align: center; padding: 18px; margin: 18px 0; border-radius: 12px; background: #1e5c48;
color: #fff; font-weight: 650; text-decoration: none }}
code {{ font-size: 17px; overflow-wrap: anywhere }} li {{ margin: 8px 0 }} h2 {{ margin-top: 32px }}
svg {{ background: #fff; padding: 12px; border-radius: 12px }}
</style></head><body>
<h1>Trust this box, once</h1>
<p>Then the tablet records without a network, keeps its screen on, and every card goes encrypted.</p>
<a class="go" href="/boston-box.crt">1. Take the box's certificate</a>
<h2>On an iPad</h2>
<ol><li>Tap “Allow”, then open Settings: “Profile Downloaded”, Install.</li>
<li>Settings, General, About, Certificate Trust Settings: switch “Boston box” on.</li></ol>
<h2>On an Android tablet</h2>
<ol><li>Open Settings and search for “CA certificate” (Install a certificate).</li>
<li>Choose “CA certificate”, “Install anyway”, and the file boston-box.crt from the downloads.</li></ol>
<p>Compare the fingerprint with the one on the box's screen:<br><code>{fingerprint}</code></p>
<a class="go" href="{address}">2. Open Boston</a>
<p>This page for the next tablet:</p>{qr}
</body></html>
"""


def page(authority: Path, address: str, here: str) -> bytes:
    """The page; `address` is the service's over https, `here` the page's own."""
    picture = io.BytesIO()
    segno.make(here, error="m").save(picture, kind="svg", scale=6, border=2, xmldecl=False)
    text = _PAGE.format(fingerprint=fingerprint(authority), address=escape(address), qr=picture.getvalue().decode())
    return text.encode()


def offer(authority: Path, address: str, host: str, port: int, here: str) -> ThreadingHTTPServer:
    """Serves the page and the certificate until the process ends; gives the server. Raises `OSError`."""
    told = page(authority, address, here)
    certificate = authority.read_bytes()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path in ("/", "/trust"):
                self._answer(told, "text/html; charset=utf-8")
            elif self.path == "/boston-box.crt":
                self._answer(certificate, "application/x-x509-ca-cert")
            else:
                self.send_error(404)

        def _answer(self, body: bytes, media: str) -> None:
            self.send_response(200)
            self.send_header("Content-Type", media)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            return

    server = ThreadingHTTPServer((host, port), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, name="trust page", daemon=True).start()
    return server
