"""Draw the icons of the installed site from ``static/img/favicon.svg``: ``python .packaging/make_icons.py``."""

from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.e2e import browser as browsers

IMAGES = Path(__file__).parents[1] / "static" / "img"
RED = "#b8281f"
# A maskable icon is cut to any shape: what counts lies in the inner 80 %.
ICONS = {
    "icon-192.png": (192, 1.0, "transparent"),
    "icon-512.png": (512, 1.0, "transparent"),
    "icon-mask.png": (512, 0.72, RED),
}


def main() -> None:
    """Write all icons."""
    drawing = (IMAGES / "favicon.svg").read_text(encoding="utf-8")
    with sync_playwright() as playwright:
        path = browsers.find(playwright.chromium.executable_path)
        with playwright.chromium.launch(executable_path=path, args=list(browsers.FLAGS)) as browser:
            for name, (size, share, ground) in ICONS.items():
                page = browser.new_page(viewport={"width": size, "height": size})
                page.set_content(
                    f"<style>html{{background:{ground}}}body{{margin:0;display:grid;place-items:center;height:100vh}}"
                    f"svg{{width:{share * 100}vw;height:{share * 100}vw}}</style>{drawing}"
                )
                page.screenshot(path=str(IMAGES / name), omit_background=True)
                page.close()


if __name__ == "__main__":
    main()
