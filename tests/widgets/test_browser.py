"""The explorer in a real browser, served and in JupyterLab: what a user does, and that nothing leaves the computer."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import pytest

pytest.importorskip("playwright")

import nbformat
from playwright.sync_api import Browser, ConsoleMessage, Locator, Page, Request, expect, sync_playwright

from maguyva_nb.engine import Explorer, SearchOptions, reweigh
from maguyva_nb.types import Intent, Modality, Profile, SearchTrace

pytestmark = pytest.mark.browser

CHROMIUM = Path("/usr/bin/chromium")
SAMPLE = Path(__file__).parents[2] / "sample_repos" / "parcel_service"
QUERY = "how are retries handled"
WAIT_MS = 60_000  # a bound for slow machines; nothing waits this long
NEW_WEIGHT = 2.5


@dataclass(frozen=True)
class Expected:
    """What the engine computes for the query, before and after one weight is edited."""

    before: SearchTrace
    after: SearchTrace


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """An environment with folders of its own; the index in it is shared by all processes of these tests."""
    folder = tmp_path_factory.mktemp("home")
    names = {"XDG_CACHE_HOME": "cache", "XDG_CONFIG_HOME": "config", "XDG_DATA_HOME": "data"}
    names |= {"JUPYTER_CONFIG_DIR": "jupyter", "JUPYTER_RUNTIME_DIR": "runtime", "IPYTHONDIR": "ipython"}
    with pytest.MonkeyPatch.context() as patch:
        for name, value in names.items():
            patch.setenv(name, str(folder / value))
        yield dict(os.environ)


@pytest.fixture(scope="module")
def expected(home: dict[str, str]) -> Expected:
    """The engine's own answers over the index that the apps will open."""
    explorer = Explorer.open(SAMPLE)
    before = explorer.search(QUERY, SearchOptions(preset="default"))
    profile = before.profile
    row = {**profile.row(Intent.UNDERSTAND_CODE), Modality.TEXT: NEW_WEIGHT}
    edited = Profile("edited", {**profile.weights, Intent.UNDERSTAND_CODE: row})
    after = reweigh(explorer.complete(before), edited)
    explorer.close()
    return Expected(before, after)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    if not CHROMIUM.is_file():
        pytest.skip("needs Debian's Chromium")
    with sync_playwright() as playwright:
        yield playwright.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox", "--disable-gpu"])


class Watch:
    """Collects what must not happen on a page."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.elsewhere: list[str] = []
        page.on("console", self._console)
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        page.on("request", self._request)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type == "error":
            self.errors.append(message.text)

    def _request(self, request: Request) -> None:
        url = urlsplit(request.url)
        if url.scheme in ("http", "https", "ws", "wss") and url.hostname != "127.0.0.1":
            self.elsewhere.append(request.url)

    def assert_clean(self) -> None:
        assert self.elsewhere == []
        assert self.errors == []


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page of 1280 pixels."""
    page = browser.new_page(viewport={"width": 1280, "height": 1300})
    page.set_default_timeout(WAIT_MS)
    expect.set_options(timeout=WAIT_MS)
    yield page
    page.close()


