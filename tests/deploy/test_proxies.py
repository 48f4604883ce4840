"""The proxies that the tests need are installed before they run, or the failure says so."""

import subprocess

import pytest

from tests.support import apt, proxies
from tests.support.project_files import ROOT


@pytest.mark.parametrize("target", ["test", "coverage"])
def test_proxies_are_looked_for_before_the_tests_run(target: str) -> None:
    told = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert "tests/support/proxies.py" in told.partition("-m pytest")[0]


def test_proxies_that_are_missing_are_installed_or_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    there, wanted = {"nginx": "/usr/sbin/nginx"}, list[str]()
    monkeypatch.setattr(proxies, "find", there.get)
    monkeypatch.setattr(apt, "install", wanted.append)
    assert proxies.main() == 0
    assert wanted == ["caddy"]
    missing = "caddy is missing: install it (Debian: apt-get install caddy)"
    assert capsys.readouterr().out == f"nginx: /usr/sbin/nginx\ncaddy: {missing}\n"
    assert proxies.required("nginx") == "/usr/sbin/nginx"
    with pytest.raises(pytest.fail.Exception, match="caddy is missing"):
        proxies.required("caddy")
