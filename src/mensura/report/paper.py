"""Paper: a report as PDF, printed by the browser that is installed."""

import shutil
import subprocess
import tempfile
from os import geteuid
from pathlib import Path

from mensura.errors import MensuraError, NotInstalled
from mensura.private_file import make_private

# The one without windows first: it takes a third of the time.
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "chrome")


def find_browser() -> str | None:
    """Find the Chromium that is installed; None where there is none."""
    return next((found for name in BROWSERS if (found := shutil.which(name))), None)


def write_pdf(html: str, path: Path) -> Path:
    """Print a page to PDF with Chromium; without one, say what to do instead."""
    browser = find_browser()
    if browser is None:
        raise NotInstalled(
            "A PDF is printed by Chromium, which is not installed here: `apt install chromium`, or write a .html file "
            "and print that from your browser.",
            install="apt install chromium",
        )
    make_private(path)
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "report.html"
        page.write_text(html)
        flags = ["--headless", "--disable-gpu", "--disable-background-networking", "--no-pdf-header-footer"]
        if geteuid() == 0:
            # Chromium refuses its sandbox to root; the page is ours and loads nothing.
            flags.append("--no-sandbox")
        command = [browser, *flags, f"--user-data-dir={folder}/profile", f"--print-to-pdf={path.resolve()}", str(page)]
        finished = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if finished.returncode or not path.stat().st_size:
        raise MensuraError(f"Chromium could not print the report: {finished.stderr.strip()[-300:]}")
    return path
