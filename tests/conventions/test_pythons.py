"""The Pythons that are accepted are the same wherever they are named."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
ACCEPTED = ["3.11", "3.12", "3.13"]


def text(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8")


def test_package_and_workflow_name_them() -> None:
    assert tomllib.loads(text("pyproject.toml"))["project"]["requires-python"] == ">=3.11,<3.14"
    workflow = yaml.safe_load(text(".github/workflows/ci.yml"))
    assert workflow["jobs"]["run"]["strategy"]["matrix"]["python"] == ACCEPTED


def test_the_makefile_takes_them_and_says_so() -> None:
    (check,) = re.findall(r"^ACCEPTED := (.*)$", text("Makefile"), re.MULTILINE)
    for version in ["3.10", *ACCEPTED, "3.14"]:
        pretend = f"import sys; sys.version_info = ({version.replace('.', ', ')}, 0)\n{check}"
        taken = subprocess.run([sys.executable, "-c", pretend], check=False).returncode == 0
        assert taken == (version in ACCEPTED), version
    for name in ("Makefile", "README.md"):
        assert "Python 3.11, 3.12 or 3.13" in text(name)