@pytest.fixture(scope="module")
def served(home: dict[str, str], expected: Expected) -> Iterator[str]:
    """``maguyva-nb app`` on a free port, its address read from what it prints."""
    code = f"from maguyva_nb.cli import main; main(['app', {str(SAMPLE)!r}, '--no-browser'])"
    with subprocess.Popen([sys.executable, "-c", code], env=home, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            found = re.search(r"http://127\.0\.0\.1:\d+/", process.stdout.readline())
            assert found
            wait_for(found[0])
            yield found[0]
        finally:
            process.terminate()


@pytest.fixture(scope="module")
def lab(home: dict[str, str], expected: Expected, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """JupyterLab with a notebook of one cell."""
    folder = tmp_path_factory.mktemp("notebooks")
    cell = nbformat.v4.new_code_cell(f"from maguyva_nb import explore\n\nexplore({str(SAMPLE)!r})")
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    nbformat.write(nbformat.v4.new_notebook(cells=[cell], metadata=kernel), folder / "demo.ipynb")
    root = f"http://127.0.0.1:{free_port()}"
    command = [sys.executable, "-m", "jupyter", "lab", "--no-browser", "--allow-root", "--ip=127.0.0.1"]
    command += [f"--port={urlsplit(root).port}", "--IdentityProvider.token=", f"--ServerApp.root_dir={folder}"]
    command += ["--LabApp.news_url=None"]
    with subprocess.Popen(command, env=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            wait_for(f"{root}/api")
            yield f"{root}/lab/tree/demo.ipynb?reset"
        finally:
            process.terminate()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(url: str) -> None:
    """Asks until the server answers; connections are refused at once, so this gives up after a minute at most."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        try:
            urllib.request.urlopen(url, timeout=10).close()
            return
        except OSError:
            time.sleep(0.2)
    raise AssertionError(f"{url} does not answer")


def run_the_cell(page: Page, address: str) -> None:
    page.goto(address)
    expect(page.get_by_text("Python 3 (ipykernel) | Idle")).to_be_visible()
    page.locator(".jp-CodeCell .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    expect(page.locator(".jp-CodeCell .jp-InputPrompt").first).to_have_text("[1]:")


def weight_cell(page: Page, modality: Modality) -> Locator:
    row = page.locator(".tabulator-row").filter(has_text="understand_code")
    return row.locator(f".tabulator-cell[tabulator-field={modality}]")


def edit(page: Page, modality: Modality, value: str) -> None:
    weight_cell(page, modality).click()
    weight_cell(page, modality).locator("input").fill(value)
    page.keyboard.press("Enter")


def first_scores(page: Page, trace: SearchTrace) -> None:
    """The fused column shows the first results of a trace, in order, with their scores."""
    rows = page.locator(".rows[data-list=fused] > .row")
    for place, hit in enumerate(trace.results[:5]):
        expect(rows.nth(place)).to_have_attribute("data-chunk", str(hit.chunk_id))
        expect(rows.nth(place).locator(".score")).to_have_text(f"{hit.score:.5f}")


def ask(page: Page, expected: Expected) -> None:
    """Types a query; intent, rule, lists and the fused result appear."""
    page.locator("input[name=query]").click()
    page.keyboard.type(QUERY)
    page.keyboard.press("Enter")
    expect(page.locator("[data-intent]")).to_have_text("understand_code")
    expect(page.locator("[data-rule]")).to_have_text(expected.before.classification.rule)
    for modality in Modality:
        expect(page.locator(f".rows[data-list={modality}] .row").first).to_be_visible()
    first_scores(page, expected.before)


def move_a_weight(page: Page, expected: Expected) -> None:
    """Edits a cell; the fused list becomes what the engine computes. A bad value is put back."""
    edit(page, Modality.TEXT, str(NEW_WEIGHT))
    first_scores(page, expected.after)
    edit(page, Modality.TEXT, "-1")
    expect(page.get_by_text("A weight is a finite number of 0 or more")).to_be_visible()
    expect(weight_cell(page, Modality.TEXT)).to_have_text(str(NEW_WEIGHT))
    first_scores(page, expected.after)


def read_results(page: Page, expected: Expected) -> None:
    """Chooses results with mouse and keyboard; each one's code shows."""
    rows = page.locator(".rows[data-list=fused] > .row")
    for place, choose in ((1, lambda row: row.click()), (2, lambda row: row.press("ArrowDown"))):
        choose(rows.nth(1))
        if place == 2:
            rows.nth(2).press("Enter")
        card = expected.after.cards[expected.after.results[place].chunk_id]
        expect(rows.nth(place)).to_have_attribute("aria-selected", "true")
        expect(page.locator(".code .where")).to_contain_text(f"{card.path}:{card.start_line}")
        expect(page.locator(f".code .line.inside[data-line='{card.start_line}']")).to_be_visible()
    page.keyboard.press("/")
    expect(page.locator("input[name=query]")).to_be_focused()


def draw_a_blast_radius(page: Page) -> None:
    """Asks what breaks; totals show and the sandboxed page draws its nodes."""
    page.locator("input[name=query]").fill("what breaks if I change load_settings")
    page.keyboard.press("Enter")
    expect(page.locator(".impact .target, .impact select")).to_contain_text("load_settings")
    expect(page.locator("[data-total=direct]")).not_to_have_text("0")
    expect(page.locator(".impact .unresolved").first).to_contain_text("call sites of load_settings unresolved")
    frame = page.frame_locator("iframe[title='Graph of the blast radius']")
    expect(frame.locator("canvas")).to_be_visible()
    sandboxed = next(one for one in page.frames if one.url == "about:srcdoc")
    sandboxed.wait_for_function("Object.keys(network.body.nodes).length > 1")
    page.locator(".impact li .plain").first.click()
    where = page.locator(".impact li .where").first.text_content()
    expect(page.locator(".code .where")).to_have_text(str(where))


def everything(page: Page, expected: Expected) -> None:
    ask(page, expected)
    move_a_weight(page, expected)
    read_results(page, expected)
    draw_a_blast_radius(page)


def test_the_served_app_does_its_work_without_another_host(page: Page, served: str, expected: Expected) -> None:
    watch = Watch(page)
    page.goto(served)
    everything(page, expected)
    watch.assert_clean()


def test_the_explorer_in_jupyterlab_does_the_same(page: Page, lab: str, expected: Expected) -> None:
    watch = Watch(page)
    run_the_cell(page, lab)
    everything(page, expected)
    assert page.locator(".jp-Cell").count() <= 2  # typed letters were no notebook shortcuts
    watch.assert_clean()


def test_a_narrow_page_shows_the_fused_list_first_and_never_scrolls_sideways(page: Page, served: str) -> None:
    page.set_viewport_size({"width": 700, "height": 900})
    page.goto(served)
    page.locator("input[name=query]").fill(QUERY)
    page.keyboard.press("Enter")
    fused, semantic = (page.locator(f".column[data-column={name}]") for name in ("fused", "semantic"))
    expect(page.locator(".rows[data-list=graph] .row").first).to_be_visible()  # the last column to fill
    above = "(fused, semantic) => fused.getBoundingClientRect().top < semantic.getBoundingClientRect().top"
    handle = semantic.element_handle()
    assert fused.evaluate(above, handle)
    assert page.evaluate("document.documentElement.scrollWidth") <= 700
