"""Files of ``docs/deploy`` that cannot be run here: what they refer to exists."""

import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Mapping
from importlib import import_module
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import click
import pytest

from tests.support.project_files import ROOT
from webapp.cli import main

DEPLOY = ROOT / "docs" / "deploy"
OPERATIONS = (ROOT / "docs" / "operations.md").read_text("utf-8")
SETTING = re.compile(r"\bTEFUDA_[A-Z_]+\b")


def is_command(words: list[str]) -> bool:
    """Return True if ``tefuda`` has this command with these options."""
    group: click.Command = main
    while isinstance(group, click.Group) and words:
        inner = group.get_command(click.Context(group), words[0])
        if inner is None:
            break
        group, words = inner, words[1:]
    try:
        group.make_context("tefuda", list(words), resilient_parsing=False)
    except click.ClickException:
        return False
    return not isinstance(group, click.Group)


def test_commands_are_told_from_what_is_none() -> None:
    assert is_command(["db", "backup", "--keep", "14", "folder"])
    assert not is_command(["db"]) and not is_command(["db", "backup", "--kept", "14"]) and not is_command(["work"])


@pytest.mark.parametrize("path", sorted(path for path in DEPLOY.iterdir()), ids=lambda path: path.name)
def test_settings_that_are_named_are_settings(path: Path) -> None:
    for name in SETTING.findall(path.read_text("utf-8")):
        assert f"`{name}`" in OPERATIONS, name


@pytest.mark.parametrize("unit", ["tefuda@.service", "tefuda-daily.service"])
def test_units_run_commands_that_exist(unit: str) -> None:
    commands = re.findall(r"^ExecStart(?:Pre)?=/opt/tefuda/bin/tefuda (.+)$", (DEPLOY / unit).read_text(), re.MULTILINE)
    assert commands
    for command in commands:
        assert is_command(shlex.split(command)), command


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd-analyze is not installed")
def test_systemd_reads_the_units_without_a_word(tmp_path: Path) -> None:
    program = str(Path(sys.executable).with_name("tefuda"))
    names = {"tefuda@.service": "tefuda@8001.service"}
    for path in DEPLOY.glob("tefuda*"):
        text = path.read_text("utf-8").replace("/opt/tefuda/bin/tefuda", program)
        (tmp_path / names.get(path.name, path.name)).write_text(text, "utf-8")
    units = sorted(map(str, tmp_path.iterdir()))
    assert len(units) == 3
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", *units], capture_output=True, text=True)
    said = [line for line in done.stderr.splitlines() if any(Path(unit).name in line for unit in units)]
    assert said == []


def instructions() -> list[tuple[str, str]]:
    """Return the instructions of the Containerfile as pairs (instruction, arguments)."""
    text = (DEPLOY / "Containerfile").read_text("utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(line.split()[0], line.split(maxsplit=1)[1]) for line in lines]


def test_the_containerfile_names_what_is_there() -> None:
    by_name: dict[str, list[str]] = {}
    for name, rest in instructions():
        by_name.setdefault(name, []).append(rest)
    assert by_name.keys() == {
        *("FROM", "RUN", "COPY", "USER", "ENV", "VOLUME", "EXPOSE", "STOPSIGNAL", "ENTRYPOINT", "CMD")
    }
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    version = re.search(r"python:(\d+\.\d+)", by_name["FROM"][0])
    floor = re.fullmatch(r">=(\d+\.\d+)", project["requires-python"])
    assert version and floor
    assert [int(part) for part in version[1].split(".")] >= [int(part) for part in floor[1].split(".")]
    extras = re.search(r"/src\[(.+?)\]", " ".join(by_name["RUN"]))
    assert extras and set(extras[1].split(",")) <= set(project["optional-dependencies"])
    environment = dict(pair.split("=", 1) for pair in by_name["ENV"][0].split())
    assert by_name["VOLUME"] == [environment["TEFUDA_INSTANCE"]]
    assert by_name["EXPOSE"] == [environment["TEFUDA_PORT"]]
    program, *words = _list(by_name["CMD"][0])
    assert program == "tefuda" and is_command(words)
    init, end_of_options = _list(by_name["ENTRYPOINT"][0])
    assert end_of_options == "--"
    installed = re.search(r"apt-get install -y --no-install-recommends (.+?) &&", by_name["RUN"][0])
    assert installed and init in installed[1].split(), (
        "a command that has no handler for SIGTERM is not the first process"
    )


def test_an_image_is_made_of_what_the_build_needs_and_of_nothing_else() -> None:
    """An operator's folder also contains the key, the database and ``.env``, and deleted files stay in image layers."""
    lines = (ROOT / ".dockerignore").read_text("utf-8").splitlines()
    first, *rest = [line for line in lines if line and not line.startswith("#")]
    assert first == "*"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]
    needed = {*wheel["only-include"], project["project"]["readme"]}
    needed |= {*project["project"]["license-files"], "pyproject.toml", "constraints.txt"}
    assert {line[1:] for line in rest if line.startswith("!")} == needed
    assert [line for line in rest if not line.startswith("!")] == ["**/__pycache__"]
    assert ("COPY", ". /src") in instructions()


def _list(text: str) -> list[str]:
    words: list[str] = import_module("json").loads(text)
    return words


