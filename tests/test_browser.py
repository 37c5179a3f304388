"""The pages in a browser, as a person has them: nothing asked of others, nothing out of place."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """The Chromium of this machine; where the tests must all run, its absence is a failure."""
    path = next((found for name in BROWSERS if (found := shutil.which(name))), None)
    if path is None:
        assert not os.environ.get("CI"), "there is no Chromium, which .ci/run installs"
        pytest.skip("there is no Chromium on this machine")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A page of a run and one of a comparison, made by the command."""
    place = tmp_path_factory.mktemp("pages")
    (place / "sample_traces").symlink_to(ROOT / "sample_traces")
    paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
    checks = ["--check", 'includes(col("expected"))', "--check", 'similarity(col("expected"))']
    dump = ["sample_traces/support_agent.jsonl", *checks, "-o", "s.parquet"]
    by = ["--by", "metadata.tier"]
    for command in (
        ["score", *dump, *by, "--report", "run.html", "--quiet"],
        ["compare", "s.parquet@baseline", "s.parquet@candidate", *by, "--report", "compared.html"],
    ):
        argv = [sys.executable, "-m", "batcheval", *command]
        env = {**os.environ, "PYTHONPATH": paths}
        subprocess.run(argv, cwd=place, env=env, check=True, stdout=subprocess.DEVNULL)
    return place


@pytest.mark.parametrize("width", [1280, 390])
@pytest.mark.parametrize("name", ["run", "compared"])
def test_a_page_is_quiet_and_fits(browser: Any, folder: Path, name: str, width: int) -> None:
    backs = []
    for scheme in ("light", "dark"):
        context = browser.new_context(
            viewport={"width": width, "height": 844}, color_scheme=scheme, offline=True
        )
        page, said, asked = context.new_page(), [], []
        page.on("console", lambda message, said=said: said.append(message.text))
        page.on("pageerror", lambda error, said=said: said.append(str(error)))
        page.on("request", lambda request, asked=asked: asked.append(request.url))
        page.goto((folder / f"{name}.html").as_uri())
        page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
        assert said == []
        assert asked == [(folder / f"{name}.html").as_uri()]
        assert page.evaluate("document.documentElement.scrollWidth") == width
        backs.append(page.evaluate("getComputedStyle(document.body).backgroundColor"))
        context.close()
    assert backs == ["rgb(255, 255, 255)", "rgb(18, 21, 26)"]


@pytest.mark.parametrize("name", ["run", "compared"])
def test_no_table_is_wider_than_a_small_screen(browser: Any, folder: Path, name: str) -> None:
    page = browser.new_page()
    page.goto((folder / f"{name}.html").as_uri())
    page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
    wide = "[...document.querySelectorAll('.scroll')].filter(e => e.scrollWidth > e.clientWidth)"
    for width in (1100, 1000, 800):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(f"{wide}.map(each => each.ariaLabel)") == [], width
    page.close()


def test_the_keyboard_opens_a_trace(browser: Any, folder: Path) -> None:
    page = browser.new_page()
    page.goto((folder / "compared.html").as_uri())
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Skip to the content"
    case = page.locator("#c1-regressions ~ details").first
    case.locator("summary").focus()
    page.keyboard.press("Enter")
    assert case.get_attribute("open") is not None
    assert case.locator("pre").first.is_visible()
    page.close()


def test_print_shows_what_is_folded(browser: Any, folder: Path) -> None:
    page = browser.new_page(color_scheme="dark")
    page.goto((folder / "compared.html").as_uri())
    page.emulate_media(media="print")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    folded = page.locator("#c1-regressions ~ details pre").first
    assert folded.bounding_box()["height"] > 10
    page.close()