IMAGE_VOLUMES = {
    "tefuda": {"/var/lib/tefuda"},
    "docker.io/library/postgres:15": {"/var/lib/postgresql/data"},
    "docker.io/library/caddy:2": {"/config", "/data"},
}
"""Folders that the images declare as volumes."""


def composed() -> dict[str, Any]:
    """The parsed compose file."""
    found: dict[str, Any] = import_module("yaml").safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
    return found


def of_our_image(services: Mapping[str, Any]) -> dict[str, Any]:
    return {name: service for name, service in services.items() if service["image"] == "tefuda"}


def test_the_compose_file_names_what_is_there() -> None:
    services, volumes = composed()["services"], composed()["volumes"]
    ours = of_our_image(services)
    assert set(ours) == {"upgrade", "web1", "web2", "lab"}
    for name, service in services.items():
        assert set(service.get("depends_on", ())) <= set(services), name
        for volume in service.get("volumes", ()):
            source = volume.partition(":")[0]
            assert source in volumes or (DEPLOY / source).is_file(), volume
    for name, service in ours.items():
        build = service["build"]
        assert (DEPLOY / build["context"]).resolve() == ROOT
        assert (ROOT / build["dockerfile"]).is_file()
        assert service["environment"]["TEFUDA_SECRET_KEY"] == "${TEFUDA_SECRET_KEY}", "no secret stands in the file"
        program, *words = service.get("command", ["tefuda", "serve"])
        assert program == "tefuda" and is_command(words), name
        grace = int(service["stop_grace_period"].removesuffix("s"))
        assert grace >= 10, "SIGTERM has ten seconds"
    processes = services["proxy"]["environment"]["CADDY_PROCESSES"].split()
    assert processes == [f"{name}:8000" for name in ours if name.startswith("web")]


def test_caddy_takes_no_mistake_of_a_visitor_for_a_failure_of_a_process() -> None:
    """``test_caddy`` tests it where Caddy is installed: after one long body Caddy avoided a process for two seconds."""
    lines = [line.split() for line in (DEPLOY / "Caddyfile").read_text("utf-8").splitlines()]
    directives = {words[0] for words in lines if words and not words[0].startswith("#")}
    assert "health_uri" in directives
    assert not directives & {"fail_duration", "max_fails", "unhealthy_status", "unhealthy_latency"}
    assert "max_size" not in directives, "its answer cut off the one that the site was giving"


def test_services_that_serve_have_a_health_check_and_others_have_none() -> None:
    """A check of a container that does not serve fails always.

    Podman ignores health checks of images, so compose needs them.
    """
    assert "HEALTHCHECK" not in dict(instructions())
    port = dict(pair.split("=", 1) for pair in dict(instructions())["ENV"].split())["TEFUDA_PORT"]
    ours = of_our_image(composed()["services"])
    checks = {name: service["healthcheck"]["test"] for name, service in ours.items() if "healthcheck" in service}
    assert set(checks) == {name for name, service in ours.items() if "command" not in service} == {"web1", "web2"}
    for how, program, option, code in checks.values():
        assert (how, program, option) == ("CMD", "python", "-c")
        assert f"'http://127.0.0.1:{port}/readyz'" in code
        compile(code, "healthcheck", "exec")


def test_the_database_is_asked_where_only_the_lasting_server_answers() -> None:
    """At its first start the image runs a temporary server at the socket only; upgrades once ran into it."""
    services = composed()["services"]
    how, *words = services["database"]["healthcheck"]["test"]
    assert how == "CMD" and words[0] == "pg_isready"
    assert words[words.index("-h") + 1] == "127.0.0.1"
    assert services["upgrade"]["depends_on"] == {"database": {"condition": "service_healthy"}}


def test_processes_believe_the_proxy_on_every_engine() -> None:
    """Docker and Podman choose different networks, so the file names one, and only that is trusted."""
    (network,) = composed()["networks"]["default"]["ipam"]["config"]
    assert ip_network(network["subnet"]).is_private
    for name, service in composed()["services"].items():
        assert "networks" not in service and "network_mode" not in service, name
    for name, service in of_our_image(composed()["services"]).items():
        assert service["environment"]["TEFUDA_TRUSTED_PROXIES"] == network["subnet"], name


def test_no_service_has_a_volume_without_a_name() -> None:
    """Each ``up`` would create another anonymous volume that nothing removes."""
    assert IMAGE_VOLUMES["tefuda"] == {dict(instructions())["VOLUME"]}
    for name, service in composed()["services"].items():
        mounted = {volume.split(":")[1] for volume in service.get("volumes", ()) if volume.count(":")}
        assert mounted | set(service.get("tmpfs", ())) >= IMAGE_VOLUMES[service["image"]], name
        assert all(":" in volume for volume in service.get("volumes", ())), name


def test_no_unit_opens_the_instance_folder_to_others() -> None:
    """The folder contains the key. systemd creates it for whichever unit starts first."""
    units = [path.read_text("utf-8") for path in DEPLOY.glob("*.service")]
    assert [unit.count("\nStateDirectory=tefuda\nStateDirectoryMode=0700\n") for unit in units] == [1, 1]


def test_the_site_of_nginx_answers_over_ipv6_too() -> None:
    ports = re.findall(r"^    listen (\S+?)( ssl http2)?;$", (DEPLOY / "nginx.conf").read_text("utf-8"), re.MULTILINE)
    assert ports == [("80", ""), ("[::]:80", ""), ("443", " ssl http2"), ("[::]:443", " ssl http2")]
